package tvm

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// args reads the arguments of a call, as TVM writes literals: #i3, true, type(4,4). What is not
// written so is a value of the notation that all dialects have.
func args(p *ir.Program, f *ir.Function, text string) ([]*ir.Const, error) {
	text = strings.TrimSpace(text)
	for _, w := range [...][2]string{{"true", "1"}, {"false", "0"}} {
		text = replaceWord(text, w[0], w[1])
	}
	for {
		from := strings.Index(text, "type(")
		if from < 0 {
			break
		}
		n := strings.IndexByte(text[from:], ')')
		if n < 0 {
			return nil, fmt.Errorf("bad argument %s: no closing parenthesis", text[from:])
		}
		text = text[:from] + text[from+len("type("):from+n] + text[from+n+1:]
	}
	var words []string
	if text != "" {
		words = strings.Split(text, ",")
	}
	params := p.Types.At(f.Sig).Fields
	for i, w := range words {
		if w = strings.TrimSpace(w); !strings.HasPrefix(w, "#") || i >= len(params) {
			continue
		}
		n, err := syntax.ParseNumber(w)
		if err != nil {
			return nil, err
		}
		if t := p.Types.At(params[i]); t.Kind == ir.KInt && uint(t.Bits) != n.Type.Bits() {
			return nil, fmt.Errorf("argument %d of %s: %s is of type %s, wanted %d bits", i+1, f.Name, w, n.Type, t.Bits)
		}
		words[i] = n.Bits().String()
	}
	return dialect.ParseArgs(p, f, strings.Join(words, ","))
}

// replaceWord replaces a word where it stands alone between commas.
func replaceWord(text, word, by string) string {
	list := strings.Split(text, ",")
	for i, w := range list {
		if strings.TrimSpace(w) == word {
			list[i] = by
		}
	}
	return strings.Join(list, ",")
}
