package gogen

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// TestPlace says how distances from a base are written: those backward, too, in
// a form that Go leaves to the addressing modes of the machine.
func TestPlace(t *testing.T) {
	base := place{base: name("p")}
	cell := place{base: name("p"), cell: name("g")}
	scaled := base
	scaled.ix = bin(gotree.Mul, conv(gotree.Uintptr, name("i")), lit(4))
	n, word := layout.Const, layout.Word
	for _, tt := range []struct {
		p             place
		address, text string
	}{
		{base, "p", "unsafe.Add(nil, p)"},
		{base.at(n(8)), "p + 8", "unsafe.Add(nil, p+8)"},
		{base.back(n(8)), "p - 8", "unsafe.Add(nil, p-8)"},
		{base.at(n(8)).back(n(8)), "p", "unsafe.Add(nil, p)"},
		{base.at(n(24)).back(n(8)), "p + 16", "unsafe.Add(nil, p+16)"},
		{base.at(n(8)).back(n(24)), "p - 16", "unsafe.Add(nil, p-16)"},
		{base.back(n(8)).back(n(8)), "p - 16", "unsafe.Add(nil, p-16)"},
		{base.back(n(24)).at(n(8)), "p - 16", "unsafe.Add(nil, p-16)"},
		{base.back(n(8)).at(n(24)), "p + 16", "unsafe.Add(nil, p+16)"},
		{base.back(n(8)).at(n(8)), "p", "unsafe.Add(nil, p)"},
		{base.at(word).back(n(4)), "p + (0 + 4*rt.Is64)", "unsafe.Add(nil, p+(0+4*rt.Is64))"},
		{base.at(word).back(n(16)), "p + (4 + 4*rt.Is64) - 16", "unsafe.Add(nil, p+(4+4*rt.Is64)-16)"},
		{base.back(word), "p - (4 + 4*rt.Is64)", "unsafe.Add(nil, p-(4+4*rt.Is64))"},
		{base.back(n(1 << 31)), "p - 2147483648", "unsafe.Add(nil, p-2147483648)"},
		{scaled.back(n(60)), "p + uintptr(i)*4 - 60", "unsafe.Add(nil, p+uintptr(i)*4-60)"},
		{scaled.at(n(64)).back(n(60)), "p + uintptr(i)*4 + 4", "unsafe.Add(nil, p+uintptr(i)*4+4)"},
		{cell, "p", "unsafe.Pointer(&g)"},
		{cell.at(n(8)), "p + 8", "unsafe.Add(unsafe.Pointer(&g), 8)"},
		{cell.back(n(8)), "p - 8", "unsafe.Add(unsafe.Pointer(&g), -8)"},
	} {
		if got := gotree.String(tt.p.address()); got != tt.address {
			t.Errorf("address %s, want %s", got, tt.address)
		}
		if got := gotree.String(tt.p.pointer()); got != tt.text {
			t.Errorf("%s: pointer %s, want %s", tt.address, got, tt.text)
		}
	}
}
