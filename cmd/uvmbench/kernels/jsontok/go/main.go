// The Go twin of the kernel jsontok: a JSON text of about a megabyte, made by the kernel itself, split into tokens size times.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// writer makes the text.
type writer struct {
	text []byte
	seed int64
}

func (w *writer) random(n int64) int64 {
	w.seed = (w.seed*1103515245 + 12345) & 0x7fffffff
	return w.seed >> 8 % n
}

func (w *writer) put(s string) { w.text = append(w.text, s...) }

func (w *writer) number(n int64) { w.text = strconv.AppendInt(w.text, n, 10) }

// string appends a string of up to 12 letters, now and then with an escaped quote.
func (w *writer) string() {
	w.put(`"`)
	for n := w.random(12) + 1; n > 0; n-- {
		if r := w.random(40); r == 39 {
			w.put(`\"`)
		} else {
			w.text = append(w.text, byte('a'+r%26))
		}
	}
	w.put(`"`)
}

var words = []string{"true", "false", "null"}

// value appends a value; arrays and objects are nested at most 5 deep.
func (w *writer) value(depth int) {
	kinds := int64(6)
	if depth < 5 {
		kinds = 10
	}
	switch w.random(kinds) {
	case 0, 1, 2:
		if w.random(2) == 0 {
			w.put("-")
		}
		w.number(w.random(100000))
	case 3, 4:
		w.string()
	case 5:
		w.put(words[w.random(3)])
	case 6, 7:
		w.put("[")
		n := w.random(6)
		for i := range n {
			if i > 0 {
				w.put(", ")
			}
			w.value(depth + 1)
		}
		w.put("]")
	default:
		w.put("{")
		n := w.random(6)
		for i := range n {
			if i > 0 {
				w.put(",\n")
			}
			w.string()
			w.put(":")
			w.value(depth + 1)
		}
		w.put("}")
	}
}

// counts holds what is counted of the tokens of a text.
type counts struct {
	punctuation, strings, numbers, words, sum, hash, depth, deepest int64
}

// tokens splits text into tokens.
func (t *counts) tokens(text []byte) {
	for i := 0; i < len(text); {
		c := text[i]
		i++
		switch c {
		case ' ', '\t', '\n', '\r':
		case '[', '{':
			t.punctuation++
			t.depth++
			t.deepest = max(t.deepest, t.depth)
		case ']', '}':
			t.punctuation++
			t.depth--
		case ',', ':':
			t.punctuation++
		case '"':
			// a string: hash its characters up to the closing quote
			var h int64
			for {
				s := text[i]
				i++
				if s == '"' {
					break
				}
				if s == '\\' {
					s = text[i]
					i++
				}
				h = h*31 + int64(s)
			}
			t.strings++
			t.hash ^= h
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			negative := c == '-'
			var v int64
			if !negative {
				v = int64(c - '0')
			}
			for i < len(text) && text[i]-'0' < 10 {
				v = v*10 + int64(text[i]-'0')
				i++
			}
			t.numbers++
			if negative {
				v = -v
			}
			t.sum += v
		default:
			// true, false, null: letters
			for i < len(text) && text[i]-'a' < 26 {
				i++
			}
			t.words++
		}
	}
}

func run(size int64) int64 {
	w := &writer{text: make([]byte, 0, 1<<20), seed: 7}
	w.put("[")
	for {
		w.value(0)
		if len(w.text) > 1000000 {
			break
		}
		w.put(",")
	}
	w.put("]")
	var t counts
	for range size {
		t.tokens(w.text)
		t.hash = t.hash*3 + t.deepest
	}
	all := t.punctuation + t.strings*3 + t.numbers*5 + t.words*7
	return all + t.sum + t.hash + t.depth
}

func main() {
	size := int64(120)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "jsontok: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap jsontok.done checksum=%d\n", run(size))
}
