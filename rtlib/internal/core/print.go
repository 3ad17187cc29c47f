package core

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/internal/lexis/notation"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// The printed form of values (docs/language.md, "Programs").

// printer formats values out of a transfer area.
type printer struct {
	b strings.Builder
	x *Transfer
	w int // next word
	r int // next reference
}

// trapLine formats the line of a trap, the keep-alive values in x.
func trapLine(x *Transfer, site *Site) string {
	p := printer{x: x}
	p.b.WriteString("trap ")
	p.b.WriteString(lex.Visible(site.Name))
	for _, k := range site.Keep {
		p.b.WriteString(" ")
		p.b.WriteString(lex.Visible(k.Name))
		p.b.WriteString("=")
		p.value(k.Type, &Notation{})
	}
	p.b.WriteString("\n")
	return p.b.String()
}

// A Notation says how values of a type are printed; the zero value is the printed form of Mu.
type Notation = notation.Notation

// around is the text before the parts of a value, between them, and after them.
func around(n *Notation, open, end string) (first, between, last string) {
	if n.Open != "" || n.Between != "" {
		return n.Open, n.Between, n.Close
	}
	return open, " ", end
}

// ValueText is the printed form of a value in words and references, in Mu's notation.
func ValueText(v *VType, w []uint64, r []uintptr) string {
	p := printer{x: new(Transfer)}
	p.x.W, p.x.R = w, r
	p.value(v, &Notation{})
	return p.b.String()
}

// PrintValues prints the values of the types in X(t) on standard output, one per line, by the
// notations, of which there may be fewer.
func PrintValues(t *Ctx, types []*VType, notations []Notation) {
	p := printer{x: X(t)}
	all := Notation{Parts: notations}
	for i, v := range types {
		p.value(v, all.Part(i))
		p.b.WriteString("\n")
	}
	say(t, p.b.String())
}

// say writes to standard output what the runtime itself prints there. If that fails, the thread
// fails, and with it a program: it must not end as if its output had arrived.
func say(t *Ctx, text string) {
	s := thread.Of(t)
	s.Th.EnterSafe()
	_, err := os.Stdout.WriteString(text)
	s.Th.LeaveSafe()
	if err != nil {
		stop(s, &outputError{err})
	}
}

// outputError is a failure of say.
type outputError struct{ err error }

func (e *outputError) Error() string {
	err := e.err
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the name is /dev/stdout
	}
	return "standard output cannot be written: " + err.Error()
}

func (e *outputError) Unwrap() error { return e.err }

func (p *printer) word() uint64 {
	p.w++
	return p.x.W[p.w-1]
}

func (p *printer) ref() uintptr {
	p.r++
	return p.x.R[p.r-1]
}

// keywords are the keywords of types whose values are printed as the keyword.
var keywords = map[VKind]string{
	VRef: "ref", VIRef: "iref", VWeakRef: "weakref", VStackRef: "stackref",
	VThreadRef: "threadref", VCursorRef: "framecursorref", VNodeRef: "irnoderef",
	VBuilderRef: "irbuilderref",
}

// value takes the next value, of type v, and prints it.
//
//go:norace
//go:nocheckptr
func (p *printer) value(v *VType, n *Notation) {
	switch v.Kind {
	case VInt:
		if lo := p.x.W[p.w]; v.Bits <= 64 && lo < uint64(len(n.Words)) {
			p.w++
			p.b.WriteString(n.Words[lo])
		} else if n.Hex {
			p.b.WriteString(hexByte(uint8(p.word())))
		} else {
			p.b.WriteString(n.Prefix)
			p.integer(v.Bits, n.Unsigned)
		}
	case VFloat:
		p.float(float64(math.Float32frombits(uint32(p.word()))), 32)
	case VDouble:
		p.float(math.Float64frombits(p.word()), 64)
	case VUPtr, VUFuncPtr:
		switch w := p.word(); {
		case n.Number && n.Unsigned:
			p.b.WriteString(n.Prefix + uitoa(w))
		case n.Number:
			p.b.WriteString(n.Prefix + strconv.FormatInt(int64(int(w)), 10))
		default:
			p.b.WriteString("0x" + strconv.FormatUint(w, 16))
		}
	case VTagRef64:
		p.tagref()
	case VFuncRef:
		if f := uintptr(p.word()); f == 0 {
			p.b.WriteString("NULL")
		} else {
			p.b.WriteString(lex.Visible((*Func)(unsafe.Pointer(f)).called()))
		}
	case VStruct:
		open, between, end := around(n, "{", "}")
		p.b.WriteString(open)
		first := true
		for i, f := range v.Fields {
			part := n.Part(i)
			if part.Filler {
				continue
			}
			if !first {
				p.b.WriteString(between)
			}
			first = false
			p.value(f, part)
		}
		p.b.WriteString(end)
	case VArray, VVector:
		open, between, end := around(n, "[", "]")
		p.b.WriteString(open)
		for i := range v.Len {
			if i > 0 {
				p.b.WriteString(between)
			}
			p.value(v.Elem, n.Part(0))
		}
		p.b.WriteString(end)
	default:
		if p.ref() == 0 {
			p.b.WriteString("NULL")
		} else {
			p.b.WriteString(cmp.Or(v.Word, keywords[v.Kind]))
		}
	}
}

// integer prints an int<bits>.
func (p *printer) integer(bits uint32, unsigned bool) {
	lo := p.word()
	switch {
	case bits == 1:
		p.b.WriteString(uitoa(lo & 1))
	case bits <= 64 && unsigned:
		p.b.WriteString(uitoa(lo << (64 - bits) >> (64 - bits)))
	case bits <= 64:
		shift := 64 - bits
		p.b.WriteString(strconv.FormatInt(int64(lo<<shift)>>shift, 10))
	default:
		hi := p.word()
		shift := 128 - bits
		n := big.NewInt(int64(hi<<shift) >> shift)
		if unsigned {
			n.SetUint64(hi << shift >> shift)
		}
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(lo))
		p.b.WriteString(n.String())
	}
}

func (p *printer) float(v float64, bits int) {
	p.b.WriteString(strconv.FormatFloat(v, 'g', -1, bits))
}

func (p *printer) tagref() {
	w, ref := p.word(), p.ref()
	switch {
	case gc.TagIsInt(w):
		p.b.WriteString("int(" + strconv.FormatInt(int64(gc.TagToInt(w)<<12)>>12, 10) + ")")
	case gc.TagIsRef(w):
		text := "ref"
		if ref == 0 {
			text = "NULL"
		}
		p.b.WriteString("ref(" + text + "," + uitoa(uint64(gc.TagToTag(w))) + ")")
	default:
		p.b.WriteString("fp(")
		p.float(gc.TagToFP(w), 64)
		p.b.WriteString(")")
	}
}

func hexByte(n uint8) string {
	return string("0123456789abcdef"[n>>4]) + string("0123456789abcdef"[n&15])
}

func uitoa(n uint64) string { return strconv.FormatUint(n, 10) }

// count adds the words that a value of the type takes in the transfer area.
func (v *VType) count(n *List) {
	switch v.Kind {
	case VInt:
		n.W++
		if v.Bits > 64 {
			n.W++
		}
	case VFloat, VDouble, VUPtr, VUFuncPtr, VFuncRef:
		n.W++
	case VTagRef64:
		n.W++
		n.R++
	case VStruct:
		for _, f := range v.Fields {
			f.count(n)
		}
	case VArray, VVector:
		var e List
		v.Elem.count(&e)
		n.W += int(v.Len) * e.W
		n.R += int(v.Len) * e.R
	default:
		n.R++
	}
}
