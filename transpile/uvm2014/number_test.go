package uvm2014_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// idsOf are the IDs of entities with names, and of blocks and instructions without names in order.
// Versions, which bundles do not have, are left out.
func idsOf(t *testing.T, texts ...string) map[string]uint32 {
	t.Helper()
	p, msgs := load(false, texts...)
	if p == nil {
		t.Fatal(msgs)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	ids := map[string]uint32{}
	versions := map[string]bool{}
	hidden := p.NextID // and what follows
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			versions[v.Name] = true
			hidden = min(hidden, v.ID)
			n := 0
			for i := range v.Blocks {
				for _, id := range v.Blocks[i].Insts {
					if in := &v.Insts[id]; in.ID < hidden {
						ids[fmt.Sprintf("%s instruction %d", v.Name, n)] = in.ID
						n++
					}
				}
			}
		}
	}
	for _, e := range p.EntityNames() {
		if e.Name != "" && !versions[e.Name] && !strings.HasPrefix(e.Name, "@uvm.") && e.ID < hidden {
			if ids[e.Name] != 0 {
				t.Errorf("%s has IDs %d and %d", e.Name, ids[e.Name], e.ID)
			}
			ids[e.Name] = e.ID
		}
	}
	return ids
}

// In text everything has the same ID as in the binary form made from it: also parameters, PHI nodes and
// landing pads, whatever old forms the bundle has, and in bundles after others.
func TestIDsOfText(t *testing.T) {
	const i64 = ".typedef @i = int<64> .funcsig @s = @i (@i) "
	lists := map[string][]string{
		"a type that only a constant has":              {".funcdef @f <int<64> ()> () { THROW NULL }"},
		"parts of such a type":                         {".funcdef @f <int<64> (int<64>)> (%x) { %e = EQ <ref<ref<double>>> NULL NULL RET <int<64>> %x }"},
		"a constant of type weakref":                   {".const @c <weakref<int<8>>> = NULL .funcdef @f <int<8> ()> () { RET <int<8>> 1 }"},
		"a constant that has a name, too":              {i64 + ".const @c <@i> = 5 .const @n <ref<void>> = NULL .funcdef @f <@s> (%x) { %y = ADD <@i> %x 5 RET <@i> %y }"},
		"a list that has a name, too":                  {i64 + ".const @c <struct<@i @i>> = {5 6} .funcdef @f <@s> (%x) { %y = INSERTVALUE <struct<@i @i> 0> {5 6} %x RET <@i> 6 }"},
		"PARAM":                                        {i64 + ".funcdef @f <@i (@i @i @i)> { %x = PARAM 0 %z = PARAM 2 %y = ADD <@i> %x %z RET <@i> %y } .global @g <@i>"},
		"functions that nothing declares":              {i64 + ".funcdef @f <@s> (%x) { BRANCH2 1 %a %b %a: %y = CALL <@s> @g (%x) RET <@i> %y %b: %z = CALL <@s> @h (%y) %w = BRANCH2 %z %c %d %c: RET <@i> %z %d: RET <@i> 1 }"},
		"conversions":                                  {i64 + ".funcdef @f <@s> (%x) { %y = ADD <int<32>> %x 1 %z = CMPXCHG SEQ_CST SEQ_CST <@i> @g %y 0 RET <@i> %z } .global @g <@i> .funcdef @h <@s> (%x) { RET <@i> %x }"},
		"PHI nodes and landing pads":                   {i64 + ".funcdef @f <@s> (%x) { %r = INVOKE <@s> @f (%x) %b %b %b: %p = PHI <@i> { %entry: 1; } %e = LANDINGPAD %q = PHI <@i> { %entry: %x; } %e2 = LANDINGPAD BRANCH %c %c: RET <@i> %q }"},
		"a FENCE that does nothing":                    {i64 + ".funcdef @f <@s> (%x) { %n = FENCE MONOTONIC %y = ADD <@i> %x 1 RET <@i> %y }"},
		"swap_and_kill, and what is not reached":       {".funcdef @f <void (stack)> (%x) { %n = ICALL @uvm.swap_and_kill (%x) RETVOID } .funcdef @g <void ()> () { RETVOID }"},
		"two bundles":                                  {i64 + ".funcdef @f <@s> (%x) { %y = ADD <int<32>> %x 1 RET <@i> %y } ", ".const @c <double> = 1.0 .funcdef @g <@s> (%x) { %y = CALL <@s> @f (7) RET <@i> %y } .funcdef @f <@s> (%x) { RET <@i> 4 }"},
		"three, with a function that nothing declares": {i64, ".funcdef @f <@s> (%x) { %y = CALL <@s> @none (%x) RET <@i> %y }", ".global @cell <int<8>> .funcdef @none <@s> (%n) { RET <@i> %n }"},
	}
	files, _ := filepath.Glob("testdata/*.uir")
	more, _ := filepath.Glob("testdata/meaning/*.uir")
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lists[f] = []string{string(text)}
	}
	if len(files) < 3 {
		t.Fatal("no bundles")
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		texts := lists[name]
		var before []dialect.Source
		var binary []string
		for i, text := range texts {
			src := dialect.Source{Name: "a", Text: []byte(text)}
			bin, diags := uvm2014.Dialect.Form("uirb").Convert(src, dialect.Options{Before: before})
			if diags.HasErrors() {
				t.Fatalf("%s: bundle %d: %v", name, i, diags.Err())
			}
			before = append(before, src)
			binary = append(binary, string(bin))
		}
		want := idsOf(t, binary...)
		for n := range texts { // this many in binary form, after the others
			for what, id := range idsOf(t, append(slices.Clone(texts[:len(texts)-n]), binary[len(texts)-n:]...)...) {
				if want[what] != id {
					t.Errorf("%s, %d in binary: %s has ID %d, want %d", name, n, what, id, want[what])
				}
			}
		}
	}
}

// Things in functions keep their IDs and names even if they do not become instructions.
func TestLocalIDs(t *testing.T) {
	text := ".typedef @i = int<64> .funcsig @s = @i (@i) .funcdef @f <@s> (%x) { %a: %r = INVOKE <@s> @f (%x) %b %c " +
		"%b: %p = PHI <@i> { %a: %r; } RET <@i> %p %c: %e = LANDINGPAD THROW %e }"
	bin := convert(t, "uirb", []byte(text))
	for _, src := range []string{text, string(bin)} {
		ids := idsOf(t, src)
		for i, name := range []string{"@f", "@f.v1.a.x", "@f.v1.a", "@f.v1.a.r", "@f.v1.b", "@f.v1.b.p", "", "@f.v1.c", "@f.v1.c.e"} {
			if want := uint32(65538 + i); name != "" && ids[name] != want {
				t.Errorf("%s has ID %d, want %d", name, ids[name], want)
			}
		}
	}
}

// Bundles may use up all IDs, so that none are left for entities that are not in bundles.
func TestNoIDsLeft(t *testing.T) {
	last := func(id uint32) string {
		return bundleOf(t, defInt64, defSig, defF, "01000000 05000100", ret3, "04", le32(id), "00000100")
	}
	if p, msgs := load(false, last(1<<32-4)); p == nil || p.NextID != 1<<32-2 {
		t.Error(msgs)
	}
	for _, id := range []uint32{1<<32 - 1, 1<<32 - 2} {
		if _, msgs := load(false, last(id)); !strings.Contains(msgs, "leave none") {
			t.Errorf("%d: got %s", id, msgs)
		}
	}
	var f *ir.Function
	p, msgs := load(false, last(3_000_000_000))
	if p == nil {
		t.Fatal(msgs)
	}
	f = p.Find("@65538").(*ir.Function)
	if id := f.Versions[0].ID; id != 3_000_000_001 {
		t.Errorf("the version has ID %d", id)
	}
}
