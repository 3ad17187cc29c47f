package gogen

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// names gives Go identifiers to everything with a Mu name. Package-level
// identifiers are unique in the output; local ones are unique in their function
// and never equal to a package-level one, so that nothing is shadowed.
//
//	NAME     a function: its Mu name with other characters as '_'
//	r_NAME   the record that a funcref to it points at
//	g_NAME   a cell; x_NAME an exposed function; c_NAME an aggregate constant
//	type_NAME  the number of the descriptor of a type, desc_NAME that descriptor
//	S_NAME   the Go type of a struct; fnN the record type of signature class N, callN that of its functions
type names struct {
	taken   map[string]bool
	globals map[*ir.Global]string
	exposes map[*ir.Expose]string
}

// reserved are identifiers that generated text uses itself.
var reserved = []string{
	"t", "fp", "am", "sm", "x", "rt", "num", "atomics", "native", "ffi", "math", "bits", "unsafe", "atomic",
	"main", "init", "cookie", "unwind", "entry", "types", "watch", "lists", "program", "iota", "_",
	"bool", "byte", "error", "any", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
	"uint32", "uint64", "uintptr", "float32", "float64", "string", "true", "false", "nil", "len",
	"cap", "append", "copy", "panic", "recover", "print", "println", "make", "new", "min", "max",
	"clear", "close", "complex", "real", "imag", "delete", "rune", "complex64", "complex128", "comparable",
	"C", "sites", "files", "funcs", "funcNames", "globals", "csigs", "externs", "exposures", "vtypes", "start", "image",
	"imageObjects", "imageInits", "frameSites", "entityNames", "entities", "constant", "later", "hidden", "classes", "steps",
}

func (n *names) init() {
	n.taken = map[string]bool{}
	for _, r := range reserved {
		n.taken[r] = true
	}
	n.globals = map[*ir.Global]string{}
	n.exposes = map[*ir.Expose]string{}
}

// identifier makes a Go identifier of a Mu name. The sigil goes, and every character
// that Go does not allow becomes '_'.
func identifier(name string) string {
	name = strings.TrimLeft(name, "@%")
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

// clean is identifier for what stands beside the names that the generator gives.
func clean(name string) string {
	s := identifier(name)
	if numbered.MatchString(s) {
		s += "_"
	}
	return s
}

// numbered matches the names that generated tables give by number.
var numbered = regexp.MustCompile(`^(fn|call|ld_|st_|in_|out_|r|a|v)[0-9]+$`)

// top takes a package-level identifier.
func (n *names) top(want string) string {
	s := want
	for i := 2; n.taken[s]; i++ {
		s = fmt.Sprintf("%s_%d", want, i)
	}
	n.taken[s] = true
	return s
}

func (g *gen) nameAll() {
	for _, f := range g.p.Funcs {
		c := clean(f.Name)
		fi := &funcInfo{Func: g.Func(f), fn: f, goName: g.top(c), rec: g.top("r_" + c)}
		fi.body, fi.enter = fi.goName, g.top("enter_"+c)
		if fi.Tails {
			fi.body = g.top("body_" + c)
		}
		g.info[f] = fi
	}
	for _, c := range g.p.Globals {
		g.globals[c] = g.top("g_" + clean(c.Name))
	}
	for _, e := range g.p.Exposes {
		g.exposes[e] = g.top("x_" + clean(e.Name))
	}
}

// scope gives local identifiers of one function.
type scope struct {
	n    *names
	used map[string]int
}

func (s *scope) local(want string) string {
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
