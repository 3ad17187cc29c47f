package lsp

import "github.com/uvm2go/uvm2go/transpile/lang"

// tokenTypes are the types of semantic tokens, by the names of the protocol, in the order of their numbers.
var tokenTypes = []string{"type", "interface", "variable", "function", "label", "parameter", "property", "namespace",
	"keyword", "operator", "number", "string", "comment", "modifier", "macro"}

// The bits of modifiers.
const (
	modDefinition = 1 << iota
	modReadonly
)

func legend() map[string]any {
	return map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{"definition", "readonly"}}
}

// nameTypes are the types of tokens that are names; variable for others.
var nameTypes = map[lang.Kind]string{
	lang.Type: "type", lang.Signature: "interface", lang.Function: "function", lang.Version: "label", lang.Block: "label",
	lang.Parameter: "parameter", lang.Member: "property", lang.Module: "namespace", lang.Other: "macro",
}

// wordTypes are the types of other tokens.
var wordTypes = map[lang.Class]string{
	lang.Keyword: "keyword", lang.Op: "operator", lang.Number: "number", lang.String: "string", lang.Comment: "comment",
	lang.TypeWord: "type", lang.FlagWord: "modifier",
}

// semanticTokens tells the type of each token, of the whole text or a range.
func (st *state) semanticTokens(p rangeParams) (*semanticTokens, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	from, to := uint32(0), uint32(len(d.text))
	if p.Range != (span{}) {
		from, to = uint32(d.offset(p.Range.Start)), uint32(d.offset(p.Range.End))
	}
	number := map[string]uint32{}
	for i, t := range tokenTypes {
		number[t] = uint32(i)
	}
	e := &encoder{doc: d}
	x := d.index()
	words := x.Words
	flush := func(before uint32) {
		for len(words) > 0 && words[0].Off < before {
			if w := words[0]; w.End > from && w.Off < to {
				e.add(int(w.Off), int(w.End), number[wordTypes[w.Class]], 0)
			}
			words = words[1:]
		}
	}
	for i := range x.Names {
		n := &x.Names[i]
		flush(n.Off)
		if n.End <= from || n.Off >= to {
			continue
		}
		t, mod := nameTypes[n.Kind], uint32(0)
		if t == "" {
			t = "variable"
		}
		if n.Def {
			mod |= modDefinition
		}
		if n.Kind == lang.Constant || n.Kind == lang.Data {
			mod |= modReadonly
		}
		e.add(int(n.Off), int(n.End), number[t], mod)
	}
	flush(uint32(len(d.text)))
	if e.data == nil {
		e.data = []uint32{}
	}
	return &semanticTokens{e.data}, nil
}

// An encoder writes tokens as the protocol wants them: five numbers each, places relative to the token before.
type encoder struct {
	doc  *document
	last position
	data []uint32
}

// add adds a token. One of several lines is left out: most editors cannot show it.
func (e *encoder) add(off, end int, kind, mods uint32) {
	from, to := e.doc.position(off), e.doc.position(end)
	if from.Line != to.Line {
		return
	}
	start := from.Character
	if from.Line == e.last.Line {
		start -= e.last.Character
	}
	e.data = append(e.data, uint32(from.Line-e.last.Line), uint32(start), uint32(to.Character-from.Character), kind, mods)
	e.last = from
}
