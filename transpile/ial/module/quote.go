package module

import (
	"maps"
	"slices"
	"strings"
)

// Quote spells a name as an identifier, with quotes if it needs them.
func Quote(name string) string {
	if plain(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `\'`) + "'"
}

// QuoteBlock spells the name of a block, for which entry needs no quotes.
func QuoteBlock(name string) string {
	if name == "entry" {
		return name
	}
	return Quote(name)
}

// plain reports whether a name reads as an identifier without quotes wherever an
// identifier may stand.
func plain(name string) bool {
	if name == "" || name == "nan" || name == "inf" || Reserved(name) || Soft(name) {
		return false
	}
	if len(name) > 1 && name[0] == '.' && '0' <= name[1] && name[1] <= '9' {
		return false // the point would be a separate name
	}
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// hard are the words, besides mnemonics, that are identifiers only in quotes.
var hard = set("type align field thread function cdecl stdcall ssa pure nooptimize noinline " +
	"register block unwind entry exit void int8 uint8 int16 uint16 int32 uint32 int64 " +
	"uint64 int uint float32 float64")

// soft are the words that are keywords only where the grammar expects them.
var soft = set("instance static global data module noreturn nothrow noescape volatile forward")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// Reserved reports whether a word is never an identifier without quotes.
func Reserved(word string) bool {
	if hard[word] {
		return true
	}
	op, ok := Mnemonics[word]
	return ok && op != Forward
}

// Words lists the words that are keywords somewhere, without mnemonics.
func Words() []string {
	return slices.Concat(slices.Sorted(maps.Keys(hard)), slices.Sorted(maps.Keys(soft)))
}

// Soft reports whether a word is a keyword in some places only.
func Soft(word string) bool { return soft[word] }
