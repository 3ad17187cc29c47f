package syntax

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// MaxDepth bounds how deeply types may nest.
const MaxDepth = 1000

var coreTypes = map[string]module.Kind{
	"int8": module.Int8, "uint8": module.Uint8, "int16": module.Int16, "uint16": module.Uint16,
	"int32": module.Int32, "uint32": module.Uint32, "int64": module.Int64, "uint64": module.Uint64,
	"int": module.Int, "uint": module.Uint, "float32": module.Float32, "float64": module.Float64,
}

// typ reads a type.
func (p *parser) typ(wanted string) *Type {
	if p.failed {
		return nil
	}
	t := p.types.One()
	t.Off = p.tok.Off
	switch {
	case p.tok.isName():
		t.Kind, t.Ref = module.StructType, p.ref("a type")
		if p.is('&') {
			t = p.wrap(module.Reference, t)
			p.next()
		}
	case p.isKeyword("void"):
		p.next()
		if !p.is('(') {
			p.fail("(", "void is a result only; a pointer to a function without result is written void(...)")
		}
	default:
		k, ok := coreTypes[p.text(p.tok)]
		if !ok || p.tok.Kind != Keyword {
			p.fail(wanted, p.typeHint())
			return nil
		}
		t.Kind = k
		p.next()
	}
	for !p.failed {
		switch {
		case p.is('*'):
			t = p.wrap(module.Pointer, t)
			p.next()
		case p.is('['):
			t = p.wrap(module.Array, t)
			p.next()
			if !p.is(']') {
				t.Kind, t.Count = module.Vector, p.count("an element count or ]")
			}
			p.punct(']')
		case p.is('{'):
			t = p.wrap(module.Static, t)
			p.next()
			p.staticCount(t)
		case p.is('('):
			t = p.pointer(t)
		case p.is('&'):
			p.failed = true
			p.errorf(p.tok.Off, "bad type: & follows the name of a structure only, and once")
		default:
			return t
		}
	}
	return t
}

// wrap makes a type from elem, unless it would nest too deeply.
func (p *parser) wrap(k module.Kind, elem *Type) *Type {
	t := p.types.One()
	*t = Type{Kind: k, Off: elem.Off, Elem: elem, depth: elem.depth + 1}
	p.checkDepth(t.depth)
	return t
}

func (p *parser) checkDepth(depth int) {
	if depth > MaxDepth && !p.failed {
		p.failed = true
		p.errorf(p.tok.Off, "bad type: it nests more than %d levels deep", MaxDepth)
	}
}

// pointer reads parameters and convention of a pointer to a function.
func (p *parser) pointer(result *Type) *Type {
	t := p.wrap(module.FuncType, result)
	p.nesting++
	p.checkDepth(p.nesting)
	p.next()
	var params []*Type
	p.list(')', func() {
		param := p.typ("a type")
		if param != nil {
			params = append(params, param)
			t.depth = max(t.depth, param.depth+1)
		}
	})
	p.nesting--
	p.checkDepth(t.depth)
	t.Params = p.typeps.Copy(params)
	t.Conv = p.convention()
	return t
}

// convention reads a calling convention, if there is one.
func (p *parser) convention() module.Convention {
	c := module.Standard
	switch {
	case p.failed:
		return c
	case p.isKeyword("cdecl"):
		c = module.Cdecl
	case p.isKeyword("stdcall"):
		c = module.Stdcall
	default:
		return c
	}
	p.next()
	return c
}

// typeHint says what to write where no type begins.
func (p *parser) typeHint() string {
	switch {
	case p.isKeyword("cdecl"), p.isKeyword("stdcall"):
		return fmt.Sprintf("%s follows the parameters: T(...) %s", p.found(), p.found())
	}
	return p.reserved()
}

// staticCount reads the count of a static array and its closing brace.
func (p *parser) staticCount(t *Type) {
	const wanted = "an element count"
	switch {
	case p.subject == "function":
		t.Count = p.count(wanted, "a function is written function RESULT NAME(PARAMETERS) { ... }")
	case !p.tok.isLit() && (p.is('}') || p.peek(1).Kind == '}'):
		p.complain(wanted, "a static array has its number of elements, as in int32{8}")
		if !p.is('}') {
			p.next()
		}
	default:
		t.Count = p.count(wanted)
	}
	p.punct('}')
}
