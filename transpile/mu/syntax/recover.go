package syntax

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Recovery from errors: each of these functions skips to a place where reading can
// continue and clears the failed state. Errors in skipped text are not reported, except unknown names.

// progress skips the current token if recovery already stopped there. The
// productions take the token at which recovery stops, so this is only for safety.
func (p *parser) progress() {
	if p.Tok.Off == p.Sync && p.Tok.Kind != lex.EOF {
		p.Next()
	}
}

// recovered reports whether recovery stopped after off, so that a part missing at
// off may have been skipped.
func (p *parser) recovered(off Off) bool { return p.Sync != ^Off(0) && p.Sync > off }

// recoverInst skips to the next instruction or block, or to the end of the
// function. Braces on the way belong to a SWITCH.
func (p *parser) recoverInst() {
	p.Failed = false
	p.progress()
	for p.Tok.Kind != lex.EOF && !p.AtDef() && !p.Is('}') && !p.atInst() {
		if !p.Is('{') {
			p.Next()
			continue
		}
		for p.Next(); p.Tok.Kind != lex.EOF && !p.AtDef() && !p.Is('}') && !p.atInst(); {
			p.Next()
		}
		if p.Is('}') {
			p.Next()
		}
	}
	p.Sync = p.Tok.Off
}

// oddInst notes that r suggests an instruction for the current word, if a type argument follows.
func (p *parser) oddInst(r *lex.Report) {
	op := Op(keywords.Find(keywords.Suggest(string(p.Text()), isOp)))
	if op == NoOp || p.Scan.Next().Kind != '<' {
		p.Scan.SeekTo(p.Tok.End)
		return
	}
	if t := p.Scan.Next(); t.Kind == lex.Ident {
		if p.odd == nil {
			p.odd = map[*lex.Report]Misspelt{}
		}
		p.odd[r] = Misspelt{Op: op, Type: Name{Sym: p.b.Syms.Intern(p.Src[t.Off:t.End]), Off: t.Off}}
	}
	p.Scan.SeekTo(p.Tok.End)
}

// misspelt puts the misspelt instructions into the tree. diags are the reports.
func (p *parser) misspelt(diags []*diag.Diagnostic) {
	for i, r := range p.Reports {
		if m, ok := p.odd[r]; ok {
			m.Diag = diags[i]
			p.b.Misspelt = append(p.b.Misspelt, m)
		}
	}
}

// note notes the global names in an instruction that could not be read: from its first token to before the current one.
func (p *parser) note(from Off) {
	first := len(p.b.Skipped)
	depth := 0
	last := lex.Token{}
	p.Scan.SeekTo(from)
	for t := p.Scan.Next(); t.Off < p.Tok.Off && t.Kind != lex.EOF; t = p.Scan.Next() {
		switch {
		case t.Kind == '<':
			depth++
		case t.Kind == '>':
			depth--
		case t.Kind == '=':
			for i := range p.b.Skipped[first:] {
				p.b.Skipped[first+i].Role = Defined
			}
		case t.Kind == lex.Ident && p.Src[t.Off] == '@':
			role := Operand
			switch {
			case depth > 0:
				role = TypeArg
			case last.Kind == '[':
				role = Defined
			}
			p.b.Skipped = append(p.b.Skipped, Skipped{Name{Sym: p.b.Syms.Intern(p.Src[t.Off:t.End]), Off: t.Off}, role})
		}
		last = t
	}
	p.Scan.SeekTo(p.Tok.End)
}

// recoverCase skips to the next case of a SWITCH, and reports whether there is
// one or the closing brace; otherwise an instruction, a block or a definition
// comes first.
func (p *parser) recoverCase() bool {
	p.Failed = false
	p.progress()
	for p.Tok.Kind != lex.EOF && !p.AtDef() && !p.atInst() {
		if p.Is('}') || p.Tok.NL && (p.AtConst() || p.Tok.Kind == lex.Ident && p.Peek().Kind == lex.Ident) {
			p.Sync = p.Tok.Off
			return true
		}
		p.Next()
	}
	return false
}

// atInst reports whether an instruction or a block probably begins at the current
// token: a name with an equals sign anywhere, everything else only first on a line.
// There a word that is not a keyword counts as a misspelt instruction, and so does
// text that is not a token.
func (p *parser) atInst() bool {
	switch {
	case p.Tok.Kind == lex.Ident:
		return p.Tok.NL && p.startsInst() || p.Peek().Kind == '='
	case !p.Tok.NL:
		return false
	case p.Is('('):
		return p.startsResults()
	case p.Is('['):
		t := p.Scan.Next()
		yes := t.Kind == lex.Ident && p.Scan.Next().Kind == ']' && p.Scan.Next().Kind == lex.Word
		p.Scan.SeekTo(p.Tok.End)
		return yes
	case p.Tok.Kind == lex.Word:
		return isOp(p.Kw) || p.Kw == kwNone
	}
	return p.Tok.Kind == lex.Bad
}
