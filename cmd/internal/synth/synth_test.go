package synth_test

import (
	"bytes"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/synth"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
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

// bundles returns two bundles, the second of about four times the size of the first, and how many times.
func bundles(t *testing.T) (texts [][]byte, more float64) {
	t.Helper()
	for _, scale := range []float64{0.01, 0.04} {
		var b bytes.Buffer
		if err := synth.Write(&b, synth.Full.Scale(scale)); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b.Bytes())
	}
	return texts, float64(len(texts[1])) / float64(len(texts[0]))
}

func translate(t *testing.T, text []byte) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "synth.uir", Text: text}}, transpile.Options{Optimize: 1, Lines: true})
	if p == nil {
		t.Fatal(diags.Err())
	}
	if _, err := p.Generate(); err != nil {
		t.Fatal(err)
	}
}

// TestLinear checks that a bundle of four times the size takes about four times the memory.
func TestLinear(t *testing.T) {
	texts, more := bundles(t)
	var allocated []uint64
	for _, text := range texts {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		translate(t, text)
		runtime.ReadMemStats(&after)
		allocated = append(allocated, after.TotalAlloc-before.TotalAlloc)
	}
	if r := float64(allocated[1]) / float64(allocated[0]); r > 1.15*more {
		t.Errorf("%.2f times the bundle takes %.2f times the memory: %d", more, r, allocated)
	}
}

// TestLongLinear checks that it takes about four times the steps.
func TestLongLinear(t *testing.T) {
	longtest.Only(t)
	texts, more := bundles(t)
	n := steps.Count(t, len(texts), func(i int) { translate(t, texts[i]) })
	t.Logf("%.2f times the bundle: steps %d", more, n)
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
