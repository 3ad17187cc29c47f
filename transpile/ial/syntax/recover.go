package syntax

// Recovery from errors: each of these functions skips to a place where reading can continue
// and clears the failed state. Errors in skipped text are not reported.

// atDecl reports whether the current token begins a declaration in any context: it is one of
// two words that occur nowhere else, unless as names.
func (p *parser) atDecl() bool {
	if !p.isKeyword("type") && !p.isKeyword("function") {
		return false
	}
	switch p.peek(1).Kind {
	case '=', ',', ';', ':', ')', '(':
		return false
	}
	return true
}

// recoverDecl skips to what may be the next declaration.
func (p *parser) recoverDecl(start int) {
	p.failed = false
	p.f.Lost = true
	depth := 0
	for ; p.tok.Kind != EOF; p.next() {
		switch {
		case p.i == start:
		case p.atDecl():
			return
		case depth == 0 && p.tok.NL && p.startsDecl():
			return
		}
		switch p.tok.Kind {
		case '{':
			depth++
		case '}':
			if p.closesCount() {
				depth = max(depth-1, 0)
				break
			}
			if depth--; depth <= 0 {
				p.next()
				return
			}
		case ';':
			if depth == 0 {
				p.next()
				return
			}
		}
	}
}

// closesCount reports whether the current brace is that of a static array.
func (p *parser) closesCount() bool {
	ts := p.f.Text.Tokens
	return p.i > 1 && ts[p.i-1].isLit() && ts[p.i-2].Kind == '{'
}

// startsDecl reports whether a declaration may begin at the current token.
func (p *parser) startsDecl() bool {
	switch {
	case p.isKeyword("field"), p.isKeyword("entry"), p.isKeyword("thread"), p.is('['):
		return true
	case p.isSoft("data"):
		return p.peek(1).isName()
	case p.isSoft("module"):
		return p.peek(1).Kind == Keyword
	}
	return false
}

// open takes the brace in front of a body. After an error before the brace, it looks for
// one; if only the brace is missing, the body is read without it.
func (p *parser) open() {
	before, start := p.failed, p.i
	hint := ""
	if p.is(';') {
		hint = "there are no declarations without a body, and none is needed"
	}
	p.punct('{', hint)
	if !p.failed {
		return
	}
	// The brace may have been read as the beginning of a static array.
	if p.i > 0 && p.f.Text.Tokens[p.i-1].Kind == '{' && !p.tok.isLit() {
		p.failed = false
		return
	}
	for p.tok.Kind != EOF && !p.is(';') && !p.is('}') && !p.atDecl() {
		if p.is('{') && !p.peek(1).isLit() {
			p.next()
			p.failed = false
			return
		}
		p.next()
	}
	if !before && p.i > start {
		p.seek(start)
		p.failed = false
	}
}

// body reads the items of a body up to the closing brace, which it takes. It reports
// whether nothing was skipped. A declaration, or an item that can only be outside, shows
// that the brace is missing; word is the keyword with which items usually begin.
func (p *parser) body(begin Off, word string, item func()) bool {
	whole := true
	subject, name := p.subject, p.name
	for !p.is('}') && p.tok.Kind != EOF && !p.atDecl() && !(word == "block" && p.outside()) {
		start := p.i
		item()
		if p.failed {
			p.recoverItem(word)
			whole = false
		}
		if p.i == start {
			p.next()
		}
	}
	p.subject, p.name, p.begin = subject, name, begin
	if p.is('}') {
		p.next()
		return whole
	}
	p.complain("}")
	return false
}

// outside reports whether the current token begins an item that can only be outside blocks.
func (p *parser) outside() bool { return p.isKeyword("block") || p.isKeyword("register") }

// recoverItem skips to the next item of a body, after a semicolon or at a word that begins
// an item, or to the end of the body.
func (p *parser) recoverItem(word string) {
	p.failed = false
	depth := 0
	for first := true; p.tok.Kind != EOF && !p.atDecl(); first = false {
		switch p.tok.Kind {
		case '{':
			depth++
		case '}':
			if p.closesCount() {
				depth = max(depth-1, 0)
				break
			}
			if depth == 0 {
				return
			}
			if depth--; depth == 0 && word == "register" {
				p.next()
				return
			}
		case ';':
			if depth == 0 {
				p.next()
				return
			}
		case Keyword:
			if depth == 0 && !first && (p.isKeyword(word) || word != "field" && p.outside()) {
				return
			}
		}
		p.next()
	}
}
