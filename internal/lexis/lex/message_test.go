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

// TestDidYouMean suggests words: those with a letter missing, added, changed or swapped with its
// neighbour, more of them in longer words.
func TestDidYouMean(t *testing.T) {
	known := []string{"build", "check", "fmt", "repl", "run", "translate"}
	for name, want := range map[string]string{
		"rnu": "run", "ru": "", "rum": "run", "runn": "run", "urn": "run", "RUN": "run", "nur": "",
		"cehck": "check", "chekc": "check", "chk": "", "biuld": "build", "tarnslaet": "translate", "x": "", "frobnicate": "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := DidYouMean(name, known); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
