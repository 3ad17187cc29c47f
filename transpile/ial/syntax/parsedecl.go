package syntax

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// decl reads a declaration.
func (p *parser) decl() {
	start := p.i
	p.about("declaration")
	meta := p.meta()
	switch {
	case p.failed:
	case p.isKeyword("type"):
		p.typeDecl(meta)
	case p.isKeyword("field"):
		p.fieldDecl(meta)
	case p.isKeyword("function"):
		p.funcDecl(meta)
	case p.isSoft("data"):
		p.dataDecl(meta)
	case p.isKeyword("entry"), p.isKeyword("thread"), p.isSoft("module"):
		if p.i > start {
			p.complain("a declaration that takes metadata", "entry points take none")
		}
		p.entryDecl()
	default:
		p.fail("a declaration", p.declHint())
	}
	if p.failed {
		p.recoverDecl(start)
	}
}

// typeDecl reads a structure.
func (p *parser) typeDecl(meta []Pair) {
	p.about("type")
	d := &TypeDecl{Meta: meta, Off: p.tok.Off}
	p.next()
	d.Name = p.ident("the name of the type")
	p.name = d.Name.Text
	if !p.failed && p.isKeyword("align") {
		p.next()
		d.AlignOff = p.tok.Off
		d.Align = p.count("an alignment")
	}
	p.declared(d.Name)
	p.f.Types = append(p.f.Types, d)
	p.open()
	if !p.failed {
		d.Lost = !p.body(d.Off, "field", func() { p.member(d) })
	}
}

// declared notes if a declaration of the file has no name: then declarations may be missing.
func (p *parser) declared(n Name) {
	if n.Text == "" {
		p.f.Lost = true
	}
}

// member reads a field of a structure.
func (p *parser) member(d *TypeDecl) {
	p.about("field")
	f := &Field{Meta: p.meta(), Off: p.tok.Off}
	switch {
	case p.failed:
	case !p.isKeyword("field"):
		p.fail("field or }", near(p, "field"))
	default:
		p.next()
		f.Storage = p.storage()
	}
	f.Type = p.typ("a type")
	f.Name = p.ident("the name of the field")
	p.name = f.Name.Text
	if f.Name.Text == "" {
		d.Lost = true
	} else {
		d.Members = append(d.Members, f)
	}
	if p.is('(') {
		p.fail(";", "only global and thread fields outside types stand for others")
	}
	p.end(p.reserved())
}

// storage reads the storage class of a member. Where only a name follows before the semicolon,
// the word is a type instead.
func (p *parser) storage() module.Storage {
	if p.isKeyword("thread") {
		p.next()
		return module.Thread
	}
	if p.peek(2).Kind == ';' {
		return module.Instance
	}
	switch {
	case p.isSoft("instance"):
		p.next()
	case p.isSoft("static"):
		p.next()
		return module.Global
	case p.isSoft("global"):
		p.fail("instance, static, thread or a type", "the word is static in a type, and global outside")
	}
	return module.Instance
}

// fieldDecl reads a global or thread field.
func (p *parser) fieldDecl(meta []Pair) {
	p.about("field")
	f := &Field{Meta: meta, Off: p.tok.Off}
	p.next()
	switch {
	case p.isKeyword("thread"):
		f.Storage = module.Thread
		p.next()
	case p.isSoft("global"):
		f.Storage = module.Global
		p.next()
	default:
		p.fail("global or thread", "fields of a structure stand in the braces of its type")
	}
	f.Type = p.typ("a type")
	f.Name = p.ident("the name of the field")
	p.name = f.Name.Text
	p.declared(f.Name)
	p.f.Fields = append(p.f.Fields, f)
	if !p.failed && p.is('(') {
		p.bracket()
		f.Forward.Module = p.ident("a module")
		p.punct(',', "a field that stands for another is written field global T NAME (MODULE, FIELD)")
		f.Forward.Name = p.ident("a field")
		p.punct(')')
	}
	p.end(p.reserved())
}

// bracket notes an opening bracket that package format sets off with a space.
func (p *parser) bracket() {
	p.f.Brackets = append(p.f.Brackets, p.tok.Off)
	p.next()
}

// dataDecl reads a block of bytes.
func (p *parser) dataDecl(meta []Pair) {
	p.about("data")
	d := &DataDecl{Meta: meta, Off: p.tok.Off}
	p.next()
	d.Name = p.ident("the name of the data block")
	p.name = d.Name.Text
	p.declared(d.Name)
	p.f.Data = append(p.f.Data, d)
	if !p.failed && p.is('(') {
		p.bracket()
		d.Lits = p.litList("a byte")
	} else {
		p.fail("(", "data is written data NAME (BYTE, ...)")
	}
	p.end()
}

// litList reads literals up to the closing parenthesis, which it takes.
func (p *parser) litList(wanted string) []Lit {
	p.litBuf = p.litBuf[:0]
	p.list(')', func() {
		if !p.tok.isLit() {
			p.fail(wanted)
			return
		}
		p.litBuf = append(p.litBuf, p.lit())
	})
	return p.lits.Copy(p.litBuf)
}

// entryDecl reads the declaration of an entry point.
func (p *parser) entryDecl() {
	p.about("entry point")
	d := &EntryDecl{Off: p.tok.Off}
	entry, exit := module.Main, module.NumEntries
	switch {
	case p.isKeyword("thread"):
		entry, exit = module.ThreadEntry, module.ThreadExit
	case p.isSoft("module"):
		entry, exit = module.ModuleEntry, module.ModuleExit
	}
	if exit != module.NumEntries {
		p.next()
	}
	d.Kind = entry
	switch {
	case p.isKeyword("entry"):
		p.next()
	case p.isKeyword("exit") && exit != module.NumEntries:
		d.Kind = exit
		p.next()
	default:
		p.fail("entry or exit", near(p, "entry", "exit"))
	}
	d.Func = p.ref("a function")
	if !p.failed {
		p.f.Entries = append(p.f.Entries, d)
	}
	p.end()
}
