package dialect

// enough is the length of a beginning that has the first tokens of nearly all files.
const enough = 4096

// Head returns the first n tokens of a text, for Recognize, and the text as a string, or a beginning that has the
// tokens: most of a large text is not copied. head returns the first n tokens of a string, or all of them and the end.
func Head[T any](text []byte, n int, head func(src string, n int) []T) (string, []T) {
	if len(text) > enough {
		src := string(text[:enough])
		if t := head(src, n+1); len(t) > n+1 { // another one and the end: those before are whole
			return src, t[:n]
		}
	}
	src := string(text)
	return src, head(src, n)
}
