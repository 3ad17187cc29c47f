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
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, errs := parse(src)
		if p.Bad != errs.HasErrors() {
			t.Fatalf("Bad is %v, errors: %v", p.Bad, errs.Err())
		}
	})
}

var seeds = []string{
	"",
	"// c\ntype T align 8 { field instance int32 a; field static T& b; [m:n] field thread void(int8[], U{3}) cdecl* c; }",
	"field global m/T[4] g (a, 'b c'); field thread int8 t; data d (1, -2, 0x3); entry f; thread exit g; module entry m/h;",
	"[a:b, c:d] function ssa nothrow int32 f(noescape T*, [x:y] uint) stdcall {\nregister float64 r;\nblock entry unwind h { volatile r = load.f64 (-1.5e+3); jump.cond r (entry, h); }\nblock h { r = load.i8a (1, 2); r = phi (r, r); field.set r, r (m/T:x); ffi (libc, puts); } }",
	"type '' { type = { ' \x00 \xff 1. 0x 5x",
}
