package synth_test

import (
	"bytes"
	"os"
	"runtime"
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

// TestLinear: four times the bundle takes about four times the time and memory.
// Times are the best of three, because the machine may be busy.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	translate := func(scale float64) (size int, d time.Duration, allocated uint64) {
		var b bytes.Buffer
		if err := synth.Write(&b, synth.Full.Scale(scale)); err != nil {
			t.Fatal(err)
		}
		d = 1 << 62
		for range 3 {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			p, diags := transpile.Load([]transpile.Source{{Name: "synth.uir", Text: b.Bytes()}}, transpile.Options{Optimize: 1, Lines: true})
			if p == nil {
				t.Fatal(diags.Err())
			}
			if _, err := p.Generate(); err != nil {
				t.Fatal(err)
			}
			d = min(d, time.Since(start))
			runtime.ReadMemStats(&after)
			allocated = after.TotalAlloc - before.TotalAlloc
		}
		return b.Len(), d, allocated
	}
	size, d, allocated := translate(0.02)
	size4, d4, allocated4 := translate(0.08)
	more := float64(size4) / float64(size)
	t.Logf("%d bytes: %v, %d MB; %d bytes: %v, %d MB", size, d, allocated>>20, size4, d4, allocated4>>20)
	if r := float64(allocated4) / float64(allocated); r > 1.15*more {
		t.Errorf("%.2f times the bundle takes %.2f times the memory", more, r)
	}
	if r := float64(d4) / float64(d); r > 3.5*more {
		t.Errorf("%.2f times the bundle takes %.2f times the time", more, r)
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
