package mu

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

func load(t *testing.T, texts ...string) *ir.Program {
	t.Helper()
	var srcs []Source
	for i, text := range texts {
		name := fmt.Sprintf("%c.uir", 'a'+i)
		if strings.HasPrefix(text, ".hail\n") {
			name, text = fmt.Sprintf("%c.hail", 'a'+i), strings.TrimPrefix(text, ".hail\n")
		}
		srcs = append(srcs, Source{Name: name, Text: []byte(text)})
	}
	p, ok, diags, _ := loadSources(withPrelude(t, "", srcs), false)
	if !ok {
		t.Fatal(printed(diags))
	}
	return p
}

func TestConstValues(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		hi, lo    uint64
	}{
		{"@i8", "-1", 0, 0xff},
		{"@i8", "-128", 0, 0x80},
		{"@i8", "0377", 0, 0xff},
		{"@i8", "257", 0, 1},
		{"@i8", "-129", 0, 0x7f},
		{"@i1", "-1", 0, 1},
		{"@i1", "7", 0, 1},
		{"@i64", "0xffffffffffffffff", 0, math.MaxUint64},
		{"@i64", "-9223372036854775808", 0, 1 << 63},
		{"@i64", "+18446744073709551615", 0, math.MaxUint64},
		{"@i64", "0x10000000000000005", 0, 5},
		{"@i128", "-1", math.MaxUint64, math.MaxUint64},
		{"@i128", "0x0123456789abcdef00112233445566778", 0x123456789abcdef0, 0x0112233445566778},
		{"@i128", "-170141183460469231731687303715884105728", 1 << 63, 0},
		{"@i128", "340282366920938463463374607431768211457", 0, 1},
		{"@p64", "-1", 0, math.MaxUint64},
		{"@u1", "0x1234", 0, 0x1234},

		{"@f", "1.5f", 0, 0x3fc00000},
		{"@f", "-0.0f", 0, 0x80000000},
		{"@f", "0.1f", 0, 0x3dcccccd},
		// Halfway between two floats, and a little above: one rounding.
		{"@f", "16777217.0f", 0, 0x4b800000},
		{"@f", "16777217.00000000000000000000000000001f", 0, 0x4b800001},
		{"@f", "1.00000017881393432617187499f", 0, 0x3f800001},
		{"@f", "1.00000017881393432617187500f", 0, 0x3f800002},
		{"@f", "1.0e-45f", 0, 1},
		{"@f", "0.7e-45f", 0, 0},
		{"@f", "-1.0e-60f", 0, 0x80000000},
		{"@f", "3.4028235e38f", 0, 0x7f7fffff},
		{"@f", "1.0e39f", 0, 0x7f800000},
		{"@f", "-inff", 0, 0xff800000},
		{"@f", "nanf", 0, 0x7fc00000},
		{"@f", "bitsf(-1)", 0, 0xffffffff},
		{"@f", "bitsf ( 0x7f800001 )", 0, 0x7f800001},
		{"@d", "0.1d", 0, 0x3fb999999999999a},
		{"@d", "-1.0e400d", 0, 0xfff0000000000000},
		{"@d", "4.9e-324d", 0, 1},
		{"@d", "9007199254740993.0d", 0, 0x4340000000000000},
		{"@d", "+infd", 0, 0x7ff0000000000000},
		{"@d", "infd", 0, 0x7ff0000000000000},
		{"@d", "nand", 0, 0x7ff8000000000000},
		{"@d", "bitsd(0x7ff0000000000001)", 0, 0x7ff0000000000001},
		{"@d", "bitsd(-2)", 0, math.MaxUint64 - 1},
	} {
		p := load(t, fmt.Sprintf(".const @x <%s> = %s", c.typ, c.text))
		x := p.Entities["@x"].(*ir.Const)
		if x.Hi != c.hi || x.Lo != c.lo {
			t.Errorf("%s %s: got %#x %#x, want %#x %#x", c.typ, c.text, x.Hi, x.Lo, c.hi, c.lo)
		}
	}
}

// ops returns the instructions of a function, one per line: operation, types,
// operands by name.
func ops(p *ir.Program, name string) string {
	v := p.Entities[name].(*ir.Function).Current()
	var b strings.Builder
	for i := range v.Blocks {
		blk := &v.Blocks[i]
		fmt.Fprintf(&b, "%s:", blk.Name)
		if blk.Exc != 0 {
			fmt.Fprintf(&b, " exc %s", v.Values[blk.Exc].Name)
		}
		b.WriteByte('\n')
		for _, id := range blk.Insts {
			in := &v.Insts[id]
			b.WriteString("  " + in.Op.String())
			for _, t := range []ir.TypeID{in.Ty, in.Ty2, in.Sig} {
				if t != ir.NoType {
					b.WriteString(" " + p.Types.Structure(t, 3))
				}
			}
			vals := func(vals []ir.ValueID) {
				for _, val := range vals {
					x := &v.Values[val]
					n := x.Name
					if n == "" && x.Const != nil {
						n = fmt.Sprintf("%d", x.Const.Lo)
						if x.Const.Kind == ir.ConstNull {
							n = "NULL"
						}
					}
					if n == "" {
						n = fmt.Sprintf("#%d", val)
					}
					b.WriteString(" " + n)
				}
			}
			vals(in.Args)
			for _, d := range in.Dests {
				fmt.Fprintf(&b, " ->%d(", d.Block)
				vals(d.Args)
				b.WriteString(" )")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestDeviationMeaning shows the translations of the accepted deviations.
func TestDeviationMeaning(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a: argument of another referent", `
.funcdef @h VERSION %v <@sv> { %e(<@rv> %x): %y = CALL <@sr> @idr (%x) RET %x }`, `%e:
  refcast ref<void> ref<int<64>> %x
  call (ref<int<64>>) -> (ref<int<64>>) @idr #3
  ret %x
`},
		{"b: other pointer", `
.funcdef @h VERSION %v <@s0> { %e(): %y = LOAD PTR <@i32> @ptr0 RET () }`, `%e:
  ptrcast uptr<int<64>> uptr<int<32>> @ptr0
  load int<32> #2
  ret
`},
		{"c: other width", `
.funcdef @h VERSION %v <@s1> { %e(<@i64> %x): BRANCH %n(%x @c8) %n(<@i8> %a <@i64> %b): RET %b }`, `%e:
  trunc int<64> int<8> %x
  zext int<8> int<64> @c8
  branch ->1( #5 #6 )
%n:
  ret %b
`},
		{"d: own type", `
.funcdef @h VERSION %v <@sr> { %e(<@r64> %x): %y = GETIREF <@r64> %x %z = LOAD <@i64> %y RET %x }`, `%e:
  getiref int<64> %x
  load int<64> %y
  ret %x
`},
		{"a: GETIREF of another type", `
.funcsig @S = (@rpair) -> ()
.funcdef @h VERSION %v <@S> { %e(<@rpair> %x): %y = GETIREF <@mixed> %x %z = GETFIELDIREF <@mixed 1> %y %w = LOAD <@i64> %z RET () }`, `%e:
  getiref struct<int<64> int<64>> %x
  getfieldiref struct<int<64> int<64>> %y
  load int<64> %z
  ret
`},
		{"e: LOAD of another width", `
.funcdef @h VERSION %v <@s0> { %e(): %y = LOAD <@i32> @g64 %z = ADD <@i32> %y @c32 RET () }`, `%e:
  load int<64> @g64
  trunc int<64> int<32> #2
  add int<32> %y @c32
  ret
`},
		{"e: STORE of another width", `
.funcdef @h VERSION %v <@s0> { %e(): STORE <@i32> @g64 @c32 RET () }`, `%e:
  zext int<32> int<64> @c32
  store int<64> @g64 #3
  ret
`},
		{"e: STORE whose value has the location's type", `
.funcdef @h VERSION %v <@s0> { %e(): STORE <@i32> @g64 @c1 RET () }`, `%e:
  store int<64> @g64 @c1
  ret
`},
		{"e: LOAD with an exception clause", `
.funcdef @h VERSION %v <@s1> { %e(<@i64> %x): %y = LOAD <@i8> @g64 EXC(%n(%x %y) %f()) %n(<@i64> %a <@i64> %b): RET %b %f(): RET @c0 }`, `%e:
  load int<64> @g64 ->3( %x %y ) ->2( )
%n:
  ret %b
%f:
  ret @c0
:
  trunc int<64> int<8> #7
  zext int<8> int<64> #8
  branch ->1( #6 #9 )
`},
		{"e: weakref cell as ref", `
.funcdef @h VERSION %v <@sr> { %e(<@r64> %x): %y = LOAD <@r64> @gw64 STORE <@r64> @gw64 %x RET %y }`, `%e:
  load weakref<int<64>> @gw64
  store weakref<int<64>> @gw64 %x
  ret %y
`},
		{"c: operands", `
.funcdef @h VERSION %v <@s1> { %e(<@i64> %x): %y = MUL <@i8> %x @c32 %z = SGE <@i64> %y %x %w = SEXT <@i8 @i64> %x RET %w }`, `%e:
  trunc int<64> int<8> %x
  trunc int<32> int<8> @c32
  mul int<8> #2 #4
  zext int<8> int<64> %y
  sge int<64> #6 %x
  trunc int<64> int<8> %x
  sext int<8> int<64> #8
  ret %w
`},
		{"e: a reference in a location of a number", `
.funcdef @h VERSION %v <@s0> { %e(): BRANCH %n(@gr64) %n(<@q64> %q): %x = LOAD <@r64> %q STORE <@r64> %q @NULL64 RET () }`, `%e:
  refcast iref<ref<int<64>>> iref<int<64>> @gr64
  branch ->1( #3 )
%n:
  refcast iref<int<64>> iref<ref<int<64>>> %q
  load ref<int<64>> #4
  refcast iref<int<64>> iref<ref<int<64>>> %q
  store ref<int<64>> #6 @NULL64
  ret
`},
		{"e: a number in a location of a reference", `
.funcsig @S = (@rbox) -> (@i64)
.typedef @rbox = ref<@r64>
.funcdef @h VERSION %v <@S> { %e(<@rbox> %x): %i = GETIREF <@r64> %x %y = LOAD <@i64> %i RET %y }`, `%e:
  getiref ref<int<64>> %x
  refcast iref<ref<int<64>>> iref<int<64>> %i
  load int<64> #3
  ret %y
`},
		{"f: shift counts", `
.funcdef @h VERSION %v <@s1> { %e(<@i64> %x): %y = SHL <@i64> %x @c8 %z = ASHR <@i8> @c8 %x RET %y }`, `%e:
  zext int<8> int<64> @c8
  shl int<64> %x #3
  trunc int<64> int<8> %x
  ashr int<8> @c8 #5
  ret %y
`},
		{"g: conditions", `
.funcdef @h VERSION %v <@sr> { %e(<@r64> %x): %y = SELECT <@i1 @i64> @g64 @c1 @c2 BRANCH2 %x %n(%x) %n(%x) %n(<@r64> %x): RET %x }`, `%e:
  ne iref<int<64>> @g64 NULL
  select int<1> int<64> #5 @c1 @c2
  ne ref<int<64>> %x NULL
  branch2 #10 ->1( %x ) ->1( %x )
%n:
  ret %x
`},
		{"h: object for a pointer", `
.funcdef @h VERSION %v <@sr> { %e(<@r64> %x): %y = PTRCAST <@p64 @i64> %x RET %x }`, `%e:
  refaddr ref<int<64>> uptr<int<64>> %x
  ptrcast uptr<int<64>> int<64> #2
  ret %x
`},
		{"i: number for a reference", `
.funcdef @h VERSION %v <@sr> { %e(<@r64> %x): RET @pi }`, `%e:
  ret NULL
`},
		{"n: exception parameter of a normal block", `
.funcdef @h VERSION %v <@sv> { %e(<@rv> %x): BRANCH %n() %n() [%exc]: RET %exc }`, `%e:
  branch ->1( )
%n:
  ret %exc
`},
		{"static callee of another signature", `
.funcdef @h VERSION %v <@sv> { %e(<@rv> %x): %y = CALL <@sv> @idr (%x) RET %y }`, `%e:
  refcast funcref<@sr> funcref<@sv> @idr
  call (ref<void>) -> (ref<void>) #3 %x
  ret %y
`},
		{"tail call with other results", `
.funcdef @h VERSION %v <@sv> { %e(<@rv> %x): TAILCALL <@sr> @idr (@NULL64) }`, `%e:
  refcast funcref<@sr> funcref<(ref<int<64>>) -> (ref<void>)> @idr
  tailcall (ref<int<64>>) -> (ref<void>) #3 @NULL64
`},
		{"entry parameter of another referent", `
.funcdef @h VERSION %v <@sr> { %e(<@rv> %x): THROW %x }`, `%e:
  refcast ref<int<64>> ref<void> #1
  throw %x
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ops(load(t, c.text), "@h"); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestEntityIDs(t *testing.T) {
	p := load(t)
	if p.TypeIDs["@uvm.meta.bytes"] != 0x260 || p.TypeIDs["@uvm.meta.refs_r"] != 0x263 || p.TypeIDs["@uvm.meta.trap_handler.sig"] != 0x264 {
		t.Error("ids of predefined entities")
	}
	if p.TypeIDs["@i1"] != 65536 || p.TypeIDs["@i6"] != 65537 {
		t.Error("ids of the first definitions")
	}
	f := p.Entities["@id"].(*ir.Function)
	v := f.Current()
	if v.ID <= f.ID || v.Blocks[0].ID != v.ID+1 || v.Insts[1].ID != v.ID+2 { // bodies come after all definitions
		t.Errorf("function %d, version %d, block %d, instruction %d", f.ID, v.ID, v.Blocks[0].ID, v.Insts[1].ID)
	}
	if v.Name != "@id.v1" || v.BlockName(0) != "@id.v1.entry" || v.ValueName(1) != "@id.v1.entry.x" {
		t.Errorf("%s, %s, %s", v.Name, v.BlockName(0), v.ValueName(1))
	}
}

func TestRedefinition(t *testing.T) {
	p := load(t, `.funcdecl @h <@s1>`,
		`.funcdef @h VERSION %v1 <@s1> { %e(<@i64> %x): RET %x }`,
		`.funcdef @h VERSION %v2 <@s1> { %e(<@i64> %x): RET @c0 }`)
	f := p.Entities["@h"].(*ir.Function)
	if len(f.Versions) != 2 || f.Current().Name != "@h.v2" || p.Bundles != 4 {
		t.Errorf("%d versions in %d bundles", len(f.Versions), p.Bundles)
	}
}

// TestDeterministic loads a bundle with many derived types twice.
func TestDeterministic(t *testing.T) {
	src := string(generated(2000))
	show := func() string {
		p, ok, diags, _ := loadSources([]Source{{Name: "a.uir", Text: []byte(src)}}, false)
		if !ok {
			t.Fatal(printed(diags))
		}
		var b strings.Builder
		for i := 1; i < p.Types.Len(); i++ {
			fmt.Fprintln(&b, p.Types.Structure(ir.TypeID(i), 2), p.Types.At(ir.TypeID(i)).Name)
		}
		for _, f := range p.Funcs {
			b.WriteString(ops(p, f.Name))
		}
		return b.String()
	}
	if show() != show() {
		t.Error("two loads of one bundle differ")
	}
}

func TestImage(t *testing.T) {
	p := load(t, `
.typedef @names = hybrid<@i32 @pair>
.global @ga <@a2>
.typedef @a2 = array<@i64 2>
.typedef @tags = array<@tag 3>
.global @gt <@tags>
.global @gq <@q64>
`, `.hail
.newhybrid $h <@names> 2
.init $h = {-1 {{1 2} {3}}}
.init @ga = {*@ga[1] *@ga[0]}
.init @gt = {2.5d -1 {NULL 5}}
.init @gq = &$h[1][1][0]
.init @gr64 = $x
.new $x <@i64>
.init @gw64 = *@gr64
.init @gpair = @cpair
`)
	loc := func(l ir.ImageLoc) string {
		s := ""
		switch {
		case l.Global != nil:
			s = l.Global.Name
		case l.Object < 0:
			return "NULL"
		default:
			s = fmt.Sprintf("obj%d", l.Object)
		}
		return fmt.Sprintf("%s%v:%s", s, l.Path, p.Types.String(l.Type))
	}
	var b strings.Builder
	for _, o := range p.Image.Objects {
		fmt.Fprintf(&b, "%s %s %d\n", o.Name, p.Types.String(o.Type), o.Len)
	}
	for _, in := range p.Image.Inits {
		fmt.Fprintf(&b, "%s = ", loc(in.To))
		switch in.Kind {
		case ir.ImageConst:
			fmt.Fprintf(&b, "%#x %s", in.Const.Lo, in.Const.Name)
		case ir.ImageObjRef:
			fmt.Fprintf(&b, "ref %s", loc(in.From))
		case ir.ImageAddr:
			fmt.Fprintf(&b, "address %s", loc(in.From))
		case ir.ImageCopy:
			fmt.Fprintf(&b, "copy %s", loc(in.From))
		case ir.ImageTagFP, ir.ImageTagInt:
			fmt.Fprintf(&b, "tag %d %#x", in.Kind-ir.ImageTagFP, in.Bits)
		case ir.ImageTagRef:
			fmt.Fprintf(&b, "tag %s %d", loc(in.From), in.Tag)
		}
		b.WriteByte('\n')
	}
	want := `$h @names 2
$x @i64 0
 @i64 0
 @i64 0
obj0[0]:@i32 = 0xffffffff 
obj0[1 0 0]:@i64 = 0x1 
obj0[1 0 1]:@i64 = 0x2 
obj0[1 1 0]:@i64 = 0x3 
obj2[]:@i64 = copy @ga[1]:@i64
obj3[]:@i64 = copy @ga[0]:@i64
@ga[0]:@i64 = copy obj2[]:@i64
@ga[1]:@i64 = copy obj3[]:@i64
@gt[0]:@tag = tag 0 0x4004000000000000
@gt[1]:@tag = tag 1 0xfffffffffffff
@gt[2]:@tag = tag NULL 5
@gq[]:@q64 = address obj0[1 1 0]:@i64
@gr64[]:@r64 = ref obj1[]:@i64
@gw64[]:@w64 = copy @gr64[]:@r64
@gpair[]:@pair = 0x0 @cpair
`
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestSyntaxAndMeaning: a definition with syntax errors neither hides nor causes
// errors elsewhere.
func TestSyntaxAndMeaning(t *testing.T) {
	_, ok, diags, _ := loadSources([]Source{
		{Name: "a.uir", Text: []byte(`.typedef @i64 = int<64
.typedef @p = ref<@nosuch>
.funcsig @s = (@i64) -> (@i64)
.const @c <@i64> = ?
.const @d <@nosuch2> = 5
.global @g <@i64
.expose @x = @f #DEFAULT
.funcdef @f VERSION %v <@s> {
  %entry(<@i64> %n):
    %z = SDIV <@i64> @c
    %y = ADD <@i64> %n %unheard
    RET %z
}
.funcdef @h VERSION %v <@s> {
  %entry(<@i64> %n):
    %y = CALL <@s> @f (%n)
    %z = LOAD <@i64> @g
    %a = ADD <@i64> %y %nope
    RET %a
}
`)},
		{Name: "b.uir", Text: []byte(".typdef @lost = int<8>\n.typedef @q = ref<@lost>\n.typedef @r = @i64\n.typedef @r = ref<@i64>\n")},
	}, false)
	out := printed(diags)
	var got []string
	for line := range strings.SplitSeq(out, "\n") {
		if line != "" && line[0] != '\t' {
			got = append(got, line)
		}
	}
	want := []string{
		"a.uir:2:1: bad .typedef", "a.uir:2:19: unknown type @nosuch", "a.uir:4:20: ", "a.uir:5:12: unknown type @nosuch2",
		"a.uir:7:1: bad .global", "a.uir:8:1: bad .expose", "a.uir:11:5: bad SDIV", "a.uir:18:24: unknown name %nope",
		"b.uir:1:1: unknown definition .typdef", "b.uir:3:15: bad .typedef", "b.uir:4:10: @r redefined",
	}
	for i, w := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], w) {
			t.Errorf("error %d: want %s", i, w)
		}
	}
	if ok || len(got) != len(want) {
		t.Errorf("got %v, %d errors, want %d:\n%s", ok, len(got), len(want), out)
	}
}
