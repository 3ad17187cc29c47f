package syntax

import "github.com/uvm2go/uvm2go/transpile/internal/lex"

// Recovery from errors: each of these functions skips to a place where reading
// can go on and clears the failed state. Nothing skipped is reported.

// atDef reports whether the current token begins a definition: one of their
// keywords, or any other word with a dot that is first on its line.
func (p *parser) atDef() bool {
	return isDef(p.kw) || p.tok.Kind == lex.Word && p.tok.NL && p.src[p.tok.Off] == '.'
}

// recoverDef skips to the next definition.
func (p *parser) recoverDef() {
	p.failed = false
	for p.tok.Kind != lex.EOF && !p.atDef() {
		p.next()
	}
	p.lastSync = p.tok.Off
}

// progress steps over the current token if recovery already stopped there.
// The productions take what recovery stops at, so this is for safety only.
func (p *parser) progress() {
	if p.tok.Off == p.lastSync && p.tok.Kind != lex.EOF {
		p.next()
	}
}

// recoverHead skips from a fault in the head of a function to its opening
// brace, and reports whether there is one.
func (p *parser) recoverHead() bool {
	for p.tok.Kind != lex.EOF && !p.atDef() && !p.is('{') {
		p.next()
	}
	if p.is('{') {
		p.failed = false
	}
	return !p.failed
}

// recovered reports whether recovery stopped behind off, so that what is
// missing there may have been skipped.
func (p *parser) recovered(off Off) bool { return p.lastSync != ^Off(0) && p.lastSync > off }

// recoverInst skips to the next instruction or block, or to the end of the
// function. Braces on the way belong to a SWITCH.
func (p *parser) recoverInst() {
	p.failed = false
	p.progress()
	for p.tok.Kind != lex.EOF && !p.atDef() && !p.is('}') && !p.atInst() {
		if !p.is('{') {
			p.next()
			continue
		}
		for p.next(); p.tok.Kind != lex.EOF && !p.atDef() && !p.is('}') && !p.atInst(); {
			p.next()
		}
		if p.is('}') {
			p.next()
		}
	}
	p.lastSync = p.tok.Off
}

// recoverCase skips to the next case of a SWITCH, and reports whether there is
// one or the closing brace; otherwise an instruction, a block or a definition
// comes first.
func (p *parser) recoverCase() bool {
	p.failed = false
	p.progress()
	for p.tok.Kind != lex.EOF && !p.atDef() && !p.atInst() {
		if p.is('}') || p.tok.NL && p.tok.Kind == lex.Ident && p.peek().Kind == lex.Ident {
			p.lastSync = p.tok.Off
			return true
		}
		p.next()
	}
	return false
}

// atInst reports whether an instruction or a block begins at the current token
// for all one can tell: a name with an equals sign anywhere, the rest first on
// a line only. A word that is no keyword counts as a misspelt instruction
// there, and what is no token as one of its own.
func (p *parser) atInst() bool {
	switch {
	case p.tok.Kind == lex.Ident:
		return p.tok.NL && p.startsInst() || p.peek().Kind == '='
	case !p.tok.NL:
		return false
	case p.is('('):
		return p.startsResults()
	case p.is('['):
		t := p.sc.Next()
		yes := t.Kind == lex.Ident && p.sc.Next().Kind == ']' && p.sc.Next().Kind == lex.Word
		p.sc.SeekTo(p.tok.End)
		return yes
	case p.tok.Kind == lex.Word:
		return isOp(p.kw) || p.kw == kwNone
	}
	return p.tok.Kind == lex.Bad
}
