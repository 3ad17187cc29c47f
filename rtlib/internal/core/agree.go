package core

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Agreement is the version of the data formats that generated code and the runtime share and that
// the Go compiler cannot check. Generated code has the number as a literal, and a program whose
// number differs from the runtime's does not start. Raise it, together with that of the
// translator (transpile/gogen, agreement), when one of these changes:
//
//   - the rows of the heap image, of FuncName.Inlined, Columns and Lines, of Func.Sites, and the numbers in
//     names of files (lex.MarkFile)
//   - the letters of List.Desc and CSig.Desc, and the places of the parts of a value in a
//     transfer area
//   - the head word of a frame, its site word, the order of its roots and words
//   - the header of an object, and the offsets of its fields
//   - the structs that the C code of a program shares with the runtime, and the parameters of the C functions that it
//     lends to units
const Agreement = 4

// errAgreement is wrapped by every error about the agreement.
var errAgreement = errors.New("the generated code does not fit this runtime; translate the bundles again with the uvm2go of its version")

// disagree is the error about one place where generated code and runtime differ.
func disagree(format string, args ...any) error {
	return fmt.Errorf("internal error: %w: %s", errAgreement, fmt.Sprintf(format, args...))
}

// agree checks the tables of a program for errors that would otherwise do silent damage later:
// numbers must refer to existing rows, texts must have the form that the runtime reads. It takes
// time in proportion to the tables. Tables that only error messages need are checked when used.
func (p *Program) agree() error {
	if p.Agreement != Agreement {
		return disagree("it is made for agreement %d, the runtime has %d", p.Agreement, Agreement)
	}
	for i, l := range p.Lists {
		if w, r, ok := countClasses(l.Desc); !ok || w != l.W || r != l.R {
			return disagree("value list %d, %q, has %d words and %d references", i, l.Desc, l.W, l.R)
		}
		if l.W > max(p.MaxTransfer, minTransfer) || l.R > max(p.MaxTransfer, minTransfer) {
			return disagree("value list %d, %q, is longer than a transfer area of %d", i, l.Desc, p.MaxTransfer)
		}
	}
	isList := func(n uint32) bool { return n == 0 || int(n) < len(p.Lists) }
	for i, f := range p.Funcs {
		if f == nil || !isList(f.Params) || !isList(f.Results) || int(f.Site) > len(p.Frames) {
			return disagree("function %d refers to what does not exist", i)
		}
	}
	for i := range p.Frames {
		if f := &p.Frames[i]; f.Func == nil || !isList(f.Results) {
			return disagree("place %d of frames refers to what does not exist", i+1)
		}
	}
	for i, t := range p.Thunks {
		if t.New == nil || !isList(t.Params) || !isList(t.Results) {
			return disagree("signature class %d refers to what does not exist", i)
		}
	}
	if !sort.SliceIsSorted(p.FuncNames, func(i, j int) bool { return p.FuncNames[i].Go < p.FuncNames[j].Go }) {
		return disagree("the names of functions are not sorted")
	}
	return errors.Join(p.agreeEntities(), p.agreeLater(), p.agreeNatives())
}

func (p *Program) agreeEntities() error {
	for i := range p.Entities {
		e := &p.Entities[i]
		has := map[EntityKind]bool{TypeEntity: true, SigEntity: true, ConstEntity: p.Constant != nil, GlobalEntity: e.Addr != 0,
			FuncEntity: e.Func != nil, ExposeEntity: e.Exposure != nil}
		if !has[e.Kind] || e.Type == nil {
			return disagree("entity %d is of kind %d", e.ID, e.Kind)
		}
	}
	return nil
}

func (p *Program) agreeLater() error {
	for i := range p.Later {
		for _, n := range p.Later[i].Needs {
			if slices.ContainsFunc(n.In, func(b uint32) bool { return int(b) >= len(p.Later) }) {
				return disagree("%s is in a bundle that does not exist", n.Name)
			}
		}
	}
	for _, h := range p.Hidden {
		if slices.ContainsFunc(h.In, func(b uint32) bool { return int(b) >= len(p.Later) }) {
			return disagree("entity %d is in a bundle that does not exist", h.ID)
		}
	}
	return nil
}

func (p *Program) agreeNatives() error {
	for _, x := range p.Exposes {
		if x.Func == nil || x.Sig == nil {
			return disagree("an exposed function has no record or no signature")
		}
		if err := x.Sig.agree(); err != nil {
			return err
		}
	}
	for i := range p.Entities {
		if s := p.Entities[i].CSig; s != nil {
			if err := s.agree(); err != nil {
				return err
			}
		}
	}
	for i, s := range p.Externs {
		if s.Name == "" || s.Addr == nil {
			return disagree("native symbol %d has no name or no variable", i)
		}
	}
	return nil
}

// agree checks the description of a C signature.
func (s *CSig) agree() error {
	params, result, ok := strings.Cut(s.Desc, ">")
	p, rest := countC(params, -1)
	r, after := countC(result, 1)
	if !ok || rest != "" || after != "" || p != s.Args || r != s.Results {
		return disagree("the C signature %q takes %d words and gives %d", s.Desc, s.Args, s.Results)
	}
	return nil
}

// countC counts the scalars of the types at the beginning of a text, of at most n types unless n is -1, and returns
// the rest of the text.
func countC(s string, n int) (scalars int, rest string) {
	for ; s != "" && n != 0; n-- {
		switch {
		case strings.IndexByte("bhilfdp", s[0]) >= 0:
			scalars++
			s = s[1:]
		case s[0] == '{':
			k, after := countC(s[1:], -1)
			if after == "" || after[0] != '}' {
				return 0, s
			}
			scalars, s = scalars+k, after[1:]
		case s[0] == '[':
			count, after, ok := leadingNumber(s[1:])
			k, after := countC(after, 1)
			if !ok || after == "" || after[0] != ']' {
				return 0, s
			}
			scalars, s = scalars+count*k, after[1:]
		default:
			return scalars, s
		}
	}
	return scalars, s
}

// countClasses counts the words and references of a list of machine classes, see List.Desc.
func countClasses(s string) (w, r int, ok bool) {
	for more := s != ""; more; {
		var dw, dr int
		if dw, dr, s = countClass(s); dw < 0 {
			return 0, 0, false
		}
		w, r = w+dw, r+dr
		if s, more = strings.CutPrefix(s, " "); !more && s != "" {
			return 0, 0, false
		}
	}
	return w, r, true
}

// countClass counts those of the class at the beginning of a text, and returns the rest of the text; w is -1 if there
// is no class.
func countClass(s string) (w, r int, rest string) {
	const bad = -1
	if s == "" {
		return bad, 0, s
	}
	switch s[0] {
	case 'i':
		bits, rest, ok := leadingNumber(s[1:])
		if !ok || bits < 1 || bits > 128 {
			return bad, 0, s
		}
		return (bits + 63) / 64, 0, rest
	case 'f', 'd', 'p', 'c':
		return 1, 0, s[1:]
	case 't':
		return 1, 1, s[1:]
	case 'r':
		return 0, 1, s[1:]
	case '{':
		for s = s[1:]; s != "" && s[0] != '}'; {
			dw, dr, after := countClass(s)
			if dw < 0 {
				return bad, 0, s
			}
			w, r, s = w+dw, r+dr, after
		}
		if s == "" {
			return bad, 0, s
		}
		return w, r, s[1:]
	case '[':
		n, after, ok := leadingNumber(s[1:])
		dw, dr, after := countClass(after)
		if !ok || dw < 0 || after == "" || after[0] != ']' {
			return bad, 0, s
		}
		return n * dw, n * dr, after[1:]
	}
	return bad, 0, s
}

// NoConstant is called by Program.Constant for an unknown ID.
func NoConstant(id uint32) { panic(disagree("no value of constant %d", id)) }

// leadingNumber takes a decimal number off a text.
func leadingNumber(s string) (n int, rest string, ok bool) {
	rest = strings.TrimLeft(s, "0123456789")
	n, err := strconv.Atoi(s[:len(s)-len(rest)])
	return n, rest, err == nil
}

// CLayout has the layout, in a program's C code, of the structs that it shares with the runtime: sizes
// and offsets, in the order of cLayout.
type CLayout [10]uint32

// cLayout is their layout in the runtime.
var cLayout = CLayout{
	uint32(unsafe.Sizeof(CFrame{})), uint32(unsafe.Offsetof(CFrame{}.Own)), uint32(unsafe.Offsetof(CFrame{}.Kept)),
	uint32(unsafe.Offsetof(CFrame{}.Words)), uint32(unsafe.Offsetof(CFrame{}.Errno)), uint32(unsafe.Offsetof(CFrame{}.Sig)), uint32(unsafe.Offsetof(CFrame{}.Slot)),
	uint32(unsafe.Offsetof(gc.Native{}.Result)), uint32(unsafe.Offsetof(gc.Native{}.Errno)),
	0, // of the struct of functions, see AgreeC
}

// AgreeC ends the process if the layout of the shared structs in C code differs from that in the runtime. lib is the
// size of the struct of functions that C calls, which the runtime also has in C.
func AgreeC(l CLayout, lib uint32) {
	want := cLayout
	want[len(want)-1] = lib
	if l != want {
		refuse(disagree("structs shared with C have sizes and offsets %v, the runtime has %v", l, want))
	}
}
