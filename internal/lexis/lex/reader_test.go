package lex_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/fixture/lextest"
	. "github.com/uvm2go/uvm2go/internal/lexis/lex"
)

func TestSuggest(t *testing.T) {
	kws := NewKeywords([]string{"", "ADD", "BRANCH", "BRANCH2", "KEEPALIVE", "int", "iref", "", ".typedef"})
	all := func(Keyword) bool { return true }
	tests := []struct{ word, want string }{
		{"BRNACH", "BRANCH"}, // swapped letters
		{"BRANCH3", "BRANCH2"},
		{"branch", "BRANCH"},
		{"KEEP_ALIVE", "KEEPALIVE"},
		{"KEEPALIV", "KEEPALIVE"},
		{"INT", "int"},
		{"AD", "ADD"},
		{"ADDD", "ADD"},
		{"AXX", ""}, // two slips in a short word
		{"BRXXXH", ""},
		{"ADD", ""}, // spelt right, so something else is wrong
		{".typdef", ".typedef"},
		{"", ""},
		{strings.Repeat("A", 1000), ""},
	}
	for _, tt := range tests {
		if got := kws.Suggest(tt.word, all); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.word, got, tt.want)
		}
	}
	two := NewKeywords([]string{"", "FADD", "ADD"})
	if got := two.Suggest("IADD", all) + " " + two.Suggest("FDDD", all); got != "ADD FADD" { // IADD ends with ADD
		t.Errorf("got %s", got)
	}
	meant := NewKeywords([]string{"", "SREM", "RET"}).Meaning(map[string]string{"REM": "SREM"})
	if got := meant.Suggest("rem", all) + " " + meant.Suggest("REM", OneOf(2)); got != "SREM RET" {
		t.Errorf("got %s", got)
	}
	if got := kws.Suggest("BRNACH", OneOf(1, 5)); got != "" {
		t.Errorf("got %q from a set without it", got)
	}
	if kws.Find("ADD") != 1 || kws.Find("add") != 0 || kws.Find("") != 0 || kws.Name(2) != "BRANCH" {
		t.Error("wrong keyword")
	}
}

func TestReader(t *testing.T) {
	src := []byte("foo %a\n  = FOO %!")
	r := NewReader(src, NewSymbols(), NewDialect("@%", "=<>(){}[]:", true), NewKeywords([]string{"", "foo"}), false)
	if r.Kw != 1 || r.Peek().Kind != Ident || r.Kw != 1 {
		t.Fatal("the first token is the keyword foo")
	}
	r.Begin("foo", Name{}, r.Tok.Off)
	r.Next()
	r.Name = r.Take()
	r.Punct('(', "", "write one")
	r.Punct('=') // does nothing, the reader has failed
	if !r.Failed || !r.Is('=') {
		t.Fatal("a failed reader moves on")
	}
	r.Complain("something else at the same place")
	r.Failed = false
	r.Punct('=')
	r.Reject("odd "+r.Found(), r.Near(OneOf(1)))
	r.Next()
	r.Fail("a name")
	want := `r:2:3: bad foo %a: wanted (, found =; write one
	foo %a begins at r:1:1
r:2:5: odd FOO; did you mean foo?
r:2:9: bad name %!: a name has letters, digits, _, . and -
`
	if got := lextest.Format("r", src, r.Reports); got != want || !r.Bad {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
