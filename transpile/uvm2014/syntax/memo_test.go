package syntax_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Equal text in place is one node with different places, unless the text has more than the tree shows, or
// is not on one line.
func TestShared(t *testing.T) {
	const types, sigs = "NEW <$>|FPTOUI <$ int<64>> %a", "CALL <$> %a ()|TAILCALL <$> %a ()"
	tests := []struct {
		insts, what string
		same        bool
	}{
		{types, "double", true},
		{types, "int<8>", true},
		{types, "int< 8 >", true},
		{types, "int <8>", false},
		{types, "int<\n8>", false},
		{types, "int</**/8>", false},
		{types, "struct<ref<@t> double>", true},
		{types, "struct<@t, @t>", false},
		{types, "func<@t (double)>", true},
		{types, "func<@t (void)>", false},
		{sigs, "@t ()", true},
		{sigs, "int<8> (int<8> @t)", true},
		{sigs, "int<8> (void)", false},
		{"THROW $|THROW $", "1", true},
		{"THROW $|THROW $", "-1", true},
		{"THROW $|THROW $", "0.5", true},
		{"THROW $|THROW $", "bitsd(1)", false},
	}
	for _, tt := range tests {
		tt.what = strings.ReplaceAll(tt.what, "/**/", "//\n")
		src := ".funcdef @f <@s> () {\n" + strings.ReplaceAll(strings.ReplaceAll(tt.insts, "|", "\n"), "$", tt.what) + "\n}"
		files := diag.NewSet()
		errs := diag.NewList(files)
		f, err := files.Add("a.uir", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		l := syntax.Parse(f, syntax.NewSymbols(), errs, 0).Defs[0].(*syntax.FuncDef).Blocks[0].Insts
		if errs.HasErrors() {
			t.Fatal(errs.Err())
		}
		var same bool
		var at [2]syntax.Off
		for i := range l {
			switch in := &l[i]; tt.insts {
			case types:
				same, at[i] = l[0].Type.TypeCtor == l[1].Type.TypeCtor, in.Type.Off
			case sigs:
				same, at[i] = l[0].Sig.SigCtor == l[1].Sig.SigCtor, in.Sig.Off
			default:
				same, at[i] = l[0].Args[0].Const == l[1].Args[0].Const, in.Args[0].Off
			}
		}
		if same != tt.same {
			t.Errorf("%s: one node %t, want %t", src, same, tt.same)
		}
		if want := [2]syntax.Off{syntax.Off(strings.Index(src, tt.what)), syntax.Off(strings.LastIndex(src, tt.what))}; at != want {
			t.Errorf("%s: at %d, want %d", src, at, want)
		}
	}
}
