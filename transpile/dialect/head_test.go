package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	ial "github.com/uvm2go/uvm2go/transpile/ial/syntax"
	tvm "github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

func TestHead(t *testing.T) {
	t.Run("ial", func(t *testing.T) {
		wholeTokens(t, ial.Head, func(src string) []ial.Token { return ial.Scan(src).Tokens })
	})
	t.Run("tvm", func(t *testing.T) {
		wholeTokens(t, tvm.Head, func(src string) []tvm.Token { return tvm.Scan(src).Tokens })
	})
}

// wholeTokens checks that the tokens of a head are whole, wherever the beginning ends that has them.
func wholeTokens[T comparable](t *testing.T, head func(string, int) []T, scan func(string) []T) {
	const looked = 4096 // bytes at first
	for pad := looked - 20; pad < looked+4; pad++ {
		for _, rest := range []string{"one two three four five six", "one two three", "one two"} {
			src := "//" + strings.Repeat("x", pad-3) + "\n" + rest + strings.Repeat(" ", 100)
			text, got := dialect.Head([]byte(src), 3, head)
			want := scan(src)
			if n := min(3, len(want)); len(got) < n || !slices.Equal(got[:n], want[:n]) || !strings.HasPrefix(src, text) {
				t.Fatalf("%d bytes in front of %s: got %v, want %v", pad, rest, got, want[:n])
			}
		}
	}
	if text, _ := dialect.Head([]byte("one two three four "+strings.Repeat("x", 2*looked)), 3, head); len(text) != looked {
		t.Errorf("%d bytes were looked at", len(text))
	}
}
