package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// Recovery from errors: each of these functions skips to a place where reading can continue
// and clears the failed state. Errors in skipped text are not reported, except unknown names.

// atDef reports whether the current token begins a definition: a keyword of definitions, or
// any other word with a dot that is first on its line.
func (p *parser) atDef() bool {
	return isDef(p.Kw) || p.Tok.Kind == lex.Word && p.Tok.NL && p.Src[p.Tok.Off] == '.' && p.Kw != kwLabel
}

// recoverDef skips to the next definition.
func (p *parser) recoverDef() {
	p.Failed, p.depth = false, 0
	for p.Tok.Kind != lex.EOF && !p.atDef() {
		p.Next()
	}
	p.lastSync = p.Tok.Off
}

// recoverHead skips from a fault in the head of a function to its opening brace, and
// reports whether there is one.
func (p *parser) recoverHead() bool {
	p.depth = 0
	for p.Tok.Kind != lex.EOF && !p.atDef() && !p.Is('{') {
		p.Next()
	}
	if p.Is('{') {
		p.Failed = false
	}
	p.lastSync = p.Tok.Off
	return !p.Failed
}

// recovered reports whether recovery stopped after off, so that a part missing at off may
// have been skipped.
func (p *parser) recovered(off Off) bool { return p.lastSync != ^Off(0) && p.lastSync > off }

// recoverInst skips to the next instruction or block, or to the end of the function.
// Braces on the way belong to a SWITCH, a PHI or a constant.
func (p *parser) recoverInst() {
	p.Failed, p.depth = false, 0
	if p.Tok.Off == p.lastSync && p.Tok.Kind != lex.EOF {
		p.Next()
	}
	stop := func() bool { return p.Tok.Kind == lex.EOF || p.atDef() || p.Is('}') || p.atInst() }
	for !stop() {
		if !p.Is('{') {
			p.Next()
			continue
		}
		for p.Next(); !stop(); {
			p.Next()
		}
		if p.Is('}') {
			p.Next()
		}
	}
	p.lastSync = p.Tok.Off
}

// note notes the global names in an instruction that could not be read: from its first token to before the current one.
// Those outside of angle brackets may be functions that nothing declares, if the instruction is a call.
func (p *parser) note(from Off) {
	depth, calls := 0, false
	p.Scan.SeekTo(from)
	for t := p.Scan.Next(); t.Off < p.Tok.Off && t.Kind != lex.EOF; t = p.Scan.Next() {
		text := p.Src[t.Off:t.End]
		switch {
		case t.Kind == '<':
			depth++
		case t.Kind == '>':
			depth--
		case t.Kind == lex.Word:
			switch Op(modern(keywords.Find(string(text)))) {
			case Call, Invoke, TailCall, CCall, NewStack, ICall, IInvoke:
				calls = true
			}
		case t.Kind == lex.Ident && text[0] == '@' && (depth > 0 || !calls):
			p.b.Skipped = append(p.b.Skipped, Skipped{Name{Sym: p.b.Syms.Intern(text), Off: t.Off}, depth > 0})
		}
	}
	p.Scan.SeekTo(p.Tok.End)
}

// atInst reports whether an instruction or a block probably begins at the current token:
// `name =` anywhere, everything else only first on a line.
func (p *parser) atInst() bool {
	switch {
	case p.isLocal():
		t := p.Peek()
		return t.Kind == '=' || t.Kind == ':' && p.Tok.NL
	case !p.Tok.NL:
		return false
	case p.Tok.Kind == lex.Word:
		return isOp(p.Kw) || p.Kw == kwNone || p.Kw == kwLabel
	}
	return p.Tok.Kind == lex.Bad
}

// startsNext reports whether the current name, first on its line, begins an instruction
// or a block, and so is not an operand of the instruction before.
func (p *parser) startsNext() bool { return p.Tok.NL && p.startsInst() }

// startsInst reports whether the current name begins an instruction or a block.
func (p *parser) startsInst() bool {
	t := p.Peek()
	return t.Kind == '=' || t.Kind == ':'
}
