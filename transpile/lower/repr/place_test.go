package repr

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// TestPlace says how distances from a base are written: all of them, negative ones too, in
// a form that Go leaves to the addressing modes of the machine.
func TestPlace(t *testing.T) {
	base := Place{Base: node.Name("p")}
	cell := Place{Base: node.Name("p"), Cell: node.Name("g")}
	scaled := base
	scaled.Ix = node.Bin(gotree.Mul, node.Conv(gotree.Uintptr, node.Name("i")), node.Lit(4))
	n, word := layout.Const, layout.Word
	for _, tt := range []struct {
		p             Place
		address, text string
	}{
		{base, "p", "unsafe.Add(nil, p)"},
		{base.At(n(8)), "p + 8", "unsafe.Add(nil, p+8)"},
		{base.Back(n(8)), "p - 8", "unsafe.Add(nil, p-8)"},
		{base.At(n(8)).Back(n(8)), "p", "unsafe.Add(nil, p)"},
		{base.At(n(24)).Back(n(8)), "p + 16", "unsafe.Add(nil, p+16)"},
		{base.At(n(8)).Back(n(24)), "p - 16", "unsafe.Add(nil, p-16)"},
		{base.Back(n(8)).Back(n(8)), "p - 16", "unsafe.Add(nil, p-16)"},
		{base.Back(n(24)).At(n(8)), "p - 16", "unsafe.Add(nil, p-16)"},
		{base.Back(n(8)).At(n(24)), "p + 16", "unsafe.Add(nil, p+16)"},
		{base.Back(n(8)).At(n(8)), "p", "unsafe.Add(nil, p)"},
		{base.At(word).Back(n(4)), "p + (0 + 4*rt.Is64)", "unsafe.Add(nil, p+(0+4*rt.Is64))"},
		{base.At(word).Back(n(16)), "p + (4 + 4*rt.Is64) - 16", "unsafe.Add(nil, p+(4+4*rt.Is64)-16)"},
		{base.Back(word), "p - (4 + 4*rt.Is64)", "unsafe.Add(nil, p-(4+4*rt.Is64))"},
		{base.Back(n(1 << 31)), "p - 2147483648", "unsafe.Add(nil, p-2147483648)"},
		{scaled.Back(n(60)), "p + uintptr(i)*4 - 60", "unsafe.Add(nil, p+uintptr(i)*4-60)"},
		{scaled.At(n(64)).Back(n(60)), "p + uintptr(i)*4 + 4", "unsafe.Add(nil, p+uintptr(i)*4+4)"},
		{cell, "p", "unsafe.Pointer(&g)"},
		{cell.At(n(8)), "p + 8", "unsafe.Add(unsafe.Pointer(&g), 8)"},
		{cell.Back(n(8)), "p - 8", "unsafe.Add(unsafe.Pointer(&g), -8)"},
	} {
		if got := gotree.String(tt.p.Address()); got != tt.address {
			t.Errorf("address %s, want %s", got, tt.address)
		}
		if got := gotree.String(tt.p.Pointer()); got != tt.text {
			t.Errorf("%s: pointer %s, want %s", tt.address, got, tt.text)
		}
	}
}
