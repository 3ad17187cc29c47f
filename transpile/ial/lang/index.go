package lang

import (
	"cmp"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
	"github.com/uvm2go/uvm2go/transpile/lang"
)

// The name spaces, which the keys of names begin with. Those of types, functions, fields and data
// blocks are global, and a module follows.
const (
	typeSpace     = "type "
	functionSpace = "function "
	memberSpace   = "member "
	dataSpace     = "data "
	globalSpace   = "global "
	threadSpace   = "thread "
	moduleSpace   = "module "
	registerSpace = "register "
	blockSpace    = "block "
)

// An indexer makes the index of a file.
type indexer struct {
	*lang.Builder
	file   *syntax.File
	module string
	fn     int32 // the function, or Global
}

// A decl is a declaration of the file.
type decl struct {
	off syntax.Off
	add func(end uint32)
}

// Index finds the names of a file of a module.
func Index(src []byte, mod string) *lang.Index {
	b := lang.NewBuilder(src, false)
	set := diag.NewSet()
	f, err := set.Add("", src)
	if err != nil {
		return b.Done()
	}
	x := &indexer{Builder: b, file: syntax.Parse(f, diag.NewList(set)), module: mod, fn: lang.Global}
	decls := x.decls()
	slices.SortStableFunc(decls, func(a, b decl) int { return cmp.Compare(a.off, b.off) })
	for i, d := range decls {
		limit := uint32(len(src))
		if i+1 < len(decls) {
			limit = uint32(decls[i+1].off)
		}
		d.add(min(x.end(d.off), limit))
	}
	x.words()
	return b.Done()
}

// decls lists the declarations.
func (x *indexer) decls() (list []decl) {
	for _, d := range x.file.Types {
		list = append(list, decl{d.Off, func(end uint32) { x.typeDecl(d, end) }})
	}
	for _, d := range x.file.Fields {
		list = append(list, decl{d.Off, func(end uint32) {
			space := globalSpace
			if d.Storage == module.Thread {
				space = threadSpace
			}
			item := x.define(lang.Cell, d.Off, space+x.module+"/", d.Name)
			x.typ(d.Type)
			x.ref(lang.Cell, space, d.Forward)
			x.Close(item, end)
		}})
	}
	for _, d := range x.file.Data {
		list = append(list, decl{d.Off, func(end uint32) {
			x.Close(x.define(lang.Data, d.Off, dataSpace+x.module+"/", d.Name), end)
		}})
	}
	for _, d := range x.file.Funcs {
		list = append(list, decl{d.Off, func(end uint32) { x.funcDecl(d, end) }})
	}
	for _, d := range x.file.Entries {
		list = append(list, decl{d.Off, func(uint32) { x.ref(lang.Function, functionSpace, d.Func) }})
	}
	return list
}

// token finds the token at an offset.
func (x *indexer) token(off syntax.Off) (int, bool) {
	return slices.BinarySearchFunc(x.file.Text.Tokens, off, func(t syntax.Token, o syntax.Off) int { return cmp.Compare(t.Off, o) })
}

// end finds the end of the declaration that begins at an offset: its semicolon, or the brace that closes its
// body. Braces with a number are part of a type.
func (x *indexer) end(off syntax.Off) uint32 {
	toks := x.file.Text.Tokens
	depth := 0
	for i, _ := x.token(off); i < len(toks); i++ {
		switch toks[i].Kind {
		case ';':
			if depth == 0 {
				return uint32(toks[i].End)
			}
		case '{':
			if i+1 < len(toks) && toks[i+1].Kind == syntax.Int {
				i += 2
				continue
			}
			depth++
		case '}':
			if depth--; depth <= 0 {
				return uint32(toks[i].End)
			}
		}
	}
	return uint32(len(x.Src))
}

// place returns where a name stands, quotes included.
func (x *indexer) place(n syntax.Name) (off, end uint32) {
	i, ok := x.token(n.Off)
	if !ok || n.Text == "" {
		return 0, 0
	}
	return uint32(n.Off), uint32(x.file.Text.Tokens[i].End)
}

// define adds a declaration whose name is known in all modules, and opens its item.
func (x *indexer) define(k lang.Kind, at syntax.Off, space string, n syntax.Name) int32 {
	item := x.Open(k, uint32(at))
	off, end := x.place(n)
	if off < end {
		x.Label(item, off, end)
	}
	x.Name(k, true, lang.Global, space+n.Text, off, end)
	return item
}

// name adds a name of the function.
func (x *indexer) name(k lang.Kind, def bool, space string, n syntax.Name) {
	off, end := x.place(n)
	x.Name(k, def, x.fn, space+n.Text, off, end)
}

// ref adds a reference to a declaration, and returns the module that it is in.
func (x *indexer) ref(k lang.Kind, space string, r syntax.Ref) (mod string) {
	mod = x.module
	if r.Module.Text != "" {
		mod = r.Module.Text
		off, end := x.place(r.Module)
		x.Name(lang.Module, false, lang.Global, moduleSpace+mod, off, end)
	}
	off, end := x.place(r.Name)
	x.Name(k, false, lang.Global, space+mod+"/"+r.Name.Text, off, end)
	return mod
}

// typ adds the names in a type.
func (x *indexer) typ(t *syntax.Type) {
	for t != nil {
		if t.Kind == module.StructType {
			x.ref(lang.Type, typeSpace, t.Ref)
		}
		for _, p := range t.Params {
			x.typ(p)
		}
		t = t.Elem
	}
}

func (x *indexer) typeDecl(d *syntax.TypeDecl, end uint32) {
	item := x.define(lang.Type, d.Off, typeSpace+x.module+"/", d.Name)
	for _, m := range d.Members {
		x.typ(m.Type)
		field := x.define(lang.Member, m.Off, memberSpace+x.module+"/"+d.Name.Text+":", m.Name)
		x.Close(field, min(x.end(m.Off), end))
	}
	x.Close(item, end)
}

func (x *indexer) funcDecl(d *syntax.FuncDecl, end uint32) {
	x.fn = x.define(lang.Function, d.Off, functionSpace+x.module+"/", d.Name)
	x.typ(d.Result)
	for _, p := range d.Params {
		x.typ(p.Type)
	}
	for _, r := range d.Registers {
		x.typ(r.Type)
		x.name(lang.Value, true, registerSpace, r.Name)
	}
	for _, b := range d.Blocks {
		off := b.Name.Off
		if i, ok := x.token(off); ok && i > 0 {
			off = x.file.Text.Tokens[i-1].Off // the keyword
		}
		item := x.Open(lang.Block, uint32(off))
		if off, end := x.place(b.Name); off < end {
			x.Label(item, off, end)
		}
		x.name(lang.Block, true, blockSpace, b.Name)
		x.name(lang.Block, false, blockSpace, b.Unwind)
		for i := range b.Instrs {
			x.instr(&b.Instrs[i])
		}
		x.Close(item, uint32(max(b.Close+1, b.Name.Off)))
	}
	x.Close(x.fn, end)
	x.fn = lang.Global
}

// instr adds the names in an instruction.
func (x *indexer) instr(in *syntax.Instr) {
	x.name(lang.Value, false, registerSpace, in.Target)
	for _, n := range in.Src {
		x.name(lang.Value, false, registerSpace, n)
	}
	x.typ(in.Type)
	switch module.Ops[in.Op].Operand {
	case module.OperandMember:
		mod := x.ref(lang.Type, typeSpace, in.Ref)
		off, end := x.place(in.Member)
		x.Name(lang.Member, false, lang.Global, memberSpace+mod+"/"+in.Ref.Name.Text+":"+in.Member.Text, off, end)
	case module.OperandGlobal:
		x.ref(lang.Cell, globalSpace, in.Ref)
	case module.OperandThread:
		x.ref(lang.Cell, threadSpace, in.Ref)
	case module.OperandFunc:
		x.ref(lang.Function, functionSpace, in.Ref)
	case module.OperandData:
		x.ref(lang.Data, dataSpace, in.Ref)
	case module.OperandLabel, module.OperandBranch:
		for _, n := range in.Names {
			x.name(lang.Block, false, blockSpace, n)
		}
	case module.OperandRegs:
		for _, n := range in.Names {
			x.name(lang.Value, false, registerSpace, n)
		}
	}
}

// words adds the tokens that are no names.
func (x *indexer) words() {
	for _, t := range x.file.Text.Tokens {
		if t.Kind == syntax.EOF {
			break
		}
		off, end := uint32(t.Off), uint32(t.End)
		x.Token(off, end)
		word := string(x.Src[off:end])
		_, mnemonic := module.Mnemonics[word]
		switch {
		case t.Kind == syntax.Int, t.Kind == syntax.Float, t.Kind == syntax.Special:
			x.Word(lang.Number, off, end)
		case t.Kind == syntax.Keyword && mnemonic:
			x.Word(lang.Op, off, end)
		case t.Kind == syntax.Keyword && syntax.IsType(word):
			x.Word(lang.TypeWord, off, end)
		case t.Kind == syntax.Keyword, t.Kind == syntax.Ident && module.Soft(word) && !x.Has(off):
			x.Word(lang.Keyword, off, end)
		}
	}
}
