//go:build unix

package randprog_test

import (
	"math"
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

// BenchmarkOld reads a large bundle of 2014 alternately as text and in binary form: first only into the tree,
// with function bodies, then up to the program. It reports the processor time of both, including that of the
// collector, and the ratio text / binary; then the same for 2014 text and the text of
// 2016 that it is converted to.
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
	p, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: text}}, transpile.Options{})
	if p == nil {
		b.Fatal(diags.Err())
	}
	_, form = transpile.Dialects.Form("uir")
	text2016, err := p.Write(form)
	if err != nil {
		b.Fatal(err)
	}
	errs := func(read func(files *diag.Set, errs *diag.List)) error {
		files := diag.NewSet()
		l := diag.NewList(files)
		read(files, l)
		return l.Err()
	}
	load := func(name, kind string, text []byte) reading {
		return reading{kind, len(text), func() error {
			_, diags := transpile.Load([]transpile.Source{{Name: name, Text: text}}, transpile.Options{})
			return diags.Err()
		}}
	}
	b.Run("tree", func(b *testing.B) {
		byTurns(b, reading{"text", len(text), func() error {
			return errs(func(files *diag.Set, errs *diag.List) {
				f, _ := files.Add("a.uir", text)
				syntax.Parse(f, syntax.NewSymbols(), errs, 0)
			})
		}}, reading{"binary", len(bin), func() error {
			return errs(func(files *diag.Set, errs *diag.List) {
				f, _ := files.AddBinary("a.uirb", bin)
				bundle := binary.Read(f, syntax.NewSymbols(), nothing{}, errs, binary.Streamed)
				for _, d := range bundle.Defs {
					if d, ok := d.(*syntax.FuncDef); ok {
						bundle.Body(d)
					}
				}
			})
		}})
	})
	b.Run("load", func(b *testing.B) { byTurns(b, load("a.uir", "text", text), load("a.uirb", "binary", bin)) })
	b.Run("dialects", func(b *testing.B) { byTurns(b, load("a.uir", "2016", text2016), load("a.uir", "2014", text)) })
}

// A reading is an operation that byTurns measures.
type reading struct {
	kind string
	size int // bytes that are read
	read func() error
}

// byTurns measures two readings alternately, and how many times as fast the second is. It uses the least
// time of each, because other programs on the machine only add to it.
func byTurns(b *testing.B, first, second reading) {
	times := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for i, r := range []reading{first, second} {
			runtime.GC()
			before := processorTime(b)
			if err := r.read(); err != nil {
				b.Fatal(err)
			}
			times[i] = min(times[i], processorTime(b)-before)
		}
	}
	for i, r := range []reading{first, second} {
		b.ReportMetric(float64(times[i].Microseconds())/1e3, r.kind+"-ms")
		b.ReportMetric(float64(r.size)/1e6, r.kind+"-MB")
	}
	b.ReportMetric(float64(times[0])/float64(times[1]), "times")
}

// processorTime returns the processor time that the process has used.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
