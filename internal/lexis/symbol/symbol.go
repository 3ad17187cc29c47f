// Package symbol says which texts are native symbols: the names that EXTERN constants, external
// functions and Go natives have for the linker. It has the one rule for translator and runtime, and
// the split of versioned symbols. Which symbols exist is not its concern.
package symbol

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLen is the length of the longest symbol, in bytes.
const MaxLen = 4096

// others are the printable ASCII characters that a symbol cannot have. The assembler, the C compiler or
// the Go compiler would read something else in generated text.
const others = " \"'`\\(),;#%*/<>"

// Fault says why a text is not a symbol, "" if it is one. The message has no position and quotes the
// text, so it is the same wherever symbols are read.
func Fault(text string) string {
	bad := func(format string, args ...any) string {
		return "bad native symbol " + quote(text) + ": " + fmt.Sprintf(format, args...)
	}
	if text == "" {
		return "bad empty native symbol: write the name that the linker knows"
	}
	if len(text) > MaxLen {
		return bad("it has %d bytes, and at most %d are possible", len(text), MaxLen)
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n <= 1 {
				return bad("byte 0x%02x at %d is not UTF-8", text[i], i)
			}
		}
		if !possible(r) {
			return bad("%s cannot be part of a symbol", spell(r))
		}
	}
	name, version, ok := strings.Cut(text, "@")
	if ok && (name == "" || version == "" || strings.Contains(version, "@")) {
		return bad("'@' stands only between a name and its version, as in sin@GLIBC_2.2.5")
	}
	return ""
}

func possible(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !strings.ContainsRune(others, r)
	}
	return unicode.IsLetter(r)
}

// spell names a character in a message.
func spell(r rune) string {
	switch {
	case r == '\'':
		return `"'"`
	case unicode.IsPrint(r):
		return "'" + string(r) + "'"
	}
	return fmt.Sprintf("U+%04X", r)
}

// quote quotes a text of any length and content in one line.
func quote(text string) string {
	const most = 80
	if len(text) > most {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(text[:most], ""))
	}
	return fmt.Sprintf("%q", text)
}

// Split returns the name and the version of a symbol such as sin@GLIBC_2.2.5; the version of others is "".
func Split(text string) (name, version string) {
	name, version, _ = strings.Cut(text, "@")
	return name, version
}

// Plain reports whether every assembler reads a text as one name, without quotes: letters, digits, _, $ and
// points, none of the last three but _ at the beginning.
func Plain(text string) bool {
	for i, r := range text {
		switch {
		case r == utf8.RuneError:
			return false
		case r == '_', r >= utf8.RuneSelf && unicode.IsLetter(r), r|0x20 >= 'a' && r|0x20 <= 'z':
		case i > 0 && (r == '.' || r == '$' || r >= '0' && r <= '9'):
		default:
			return false
		}
	}
	return text != ""
}
