package diag

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Limits of the user's text in messages, in bytes: names may be of any length.
const (
	maxWord    = 160  // of a stretch without white space, such as a name
	maxArg     = 600  // of one operand of a message, such as the text of a type
	maxMessage = 2000 // of a message
)

// Short shortens text for a message: words and texts that are too long lose their
// middle. Their ends are kept, because these distinguish similar names.
func Short(text string) string {
	return cut(shortWords(text), maxArg)
}

// sprintf formats a message with operands that are cut before they are copied.
func sprintf(format string, args []any) string {
	if len(args) == 0 {
		return shortMessage(format)
	}
	short := make([]any, len(args))
	for i, a := range args {
		if s, ok := a.(string); ok {
			a = Short(s)
		}
		short[i] = a
	}
	return shortMessage(fmt.Sprintf(format, short...))
}

// shortMessage cuts a whole message, which is one line whatever the names in it.
func shortMessage(msg string) string { return cut(shortWords(lex.Visible(msg)), maxMessage) }

// shortWords shortens the words of a text that are too long. Its time is bounded, even
// for a text of megabytes.
func shortWords(text string) string {
	if len(text) <= maxWord {
		return text
	}
	text = cut(text, 4*maxMessage)
	var b strings.Builder
	for {
		n := strings.IndexAny(text, " \t\n")
		if n < 0 {
			b.WriteString(cut(text, maxWord))
			break
		}
		b.WriteString(cut(text[:n], maxWord))
		b.WriteByte(text[n])
		text = text[n+1:]
	}
	return b.String()
}

// cut drops the middle of a text of more than n bytes.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	head, tail := n*2/3, len(text)-n/3+len("...")
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + "..." + text[tail:]
}
