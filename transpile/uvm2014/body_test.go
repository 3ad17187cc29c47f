package uvm2014_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// bundleOf makes a bundle from hexadecimal digits; # begins a comment.
func bundleOf(t *testing.T, lines ...string) string {
	t.Helper()
	var digits strings.Builder
	for _, l := range lines {
		for line := range strings.Lines(l) {
			code, _, _ := strings.Cut(line, "#")
			digits.WriteString(strings.Join(strings.Fields(code), ""))
		}
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// IDs in bundles below: 65536+n is written n 000100.
const (
	defInt64 = "01 00000100 01 40\n"
	defSig   = "02 01000100 00000100 0100 00000100\n" // int<64> (int<64>)
	// @f, ID 2, parameter 3, one block 4; the number of instructions follows
	defF = "06 02000100 01000100 0100 03000100 01000000 04000100 "
	ret3 = "63 00000100 03000100\n"
)

// Errors in the bodies of binary bundles are reported with their offsets, for all functions
// at once.
func TestBinaryBodyErrors(t *testing.T) {
	types := defInt64 + defSig
	at := func(n int, msg string) string { return "a.uir:1:" + itoa(n) + ": " + msg }
	base := len(bundleOf(t, types)) + 1
	inst := base + len(bundleOf(t, defF)) + 4 // the first instruction
	tests := []struct{ body, want string }{
		{"01000000 05000100 63 00000100 09000100", at(inst+9, "ID 65545 is not defined: wanted a value")},
		{"01000000 05000100 63 00000100 04000100", at(inst+9, "ID 65540 is a block: wanted a value")},
		{"01000000 05000100 63 03000100 03000100", at(inst+5, "ID 65539 is a parameter: wanted a type")},
		{"01000000 05000100 90 03000100", at(inst+5, "ID 65539 is a parameter: wanted a block")},
		{"01000000 05000100 90 00000100", at(inst+5, "ID 65536 is a type: wanted a block")},
		{"01000000 05000100 90 08000100", at(inst+5, "ID 65544 is not defined: wanted a block")},
		{"02000000 05000100 1e 07 06000100 " + ret3, at(inst+5, "unknown memory order 0x07")},
		{"02000000 05000100 1d 06 0b 00000100 03000100 03000100 06000100 " + ret3, at(inst+6, "unknown operation 0x0b of ATOMICRMW")},
		{"02000000 05000100 ec 01 01000100 03000100 0100 03000100 06000100 " + ret3, at(inst+5, "unknown calling convention 0x01: want 0x00, DEFAULT")},
		{"02000000 05000100 e4 00030000 0000 0000 06000100 " + ret3, at(inst+5, "unknown intrinsic function 0x300")},
		{"00000000", at(inst-8, "block %65540 does not end with a terminator: it is empty")},
		{"01000000 05000100 ff", at(inst+4, "unknown instruction 0xff")},
		{"01000000 05000100 63 00000100", at(inst+5, "the bundle ends in the middle of RET")},
		{"01000000 05000100 60 01000100 02000100 0100 03000100 ff", at(inst+19, "the bundle ends in the middle of CALL")},
		{"01000000 05000100 60 01000100 02000100 0200 03000100", at(inst+15, "the bundle ends in the middle of CALL")},
		{"01000000 05000100 92 00000100 03000100 04000100 0100 03000100", at(inst+19, "the bundle ends in the middle of SWITCH")},
		{"02000000 05000100 60 01000100 02000100 0100 03000100 0100 04000100 06000100 " + ret3, at(inst+21, "ID 65540 is a block: wanted a local value")},
		{"01000000 03000100 " + ret3, at(inst, "ID 65539 is defined twice: it is a parameter")},
	}
	for _, tt := range tests {
		if _, got := load(false, bundleOf(t, types, defF, tt.body)); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.body, got, tt.want)
		}
	}
	empty := "06 02000100 01000100 0100 03000100 00000000"
	if _, got := load(false, bundleOf(t, types, empty)); strings.TrimSpace(got) != at(base+15, "a function without blocks") {
		t.Errorf("%s: got %s", empty, got)
	}
	other := "06 0a000100 01000100 0100 0b000100 01000000 0c000100 01000000 0d000100 63 00000100 03000100" // uses a parameter of @f
	_, got := load(false, bundleOf(t, types, defF, "01000000 05000100 63 00000100 09000100", other))
	for _, want := range []string{"ID 65545 is not defined: wanted a value", "ID 65539 is a parameter: wanted a value"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A label among the instructions, pseudo-instruction 0xf9, begins a block and counts as one
// instruction. Many labels take memory and time in proportion to their number.
func TestBinaryLabels(t *testing.T) {
	types := defInt64 + defSig
	text := bundleOf(t, types, defF, "03000000 05000100 90 06000100  06000100 f9  07000100 "+ret3)
	p, msgs := load(false, text)
	if p == nil || !strings.Contains(msgs, "a label among the instructions begins a block") {
		t.Fatal(msgs)
	}
	if got := result(t, p, "@65538", "41"); got != "41" {
		t.Errorf("got %s", got)
	}
	if _, msgs := load(true, text); !strings.Contains(msgs, "a label among the instructions begins a block") || strings.Contains(msgs, "warning") {
		t.Errorf("strict: %s", msgs)
	}
	const n = 20_000
	var b strings.Builder
	b.WriteString(bundleOf(t, types, "06 02000100 01000100 0100 03000100 01000000 04000100", le32(2*n+1)))
	next := uint32(70_000)
	for range n {
		b.WriteString(bundleOf(t, le32(next), "90", le32(next+1), le32(next+1), "f9"))
		next += 2
	}
	b.WriteString(bundleOf(t, le32(next), ret3))
	if p, msgs := load(false, b.String()); p == nil {
		t.Fatal(msgs)
	}
}

func le32(n uint32) string {
	return hex.EncodeToString([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
}

func itoa(n int) string {
	return strings.TrimLeft(string([]byte{'0' + byte(n/100), '0' + byte(n/10%10), '0' + byte(n%10)}), "0")
}

// Names of binary bundles: in any order, for globals and locals, each once. Names that cannot
// be used are dropped with a warning.
func TestBinaryNames(t *testing.T) {
	name := func(id int, s string) string {
		return "07 " + le32(uint32(65536+id)) + hex.EncodeToString([]byte{byte(len(s)), 0}) + hex.EncodeToString([]byte(s)) + "\n"
	}
	two := defInt64 + defSig + defF + "01000000 05000100 " + ret3 +
		"06 0a000100 01000100 0100 0b000100 01000000 0c000100 01000000 0d000100 63 00000100 0b000100\n"
	tests := []struct {
		names string
		want  []string // what the text has
		warn  string   // about the first name that is dropped
	}{
		{name(11, "%x") + name(3, "%x") + name(10, "@g") + name(2, "@f"), []string{"@f <@65537> (%x) {", "@g <@65537> (%x) {"}, ""},
		{name(3, "%x") + name(4, "%x"), []string{"(%x) {", "%x:"}, ""}, // labels have their own name space
		{name(3, "%x") + name(5, "%x"), []string{"(%x) {"}, "the name %x is taken"},
		{name(3, "%x") + name(3, "%y"), []string{"(%x) {"}, "the name %y is taken"},
		{name(2, "@f") + name(10, "@f"), []string{"@f <", "@65546 <"}, "the name @f is taken"},
		{name(3, "%65540") + name(5, "%a b"), []string{"(%65539) {"}, "the name %65540 is taken: it is dropped (and 1 more)"},
		{name(3, "%65540") + name(5, "%65540"), []string{"(%65539) {"}, "the name %65540 is taken: it is dropped (and 1 more)"},
		{name(3, "@x") + name(77, "@x"), []string{"(%65539) {"}, "the name @x of a parameter is ill-formed: it is dropped (and 1 more)"},
	}
	before := func(names string) string { return names + two }
	after := func(names string) string { return two + names }
	for i, tt := range tests {
		for _, place := range []func(string) string{after, before} {
			src := bundleOf(t, place(tt.names))
			text := string(convert(t, "uir2014", []byte(src)))
			for _, w := range tt.want {
				if !strings.Contains(text, w) {
					t.Errorf("%d: want %s in\n%s", i, w, text)
				}
			}
			p, msgs := load(false, src)
			if p == nil {
				t.Fatal(msgs)
			}
			if (msgs != "") != (tt.warn != "") || !strings.Contains(msgs, tt.warn) {
				t.Errorf("%d: got %s, want %s", i, msgs, tt.warn)
			}
		}
	}
}

// IDs need not be consecutive, in a function or elsewhere. Entities without a name are named by
// their IDs; local names are separate in each function.
func TestSparseIDs(t *testing.T) {
	id := func(n uint32) string { return le32(n) + " " }
	fn := func(f, param, block, add, ret uint32) string {
		return "06" + id(f) + "01000100 0100" + id(param) + "01000000" + id(block) + "02000000" +
			id(add) + "01 00000100" + id(param) + id(param) + id(ret) + "63 00000100" + id(add) + "\n"
	}
	name := func(n uint32, s string) string {
		return "07" + id(n) + hex.EncodeToString([]byte{byte(len(s)), 0}) + hex.EncodeToString([]byte(s)) + "\n"
	}
	const far = 4_000_000_000
	src := bundleOf(t, defInt64, defSig, fn(65550, far, 65600, 70_000, far+9), name(far, "%x"), name(70_000, "%sum"), name(65550, "@f"),
		fn(far+1, 65540, 65539, 65542, 65541), name(65542, "%sum"), name(far+1, "@g"),
		fn(65700, far+20, far+21, far+22, far+23), name(far+22, "%x"), name(65700, "@h"), name(66_000, "%none"))
	text := string(convert(t, "uir2014", []byte(src)))
	for _, want := range []string{
		"@f <@65537> (%x) {\n    %65600:\n        %sum = ADD <@65536> %x %x\n        RET <@65536> %sum\n}",
		"@g <@65537> (%65540) {\n    %65539:\n        %sum = ADD <@65536> %65540 %65540\n        RET <@65536> %sum\n}",
		"@h <@65537> (%4000000020) {\n    %4000000021:\n        %x = ADD <@65536> %4000000020 %4000000020\n        RET <@65536> %x\n}",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	}
	p, msgs := load(false, src)
	if p == nil || !strings.Contains(msgs, "the name %none is bound to ID 66000, which is not defined") {
		t.Fatal(msgs)
	}
	for _, f := range []string{"@f", "@g", "@h"} {
		if got := result(t, p, f, "21"); got != "42" {
			t.Errorf("%s: got %s", f, got)
		}
		v := p.Find(f).(*ir.Function).Versions[0]
		if in := v.Insts[v.Blocks[0].Insts[0]]; in.ID != map[string]uint32{"@f": 70_000, "@g": 65542, "@h": far + 22}[f] {
			t.Errorf("%s: the addition has ID %d", f, in.ID)
		}
		if got, want := v.Blocks[0].Name+" "+v.InstName(v.Blocks[0].Insts[0]), map[string]string{"@f": "%65600 @f.v1.65600.sum", "@g": "%65539 @g.v1.65539.sum", "@h": "%4000000021 @h.v1.4000000021.x"}[f]; got != want {
			t.Errorf("%s: names are %s, want %s", f, got, want)
		}
	}
}
