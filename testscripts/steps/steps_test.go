package steps

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// TestCount counts calls of a small function.
func TestCount(t *testing.T) {
	calls := []int{0, 1, 1000, 1_000_000}
	got := Count(t, len(calls), func(i int) {
		for range calls[i] {
			diag.Pos{}.IsValid()
		}
	})
	t.Log(got)
	each := got[1] - got[0]
	for i, n := range calls {
		if want := got[0] + uint64(n)*each; got[i] != want || each == 0 {
			t.Errorf("%d steps for %d calls, want %d", got[i], n, want)
		}
	}
}

// TestTotal reads profiles.
func TestTotal(t *testing.T) {
	for _, tt := range []struct {
		profile string
		want    uint64
		ok      bool
	}{
		{"mode: atomic\n", 0, true},
		{"mode: atomic\na.go:1.2,3.4 5 600\nb c.go:1.2,3.4 1 20\n", 620, true},
		{"mode: set\n", 0, false},
		{"mode: atomic\na.go:1.2,3.4 5 x\n", 0, false},
		{"", 0, false},
	} {
		if got, err := total(tt.profile); got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%q: %d, %v", tt.profile, got, err)
		}
	}
}
