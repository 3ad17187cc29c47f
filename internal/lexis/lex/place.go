package lex

import (
	"strconv"
	"strings"
)

// MaxLine is the largest line of a directive //line, for Go's compiler and in bundles.
const MaxLine = 1 << 30

// FileName is the name of a file in directives //line and /*line: what is not Visible is escaped, and so
// is the end of a comment, */.
func FileName(file string) string {
	return strings.ReplaceAll(Visible(file), "*/", `*\x2f`)
}

// AppendPlace appends FILE:LINE as it stands in a directive //line or /*line.
func AppendPlace(out []byte, file string, line int) []byte {
	out = append(out, FileName(file)...)
	out = append(out, ':')
	out = strconv.AppendInt(out, int64(min(max(line, 1), MaxLine)), 10)
	if endsInNumber(file) { // which would be taken for the line, and the line for a column
		out = append(out, ":1"...)
	}
	return out
}

// endsInNumber reports whether the name of a file ends with a colon and a number.
func endsInNumber(file string) bool {
	rest := strings.TrimRight(file, "0123456789")
	return rest != file && strings.HasSuffix(strings.TrimRight(rest, "+-"), ":")
}
