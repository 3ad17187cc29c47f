package syntax

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// parse reads a text.
func parse(src string) (*File, *diag.List) {
	set := diag.NewSet()
	f, err := set.Add("t.ial", []byte(src))
	if err != nil {
		panic(err)
	}
	errs := diag.NewList(set)
	errs.MaxErrors = -1
	return Parse(f, errs), errs
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("")
	f.Add("type '' { type = { ' \x00 \xff 1. 0x 5x")
	for _, tt := range hostile {
		f.Add(tt.text(3))
	}
	f.Fuzz(func(t *testing.T, src string) {
		tree, errs := parse(src)
		if tree.Bad != errs.HasErrors() {
			t.Fatalf("Bad is %v, errors: %v", tree.Bad, errs.Err())
		}
		if tree.Bad {
			return
		}
		once := Print(tree)
		again, errs := parse(once)
		if errs.HasErrors() {
			t.Fatalf("%v\n%s\nfrom %s", errs, once, src)
		}
		if twice := Print(again); twice != once {
			t.Fatalf("%s\nbecomes\n%s", once, twice)
		}
	})
}
