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

// The names of files in directives have a second purpose. Go keeps file and line of each machine
// instruction, and nothing else. What else a trace must know is the number of a copy of an inlined body and which of the
// columns of a line. So Go is told another spelling of the same path, with steps that lead nowhere in front of its last
// element:
//
//	lib/fib.uir    lib/.///.//./fib.uir
//
// Each number begins with ./// and goes on with its binary digits from the lowest, ./ for 0 and .// for 1.
// Debuggers and profilers clean paths, so they see one file.
const (
	markStep = ".///"
	oneStep  = ".//"
	zeroStep = "./"
)

// NoFile is the file of code that is from no bundle.
const NoFile = "."

// MarkFile spells the name of a file with two numbers. A second number of 0 is left out unless the name looks as if it had
// numbers already.
func MarkFile(file string, first, second int) string {
	cut := strings.LastIndexByte(file, '/') + 1
	if cut == 0 && len(file) > 2 && file[1:3] == `:\` {
		cut = strings.LastIndexByte(file, '\\') + 1
	}
	out := append(make([]byte, 0, len(file)+24), file[:cut]...)
	out = appendSteps(out, first)
	if second != 0 || IsMarked(file) {
		out = appendSteps(out, second)
	}
	return string(append(out, file[cut:]...))
}

func appendSteps(out []byte, n int) []byte {
	out = append(out, markStep...)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			out = append(out, oneStep...)
		} else {
			out = append(out, zeroStep...)
		}
	}
	return out
}

// IsMarked reports whether the name of a file looks like one with numbers.
func IsMarked(file string) bool {
	_, _, ok := cutSteps(file, baseOf(file))
	return ok
}

// UnmarkFile undoes MarkFile; ok is false for a name without numbers.
func UnmarkFile(marked string) (file string, first, second int, ok bool) {
	base := baseOf(marked)
	at, last, ok := cutSteps(marked, base)
	if !ok {
		return marked, 0, 0, false
	}
	if before, n, two := cutSteps(marked, at); two {
		return marked[:before] + marked[base:], n, last, true
	}
	return marked[:at] + marked[base:], last, 0, true
}

// baseOf is where the last element of a path begins that may have steps in front of it.
func baseOf(file string) int { return strings.LastIndexByte(file, '/') + 1 }

// cutSteps reads the number that ends at a place in a name, and returns where it begins.
func cutSteps(file string, end int) (begin, n int, ok bool) {
	at := strings.LastIndex(file[:end], markStep)
	if at < 0 || at > 0 && file[at-1] != '/' && file[at-1] != '\\' {
		return end, 0, false
	}
	bit := 0
	for rest := file[at+len(markStep) : end]; rest != ""; bit++ {
		switch {
		case bit >= 31:
			return end, 0, false
		case strings.HasPrefix(rest, oneStep):
			n |= 1 << bit
			rest = rest[len(oneStep):]
		case strings.HasPrefix(rest, zeroStep):
			rest = rest[len(zeroStep):]
		default:
			return end, 0, false
		}
	}
	return at, n, true
}
