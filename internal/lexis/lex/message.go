package lex

import "fmt"

// maxShown is how many bytes of an operand a message shows.
const maxShown = 300

// Message is fmt.Sprintf, but operands that are text lose their middle if they are
// long: names may have any length.
func Message(format string, args ...any) string {
	short := make([]any, len(args))
	for i, a := range args {
		if s, ok := a.(string); ok && len(s) > maxShown {
			a = s[:maxShown*2/3] + "..." + s[len(s)-maxShown/3:]
		}
		short[i] = a
	}
	return fmt.Sprintf(format, short...)
}
