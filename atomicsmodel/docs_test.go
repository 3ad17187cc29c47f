package atomicsmodel

import (
	"os"
	"strings"
	"testing"
)

// TestGuide judges the tests in docs/memory-model.md.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile("../docs/memory-model.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, part := range strings.Split(string(page), "```litmus\n") {
		if i == 0 {
			continue
		}
		text, _, _ := strings.Cut(part, "```")
		test := mustParse(t, text)
		v, err := Check(test, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(test.Expect) != 1 || !test.Expect[0].Met(v.Result) {
			t.Errorf("%s: %v\n%s", test.Name, v.Result, text)
		}
		n++
	}
	if n < 15 {
		t.Errorf("%d tests", n)
	}
}
