package mu_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// The error of a text that a program loads names the author's place first, and then that in the text.
func TestFaultsBeside(t *testing.T) {
	files := diag.NewSet()
	diags := diag.NewList(files)
	const text = ".typedef @a = int<8>\n//line a.src:7:3\n.typedef @b = ref<@c>\n"
	if _, ok := mu.Load(files, []mu.Source{{Name: "dir/later.uir", Text: []byte(text)}}, mu.Options{}, diags); ok {
		t.Fatal("the text has no error")
	}
	want := "dir/a.src:7:21: unknown type @c (dir/later.uir:3:19)"
	if got := mu.Faults(files, diags).Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
