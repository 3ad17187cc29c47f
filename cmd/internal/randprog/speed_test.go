package randprog_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

type nothing struct{}

func (nothing) ByID(uint32) (binary.Entity, bool) { return binary.Entity{}, false }
func (nothing) HasName(syntax.Sym) bool           { return false }
func (nothing) HasID(uint32) bool                 { return false }

// BenchmarkOld reads a large bundle of 2014 as text and in binary form: the tree alone, function
// bodies included, and all up to the program.
func BenchmarkOld(b *testing.B) {
	var ps []randprog.Program
	for i := range 1500 {
		ps = append(ps, randprog.GenerateOld(int64(i), "@p"+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676))+"."))
	}
	text := []byte(randprog.Bundle(ps))
	_, form := transpile.Dialects.Form("uirb")
	bin, diags := form.Convert(dialect.Source{Name: "a.uir", Text: text}, dialect.Options{})
	if diags.HasErrors() {
		b.Fatal(diags.Err())
	}
	tree := func(src []byte, isText bool) func(*testing.B) {
		return func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				files := diag.NewSet()
				errs := diag.NewList(files)
				if isText {
					f, _ := files.Add("a", src)
					syntax.Parse(f, syntax.NewSymbols(), errs, 0)
				} else {
					f, _ := files.AddBinary("a", src)
					bundle := binary.Read(f, syntax.NewSymbols(), nothing{}, errs, binary.Streamed)
					for _, d := range bundle.Defs {
						if d, ok := d.(*syntax.FuncDef); ok {
							bundle.Body(d)
						}
					}
				}
				if errs.HasErrors() {
					b.Fatal(errs.Err())
				}
			}
		}
	}
	whole := func(src []byte) func(*testing.B) {
		return func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if p, diags := transpile.Load([]transpile.Source{{Name: "a", Text: src}}, transpile.Options{}); p == nil {
					b.Fatal(diags.Err())
				}
			}
		}
	}
	b.Run("tree/text", tree(text, true))
	b.Run("tree/binary", tree(bin, false))
	b.Run("load/text", whole(text))
	b.Run("load/binary", whole(bin))
}
