package ir

import (
	"math"
	"strconv"
)

// declare enters all definitions, without types and values.
func (r *reader) declare(lines []line) {
	seen := map[string]bool{}
	inVersion := false
	for _, l := range lines {
		if inVersion {
			inVersion = !l.is("}")
			continue
		}
		r.start(l)
		what := l.word()
		switch what {
		case "program":
			r.expect("program")
			next, bundles := r.number("number"), r.number("number")
			if r.done() {
				if next > math.MaxUint32 || bundles > math.MaxInt32 {
					r.errorf(l.toks[0].off, "bad numbers of the program")
				} else {
					r.prog.NextID, r.prog.Bundles = uint32(next), int(bundles)
				}
			}
			continue
		case "word":
			r.wordLine()
			continue
		case "version":
			inVersion = true
			continue
		case "later":
			r.laterLine()
			continue
		case "const", "global", "func", "expose":
		default:
			continue
		}
		r.expect(what)
		pos := r.pos()
		n := r.name()
		if r.bad {
			continue
		}
		if seen[n] {
			r.errorf(l.toks[1].off, "%s redefined", n)
			continue
		}
		seen[n] = true
		p := r.prog
		switch what {
		case "const":
			c := &Const{Name: n, Pos: pos}
			p.Consts = append(p.Consts, c)
			p.Entities[n], r.operands[n] = c, c
		case "global":
			g := &Global{Name: n, Pos: pos}
			p.Globals = append(p.Globals, g)
			p.Entities[n], r.operands[n] = g, &Const{Kind: ConstGlobal, Global: g, Name: n, Pos: pos}
		case "func":
			f := &Function{Name: n, Pos: pos}
			p.Funcs = append(p.Funcs, f)
			p.Entities[n], r.operands[n] = f, &Const{Kind: ConstFunc, Func: f, Name: n, Pos: pos}
		case "expose":
			e := &Expose{Name: n, Pos: pos}
			p.Exposes = append(p.Exposes, e)
			p.Entities[n], r.operands[n] = e, &Const{Kind: ConstExpose, Expose: e, Name: n, Pos: pos}
		}
	}
}

// defineVars gives cells, functions, exposed functions and constants their
// types, then constants and exposed functions their values.
func (r *reader) defineVars(lines []line) {
	type later struct {
		c    *Const
		rest []token
		end  int
	}
	var values []later
	defined := map[string]bool{}
	inVersion := false
	for _, l := range lines {
		if inVersion {
			inVersion = !l.is("}")
			continue
		}
		what := l.word()
		switch what {
		case "version":
			inVersion = true
			continue
		case "const", "global", "func", "expose":
		default:
			continue
		}
		r.start(l)
		r.expect(what)
		n := r.name()
		c := r.operands[n]
		if c == nil || defined[n] {
			continue // reported
		}
		defined[n] = true
		r.expect(":")
		t := r.typ()
		switch what {
		case "const":
			c.Type = t
			r.expect("=")
			values = append(values, later{c, r.line, r.end})
			continue
		case "global":
			c.Global.Type, c.Type = t, r.t.IRef(t)
			for more := true; more; {
				switch {
				case r.accept("readonly"):
					c.Global.ReadOnly = true
				case r.accept("settled"):
					c.Global.Settled = true
				case r.accept("threadlocal"):
					c.Global.ThreadLocal = true
				default:
					more = false
				}
			}
			if r.accept("=") {
				values = append(values, later{c, r.line, r.end})
				continue
			}
			c.Global.ID, _ = r.id()
			c.ID = c.Global.ID
		case "func":
			if r.t.Kind(t) != KSig {
				r.fail("%s: want a signature", n)
			}
			c.Func.Sig, c.Type = t, r.t.Of(KFuncRef, t)
			c.Func.Attrs = r.attrs()
			if r.accept("called") {
				c.Func.Title = r.quoted("a name")
			}
			if r.accept("shown") {
				c.Func.Notation = r.notations("(", ")")
				if n := len(r.t.At(t).Results); len(c.Func.Notation) != n {
					r.fail("%s has %d results, and shows %d", c.Func.Name, n, len(c.Func.Notation))
				}
			}
			c.Func.ID, _ = r.id()
			c.ID = c.Func.ID
			if r.accept("copy") {
				r.expect("of")
				r.copyOf(c.Func)
			} else if r.accept("of") {
				r.implementation(c.Func)
			}
		case "expose":
			c.Expose.Type, c.Type = t, t
			r.expect("=")
			values = append(values, later{c, r.line, r.end})
			continue
		}
		r.done()
	}
	for _, v := range values {
		if v.rest == nil {
			continue // reported
		}
		r.start(line{toks: v.rest, end: v.end})
		if c := v.c; c.Kind == ConstExpose {
			f, ok := r.operands[r.name()]
			if !ok || f.Kind != ConstFunc {
				r.fail("%s exposes no function of this program", c.Name)
			} else {
				c.Expose.Func = f.Func
			}
			c.Expose.Cookie = r.constant("")
			c.ID, _ = r.id()
			c.Expose.ID = c.ID
		} else if c.Kind == ConstGlobal {
			at := r.off()
			c.Global.Init = r.evaluate(r.literal(), c.Global.Type, at)
			c.Global.ID, _ = r.id()
			c.ID = c.Global.ID
		} else {
			at := r.off()
			lit := r.literal()
			if x := r.evaluate(lit, c.Type, at); x != nil {
				x.Name, x.Pos = c.Name, c.Pos
				*c = *x
			}
			c.ID, _ = r.id()
		}
		r.done()
	}
}

// hook reads a hook.
func (r *reader) hook() {
	r.expect("hook")
	k := HookKind(0)
	for k < NumHooks && !r.accept(hookNames[k]) {
		k++
	}
	if k == NumHooks {
		r.fail("want start, threadstart, threadexit or exit, got %s", r.shown())
		return
	}
	if f := r.function(); f != nil {
		r.prog.Hooks[k] = append(r.prog.Hooks[k], f)
	}
}

// function takes the name of a function.
func (r *reader) function() *Function {
	at := r.off()
	n := r.name()
	if c := r.operands[n]; c != nil && c.Kind == ConstFunc {
		return c.Func
	}
	if !r.bad {
		r.errorf(at, "%s is no function of this program", n)
		r.bad, r.line = true, nil
	}
	return nil
}

// attrs takes attributes of a function, in any order.
func (r *reader) attrs() (all Attrs) {
next:
	for _, a := range attrNames {
		if r.accept(a.name) {
			all |= a.attr
			goto next
		}
	}
	return all
}

// wordLine reads the keyword of the source language for a kind of types.
func (r *reader) wordLine() {
	r.expect("word")
	name := r.word("a kind of types")
	k, ok := kindByName[name]
	if !ok {
		r.fail("%s is no kind of types", name)
	}
	w := r.quoted("a word")
	if r.done() {
		if r.t.Words == nil {
			r.t.Words = map[Kind]string{}
		}
		r.t.Words[k] = w
	}
}

// laterLine reads a later bundle.
func (r *reader) laterLine() {
	r.expect("later")
	l := &Later{Name: r.quoted("the name of a bundle"), Hash: r.quoted("a hash")}
	for _, part := range []struct {
		what string
		to   *[]string
	}{{"names", &l.Names}, {"needs", &l.Needs}} {
		if r.accept(part.what) {
			for len(r.line) > 0 && r.line[0].sigil == '@' {
				*part.to = append(*part.to, r.name())
			}
		}
	}
	if r.done() {
		r.prog.Later = append(r.prog.Later, l)
	}
}

func (r *reader) quoted(what string) string {
	s, err := strconv.Unquote(r.kind('"', what))
	if err != nil {
		r.fail("want %s in quotes", what)
	}
	return s
}

// copyOf reads which function f is a copy of.
func (r *reader) copyOf(f *Function) {
	c := r.operands[r.name()]
	switch {
	case r.bad:
	case c == nil || c.Kind != ConstFunc || c.Func == f || c.Func.CopyOf != nil:
		r.fail("%s is a copy of no function of this program", f.Name)
	default:
		f.CopyOf = c.Func
	}
}

// implementation reads which function f is an implementation of.
func (r *reader) implementation(f *Function) {
	c := r.operands[r.name()]
	n := r.number("number of a later bundle")
	switch {
	case r.bad:
	case c == nil || c.Kind != ConstFunc || c.Func == f:
		r.fail("%s implements no function of this program", f.Name)
	case n >= uint64(len(r.prog.Later)):
		r.fail("no later bundle %d", n)
	default:
		f.Of = c.Func
		c.Func.Impls = append(c.Func.Impls, f)
		l := r.prog.Later[n]
		l.Impls = append(l.Impls, f)
		delete(r.prog.Entities, f.Name)
	}
}
