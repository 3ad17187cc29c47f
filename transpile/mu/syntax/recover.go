package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// Recovery from errors: each of these functions skips to a place where reading can
// continue and clears the failed state. Errors in skipped text are not reported, except unknown names of types.

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
			p.skip()
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

// skip skips a token, or the type arguments of an instruction, whose names it notes.
func (p *parser) skip() {
	args := p.Is('<')
	p.Next()
	for args && p.Tok.Kind == lex.Ident && p.Src[p.Tok.Off] == '@' {
		p.b.Skipped = append(p.b.Skipped, p.Take())
	}
}

// recoverCase skips to the next case of a SWITCH, and reports whether there is
// one or the closing brace; otherwise an instruction, a block or a definition
// comes first.
func (p *parser) recoverCase() bool {
	p.Failed = false
	p.progress()
	for p.Tok.Kind != lex.EOF && !p.AtDef() && !p.atInst() {
		if p.Is('}') || p.Tok.NL && p.Tok.Kind == lex.Ident && p.Peek().Kind == lex.Ident {
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
