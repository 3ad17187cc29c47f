package dialect

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestTagged reads values of tagref64: the integer has 52 bits, signed or unsigned, and the
// tag 6.
func TestTagged(t *testing.T) {
	types := ir.NewTypes()
	tagged := types.Opaque(ir.KTagRef64)
	for _, tt := range []struct {
		text string
		lo   uint64
		err  string
	}{
		{"int(2251799813685247)", 1<<51 - 1, ""},
		{"int(2251799813685248)", 1 << 51, ""},
		{"int(4503599627370495)", 1<<52 - 1, ""},
		{"int(0xfffffffffffff)", 1<<52 - 1, ""},
		{"int(-1)", 1<<52 - 1, ""},
		{"int(-2251799813685248)", 1 << 51, ""},
		{"int(4503599627370496)", 0, "4503599627370496 does not fit the int<52> of a tagref64"},
		{"int(-2251799813685249)", 0, "-2251799813685249 does not fit the int<52> of a tagref64"},
		{"int(1.5)", 0, `bad value "int(1.5)" for tagref64: want fp(V), int(V) or ref(NULL,TAG)`},
		{"fp(1)", 0x3ff0000000000000, ""},
		{"ref(NULL,64)", 0, `bad value "ref(NULL,64)" for tagref64: want fp(V), int(V) or ref(NULL,TAG)`},
		{"5", 0, `bad value "5" for tagref64: want fp(V), int(V) or ref(NULL,TAG)`},
	} {
		c, err := ParseValue(types, tagged, tt.text)
		switch {
		case err != nil:
			if err.Error() != tt.err {
				t.Errorf("%s: %v, want %q", tt.text, err, tt.err)
			}
		case tt.err != "" || c.Lo != tt.lo:
			t.Errorf("%s is %x, want %x, %q", tt.text, c.Lo, tt.lo, tt.err)
		}
	}
	c, err := ParseValue(types, tagged, "ref(NULL,63)")
	if err != nil || c.Kind != ir.ConstAggregate || c.Elems[0].Kind != ir.ConstNull || c.Elems[1].Lo != 63 {
		t.Errorf("%+v, %v", c, err)
	}
}
