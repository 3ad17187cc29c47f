package gc

import (
	"math"
	"testing"
)

// TestSamples: the estimates are near the truth for small, medium and large objects, and collections take away what is dead.
func TestSamples(t *testing.T) {
	bytesType := &Type{Name: "bytes", Size: 0, Align: 1, VarStride: 1}
	medium := &Type{Name: "medium", Size: 3000, Align: 8}
	h := testHeap(t, Options{HeapLimit: 64 << 20, Debug: Debug{Profiles: []Profile{{memProfile, "x"}}, SampleEvery: 16 << 10}}, nodeType, bytesType, medium)
	c := testThread(t, h)
	fp := pushFrame(c, 2, 0)
	const nodes, mediums, larges = 200_000, 3_000, 50
	for i := range nodes {
		p := c.New(nodeType)
		if i < nodes/2 {
			store(p, load(fp+8))
			store(fp+8, p)
		}
	}
	for range mediums {
		c.New(medium)
	}
	for range larges {
		c.NewHybrid(bytesType, 100<<10)
	}
	check := func(when string, live map[*Type]float64) {
		t.Helper()
		made := map[*Type]Site{}
		for _, s := range h.sites() {
			if len(s.Stack) == 0 {
				t.Error("a sample without a stack")
			}
			sum := made[s.Type]
			sum.Objects += s.Objects
			sum.Live += s.Live
			sum.Bytes += s.Bytes
			made[s.Type] = sum
		}
		for typ, n := range map[*Type]float64{nodeType: nodes, medium: mediums, bytesType: larges} {
			s := made[typ]
			if math.Abs(s.Objects-n) > n/3 || math.Abs(s.Live-live[typ]) > n/3 {
				t.Errorf("%s: %.0f objects of %s, %.0f alive; want about %.0f and %.0f", when, s.Objects, typ.Name, s.Live, n, live[typ])
			}
			if size := s.Bytes / s.Objects; typ == nodeType && math.Abs(size-24) > 0.1 {
				t.Errorf("%s: %.1f bytes each", when, size)
			}
		}
	}
	h.collect(c, "test", true)
	check("with a list", map[*Type]float64{nodeType: nodes / 2})
	store(fp+8, 0)
	h.collect(c, "test", true)
	check("at the end", nil)
}
