package repr

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// names gives Go identifiers to everything with a Mu name. Package-level
// identifiers are unique in the output; local ones are unique in their function
// and never equal to a package-level one, so that nothing is shadowed.
//
//	NAME     a function: its Mu name with other characters as '_'
//	r_NAME   the record that a funcref to it points at; in a unit its address, and i_NAME the record of the body
//	g_NAME   a cell, at_NAME its address if that is no constant; x_NAME an exposed function; c_NAME an aggregate constant
//	lines_NAME  the positions of a large function, see gotree/lines.go
//	type_NAME  the number of the descriptor of a type, desc_NAME that descriptor
//	S_NAME   the Go type of a struct; fnN the record type of signature class N, callN that of its functions
type names struct {
	taken   map[string]bool
	Globals map[*ir.Global]string
	aligned map[*ir.Global]string // see AlignedCell
	Exposes map[*ir.Expose]string
}

// reserved are identifiers that generated text uses itself.
var reserved = []string{
	"t", "fp", "am", "sm", "x", "rt", "num", "atomics", "libc", "ffi", "math", "bits", "unsafe", "atomic",
	"main", "init", "cookie", "unwind", "entry", "types", "watch", "lists", "program", "iota", "_",
	"bool", "byte", "error", "any", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
	"uint32", "uint64", "uintptr", "float32", "float64", "string", "true", "false", "nil", "len",
	"cap", "append", "copy", "panic", "recover", "print", "println", "make", "new", "min", "max",
	"clear", "close", "complex", "real", "imag", "delete", "rune", "complex64", "complex128", "comparable",
	"C", "frame", "thunks", "sites", "files", "funcs", "funcNames", "globals", "csigs", "externs", "exposures", "vtypes", "start", "image",
	"imageObjects", "imageInits", "frameSites", "entityNames", "entities", "constant", "later", "hidden", "classes", "steps",
}

func (n *names) init() {
	n.taken = map[string]bool{}
	for _, r := range reserved {
		n.taken[r] = true
	}
	n.Globals = map[*ir.Global]string{}
	n.aligned = map[*ir.Global]string{}
	n.Exposes = map[*ir.Expose]string{}
}

// Identifier makes a Go identifier of a name. It drops the mark, and every character
// that Go does not allow becomes '_'.
func Identifier(name string) string {
	name = ir.Bare(name)
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || unicode.IsLetter(r) && r < 128:
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			if i == 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "v"
	}
	s := b.String()
	if token.IsKeyword(s) {
		s += "_"
	}
	return s
}

// Clean is Identifier for names in the same scope as names that the generator makes up.
func Clean(name string) string {
	s := Identifier(name)
	if numbered.MatchString(s) {
		s += "_"
	}
	return s
}

// numbered matches the numbered names of generated tables.
var numbered = regexp.MustCompile(`^(fn|call|ld_|st_|in_|out_|r|a|v)[0-9]+$`)

// Top takes a package-level identifier.
func (n *names) Top(want string) string {
	s := want
	for i := 2; n.taken[s]; i++ {
		s = fmt.Sprintf("%s_%d", want, i)
	}
	n.taken[s] = true
	return s
}

// Has reports whether a package-level identifier is taken.
func (n *names) Has(name string) bool { return n.taken[name] }

// NameAll names what the program defines.
func (g *Program) NameAll() {
	for _, f := range g.IR.Funcs {
		c := Clean(f.Name)
		fi := &Func{Func: g.Func(f), fn: f, GoName: g.Top(c), Record: g.Top("r_" + c)}
		fi.Body, fi.Enter, fi.Impl = fi.GoName, g.Top("enter_"+c), fi.Record
		if g.Opt.Unit && f.Current() != nil {
			fi.Impl = g.Top("i_" + c)
		}
		if fi.Tails {
			fi.Body = g.Top("body_" + c)
		}
		g.Funcs[f] = fi
	}
	for _, c := range g.IR.Globals {
		g.Globals[c] = g.Top("g_" + Clean(c.Name))
		if g.CellAlign(c) > 8 || g.Opt.Unit || g.Opt.CCells[c] != "" {
			g.aligned[c] = g.Top("at_" + Clean(c.Name))
		}
	}
	for _, e := range g.IR.Exposes {
		g.Exposes[e] = g.Top("x_" + Clean(e.Name))
	}
	g.nameBodies()
}

// CellAlign is the alignment of a global cell in bytes. The Go variable of a cell is aligned for words of
// 64 bits; if a cell needs more, its variable is larger, and another variable has the place in it.
func (g *Program) CellAlign(c *ir.Global) uint64 { return g.Layout.Of(c.Type).Align.W8 }

// AlignedCell is the variable that has the address of a global cell, "" if it is that of the cell's
// variable.
func (g *Program) AlignedCell(c *ir.Global) string { return g.aligned[c] }

// ExposureAddr is the address of the runtime's description of an exposed function.
func (g *Program) ExposureAddr(x *ir.Expose) gotree.Expr {
	if g.Opt.Unit {
		return node.Name(g.Exposes[x])
	}
	return node.Addr(node.Name(g.Exposes[x]))
}

// recordPointer is the address of the record of a function.
func (g *Program) recordPointer(f *ir.Function) gotree.Expr {
	r := node.Name(g.Funcs[f].Record)
	if g.Opt.Unit {
		return node.Conv(gotree.UnsafePtr, r)
	}
	return node.AddressOf(r)
}

// CellAddr is the address of a global cell as a number.
func (g *Program) CellAddr(c *ir.Global) gotree.Expr {
	if at := g.aligned[c]; at != "" {
		return &gotree.Ident{Name: at, K: gotree.Int}
	}
	return node.Conv(gotree.Uintptr, node.AddressOf(node.Name(g.Globals[c])))
}

// Scope hands out the local identifiers of one function.
type Scope struct {
	n    *names
	used map[string]int
}

// NewScope is an empty scope.
func (n *names) NewScope() Scope { return Scope{n, map[string]int{}} }

// Take keeps an identifier from being handed out.
func (s *Scope) Take(name string) { s.used[name] = 1 }

// Has reports whether an identifier has been handed out or kept.
func (s *Scope) Has(name string) bool { return s.used[name] > 0 }

// Local hands out an identifier that resembles the one wanted.
func (s *Scope) Local(want string) string {
	k, seen := s.used[want]
	if !seen && !s.n.taken[want] {
		s.used[want] = 1
		return want
	}
	for {
		k++
		name := fmt.Sprintf("%s_%d", want, k)
		if _, clash := s.used[name]; !clash && !s.n.taken[name] {
			s.used[want] = k
			s.used[name] = 1
			return name
		}
	}
}

// nameBodies names the resumable bodies of the functions whose records new stacks may be made with.
func (g *Program) nameBodies() {
	for _, f := range g.IR.Funcs {
		if g.Opt.Bodies[f] != nil && g.Funcs[f].Address && !g.Introspect && !g.Opt.Sanitize {
			g.Funcs[f].Resume = g.Top("resume_" + Clean(f.Name))
		}
	}
}
