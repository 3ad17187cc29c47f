package gogen

import "bytes"

// The race detector and the checks of pointers that come with it are for the Go code of
// clients. Generated code has memory that Go knows nothing about, polls that others set
// while it reads them, and the orders of Mu between its threads. So its functions that
// touch memory or contexts are marked. Without -race, or -d=checkptr, the directives mean
// nothing: the compiler asks for them only there, when it inlines, too.

// unchecked is what such a function is marked with.
const unchecked = "//go:norace\n//go:nocheckptr\n"

// exempt marks the functions of a file.
func exempt(src []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(src) + len(src)/16)
	for {
		at := nextFunc(src)
		if at < 0 {
			out.Write(src)
			return out.Bytes()
		}
		end := at + endOfFunc(src[at:])
		if touchesMemory(src[at:end]) {
			if l := lastLine(src[:at]); bytes.HasPrefix(l, []byte("//line ")) {
				at -= len(l) // it is about the line after it
			}
			out.Write(src[:at])
			if bytes.HasPrefix(lastLine(src[:at]), []byte("// ")) {
				out.WriteString("//\n")
			}
			out.WriteString(unchecked)
			out.Write(src[at:end])
		} else {
			out.Write(src[:end])
		}
		src = src[end:]
	}
}

// lastLine is the last line of a text that ends with a line.
func lastLine(src []byte) []byte {
	return src[bytes.LastIndexByte(bytes.TrimSuffix(src, []byte("\n")), '\n')+1:]
}

// nextFunc finds the next line that begins a function, -1 if there is none.
func nextFunc(src []byte) int {
	key := []byte("\nfunc ")
	if i := bytes.Index(src, key); i >= 0 {
		return i + 1
	}
	return -1
}

// endOfFunc is the length of the function that a text begins with: up to the first brace
// that stands where lines begin, or the end of its line.
func endOfFunc(src []byte) int {
	line := bytes.IndexByte(src, '\n') + 1
	if line == 0 {
		return len(src)
	}
	if !bytes.HasSuffix(src[:line], []byte("{\n")) {
		return line
	}
	if i := bytes.Index(src, []byte("\n}\n")); i >= 0 {
		return i + len("\n}\n")
	}
	return len(src)
}

// touchesMemory reports whether a function reads or writes what is no variable of its own:
// memory, its context, the record of a function that may change.
func touchesMemory(f []byte) bool {
	return bytes.Contains(f, []byte("unsafe.")) || bytes.Contains(f, []byte(".F(")) || usesContext(f)
}

// usesContext reports whether a text selects from t.
func usesContext(f []byte) bool {
	for i := 0; ; i += len("t.") {
		k := bytes.Index(f[i:], []byte("t."))
		if k < 0 {
			return false
		}
		if i += k; i > 0 && !identByte(f[i-1]) {
			return true
		}
	}
}
