package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// columnFrom counts the column of a place from the beginning of its line.
func columnFrom(text []byte, off int) int {
	line := strings.LastIndexAny(string(text[:off]), "\r\n") + 1
	return len(utf16.Encode([]rune(string(text[line:off]))))
}

// TestColumns: columns count units of UTF-16 from the beginning of the line, wherever the marks are. A byte that is no
// UTF-8 counts as one.
func TestColumns(t *testing.T) {
	long := strings.Repeat("aé𝄞", 150)
	for i, text := range []string{"", "plain\ntext\r\nof\rASCII", "é", long, "x" + long, "xy" + long + "\n" + long + "\r" + long + "\r\n\n" + long,
		strings.Repeat("ä\n", 500), strings.Repeat("x", markEvery-1) + "𝄞", strings.Repeat("x", markEvery-1) + "𝄞\n" + long,
		strings.Repeat("\x9d\x84", 400) + "𝄞\xf0\x9d\n" + long, strings.Repeat("𝄞", markEvery)} {
		d := &document{text: []byte(text)}
		for off := range len(text) + 1 {
			if off > 0 && off < len(text) && text[off-1:off+1] == "\r\n" {
				continue // within the end of a line
			}
			if got, want := d.position(off).Character, columnFrom(d.text, off); got != want {
				t.Fatalf("text %d: byte %d is in column %d, want %d", i, off, got, want)
			}
		}
	}
	d := &document{text: []byte(long), utf8: true}
	if p := d.position(7); p != (position{0, 7}) {
		t.Errorf("in bytes: %v", p)
	}
}

// TestWideLine: the columns of all tokens of a line of 1 MB are right, and only a few bytes are counted for each.
func TestWideLine(t *testing.T) {
	for _, name := range []string{"write", "é𝄞"} {
		line := ".typedef @p = uptr<void> "
		for i := 0; len(line) < 1<<20; i += 1000 {
			var b strings.Builder
			for j := range 1000 {
				fmt.Fprintf(&b, `.const @c%d <@p> = EXTERN "%s" `, i+j, name)
			}
			line += b.String()
		}
		d := &document{uri: "file:///a.uir", path: "/a.uir", text: []byte(line)}
		st := (&Server{docs: map[string]*document{d.uri: d}}).state(t.Context())
		tokens, err := st.semanticTokens(rangeParams{TextDocument: textDocument{d.uri}})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []int
		column, last := 0, 0
		for _, at := range regexp.MustCompile(`"[^"]*"|[.@A-Za-z]\w*`).FindAllStringIndex(line, -1) {
			column += len(utf16.Encode([]rune(line[last:at[0]])))
			want, last = append(want, column), at[0]
		}
		column = 0
		for i := 0; i+5 <= len(tokens.Data); i += 5 {
			column += int(tokens.Data[i+1])
			got = append(got, column)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the columns of %d tokens are not those of the %d in the text", name, len(got), len(want))
		}
		symbols, err := st.symbols(positionParams{TextDocument: textDocument{d.uri}})
		if err != nil {
			t.Fatal(err)
		}
		end := len(utf16.Encode([]rune(strings.TrimSpace(line))))
		if s := symbols[len(symbols)-1]; s.Range.End != (position{0, end}) {
			t.Errorf("%s: the last item ends at %v, want column %d", name, s.Range, end)
		}
		if ascii := name == "write"; ascii != (d.marks == nil) {
			t.Errorf("%s: %d marks", name, len(d.marks))
		}
		if d.marks == nil {
			continue
		}
		for off := range len(line) + 1 {
			if counted := off - d.markBefore(off).off; counted < 0 || counted >= markEvery+utf8.UTFMax {
				t.Fatalf("%s: %d bytes are counted for byte %d", name, counted, off)
			}
		}
	}
}
