package synth_test

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/synth"
	"github.com/uvm2go/uvm2go/transpile"
)

func TestSyntheticBundleIsValid(t *testing.T) {
	var b bytes.Buffer
	if err := synth.Write(&b, synth.Full.Scale(0.005)); err != nil {
		t.Fatal(err)
	}
	p, diags := transpile.Load([]transpile.Source{{Name: "synth.uir", Text: b.Bytes()}}, transpile.Options{Strict: true})
	if p == nil || diags.Warnings() > 0 {
		diags.Print(os.Stderr)
		t.Fatal("not clean")
	}
	if _, err := p.Generate(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkTranslate reports the share of each step for a bundle of about 3 MB.
func BenchmarkTranslate(b *testing.B) {
	var text bytes.Buffer
	if err := synth.Write(&text, synth.Full.Scale(0.05)); err != nil {
		b.Fatal(err)
	}
	var load, gen time.Duration
	for b.Loop() {
		t0 := time.Now()
		p, diags := transpile.Load([]transpile.Source{{Name: "synth.uir", Text: text.Bytes()}}, transpile.Options{})
		if p == nil {
			b.Fatal(diags.Error())
		}
		t1 := time.Now()
		if _, err := p.Generate(); err != nil {
			b.Fatal(err)
		}
		load += t1.Sub(t0)
		gen += time.Since(t1)
	}
	mb := float64(text.Len()) * float64(b.N) / 1e6
	b.ReportMetric(mb/load.Seconds(), "load-MB/s")
	b.ReportMetric(mb/gen.Seconds(), "generate-MB/s")
}
