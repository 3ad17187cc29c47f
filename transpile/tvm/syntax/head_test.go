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
