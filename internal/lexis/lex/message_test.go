package lex

import (
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	if got := Message("%s: want %d", "@a", 5); got != "@a: want 5" {
		t.Errorf("got %q", got)
	}
	got := Message("%s redefined", "@"+strings.Repeat("n", 1<<20)+".v1")
	if len(got) > maxShown+20 || !strings.HasPrefix(got, "@nnn") || !strings.HasSuffix(got, "n.v1 redefined") {
		t.Errorf("%d bytes: %.100s", len(got), got)
	}
}
