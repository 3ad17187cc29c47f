package synth_test

import (
	"bytes"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/synth"
	"github.com/uvm2go/uvm2go/testscripts/steps"
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

// TestLinear checks that a bundle of four times the size takes about four times the steps and memory.
func TestLinear(t *testing.T) {
	var texts [][]byte
	var allocated []uint64
	translate := func(i int) {
		p, diags := transpile.Load([]transpile.Source{{Name: "synth.uir", Text: texts[i]}}, transpile.Options{Optimize: 1, Lines: true})
		if p == nil {
			t.Fatal(diags.Err())
		}
		if _, err := p.Generate(); err != nil {
			t.Fatal(err)
		}
	}
	for _, scale := range []float64{0.01, 0.04} {
		var b bytes.Buffer
		if err := synth.Write(&b, synth.Full.Scale(scale)); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b.Bytes())
	}
	n := steps.Count(t, len(texts), translate)
	for i := range texts {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		translate(i)
		runtime.ReadMemStats(&after)
		allocated = append(allocated, after.TotalAlloc-before.TotalAlloc)
	}
	more := float64(len(texts[1])) / float64(len(texts[0]))
	t.Logf("%.2f times the bundle: steps %d, memory %d", more, n, allocated)
	if r := float64(allocated[1]) / float64(allocated[0]); r > 1.15*more {
		t.Errorf("%.2f times the bundle takes %.2f times the memory", more, r)
	}
	if r := float64(n[1]) / float64(n[0]); r > 1.5*more {
		t.Errorf("%.2f times the bundle takes %.2f times the steps", more, r)
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
