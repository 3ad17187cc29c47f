package syntax

import (
	"slices"
	"strings"
	"testing"
)

// The head of a file is its first tokens. Scanning it does not look at the rest.
func TestHead(t *testing.T) {
	src := "\ufeff// comment\n%f = int(" + strings.Repeat("1 + 2 ", 10000)
	all := Scan(src).Tokens
	if head := Head(src, 3); !slices.Equal(head[:3], all[:3]) || len(head) > 4 {
		t.Errorf("got %d tokens, which begin %v, want %v", len(head), head[:3], all[:3])
	}
	if head := Head("%f", 3); len(head) != 2 || head[1].Kind != EOF {
		t.Errorf("got %v of a short file", head)
	}
}

// The tokens of a head are whole, wherever the beginning ends that has them.
func TestHeadOf(t *testing.T) {
	for pad := enough - 20; pad < enough+4; pad++ {
		for _, rest := range []string{"one two three four five six", "one two three", "one two"} {
			src := "//" + strings.Repeat("x", pad-3) + "\n" + rest + strings.Repeat(" ", 100)
			text, head := HeadOf([]byte(src), 3)
			want := Scan(src).Tokens
			if n := min(3, len(want)); len(head) < n || !slices.Equal(head[:n], want[:n]) || !strings.HasPrefix(src, text) {
				t.Fatalf("%d bytes in front of %s: got %v, want %v", pad, rest, head, want[:n])
			}
		}
	}
	if text, _ := HeadOf([]byte("one two three four "+strings.Repeat("x", 2*enough)), 3); len(text) != enough {
		t.Errorf("%d bytes were looked at", len(text))
	}
}
