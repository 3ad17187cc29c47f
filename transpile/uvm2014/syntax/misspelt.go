package syntax

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// twins are operations on integers and the corresponding ones on floating-point numbers.
var twins = [...][2]Op{
	{Add, FAdd}, {Sub, FSub}, {Mul, FMul}, {SDiv, FDiv}, {UDiv, FDiv}, {SRem, FRem}, {URem, FRem},
	{EQ, FOEQ}, {NE, FUNE}, {SLT, FOLT}, {SLE, FOLE}, {SGT, FOGT}, {SGE, FOGE}, {ULT, FOLT}, {ULE, FOLE}, {UGT, FOGT}, {UGE, FOGE},
}

// A misspelt is an unknown instruction for which another is suggested that is spelled alike. Its type argument says
// whether a better one is known: typ is the name of the type, or kind the constructor that is written in place.
type misspelt struct {
	op   Op
	typ  Sym
	kind TypeKind
}

// oddInst notes that r suggests an instruction for the current word, if a type argument follows.
func (p *parser) oddInst(r *lex.Report) {
	m := misspelt{op: Op(keywords.Find(keywords.Suggest(string(p.Text()), isOp)))}
	if p.Scan.Next().Kind == '<' {
		t := p.Scan.Next()
		text := p.Src[t.Off:t.End]
		if t.Kind == lex.Ident {
			m.typ = p.b.Syms.Intern(text)
		} else if k := keywords.Find(string(text)); isType(k) {
			m.kind = TypeInt + TypeKind(k-kwType)
		}
		if p.odd == nil {
			p.odd = map[*lex.Report]misspelt{}
		}
		p.odd[r] = m
	}
	p.Scan.SeekTo(p.Tok.End)
}

// suggest changes suggestions for unknown instructions so that they fit the type argument: FADD instead of ADD for a
// double.
func (p *parser) suggest() {
	if len(p.odd) == 0 {
		return
	}
	kinds := map[Sym]TypeKind{}
	for _, d := range p.b.Defs {
		if t, ok := d.(*TypeDef); ok && t.Type.TypeCtor != nil {
			kinds[t.Name.Sym] = t.Type.Kind
		}
	}
	for r, m := range p.odd {
		if m.typ != 0 {
			m.kind = kinds[m.typ]
		}
		fp := m.kind == TypeFloat || m.kind == TypeDouble
		if !fp && m.kind != TypeInt {
			continue
		}
		for _, t := range twins {
			instead := t[0]
			if fp {
				instead = t[1]
			}
			if instead != m.op && (t[0] == m.op || t[1] == m.op) {
				r.Msg = strings.Replace(r.Msg, "mean "+m.op.String()+"?", "mean "+instead.String()+"?", 1)
				break
			}
		}
	}
}
