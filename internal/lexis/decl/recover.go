package decl

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// Recovery from errors: these functions skip to a place where reading can continue and clear the failed
// state. Errors in skipped text are not reported.

// AtDef reports whether the current token begins a definition: a keyword of
// definitions, or any other word with a dot that is first on its line.
func (p *Parser) AtDef() bool {
	return isDef(p.Kw) || p.Tok.Kind == lex.Word && p.Tok.NL && p.Src[p.Tok.Off] == '.'
}

// recoverDef skips to the next definition.
func (p *Parser) recoverDef() {
	p.Failed = false
	for p.Tok.Kind != lex.EOF && !p.AtDef() {
		p.Next()
	}
	p.Sync = p.Tok.Off
}

// recoverHead skips from a fault in the head of a function to its opening
// brace, and reports whether there is one.
func (p *Parser) recoverHead() bool {
	for p.Tok.Kind != lex.EOF && !p.AtDef() && !p.Is('{') {
		p.Next()
	}
	if p.Is('{') {
		p.Failed = false
	}
	return !p.Failed
}
