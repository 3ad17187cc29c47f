package lsp

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// markEvery is how many bytes are between marks. Not more than about so many are counted for the column of a place,
// however long its line is.
const markEvery = 256

// A mark is the beginning of a character, and how many units of UTF-16 the text has in front of it.
type mark struct{ off, units int }

// findMarks makes mark i for the first character from byte i*markEvery on. A text of ASCII needs none: its units are
// its bytes.
func (d *document) findMarks() {
	d.markOnce.Do(func() {
		if !slices.ContainsFunc(d.text, func(c byte) bool { return c >= utf8.RuneSelf }) {
			return
		}
		d.marks = make([]mark, 0, len(d.text)/markEvery+1)
		units := 0
		for off, r := range string(d.text) {
			if off >= len(d.marks)*markEvery {
				d.marks = append(d.marks, mark{off, units})
			}
			units += utf16.RuneLen(r)
		}
	})
}

// markBefore returns the last mark that is not after a place. The text has marks.
func (d *document) markBefore(off int) mark {
	i := min(off/markEvery, len(d.marks)-1)
	if d.marks[i].off > off { // a character is across the boundary
		i--
	}
	return d.marks[i]
}

// column returns the column of a place in the line that begins at a byte.
func (d *document) column(line, off int) int {
	if d.utf8 {
		return off - line
	}
	if d.findMarks(); d.marks == nil {
		return off - line
	}
	m := d.markBefore(off)
	if m.off <= line {
		return units(d.text[line:off])
	}
	first := d.markBefore(line)
	return m.units + units(d.text[m.off:off]) - first.units - units(d.text[first.off:line])
}

// units counts the units of UTF-16 in a text.
func units(text []byte) (n int) {
	for _, r := range string(text) {
		n += utf16.RuneLen(r)
	}
	return n
}
