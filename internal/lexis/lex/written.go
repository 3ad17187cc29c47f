package lex

import "strings"

// AsWritten returns a message about a text with the names of the text as they are written: without their sigils, if the
// text leaves these out. bare are those names (Reader.Bare).
func AsWritten(msg string, syms *Symbols, bare map[Sym]bool) string {
	if len(bare) == 0 || !strings.ContainsAny(msg, "@%") {
		return msg
	}
	var out strings.Builder
	for i := 0; i < len(msg); {
		j := i + 1
		if msg[i] == '@' || msg[i] == '%' {
			for j < len(msg) && nameByte[msg[j]] {
				j++
			}
			if beginsBare(msg[i:j], syms, bare) {
				i++
			}
		}
		out.WriteString(msg[i:j])
		i = j
	}
	return out.String()
}

// beginsBare reports whether a name, or what it has in front of one of its dots, is written without its sigil.
func beginsBare(name string, syms *Symbols, bare map[Sym]bool) bool {
	for len(name) > 1 {
		if bare[syms.Lookup(name)] {
			return true
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return false
}
