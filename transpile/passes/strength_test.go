package passes_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// inLoops counts the operations of a body that are in innermost loops: products,
// sums, and addresses of elements with an index that is no constant.
func inLoops(v *ir.Version) (products, sums, elements int) {
	cfg := analysis.NewCFG(v)
	loops := analysis.InnerLoops(v, cfg)
	for i := range loops.List {
		if loops.List[i].Inner {
			continue
		}
		for _, b := range loops.List[i].Blocks {
			for _, id := range v.Blocks[b].Insts {
				switch in := &v.Insts[id]; in.Op {
				case ir.OpMul, ir.OpShl:
					products++
				case ir.OpAdd, ir.OpSub:
					sums++
				case ir.OpShiftIRef, ir.OpGetElemIRef:
					if v.Values[in.Args[1]].Kind != ir.ValueConst {
						elements++
					}
				}
			}
		}
	}
	return products, sums, elements
}

// TestStrength says how many products, sums and addresses of elements are left in
// a turn, and compares what loops compute in any number of turns with what they did
// before, once and with copies of them after each other.
func TestStrength(t *testing.T) {
	// Cells of 24 bytes, each of which contains 7 times its index.
	const head = `.typedef @C = struct<@i64 @i64 @i64> .typedef @iC = iref<@C> .typedef @pC = uptr<@C> .typedef @Cs = array<@C 64> .typedef @Ch = hybrid<@C> .typedef @rCh = ref<@Ch>
.typedef @arr = array<@i64 64> .typedef @i32 = int<32> .typedef @p64 = uptr<@i64> .typedef @i6 = int<6> .const @tag <@i6> = 5 .typedef @i128 = int<128> .typedef @Ws = array<@i128 64>
.const @3 <@i64> = 3 .const @5 <@i64> = 5 .const @8 <@i64> = 8 .const @10 <@i64> = 10 .const @-1 <@i64> = -1 .const @64 <@i64> = 64
.const @100 <@i64> = 100 .const @8.7 <@i8> = 7 .const @8.101 <@i8> = 101 .const @32.0 <@i32> = 0 .const @32.1 <@i32> = 1 .const @128.0 <@i128> = 0
.global @cells <@Cs> .global @numbers <@arr> .global @wide <@Ws>
.funcsig @iC_i = (@iC @i64) -> (@i64) .funcsig @new = () -> (@iC)
.funcdef @make VERSION %v <@new> { %e(): %o = NEWHYBRID <@Ch @i64> @64 %i = GETIREF <@Ch> %o %p = GETVARPARTIREF <@Ch> %i BRANCH %h(%p @0)
%h(<@iC> %p <@i64> %k): %q = SHIFTIREF <@C @i64> %p %k %a = GETFIELDIREF <@C 0> %q %b = GETFIELDIREF <@C 1> %q %c = GETFIELDIREF <@C 2> %q
 %x = MUL <@i64> %k @7 %y = MUL <@i64> %x %x %z = XOR <@i64> %x @100 STORE <@i64> %a %x STORE <@i64> %b %y STORE <@i64> %c %z
 %j = ADD <@i64> %k @1 %more = SLT <@i64> %j @64 BRANCH2 %more %h(%p %j) %x(%p)
%x(<@iC> %p): RET %p }
`
	// loop is a loop of %n turns in which code computes %t from %i, %s, %n, %m and the cells at %p.
	loop := func(begin, code, step string) string {
		if !strings.Contains(begin, "%p =") {
			begin = "%p = CALL <@new> @make () " + begin
		}
		return `%e(<@i64> %n): %m = XOR <@i64> %n @5 ` + begin + ` BRANCH %h(%n %m %p @0 %first @1)
%h(<@i64> %n <@i64> %m <@iC> %p <@i64> %k <@i64> %i <@i64> %s): %c = SLT <@i64> %k %n BRANCH2 %c %l(%n %m %p %k %i %s) %x(%s)
%l(<@i64> %n <@i64> %m <@iC> %p <@i64> %k <@i64> %i <@i64> %s): ` + code + ` %w = XOR <@i64> %s %t %o = ROUND %w
 %k2 = ADD <@i64> %k @1 %i2 = ` + step + ` BRANCH %h(%n %m %p %k2 %i2 %o)
%x(<@i64> %s): RET %s`
	}
	upward := "%first = XOR <@i64> %m @8"
	inRange := "%first = AND <@i64> %n @7"
	next := "ADD <@i64> %i @1"
	field := " %f = GETFIELDIREF <@C 1> %q %t = LOAD <@i64> %f"
	for _, tt := range []struct {
		name                     string
		body                     string // of @f(%n)
		products, sums, elements int    // left; sums: -1, not looked at
	}{
		{"a product", loop(upward, "%t = MUL <@i64> %i %m", next), 0, 2, 0},
		{"the invariant first", loop(upward, "%t = MUL <@i64> %m %i", next), 0, 2, 0},
		{"a product and sums", loop(upward, "%a = MUL <@i64> %i %m %b = ADD <@i64> %n %a %d = SUB <@i64> %b %m %t = SUB <@i64> @100 %d", next), 0, 2, 0},
		{"a sum that something else reads", loop(upward, "%a = MUL <@i64> %i %m %b = ADD <@i64> %n %a %d = SUB <@i64> %a %m %t = XOR <@i64> %b %d", next), 0, 4, 0},
		{"of a sum", loop(upward, "%a = ADD <@i64> %i %n %b = SUB <@i64> %a @3 %t = MUL <@i64> %b %m", next), 0, 2, 0},
		{"of a sum that something else reads", loop(upward, "%a = ADD <@i64> %i %n %b = MUL <@i64> %a %m %t = XOR <@i64> %a %b", next), 0, 4, 0},
		{"of a product", loop(upward, "%a = MUL <@i64> %i @3 %b = SHL <@i64> %a @2 %t = MUL <@i64> %b %m", next), 0, 2, 0},
		{"of two that go round", loop(upward, "%a = MUL <@i64> %i @3 %b = MUL <@i64> %k @5 %d = ADD <@i64> %a %b %t = MUL <@i64> %d %m", next), 0, 2, 0},
		{"of two by different invariants", loop(upward, "%a = MUL <@i64> %i %m %b = MUL <@i64> %k %n %t = ADD <@i64> %a %b", next), 0, 4, 0},
		{"downward", loop(upward, "%t = MUL <@i64> %i %m", "SUB <@i64> %i @3"), 0, 2, 0},
		{"by a constant", loop(upward, "%t = MUL <@i64> %i @10", next), 0, 2, 0},
		{"by a power of two", loop(upward, "%t = MUL <@i64> %i @8", next), 1, 2, 0},
		{"an invariant step", loop(upward, "%t = MUL <@i64> %i @10", "ADD <@i64> %i %m"), 0, 2, 0},
		{"downward by one", loop(upward, "%t = MUL <@i64> %i @10", "SUB <@i64> %i %m"), 0, 2, 0},
		{"an invariant step, times an invariant", loop(upward, "%t = MUL <@i64> %i %n", "ADD <@i64> %i %m"), 1, 2, 0},
		{"a square", loop(upward, "%t = MUL <@i64> %i %i", next), 1, 2, 0},
		{"another step in each turn", loop(upward, "%t = MUL <@i64> %i %m", "ADD <@i64> %i %k2"), 1, 2, 0},
		{"what goes round otherwise", loop(upward, "%t = MUL <@i64> %i %m", "XOR <@i64> %i @7"), 1, 1, 0},
		{"small integers wrap around", `%e(<@i64> %n): %m = TRUNC <@i64 @i8> %n BRANCH %h(%n %m @8.101 @0 @1)
%h(<@i64> %n <@i8> %m <@i8> %i <@i64> %k <@i64> %s): %a = MUL <@i8> %i %m %b = ADD <@i8> %a @8.101 %d = ZEXT <@i8 @i64> %b %u = LSHR <@i64> %s @1 %t = XOR <@i64> %u %d %j = ADD <@i8> %i @8.101 %k2 = ADD <@i64> %k @1 %c = ULT <@i64> %k2 %n BRANCH2 %c %h(%n %m %j %k2 %t) %x(%t)
%x(<@i64> %s): RET %s`, 0, 2, 0},
		{"not in every turn", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i %s) %x(%s)
%l(<@i64> %n <@i64> %i <@i64> %s): %j = ADD <@i64> %i @1 %b = AND <@i64> %s @3 %q = EQ <@i64> %b @0 BRANCH2 %q %h(%n %j %j) %o(%n %j %s)
%o(<@i64> %n <@i64> %j <@i64> %s): %m = MUL <@i64> %j %n %t = XOR <@i64> %m %s BRANCH %h(%n %j %t)
%x(<@i64> %s): RET %s`, 1, -1, 0},
		{"several ways back", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %i %n %t = XOR <@i64> %m %s %j = ADD <@i64> %i @1 %b = AND <@i64> %t @3 %q = EQ <@i64> %b @0 BRANCH2 %q %o(%n %j %t) %l(%n %j %t)
%l(<@i64> %n <@i64> %j <@i64> %s): %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %s) %x(%s)
%o(<@i64> %n <@i64> %j <@i64> %s): %u = LSHR <@i64> %s @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %u) %x(%j)
%x(<@i64> %s): RET %s`, 0, -1, 0},
		{"several with other steps", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %i %n %t = XOR <@i64> %m %s %b = AND <@i64> %t @3 %q = EQ <@i64> %b @0 BRANCH2 %q %o(%n %i %t) %l(%n %i %t)
%l(<@i64> %n <@i64> %i <@i64> %s): %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %s) %x(%s)
%o(<@i64> %n <@i64> %i <@i64> %s): %j = ADD <@i64> %i @2 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %s) %x(%j)
%x(<@i64> %s): RET %s`, 1, -1, 0},
		{"read after the loop", `%e(<@i64> %n): %y = ADD <@i64> %n @3 BRANCH %h(%n %y @7 @1)
%h(<@i64> %n <@i64> %y <@i64> %i <@i64> %s): %m = MUL <@i64> %i %y %t = XOR <@i64> %m %s %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %y %j %t) %x(%m %t)
%x(<@i64> %m <@i64> %s): %r = SUB <@i64> %s %m RET %r`, 0, 2, 0},
		{"a call", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %i %n CALL <@v_v> @nothing () %t = XOR <@i64> %m %s %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %t) %x(%t)
%x(<@i64> %s): RET %s`, 1, -1, 0},
		{"more values than registers", `%e(<@i64> %n): %a = ADD <@i64> %n @1 %b = ADD <@i64> %n @2 %d = ADD <@i64> %n @3 %f = ADD <@i64> %n @5 %g = ADD <@i64> %n @7 %k = ADD <@i64> %n @8 %l = ADD <@i64> %n @10 BRANCH %h(%n %a %b %d %f %g %k %l @0 @1)
%h(<@i64> %n <@i64> %a <@i64> %b <@i64> %d <@i64> %f <@i64> %g <@i64> %k <@i64> %l <@i64> %i <@i64> %s): %m = MUL <@i64> %i %a %t1 = XOR <@i64> %m %s %t2 = XOR <@i64> %t1 %b %t3 = SUB <@i64> %t2 %d %t4 = XOR <@i64> %t3 %f %t5 = SUB <@i64> %t4 %g %t6 = XOR <@i64> %t5 %k %t7 = SUB <@i64> %t6 %l
 %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %a %b %d %f %g %k %l %j %t7) %x(%t7)
%x(<@i64> %s): RET %s`, 1, -1, 0},

		{"an element", loop(inRange, "%q = SHIFTIREF <@C @i64> %p %i"+field, next), 0, 1, 0},
		{"downward from the end", loop("%first = SUB <@i64> @64 @1", "%q = SHIFTIREF <@C @i64> %p %i"+field, "SUB <@i64> %i @2"), 0, 1, 0},
		{"neighbours", loop(inRange, "%j1 = ADD <@i64> %i @1 %j2 = ADD <@i64> %j1 @1 %q1 = SHIFTIREF <@C @i64> %p %i %q2 = SHIFTIREF <@C @i64> %p %j1 %q = SHIFTIREF <@C @i64> %p %j2 "+
			"%f1 = GETFIELDIREF <@C 0> %q1 %t1 = LOAD <@i64> %f1 %f2 = GETFIELDIREF <@C 2> %q2 STORE <@i64> %f2 %t1"+field, next), 0, 1, 0},
		{"the neighbour before", loop("%low = AND <@i64> %n @7 %first = ADD <@i64> %low @2", "%j1 = SUB <@i64> %i @2 %q1 = SHIFTIREF <@C @i64> %p %i %q = SHIFTIREF <@C @i64> %p %j1 "+
			"%f1 = GETFIELDIREF <@C 1> %q1 STORE <@i64> %f1 %s"+field, next), 0, 1, 0},
		{"each third", loop(inRange, "%i3 = MUL <@i64> %i @3 %i4 = ADD <@i64> %i3 @1 %q = SHIFTIREF <@C @i64> %p %i4"+field, next), 0, 1, 0},
		{"of an array", loop(inRange, "%q = GETELEMIREF <@Cs @i64> @cells %i %g = GETFIELDIREF <@C 0> %q STORE <@i64> %g %s"+field, next), 0, 1, 0},
		{"that a machine finds by itself", loop(inRange, "%q = GETELEMIREF <@arr @i64> @numbers %i STORE <@i64> %q %k %t = LOAD <@i64> %q", next), 0, 2, 1},
		{"at a product", loop(inRange, "%r = MUL <@i64> %k @3 %q = GETELEMIREF <@arr @i64> @numbers %r STORE <@i64> %q %k %t = LOAD <@i64> %q", next), 0, 2, 1},
		{"an index of 32 bits", `%e(<@i64> %n): %p = CALL <@new> @make () %m = TRUNC <@i64 @i32> %n BRANCH %h(%m %p @32.0 @0)
%h(<@i32> %n <@iC> %p <@i32> %i <@i64> %s): %q = SHIFTIREF <@C @i32> %p %i %f = GETFIELDIREF <@C 1> %q %a = LOAD <@i64> %f %t = ADD <@i64> %s %a %j = ADD <@i32> %i @32.1 %c = ULT <@i32> %j %n BRANCH2 %c %h(%n %p %j %t) %x(%t)
%x(<@i64> %s): RET %s`, 0, 2, 1},
		{"of an array of a fixed size, which other passes know", loop("%o = NEW <@Cs> %oi = GETIREF <@Cs> %o %p = GETELEMIREF <@Cs @i64> %oi @0 "+inRange, "%q = SHIFTIREF <@C @i64> %p %i %g = GETFIELDIREF <@C 0> %q STORE <@i64> %g %s"+field, next), 0, 2, 1},
		{"of what has no variable", loop("%o = NEWHYBRID <@Ch @i64> @64 %ov = REFCAST <@rCh @rv> %o %tag = COMMINST @uvm.tr64.from_ref (%ov @tag) %tv = COMMINST @uvm.tr64.to_ref (%tag) %tr = REFCAST <@rv @rCh> %tv %ti = GETIREF <@Ch> %tr %p = GETVARPARTIREF <@Ch> %ti "+inRange,
			"%q = SHIFTIREF <@C @i64> %p %i %g = GETFIELDIREF <@C 0> %q STORE <@i64> %g %s"+field, next), 0, 2, 1},
		{"through a pointer", `%e(<@i64> %n): %g = COMMINST @uvm.native.pin <@ig> (@cells) %p = PTRCAST <@pCs @pC> %g %m = AND <@i64> %n @7 BRANCH %h(%m %p @0 @1)
%h(<@i64> %n <@pC> %p <@i64> %i <@i64> %s): %q = SHIFTIREF PTR <@C @i64> %p %i %f = GETFIELDIREF PTR <@C 1> %q STORE PTR <@i64> %f %s %t = ADD <@i64> %s @3 %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %p %j %t) %x(%t %p)
%x(<@i64> %s <@pC> %p): COMMINST @uvm.native.unpin <@ig> (@cells) RET %s`, 0, 2, 0},
		{"zeros, most of which are stored at once", `%e(<@i64> %n): %m = AND <@i64> %n @7 BRANCH %h(%m @0)
%h(<@i64> %n <@i64> %i): %c = SLT <@i64> %i %n BRANCH2 %c %l(%n %i) %x(%i)
%l(<@i64> %n <@i64> %i): %q = GETELEMIREF <@Ws @i64> @wide %i STORE <@i128> %q @128.0 %j = ADD <@i64> %i @1 BRANCH %h(%n %j)
%x(<@i64> %i): RET %i`, 0, 4, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := strings.ReplaceAll(tt.body, "%o = ROUND %w", "%u = LSHR <@i64> %w @3 %o = XOR <@i64> %u %w")
			text := head + ".typedef @ig = iref<@Cs> .typedef @pCs = uptr<@Cs> .funcdef @nothing VERSION %v <@v_v> { %e(): RET () }\n.funcdef @f VERSION %v <@i_i> { " + body + " }\n"
			once := passes.Options{Disable: []string{"unroll", "inline"}}
			v := function(optimized(t, text, once), "@f")
			products, sums, elements := inLoops(v)
			if products != tt.products || tt.sums >= 0 && sums != tt.sums || elements != tt.elements {
				var b strings.Builder
				ir.PrintVersion(&b, optimized(t, text, once), v)
				t.Errorf("%d products, %d sums, %d addresses, want %d, %d, %d\n%s", products, sums, elements, tt.products, tt.sums, tt.elements, &b)
			}
			for _, op := range []ir.Op{ir.OpZExtWord, ir.OpSExtWord} {
				p := loadText(t, prelude+text)
				inWords(p, op)
				v := function(optimize(t, p, once), "@f")
				if x, y, z := inLoops(v); x != products || y != sums || z != elements {
					var b strings.Builder
					ir.PrintVersion(&b, p, v)
					t.Errorf("in words: %d products, %d sums, %d addresses, want %d, %d, %d\n%s", x, y, z, products, sums, elements, &b)
				}
			}
			for n := range 14 {
				args := []interp.Value{interp.Int64(int64(n), 64)}
				want, _, err := interp.Call(loadText(t, prelude+text), "@f", args, interp.Config{})
				if err != nil {
					t.Fatal(err)
				}
				for _, opt := range []passes.Options{once, {}, {Disable: []string{"simplify", "number"}}} {
					got, _, err := interp.Call(optimized(t, text, opt), "@f", args, interp.Config{})
					if err != nil {
						t.Fatal(err)
					}
					if len(got) != 1 || got[0].Lo != want[0].Lo {
						t.Errorf("of %d, without %v: got %v, want %#x", n, opt.Disable, got, want[0].Lo)
					}
				}
			}
		})
	}
}

// TestStrengthSanitize: where addresses made from NULL are reported, each is made in
// its turn; products are reduced.
func TestStrengthSanitize(t *testing.T) {
	const text = `.typedef @iS = iref<@S> .funcsig @si = (@iS @i64) -> (@i64)
.funcdef @f VERSION %v <@si> { %e(<@iS> %p <@i64> %n): BRANCH %h(%p %n @0 @0)
%h(<@iS> %p <@i64> %n <@i64> %i <@i64> %s): %c = SLT <@i64> %i %n BRANCH2 %c %l(%p %n %i %s) %x(%s)
%l(<@iS> %p <@i64> %n <@i64> %i <@i64> %s): %q = SHIFTIREF <@S @i64> %p %i %f = GETFIELDIREF <@S 1> %q %a = LOAD <@i64> %f %b = MUL <@i64> %i %n %d = XOR <@i64> %a %b %t = ADD <@i64> %s %d
 %j = ADD <@i64> %i @1 BRANCH %h(%p %n %j %t)
%x(<@i64> %s): RET %s }`
	for _, sanitize := range []bool{false, true} {
		products, _, elements := inLoops(function(optimized(t, text, passes.Options{Sanitize: sanitize, Disable: []string{"unroll"}}), "@f"))
		want := 0
		if sanitize {
			want = 1
		}
		if products != 0 || elements != want {
			t.Errorf("sanitize %v: %d products, %d addresses, want 0, %d", sanitize, products, elements, want)
		}
	}
}
