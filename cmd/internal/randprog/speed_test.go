//go:build unix

package randprog_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

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
func (nothing) Taken() []syntax.IDs               { return nil }

// BenchmarkOld reads a large bundle of 2014 as text and in binary form by turns: the tree alone,
// function bodies included, and all up to the program. It reports the processor time of both, the
// collector's included, and how many times as fast binary is.
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
	tree := func(f *diag.File, isText bool, errs *diag.List) {
		if isText {
			syntax.Parse(f, syntax.NewSymbols(), errs, 0)
			return
		}
		bundle := binary.Read(f, syntax.NewSymbols(), nothing{}, errs, binary.Streamed)
		for _, d := range bundle.Defs {
			if d, ok := d.(*syntax.FuncDef); ok {
				bundle.Body(d)
			}
		}
	}
	b.Run("tree", func(b *testing.B) {
		byTurns(b, func(isText bool) error {
			files := diag.NewSet()
			errs := diag.NewList(files)
			f, _ := files.AddBinary("a.uirb", bin)
			if isText {
				f, _ = files.Add("a.uir", text)
			}
			tree(f, isText, errs)
			return errs.Err()
		})
	})
	b.Run("load", func(b *testing.B) {
		byTurns(b, func(isText bool) error {
			src := transpile.Source{Name: "a.uirb", Text: bin}
			if isText {
				src = transpile.Source{Name: "a.uir", Text: text}
			}
			_, diags := transpile.Load([]transpile.Source{src}, transpile.Options{})
			return diags.Err()
		})
	})
}

// byTurns measures what read does with text and with binary.
func byTurns(b *testing.B, read func(isText bool) error) {
	times := map[bool]time.Duration{}
	for b.Loop() {
		for _, isText := range []bool{true, false} {
			runtime.GC()
			before := processorTime(b)
			if err := read(isText); err != nil {
				b.Fatal(err)
			}
			times[isText] += processorTime(b) - before
		}
	}
	report := func(isText bool, unit string) {
		b.ReportMetric(float64(times[isText].Milliseconds())/float64(b.N), unit)
	}
	report(true, "text-ms")
	report(false, "binary-ms")
	b.ReportMetric(float64(times[true])/float64(times[false]), "times")
}

// processorTime is what the process has used.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
