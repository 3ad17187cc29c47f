package diag_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// TestPositionString: a position shows what is known of it.
func TestPositionString(t *testing.T) {
	for want, p := range map[string]diag.Position{
		"prog.lang:3:14": {File: "prog.lang", Line: 3, Col: 14},
		"prog.lang:3":    {File: "prog.lang", Line: 3},
		"prog.lang":      {File: "prog.lang"},
		"-":              {},
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
