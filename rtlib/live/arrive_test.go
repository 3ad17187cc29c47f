package live_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Bundles of 2014 see what was loaded before, whatever the dialect, and define functions again.
func TestArrive2014(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $t = int<64> .const $1 <$t> = 1 .funcsig $one = $t ($t) .global $cell <$t>
		.funcdef $inc <$one> (%n) {
		%entry:
			%r = ADD <$t> %n $1
			RET <$t> %r
		}
		.funcdef $twice <$one> (%n) {
			%r = CALL <$one> $inc (%n)
			%s = CALL <$one> $inc (%r)
			RET <$t> %s
		}`)
	c.expect("42", "$twice", 40)
	// Names of types, signatures, constants, cells and functions, also of bundles in Mu.
	c.load(`.funcdef $mul VERSION %v <@one> { %e(<@i64> %x): %y = MUL <@i64> %x @7 RET %y }`)
	c.load(`.const $pair <struct<$t $t>> = {$1 $1}
		.funcdef $inc <$one> (%n) {
		%entry:
			%a = CALL <$one> $mul (%n)
			STORE <$t> $cell %a
			RET <$t> %a
		}`)
	c.expect("98", "$twice", 2)
	c.load(`.funcdef $stored <@i64 ()> () { %entry: %x = LOAD <$t> $cell RET <$t> %x }`)
	c.expect("98", "$stored")
	// Each definition is another version.
	c.load(`.funcdef $inc <$one> (%n) { %entry: RET <$t> %n }`)
	c.load(`.funcdef $inc <$one> (%n) { %entry: %r = SUB <$t> %n $1 RET <$t> %r }`)
	c.expect("38", "$twice", 40)
	for _, name := range []string{"$inc.v1", "$inc.v2", "$inc.v3", "$inc.v4.entry.r"} {
		if _, err := c.vm.ID(c.own(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The same for bundles of Mu, which see those of 2014.
	c.load(`.funcdef $inc VERSION %v5 <$one> { %e(<$t> %x): %y = ADD <$t> %x @7 RET %y }`)
	c.load(`.funcdef $inc <$one> (%n) { %entry: %r = ADD <$t> %n 100 RET <$t> %r }`)
	c.expect("200", "$twice", 0)
	if _, err := c.vm.ID(c.own("$inc.v6")); err != nil {
		t.Error(err)
	}
}

// What a bundle of 2014 may not define, with the place.
func TestArrive2014Refused(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $t = int<64> .funcsig $one = $t ($t) .global $cell <$t> .const $k <$t> = 5
		.funcdef $f <$one> (%n) { %entry: RET <$t> %n }`)
	for _, tt := range []struct {
		text string
		code mu.Code
		want string
	}{
		{"\n .typedef $t = int<32>  .funcsig $x = void ()", mu.Conflict, "load_bundle: 2:11: $t redefined"},
		{".const $k <$t> = 6  .funcsig $x = void ()", mu.Conflict, "load_bundle: 1:8: $k redefined"},
		{".global $cell <double>  .funcsig $x = void ()", mu.Conflict, "load_bundle: 1:9: $cell redefined"},
		{".typedef $f = int<64>  .funcsig $x = void ()", mu.Conflict, "load_bundle: 1:10: $f redefined"},
		{".global $f.v1.entry <int<64>>  .funcsig $x = void ()", mu.Conflict, "load_bundle: 1:9: $f.v1.entry redefined"},
		{".funcsig $x = $none ()", mu.BadBundle, ": unknown name $none: no such type"},
		{".funcsig $x = $f ()", mu.BadBundle, ": $f is a function, not a type"},
		{".funcsig $x = $f.v1.entry ()", mu.BadBundle, ": $f.v1.entry is part of a function, not a type"},
		{".funcdef $f <void ()> () { %entry: RETVOID }", mu.BadBundle, "load_bundle: 1:10: $f has signature void () here, but int<64> (int<64>)"},
		{".funcdecl $g <$one> .funcdef $g <$one> (%n) { %entry: RET <$t> %n } .funcdef $g <$one> (%n) { %entry: RET <$t> %n }", mu.Conflict,
			"$g redefined (previous definition at 1:"},
	} {
		c.refuse(tt.text, tt.code, tt.want)
	}
	// Equal definitions are accepted, as of all dialects other than Mu.
	c.load(`.typedef $t = int<64> .funcsig $one = int<64> ($t) .global $cell <$t> .const $k <$t> = 5 .funcdecl $f <$one>`)
	c.expect("8", "$f", 8)
}
