package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
)

// A ctype is a parsed letter, struct or array of a signature's description
// (see csig).
type ctype struct {
	kind   byte // a letter, '{' or '['
	n      int  // of an array
	elem   *ctype
	fields []*ctype
	desc   string
}

// A csignature is a parsed description.
type csignature struct {
	params []*ctype
	result *ctype // nil for void
	fixed  int    // number of fixed parameters if the callee is known to be variadic, 0 for other callees
}

func parseCSig(desc string) csignature {
	p := &descParser{s: desc}
	var sig csignature
	for p.s[p.i] != '>' {
		sig.params = append(sig.params, p.next())
	}
	p.i++
	if p.i < len(p.s) {
		sig.result = p.next()
	}
	return sig
}

type descParser struct {
	s string
	i int
}

func (p *descParser) next() *ctype {
	from := p.i
	t := &ctype{kind: p.s[p.i]}
	p.i++
	switch t.kind {
	case '{':
		for p.s[p.i] != '}' {
			t.fields = append(t.fields, p.next())
		}
		p.i++
	case '[':
		k := p.i
		for p.s[p.i] >= '0' && p.s[p.i] <= '9' {
			p.i++
		}
		t.n, _ = strconv.Atoi(p.s[k:p.i])
		t.elem = p.next()
		p.i++ // ]
	}
	t.desc = p.s[from:p.i]
	return t
}

// leaves calls fn with the C selector path of each scalar.
func (t *ctype) leaves(path string, fn func(path string, t *ctype)) {
	switch t.kind {
	case '{':
		for i, f := range t.fields {
			f.leaves(fmt.Sprintf("%s.f%d", path, i), fn)
		}
	case '[':
		for i := range t.n {
			t.elem.leaves(fmt.Sprintf("%s[%d]", path, i), fn)
		}
	default:
		fn(path, t)
	}
}

// cScalars are the C types of the letters. A pointer is an integer of its size:
// every ABI that Go supports passes both in the same way.
var cScalars = map[byte]string{'b': "int8_t", 'h': "int16_t", 'i': "int32_t", 'l': "int64_t",
	'f': "float", 'd': "double", 'p': "uintptr_t"}

// unsignedC are the types through which integers are zero-extended to words.
var unsignedC = map[byte]string{'b': "uint8_t", 'h': "uint16_t", 'i': "uint32_t", 'l': "uint64_t", 'p': "uintptr_t"}

// cTypes writes the struct types of signatures, each only once.
type cTypes struct {
	names map[string]string // description -> typedef
	b     strings.Builder
}

// name is the C name of the type.
func (c *cTypes) name(t *ctype) string {
	if t == nil {
		return "void"
	}
	if t.kind != '{' {
		return cScalars[t.kind]
	}
	if n, ok := c.names[t.desc]; ok {
		return n
	}
	var f strings.Builder
	for i, x := range t.fields {
		dims := ""
		for x.kind == '[' {
			dims += fmt.Sprintf("[%d]", x.n)
			x = x.elem
		}
		fmt.Fprintf(&f, " %s f%d%s;", c.name(x), i, dims)
	}
	n := fmt.Sprintf("uvm_t%d", len(c.names))
	c.names[t.desc] = n
	fmt.Fprintf(&c.b, "typedef struct {%s } %s;\n", f.String(), n)
	return n
}

// variadicOnAMD64 reports whether a call by the convention of System V should use a
// variadic function type: the callee may be variadic, and then must be told the number
// of vector registers in use. C promotes variadic arguments, so only the first parameter
// may have a type that C would promote.
func (s csignature) variadicOnAMD64() bool {
	fp := false
	for i, p := range s.params {
		switch p.kind {
		case 'd':
			fp = true
		case 'f':
			if i > 0 {
				return false
			}
		}
	}
	return fp
}

// variadicTo is the signature for calls of a symbol: with the number of fixed parameters, if the symbol is
// known to be variadic in C.
func (s csignature) variadicTo(sym string) csignature {
	name, _ := symbol.Split(sym)
	row, ok := clib.Table[name]
	if !ok {
		return s
	}
	n := row.Signature()
	if (n.Variadic || n.Least < len(n.Params)) && n.Least <= len(s.params) {
		s.fixed = n.Least
	}
	return s
}

// csigWords counts the scalars of parameters and result.
func csigWords(desc string) (params, results int) {
	sig := parseCSig(desc)
	for _, p := range sig.params {
		p.leaves("", func(string, *ctype) { params++ })
	}
	if sig.result != nil {
		sig.result.leaves("", func(string, *ctype) { results++ })
	}
	return params, results
}
