package ir

import (
	"math"
	"strconv"
	"strings"
)

// imageLine reads an object or a store of the image.
func (r *reader) imageLine() {
	im := r.prog.Image
	pos := r.pos()
	if r.accept("object") {
		n := r.kind('$', "the name of an object")
		if strings.HasPrefix(n, `$"`) {
			n, _ = strconv.Unquote(n[1:])
		}
		r.expect(":")
		o := ImageObject{Name: n, Type: r.typ(), Pos: pos}
		o.Len = r.number("length")
		im.Objects = append(im.Objects, o)
		return
	}
	r.expect("init")
	in := ImageInit{To: r.location(), Pos: pos}
	r.expect("=")
	k := r.word("a kind of store")
	ok := false
	for i, n := range imageKinds {
		if n == k {
			in.Kind, ok = ImageKind(i), true
		}
	}
	if !ok {
		r.fail("want a kind of store, got %s", k)
		return
	}
	switch in.Kind {
	case ImageConst:
		in.Const = r.constant("")
	case ImageTagFP, ImageTagInt:
		in.Bits = r.number("number")
	case ImageTagRef:
		in.From = r.location()
		tag := r.number("tag")
		if tag > math.MaxUint8 {
			r.fail("bad tag %d", tag)
		}
		in.Tag = uint8(tag)
	default:
		in.From = r.location()
	}
	if !r.bad {
		im.Inits = append(im.Inits, in)
	}
}

func (r *reader) location() (l ImageLoc) {
	if r.accept("null") {
		l.Object = -1
		return
	}
	if len(r.line) > 0 && r.line[0].sigil == '@' {
		n := r.name()
		c := r.operands[n]
		if c == nil || c.Kind != ConstGlobal {
			r.fail("%s is no cell of this program", n)
			return
		}
		l.Global = c.Global
	} else {
		s := r.kind('$', "a location")
		n, err := strconv.ParseUint(strings.TrimPrefix(s, "$"), 10, 31)
		if err != nil {
			r.fail("bad location %s", s)
		}
		l.Object = int(n)
	}
	r.expect("[")
	for !r.bad && !r.accept("]") {
		l.Path = append(l.Path, r.number("number"))
	}
	r.expect(":")
	l.Type = r.typ()
	return
}
