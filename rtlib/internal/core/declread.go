package core

import (
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
)

// The definitions of a loaded text, with full names: tables of entities have names, not
// symbols.

// A declName is a name and where it is.
type declName struct {
	Text string
	Off  decl.Off
}

// definitionKind is the kind of a definition.
type definitionKind uint8

const (
	defType   definitionKind = iota // .typedef
	defSig                          // .funcsig
	defConst                        // .const
	defGlobal                       // .global
	defDecl                         // .funcdecl
	defFunc                         // .funcdef
	defExpose                       // .expose
)

// A definition is one definition of a text.
type definition struct {
	Kind definitionKind
	Name declName
	// Unnamed means that the text has the definition in the place of its name (package decl). Name then has the text of
	// it, which no name is.
	Unnamed bool

	Type    *decl.TypeDef // defType
	Args    []declName    // defType: its types, or its signature
	LenText string        // defType: width of an int, length of an array or vector, as written
	Params  []declName    // defSig
	Results []declName    // defSig
	Of      declName      // type of a constant or cell, signature or exposed function
	Value   *declValue    // defConst
	Flag    declName      // defExpose: the calling convention, with '#'
	Cookie  declName      // defExpose
}

// A declValue is the value of a constant.
type declValue struct {
	*decl.ConstDef
	Text  string     // of FP
	Bits  string     // of FP.Bits
	Elems []declName // of a list
}

// definitions returns the definitions of a text without syntax errors.
func definitions(p *decl.Parser) []*definition {
	name := func(n decl.Name) declName { return declName{p.Syms.String(n.Sym), n.Off} }
	names := func(list []decl.Name) (out []declName) {
		for _, n := range list {
			out = append(out, name(n))
		}
		return out
	}
	text := func(off, end decl.Off) string { return string(p.Src[off:end]) }
	var list []*definition
	for i, d := range slices.Concat(p.Inline, p.Defs) {
		_, n := d.Head()
		x := &definition{Name: name(n), Unnamed: i < len(p.Inline)}
		switch d := d.(type) {
		case *decl.TypeDef:
			x.Kind, x.Type, x.Args = defType, d, names(d.Args)
			if d.Len != nil {
				x.LenText = text(d.Len.Off, d.Len.End)
			}
		case *decl.SigDef:
			x.Kind, x.Params, x.Results = defSig, names(d.Params), names(d.Results)
		case *decl.ConstDef:
			v := &declValue{ConstDef: d, Elems: names(d.List)}
			if d.FP != nil {
				v.Text = text(d.FP.Off, d.FP.End)
				if b := d.FP.Bits; b != nil {
					v.Bits = text(b.Off, b.End)
				}
			}
			x.Kind, x.Of, x.Value = defConst, name(d.Type), v
		case *decl.GlobalDef:
			x.Kind, x.Of = defGlobal, name(d.Type)
		case *decl.FuncDecl:
			x.Kind, x.Of = defDecl, name(d.Sig)
		case *decl.FuncHead:
			x.Kind, x.Of = defFunc, name(d.Sig)
		case *decl.ExposeDef:
			x.Kind, x.Of, x.Flag, x.Cookie = defExpose, name(d.Func), name(d.Flag), name(d.Cookie)
		}
		list = append(list, x)
	}
	return list
}
