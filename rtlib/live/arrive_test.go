package live_test

import (
	"strings"
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
		{".funcdef $f <void ()> () { %entry: RETVOID }", mu.Conflict, "load_bundle: 1:10: $f has signature void () here, but int<64> (int<64>)"},
		{".funcdecl $g <$one> .funcdef $g <$one> (%n) { %entry: RET <$t> %n } .funcdef $g <$one> (%n) { %entry: RET <$t> %n }", mu.Conflict,
			"$g redefined (previous definition at 1:"},
	} {
		c.refuse(tt.text, tt.code, tt.want)
	}
	// A name inside the function exists: the place is that of the function.
	c.load(`.const $h.v1.entry <@i64> = 1`)
	c.refuseNamed("h.uir", c.own("\n .funcdef $h <$one> (%n) { %entry: RET <$t> %n }"), mu.Conflict, "load_bundle: h.uir:2:11: $h.v1.entry redefined")
	// Equal definitions are accepted, as of all dialects other than Mu.
	c.load(`.typedef $t = int<64> .funcsig $one = int<64> ($t) .global $cell <$t> .const $k <$t> = 5 .funcdecl $f <$one>`)
	c.expect("8", "$f", 8)
}

// Modules of TVM are linked with those that were loaded before.
func TestArriveTVM(t *testing.T) {
	c := newClient(t)
	own := func(text string) string { return strings.ReplaceAll(text, "%arr_", "%"+t.Name()+".") }
	load := func(text string) { t.Helper(); c.load(own(text)) }
	refuse := func(text, want string) { t.Helper(); c.refuse(own(text), mu.Conflict, own(want)) }
	load(`%arr_pair = define struct i64 i64;
		%arr_list = recursive (%t : type) > struct (pointer (apply %arr_list %t)) %t;
		%arr_count = global i64 #l40;
		%arr_sq = function (%n : i64) > i64 { return (mul %n %n); };
		%arr_sum = function (%p : pointer %arr_pair) > i64 {
			%a = load (struct_ep %p #i0);
			%b = load (struct_ep %p #i1);
			return (add %a %b);
		};
		%arr_len = function (%l : pointer (apply %arr_list i64)) > i64 {
			cond_br (cmp_eq %l (zero (pointer (apply %arr_list i64)))) %end %more;
		block %end:
			return #l0;
		block %more:
			%next = load (gep %l #up0 #up0);
			%n = call %arr_len %next;
			return (add %n #l1);
		};
		%arr_missing = function (%n : i64) > i64;
		%arr_ask = function (%n : i64) > i64 { %r = call %arr_missing %n; return (add %r #l1); };`)
	c.expect("49", "$sq", 7)
	// A module uses what others define, in types and in code, and declarations of it.
	load(`%arr_use = function (%n : i64) > i64 {
			%p = alloca %arr_pair;
			%s = call %arr_sq %n;
			store %s (struct_ep %p #i0);
			%c = load %arr_count;
			store %c (struct_ep %p #i1);
			%r = call %arr_sum %p;
			return %r;
		};`)
	c.expect("49", "$use", 3)
	load(`%arr_sq = function (%n : i64) > i64;
		%arr_twice = function (%n : i64) > i64 { %a = call %arr_sq %n; %b = call %arr_sq %a; return %b; };`)
	c.expect("81", "$twice", 3)
	// Schemas with equal text are the same; the functions of several modules agree about them.
	load(`%arr_list = recursive (%t : type) > struct (pointer (apply %arr_list %t)) %t;
		%arr_two = function () > i64 {
			%a = alloca (apply %arr_list i64);
			%b = alloca (apply %arr_list i64);
			store (zero (pointer (apply %arr_list i64))) (gep %a #up0 #up0);
			store %a (gep %b #up0 #up0);
			%r = call %arr_len %b;
			return %r;
		};`)
	c.expect("2", "$two")
	// What a module has declared, another one defines.
	load(`%arr_missing = function (%n : i64) > i64 { return (mul %n #l6); };`)
	c.expect("43", "$ask", 7)
	// Functions of other dialects are declared.
	c.load(`.funcdef $mu VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @7 RET %y }`)
	load(`%arr_mu = function (%n : i64) > i64;
		%arr_more = function (%n : i64) > i64 { %r = call %arr_mu %n; return %r; };`)
	c.expect("8", "$more", 1)
	// Nothing is defined again, unless other modules do not see it.
	refuse("\n  %arr_sq = function (%n : i64) > i64 { return %n; };", "load_bundle: 2:3: %arr_sq redefined: a module that was loaded before defines it")
	refuse("\n  %arr_count = global i64 #l5;", "load_bundle: 2:3: %arr_count redefined: a module that was loaded before defines it")
	c.load(`.funcdef $new VERSION %v <@one> { %e(<@i64> %x): RET %x }`)
	refuse("%arr_new = function (%n : i32) > i32;", "load_bundle: 1:1: %arr_new redefined: what the running program calls $new is not a function with the types of function (%n : i32) > i32")
	load(`%arr_sq = private function (%n : i64) > i64 { return (add %n #l1); };
		%arr_next = export function (%n : i64) > i64 { %r = call %arr_sq %n; return %r; };`)
	c.expect("8", "$next", 7)
	c.expect("49", "$sq", 7)
	load(`%arr_sq = private function (%n : i64) > i64 { return (add %n #l2); };
		%arr_third = export function (%n : i64) > i64 { %r = call %arr_sq %n; return %r; };`)
	c.expect("9", "$third", 7)
	// What has linkage words shows only what it exports.
	c.refuse(own(`%arr_fourth = function (%n : i64) > i64 { %r = call %arr_sq3 %n; return %r; };`), mu.BadBundle, own("%arr_sq3 is not defined"))
	load(`%arr_hidden = local function (%n : i64) > i64 { return %n; };`)
	c.refuse(own(`%arr_fifth = function (%n : i64) > i64 { %r = call %arr_hidden %n; return %r; };`), mu.BadBundle, own("%arr_hidden is not defined"))
}

// Modules of IAL refer to those that were loaded before, and files of one module that arrive later are further parts of
// it.
func TestArriveIAL(t *testing.T) {
	c := newClient(t)
	load := func(module, text string) {
		t.Helper()
		if err := c.LoadBundleNamed(module+".ial", text); err != nil {
			t.Fatal(err)
		}
	}
	refuse := func(module, text string, code mu.Code, want string) {
		t.Helper()
		c.refuseNamed(module+".ial", text, code, "load_bundle: "+want)
	}
	load("shapes", `type Pair { field int64 a; field int64 b; }
		field global int64 count;
		data bytes (7, 8, 9);
		function int64 square(int64) { register int64 n; block entry { n = arg.pop; n = ari.mul n, n; return n; } }
		function int64 sum(Pair&) { register Pair& p; register int64 x; register int64 y;
			block entry { p = arg.pop; x = field.get p (Pair:a); y = field.get p (Pair:b); x = ari.add x, y; return x; } }
		function int64 last() { register uint8* p; register uint8 x; register uint64 k; register uint n; register int64 r;
			block entry { p = load.data (bytes); k = load.ui64 (2); n = conv k; p = ari.add p, n; x = mem.get p; r = conv x; return r; } }`)
	c.expect("49", "@shapes/square", 7)
	c.expect("9", "@shapes/last")
	load("use", `function int64 both(int64, int64) { register int64 x; register int64 y; register shapes/Pair& p;
		block entry {
			x = arg.pop; y = arg.pop;
			arg.push x; x = call (shapes/square);
			p = mem.new;
			field.set p, x (shapes/Pair:a);
			field.set p, y (shapes/Pair:b);
			field.global.set x (shapes/count);
			arg.push p; x = call (shapes/sum);
			return x;
		} }
		function int64 apply(int64(int64), int64) { register int64(int64) f; register int64 x;
			block entry { f = arg.pop; x = arg.pop; arg.push x; x = call.indirect f; return x; } }`)
	c.expect("14", "@use/both", 3, 5)
	// A later part of a module uses its names as they are; functions are values everywhere.
	load("shapes", `function int64 more() { register int64 x; register int64 y; register int64(int64) f;
		block entry {
			x = field.global.get (count);
			f = load.func (square);
			arg.push f; arg.push x; y = call (use/apply);
			arg.push x; x = call (square);
			x = ari.add x, y;
			return x;
		} }`)
	c.expect("162", "@shapes/more")
	// A structure that begins as another one may be used as that.
	load("more", `type Triple { field int64 a; field int64 b; field int64 c; }
		function int64 third(int64) { register int64 x; register Triple& t; register shapes/Pair& p;
			block entry { x = arg.pop; t = mem.new; field.set t, x (Triple:b); p = conv t; x = field.get p (shapes/Pair:b); return x; } }`)
	c.expect("5", "@more/third", 5)
	// Intrinsics and their tables are shared.
	for _, module := range []string{"one", "two"} {
		load(module, `function int64 run() { register int64* p; register uint64 k; register uint n; register int64 x;
			block entry { k = load.ui64 (1); n = conv k; p = mem.alloc n; x = load.i64 (4); mem.set p, x; x = mem.get p; mem.free p; return x; } }`)
		c.expect("4", "@"+module+"/run")
	}
	refuse("shapes", "\n  function int64 square(int64) { register int64 n; block entry { n = arg.pop; return n; } }", mu.Conflict,
		"shapes.ial:2:18: function square redefined: it was loaded before, and nothing is declared again; give this one another name, or put it into another module")
	refuse("shapes", "type Pair { field int64 a; }", mu.Conflict,
		"shapes.ial:1:6: type Pair redefined: it was loaded before, and nothing is declared again; give this one another name, or put it into another module")
	refuse("wrong", "function int64 f() { register int64 x; block entry { x = call (shapes/cube); return x; } }", mu.BadBundle, "wrong.ial:1:71: unknown function shapes/cube")
	refuse("wrong", "function int64 f() { register int64 x; block entry { x = call (forms/cube); return x; } }", mu.BadBundle, "wrong.ial:1:64: unknown module forms")
	c.expect("49", "@shapes/square", 7)
}
