package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// Recovery from errors: each of these functions skips to a place where reading
// can go on and clears the failed state. Nothing skipped is reported.

// progress steps over the current token if recovery already stopped there.
// The productions take what recovery stops at, so this is for safety only.
func (p *parser) progress() {
	if p.Tok.Off == p.Sync && p.Tok.Kind != lex.EOF {
		p.Next()
	}
}

// recovered reports whether recovery stopped after off, so that what is
// missing there may have been skipped.
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

// atInst reports whether an instruction or a block begins at the current token
// for all one can tell: a name with an equals sign anywhere, the rest first on
// a line only. A word that is no keyword counts as a misspelt instruction
// there, and what is no token as one of its own.
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
