package mu_test

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// texts numbers the names of tests, which can be declared only once, even with -count.
var texts atomic.Int64

// load loads a text, in which each ~ is replaced by a new number, and returns a function that
// puts that number into names.
func load(t testing.TB, c *mu.Ctx, text string) func(string) string {
	t.Helper()
	n := fmt.Sprintf("t%d", texts.Add(1))
	own := func(s string) string { return strings.ReplaceAll(s, "~", n) }
	if err := c.LoadBundleText(own(text)); err != nil {
		t.Fatal(err)
	}
	return own
}

func loadFails(t testing.TB, c *mu.Ctx, text string, code mu.Code, msgs ...string) {
	t.Helper()
	err := c.LoadBundleText(text)
	wantCode(t, err, code)
	var e *mu.Error
	if errors.As(err, &e) {
		if want := "load_bundle: " + strings.Join(msgs, "\n\t"); e.Msg != want {
			t.Errorf("got  %q\nwant %q", e.Msg, want)
		}
	}
}

func typ(t testing.TB, c *mu.Ctx, name string) mu.Type {
	t.Helper()
	return must[mu.Type](t)(c.TypeNamed(name))
}

func global(t testing.TB, c *mu.Ctx, name string) mu.IRef {
	t.Helper()
	return must[mu.IRef](t)(c.GlobalNamed(name))
}

func constant(t testing.TB, c *mu.Ctx, name string) mu.Value {
	t.Helper()
	return must[mu.Value](t)(c.ConstNamed(name))
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTextTypes: types of a text have layouts, are identical to equal existing ones
// (docs/language.md, "Types"), and their objects are collected exactly.
func TestTextTypes(t *testing.T) {
	c := open(t)
	own := load(t, c, `
		.typedef @~.i64 = int<64>   .typedef @~.one = funcref<@~.sig>  .funcsig @~.sig = (@i64) -> (@~.i64)
		.typedef @~.int5 = int<5>   .typedef @~.pair = struct<@i32 @R @d>
		.typedef @~.node = struct<@~.next @i64 @~.next @~.tags @W>     .typedef @~.next = ref<@~.node>
		.typedef @~.node2 = struct<@~.next2 @i64 @~.next @~.tags @W>   .typedef @~.next2 = ref<@~.node2>
		.typedef @~.tags = array<@tag 9>
		.typedef @~.list = hybrid<@i64 @~.item>   .typedef @~.item = struct<@i32 @~.next>
		.typedef @~.loop = ref<@~.loop>   .typedef @~.loop2 = ref<@~.loop>   .typedef @~.vec = vector<@f 4>
		.typedef @~.none = void`)
	for _, same := range [][2]string{
		{"@~.i64", "@i64"}, {"@~.one", "@fn"}, {"@~.pair", "@pair"}, {"@~.node", "@~.node2"}, {"@~.next", "@~.next2"},
		{"@~.loop", "@~.loop2"}, {"@~.none", "@void"},
	} {
		if a, b := typ(t, c, own(same[0])), typ(t, c, own(same[1])); a != b {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
	if typ(t, c, own("@~.int5")) == typ(t, c, "@i6") || typ(t, c, own("@~.tags")) == typ(t, c, own("@~.vec")) {
		t.Error("different types are equal")
	}
	// A second text sees what the first declared.
	own2 := load(t, c, own(`.typedef @~.again = `)+`struct<@i32 `+own(`@~.next> .typedef @~.five = int<5>`))
	if typ(t, c, own("@~.again")) != typ(t, c, own("@~.item")) || typ(t, c, own("@~.five")) != typ(t, c, own("@~.int5")) {
		t.Error("equal types of two texts differ")
	}
	_ = own2
	node := typ(t, c, own("@~.node"))
	first := must[mu.Ref](t)(c.NewFixed(node))
	at := must[mu.IRef](t)(c.IRef(first))
	last := first
	for i := range 50 {
		n := must[mu.Ref](t)(c.NewFixed(node))
		loc := must[mu.IRef](t)(c.IRef(n))
		ok(t, c.Store(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(loc, 1)), c.Int(int64(i), 64)))
		ok(t, c.Store(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(loc, 0)), last))
		tags := must[mu.IRef](t)(c.FieldIRef(loc, 3))
		ok(t, c.Store(mu.NotAtomic, must[mu.IRef](t)(c.ElemIRef(tags, 8)), must[mu.TagRef64](t)(c.TagRef(last, 3))))
		if i > 0 {
			ok(t, c.Delete(last))
		}
		last = n
	}
	ok(t, c.Store(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(at, 2)), last)) // a cycle
	ok(t, c.Collect())
	for i := 49; i >= 0; i-- {
		loc := must[mu.IRef](t)(c.IRef(last))
		if k := must[mu.Value](t)(c.Load(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(loc, 1)))).(mu.Int).Int64(); k != int64(i) {
			t.Fatalf("node %d has %d", i, k)
		}
		last = must[mu.Value](t)(c.Load(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(loc, 0)))).(mu.Ref)
	}
	if same := must[bool](t)(c.Same(last, must[mu.Value](t)(c.RefCast(first, last.Type())))); !same {
		t.Error("the list does not end where it began")
	}
	list := must[mu.Ref](t)(c.NewHybrid(typ(t, c, own("@~.list")), 7))
	part := must[mu.IRef](t)(c.VarPartIRef(must[mu.IRef](t)(c.IRef(list))))
	item := must[mu.IRef](t)(c.ShiftIRef(part, 6))
	ok(t, c.Store(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(item, 1)), last))
	ok(t, c.Delete(last))
	ok(t, c.Collect())
	kept := must[mu.Value](t)(c.Load(mu.NotAtomic, must[mu.IRef](t)(c.FieldIRef(item, 1)))).(mu.Ref)
	if same := must[bool](t)(c.Same(kept, first)); !same {
		t.Error("the item lost its reference")
	}
}

// TestTextCells: cells are zero, roots, and found by later texts and HAIL.
func TestTextCells(t *testing.T) {
	c := open(t)
	own := load(t, c, `.global @~.n <@i64>  .global @~.root <@Ri>  .global @~.many <@~.arr>  .typedef @~.arr = array<@Ri 40>
		.global @~.none <@void>  .global @~.at <@~.I>  .typedef @~.I = iref<@i64>`)
	n := global(t, c, own("@~.n"))
	if v := must[mu.Value](t)(c.Load(mu.SeqCst, n)).(mu.Int).Int64(); v != 0 {
		t.Errorf("a new cell has %d", v)
	}
	must[mu.Value](t)(c.AtomicRMW(mu.SeqCst, mu.Add, n, c.Int(5, 64)))
	ok(t, c.LoadHAIL(own(`.new $o <@i64> .init $o = 77 .init @~.root = $o .init @~.many[39] = $o .init @~.at = &@~.n`)))
	ok(t, c.Collect())
	root := must[mu.Value](t)(c.Load(mu.NotAtomic, global(t, c, own("@~.root")))).(mu.Ref)
	if v := must[mu.Value](t)(c.Load(mu.NotAtomic, must[mu.IRef](t)(c.IRef(root)))).(mu.Int).Int64(); v != 77 {
		t.Errorf("the object has %d", v)
	}
	if at := must[mu.Value](t)(c.Load(mu.NotAtomic, global(t, c, own("@~.at")))); !must[bool](t)(c.Same(at, n)) {
		t.Error("the cell has another address")
	}
	global(t, c, own("@~.none"))
	id := must[mu.ID](t)(c.ID(own("@~.n")))
	if name := must[string](t)(c.Name(id)); name != own("@~.n") {
		t.Errorf("%d is %s", id, name)
	}
	if _, err := c.Const(id); err == nil {
		t.Error("a cell is a constant")
	}
}

// TestTextConstants loads constants of every form (docs/language.md, "Definitions").
func TestTextConstants(t *testing.T) {
	c := open(t)
	own := load(t, c, `.const @~.all <@~.S> = {@~.a @~.b @~.c @~.d @~.e @~.f @~.g @hundred @~.list}
		.typedef @~.S = struct<@i32 @f @d @R @Ii @fn @~.u @i64 @~.L>  .typedef @~.u = uptr<@i64>
		.const @~.a <@i32> = -2  .const @~.b <@f> = 1.5f  .const @~.c <@d> = bitsd(0x7ff8000000000001)
		.const @~.d <@R> = NULL  .const @~.g <@~.u> = 0xfffff000
		.typedef @~.L = array<@i100 2>  .const @~.list <@~.L> = {@big @~.neg}  .const @~.neg <@i100> = -1
		.global @~.e <@i64>  .funcdecl @~.f <@one>  .const @~.inf <@d> = -infd  .const @~.nullf <@fn> = NULL
		.const @~.oct <@i64> = 0777  .const @~.over <@i6> = 64`)
	all := constant(t, c, own("@~.all")).(mu.Struct)
	field := func(i int) mu.Value { return must[mu.Value](t)(c.Field(all, i)) }
	if v := field(0).(mu.Int).Int64(); v != -2 {
		t.Errorf("field 0 is %d", v)
	}
	if v := field(1).(mu.Float).Float32(); v != 1.5 {
		t.Errorf("field 1 is %v", v)
	}
	if v := math.Float64bits(field(2).(mu.Double).Float64()); v != 0x7ff8000000000001 {
		t.Errorf("field 2 is %x", v)
	}
	if !field(3).IsNull() || field(6).(mu.UPtr).Addr() != 0xfffff000 || field(7).(mu.Int).Int64() != 100 {
		t.Error("fields 3, 6, 7")
	}
	if !must[bool](t)(c.Same(field(4), global(t, c, own("@~.e")))) || !must[bool](t)(c.Same(field(5), fn(t, c, own("@~.f")))) {
		t.Error("fields 4, 5")
	}
	if v := must[mu.Value](t)(c.Element(field(8), 1)).(mu.Int).Big().BitLen(); v != 100 {
		t.Errorf("element 1 has %d bits", v)
	}
	if v := constant(t, c, own("@~.inf")).(mu.Double).Float64(); !math.IsInf(v, -1) {
		t.Errorf("-inf is %v", v)
	}
	if !constant(t, c, own("@~.nullf")).IsNull() || constant(t, c, own("@~.oct")).(mu.Int).Int64() != 0777 {
		t.Error("NULL of a function, an octal number")
	}
	if v := constant(t, c, own("@~.over")).(mu.Int).Int64(); v != 0 { // 13.2 k: taken modulo 2^6
		t.Errorf("64 in 6 bits is %d", v)
	}
}

// TestTextConstantWidths: elements of list constants are truncated or zero-extended (docs/language.md, "Accepted
// deviations", c).
func TestTextConstantWidths(t *testing.T) {
	c := open(t)
	own := load(t, c, `.typedef @~.S = struct<@i6 @i64 @i100 @i32>  .const @~.all <@~.S> = {@~.n @~.n @~.n @~.w}
		.const @~.n <@i32> = -2  .const @~.w <@i100> = 0x123456789abcdef0fedcba98`)
	all := constant(t, c, own("@~.all")).(mu.Struct)
	for i, want := range []string{"62", "4294967294", "4294967294", "4275878552"} {
		if got := must[mu.Value](t)(c.Field(all, i)).(mu.Int).Big().String(); got != want {
			t.Errorf("field %d is %s, want %s", i, got, want)
		}
	}
}

// TestTextFunctions: a declared function traps when it is called, by the client and by code
// (docs/language.md, "Definitions"), until it is defined.
func TestTextFunctions(t *testing.T) {
	c := open(t)
	own := load(t, c, `.funcdecl @~.f <@one>  .funcdecl @~.g <@~.sig>  .funcsig @~.sig = (@d @R @i100) -> (@~.s @i32)
		.typedef @~.s = struct<@f @R>  .funcdecl @~.t <@one>`)
	f, g := fn(t, c, own("@~.f")), fn(t, c, own("@~.g"))
	ok(t, c.Store(mu.SeqCst, global(t, c, "@slot"), f))
	traps, args := 0, ""
	decide := func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.ThrowExc{Stack: s, Exc: nullRef(t, tc)} }
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		traps++
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		name := must[string](t)(tc.Name(must[mu.ID](t)(tc.CurFunc(cur))))
		keep := must[[]mu.Value](t)(tc.DumpKeepalives(cur))
		ok(t, tc.CloseCursor(cur))
		args = fmt.Sprint(name, " ", len(keep))
		return decide(tc, s)
	})
	want(t, call(t, c, "@calls_slot", 8), -1) // the exception that the handler throws
	if _, err := c.Call(fn(t, c, "@tails_slot"), c.Int(8, 64)); err == nil {
		t.Error("no exception by the tail call")
	}
	if traps != 2 || args != own("@~.f 1") {
		t.Errorf("%d traps, %s", traps, args)
	}
	st := must[mu.StackRef](t)(c.NewStack(f)) // an undefined function as a bottom frame
	ok(t, c.KillStack(st))
	decide = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		ok(t, tc.Define(fn(t, tc, own("@~.f")), fn(t, tc, "@twice")))
		return mu.PassValues{Stack: s}
	}
	want(t, call(t, c, "@calls_slot", 8), 16)
	want(t, call(t, c, "@tails_slot", 9), 18)
	want(t, call(t, c, own("@~.f"), 10), 20)
	if traps != 3 {
		t.Errorf("%d traps", traps)
	}
	// A function with a signature that no code uses: the client can call it, but it cannot be defined.
	decide = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.ThrowExc{Stack: s, Exc: nullRef(t, tc)} }
	var exc *mu.Exception
	if _, err := c.Call(g, c.Double(1), nullRef(t, c), c.Int(3, 100)); !errors.As(err, &exc) {
		t.Errorf("got %v", err)
	}
	if args != own("@~.g 3") {
		t.Errorf("trapped: %s", args)
	}
	wantCode(t, c.Define(g, f), mu.TypeMismatch)
	// The handler pops it and pushes another function instead.
	ok(t, c.Store(mu.SeqCst, global(t, c, "@slot"), fn(t, c, own("@~.t"))))
	decide = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		ok(t, tc.NextFrame(cur))
		ok(t, tc.PopFramesTo(cur))
		ok(t, tc.CloseCursor(cur))
		return mu.PassValues{Stack: s, Values: []mu.Value{tc.Int(4, 64)}}
	}
	want(t, call(t, c, "@calls_slot", 8), 4)
}

func nullRef(t testing.TB, c *mu.Ctx) mu.Ref {
	t.Helper()
	return must[mu.Value](t)(c.Null(typ(t, c, "@R"))).(mu.Ref)
}

// TestTextExpose: an exposed function of a text is called through its pointer, with its cookie;
// a function of a text can be exposed.
func TestTextExpose(t *testing.T) {
	c := open(t)
	own := load(t, c, `.expose @~.e = @back #DEFAULT @~.c  .const @~.c <@i64> = 1000  .funcdecl @~.f <@one>
		.expose @~.x = @~.f #DEFAULT @ten`)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		if site == "" {
			ok(t, tc.Define(fn(t, tc, own("@~.f")), fn(t, tc, "@twice")))
		}
		return mu.PassValues{Stack: s}
	})
	through := func(name string) int64 {
		p := must[mu.UFuncPtr](t)(c.Exposed(must[mu.ID](t)(c.ID(own(name)))))
		wantCode(t, c.Unexpose(p), mu.NotExposed)
		return must[[]mu.Value](t)(c.Call(fn(t, c, "@through"), p, c.Int(7, 64)))[0].(mu.Int).Int64()
	}
	want(t, []int64{through("@~.e"), through("@~.x")}, 1007, 14)
	p := must[mu.UFuncPtr](t)(c.Expose(fn(t, c, own("@~.f")), 0))
	if v := must[[]mu.Value](t)(c.Call(fn(t, c, "@through"), p, c.Int(8, 64)))[0].(mu.Int).Int64(); v != 16 {
		t.Errorf("got %d", v)
	}
	ok(t, c.Unexpose(p))
}

// TestTextErrors: each kind of error has its place; nothing of the text remains.
func TestTextErrors(t *testing.T) {
	c := open(t)
	for _, k := range []struct {
		text string
		code mu.Code
		msgs []string
	}{
		{".typedef @ea = int<64>\n.typedef @eb = \n.global @ec\n.const @ed <@i64> = 08 .global @ee <@i64>", mu.ParseFailed,
			[]string{
				"3:1: bad .typedef @eb: wanted a type constructor such as int<32>, found .global; write .typedef @name = int<64>",
				"4:1: bad .global @ec: wanted <, found .const; write .global @name <@type>",
				"4:21: bad integer 08: a leading 0 means octal, which has no digits 8 and 9"}},
		{".global @ea <@i64> nonsense $ .global @eb", mu.ParseFailed, []string{
			"1:20: wanted a definition such as .typedef, found nonsense",
			"1:42: bad .global @eb: wanted <, found end of file; write .global @name <@type>"}},
		{".funcsig @ea = () - ()", mu.ParseFailed, []string{"1:19: unexpected character -"}},
		{".global @ea <@i64>\n.global @eb <@nothing>\n.typedef @ec = ref<@one>\n.funcdecl @ed <@i64>", mu.BadBundle,
			[]string{"2:14: unknown type @nothing", "3:20: @one is a signature, not a type", "4:16: @i64 is a type, not a signature"}},
		{".typedef @ea = int<0> .typedef @eb = int<129> .typedef @ec = array<@i64 -1>", mu.BadBundle, []string{
			"1:20: @ea: invalid width 0: an int has at least 1 bit", "1:42: @eb: unsupported width 129: an int has at most 128 bits",
			"1:73: @ec: invalid length -1: an array has 1 to 2^64-1 elements"}},
		{".typedef @ea = struct<@i64 @eb>\n.typedef @eb = array<@ec 3>\n.typedef @ec = struct<@ea>", mu.BadBundle,
			[]string{"1:10: @ea contains itself"}},
		{".typedef @ea = struct<@void @text> .typedef @eb = vector<@pair 2> .typedef @ec = hybrid<@i64 @void>", mu.BadBundle, []string{
			"1:23: @ea: invalid field @void: a struct has no field of type void", "1:29: @ea: invalid field @text: a struct has no field of type hybrid",
			"1:58: @eb: invalid element @pair: a vector has scalar elements, not struct",
			"1:94: @ec: invalid variable part @void: a hybrid has no variable part of type void"}},
		{".typedef @ea = struct<@W> .funcsig @eb = (@W) -> (@ea) .const @ec <@ea> = {@null} .global @ed <@text>", mu.BadBundle, []string{
			"1:43: @eb: invalid parameter @W: weakref is not a type of values",
			"1:51: @eb: invalid result @ea: a struct that holds a weakref is not a type of values",
			"1:68: @ec: invalid type @ea of a constant: a struct that holds a weakref is not a type of values",
			"1:96: @ed: invalid type @text of a global cell: it may not be a hybrid"}},
		{".const @ea <@i64> = 1.5d .const @eb <@f> = 1.0d .const @ec <@up> = NULL .const @ed <@pair> = {@i32_7 @ten} .const @ee <@i64> = {@ten}\n" +
			".const @ef <@arr> = {@i32_7 @ten @gcd.v1} .const @eg <@i64> = EXTERN \"x\"", mu.BadBundle, []string{
			"1:21: @ea: invalid double constant for type @i64", "1:44: @eb: invalid double constant for type @f", "1:68: @ec: invalid NULL for type @up",
			"1:94: @ed: @pair has 3 fields, got 2 values", "1:102: @ten: element 1 of @ed wants @R, got @i64",
			"1:128: @ee: invalid list constant for type @i64",
			"2:34: @gcd.v1 is part of a function, not a constant, cell, function or exposed function",
			"2:63: @eg: invalid EXTERN symbol for type @i64"}},
		{".typedef @ea = struct<@eb> .typedef @eb = array<@i64 1> .typedef @ec = struct<@ea> .const @ex <@ec> = {@ey} .const @ey <@ea> = {@ex}", mu.BadBundle, []string{
			"1:129: @ex: element 0 of @ey wants @eb, got @ec", "1:129: @ex: a constant cannot contain itself"}},
		{".const @ea <@up> = EXTERN \"no_such_symbol\"", mu.BadBundle,
			[]string{`1:20: @ea: native symbol "no_such_symbol" is not available: the program does not refer to it`}},
		{".const @ea <@up> = EXTERN \"environ*/\"", mu.BadBundle, []string{`1:20: @ea: bad native symbol "environ*/": '*' cannot be part of a symbol`}},
		{".const @ea <@up> = EXTERN \"\"", mu.BadBundle, []string{"1:20: @ea: bad empty native symbol: write the name that the linker knows"}},
		{".expose @ea = @gcd #FAST @ten .expose @eb = @swapped #DEFAULT @half .expose @ec = @ten #DEFAULT @gcd", mu.BadBundle, []string{
			"1:20: @ea: unknown calling convention #FAST, want #DEFAULT",
			"1:45: @swapped: a native function has at most one result, got 2", "1:63: @half: the cookie of @eb wants type int<64>, got @d",
			"1:83: @ten is a constant, not a function", "1:97: @gcd is a function, not a constant"}},
		{".funcsig @ea = (@i64 @R) -> ()  .funcsig @eb = () -> (@i6)  .funcdecl @ec <@ea>  .funcdecl @ed <@eb>\n" +
			".expose @ee = @ec #DEFAULT @ten  .expose @ef = @ed #DEFAULT @ten", mu.BadBundle, []string{
			"2:15: @ec: parameter 2 of an exposed function has type @R, which is not native-safe; pass a pointer, for example of @uvm.native.pin",
			"2:48: @ed: result of a native function has type @i6 (int<6>), which C does not have"}},
		{".global @ea <@i64>\n.global @cell <@i64>\n.funcdecl @gcd <@two>\n.global @gcd.v1 <@i64>", mu.Conflict,
			[]string{"2:9: @cell redefined", "3:11: @gcd redefined", "4:9: @gcd.v1 redefined"}},
		{".global @ea <@i64> .typedef @ea = float", mu.Conflict, []string{"1:29: @ea redefined (previous definition at 1:9)"}},
		{".global @uvm.meta.bytes <@i64>", mu.Conflict, []string{"1:9: @uvm.meta.bytes redefined: it is predefined"}},
		{".global @uvm.mine <@i64>", mu.BadBundle, []string{"1:9: @uvm.mine: names beginning with @uvm. are reserved"}},
		{".global @ea <@i64>\n  .funcdef @code VERSION %v <@one> { %e(<@i64> %x): RET %x }\n.global @eb <@f>", mu.DynCode,
			[]string{"2:12: @code has a body, and code cannot be made at run time: translate the bundle with the program (-later)"}},
		{".typedef @ea = array<@pair 0xffffffffffffffff> .global @eb <@ea>", mu.OutOfMemory,
			[]string{"1:56: @eb: no memory for a cell of more than " + fmt.Sprint(1<<min(30, bits.UintSize-4)) + " bytes"}},
	} {
		loadFails(t, c, k.text, k.code, k.msgs...)
		for _, n := range []string{"@ea", "@eb", "@ec", "@ed", "@ee", "@ef"} {
			if _, err := c.ID(n); err == nil {
				t.Errorf("%s is there after %s", n, k.text)
			}
		}
	}
	err := c.LoadBundleNamed("dir/a.uir", ".const @ea <@i64> = 1\n.const @ea <@i64> = 1")
	wantCode(t, err, mu.Conflict)
	if want := "load_bundle: dir/a.uir:2:8: @ea redefined (previous definition at dir/a.uir:1:8)"; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	// Names in texts that failed can be used again.
	own := load(t, c, ".global @~.ea <@i64> .typedef @~.eb = struct<@i64 @i64> .const @~.ec <@i64> = 1 .funcdecl @~.ed <@one>")
	loadFails(t, c, own(".global @~.ea <@i64>"), mu.Conflict, "1:9: "+own("@~.ea")+" redefined")
	ok(t, c.LoadBundleText(" // nothing\n"))
}

// TestTextLarge: the time to load a text is in proportion to its size, equal types or not.
func TestTextLarge(t *testing.T) {
	c := open(t)
	var b strings.Builder
	const n = 20000
	for i := range n {
		next := (i + 1) % n
		fmt.Fprintf(&b, ".typedef @~.s%d = struct<@i64 @~.r%d> .typedef @~.r%d = ref<@~.s%d> .const @~.c%d <@i64> = %d\n", i, i, i, next, i, i)
	}
	own := load(t, c, b.String())
	if typ(t, c, own("@~.s0")) != typ(t, c, own("@~.s7")) {
		t.Error("equal types differ")
	}
	if v := constant(t, c, own("@~.c19999")).(mu.Int).Int64(); v != 19999 {
		t.Errorf("got %d", v)
	}
	// A chain of types of one shape that are all different, and a ring that is not regular.
	b.Reset()
	fmt.Fprintf(&b, ".typedef @~.s%d = struct<@i64 @d>", n)
	for i := range n {
		fmt.Fprintf(&b, ".typedef @~.s%d = struct<@i64 @~.r%d> .typedef @~.r%d = ref<@~.s%d>\n", i, i, i, i+1)
	}
	own = load(t, c, b.String())
	if typ(t, c, own("@~.s0")) == typ(t, c, own("@~.s1")) {
		t.Error("different types are equal")
	}
	b.Reset()
	const ring = 200
	for i := range ring {
		el := "@i64"
		if i == 7 {
			el = "@i32"
		}
		fmt.Fprintf(&b, ".typedef @~.s%d = struct<%s @~.r%d> .typedef @~.r%d = ref<@~.s%d>\n", i, el, i, i, (i+1)%ring)
		fmt.Fprintf(&b, ".typedef @~.u%d = struct<%s @~.v%d> .typedef @~.v%d = ref<@~.u%d>\n", i, el, i, i, (i+1)%ring)
	}
	own = load(t, c, b.String())
	for i := range ring {
		if typ(t, c, own(fmt.Sprintf("@~.s%d", i))) != typ(t, c, own(fmt.Sprintf("@~.u%d", i))) {
			t.Fatalf("types %d differ", i)
		}
	}
	if typ(t, c, own("@~.s0")) == typ(t, c, own("@~.s1")) {
		t.Error("different types are equal")
	}
	b.Reset()
	for i := range n {
		fmt.Fprintf(&b, ".typedef @large.a%d = array<@i64 %d> .global @large.g%d <@unknown>\n", i, i+1, i)
	}
	wantCode(t, c.LoadBundleText(b.String()), mu.BadBundle)
}
