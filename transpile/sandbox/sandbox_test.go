package sandbox_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/sandbox"
)

const prelude = `.typedef @i8 = int<8> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @p = uptr<@i64> .funcsig @v = () -> () .const @1 <@i64> = 1 .const @9 <@i64> = 9 .typedef @a = array<@i64 4> .typedef @ra = ref<@a> .typedef @f = funcref<@v> .typedef @s = struct<@f @i64> .typedef @rs = ref<@s> .funcsig @n = (@p) -> (@i32) .typedef @fp = ufuncptr<@n> .const @nil <@p> = 0
`

// TestCheck: what a program is refused at each level, "" for nothing. The instruction of interest is on line 2.
func TestCheck(t *testing.T) {
	body := func(code string) string {
		return prelude + ".funcdef @main VERSION %v <@v> { %e(): " + code + " COMMINST @uvm.thread_exit }"
	}
	// coroutine passes a reference to a new object to a function with a parameter of type ref<@a>.
	coroutine := func(object, ref string) string {
		return prelude + ".funcsig @c = (@ra) -> () .funcdef @co VERSION %v <@c> { %e(<@ra> %r): COMMINST @uvm.thread_exit }\n" +
			".funcdef @main VERSION %v <@v> { %e(): %r = NEW <" + object + "> %s = COMMINST @uvm.new_stack <[@c]> (@co) SWAPSTACK %s KILL_OLD PASS_VALUES <" + ref + "> (%r) }"
	}
	element := "%r = NEW <@a> %i = GETIREF <@a> %r %p = GETELEMIREF <@a @i64> %i "
	for _, tt := range []struct{ name, text, interpreted, checked, unchecked string }{
		{"symbol", prelude + `.const @x <@fp> = EXTERN "system"`,
			`a.uir:2:8: sandbox: native symbol "system" is not allowed; -sandbox-allow system allows it`, "same", "same"},
		{"symbol that computes", prelude + `.const @x <@fp> = EXTERN "sin"`, "", "", ""},
		{"address", prelude + `.const @x <@p> = 0x1234`,
			"a.uir:2:8: sandbox: the address 0x1234 is a number; a pointer comes from @uvm.native.pin", "same", "same"},
		{"cast from a number", body("%q = PTRCAST <@i64 @p> @9"),
			"a.uir:2:45: sandbox: @main: PTRCAST makes a pointer from a number; a pointer comes from @uvm.native.pin", "same", "same"},
		{"access", body("%q = LOAD PTR <@i64> @nil"), "", "a.uir:2:45: sandbox: @main: load through a pointer; use an iref", "same"},
		{"constant index", body(element + "@1 STORE <@i64> %p @9"), "", "", ""},
		{"index behind the end", body(element + "@9"), "", "",
			"a.uir:2:80: sandbox: @main: getelemiref: nothing checks here that the location is in its object; use constant indices, or run without -live"},
		{"function from data", body("%r = NEW <@a> %c = REFCAST <@ra @rs> %r"), "",
			"a.uir:2:59: sandbox: @main: REFCAST from @ra to @rs, where memory has references to functions, stacks or threads",
			"a.uir:2:59: sandbox: @main: REFCAST from @ra to @rs: nothing checks here what the memory holds; run without -live"},
		{"cell", body("%c = ALLOCA <@i64>"), "", "", "a.uir:2:45: sandbox: @main: alloca: nothing checks here that the cell still exists; use NEW, or run without -live"},
		{"references of one type", coroutine("@a", "@ra"), "", "",
			"a.uir:3:59: sandbox: @main: newstack of a function with a parameter of type @ra: nothing checks here that the other stack takes it for the same; pass data, or run without -live (and 1 more)"},
		// The other function would store data where this one has put a function.
		{"references of two types", coroutine("@s", "@rs"), "",
			"a.uir:3:96: sandbox: @main: swapstack passes a value of type @rs, where another passes @ra (a.uir:3:59): nothing checks that the other stack takes it for the same; pass references of one type only",
			"a.uir:3:59: sandbox: @main: newstack of a function with a parameter of type @ra: nothing checks here that the other stack takes it for the same; pass data, or run without -live (and 1 more)"},
	} {
		want := tt.interpreted
		for level, next := range []string{want, tt.checked, tt.unchecked} {
			if next != "same" {
				want = next
			}
			opt := transpile.Options{Sandbox: &transpile.Sandbox{Level: sandbox.Level(level)}}
			_, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: []byte(tt.text)}}, opt)
			got := ""
			if diags.HasErrors() {
				got = diags.Error()
			}
			if got != want {
				t.Errorf("%s, level %d:\n got %s\nwant %s", tt.name, level, got, want)
			}
		}
	}
}

// TestOutside: a program in a sandbox has no code from elsewhere.
func TestOutside(t *testing.T) {
	const native, other = "sandbox: native libraries are not available", "sandbox: the program cannot get other code, or be inspected"
	src := []transpile.Source{{Name: "a.uir", Text: []byte(".funcsig @s = () -> () .funcdef @main VERSION %v <@s> { %e(): RET () }")}}
	for _, c := range []struct {
		name, want string
		set        func(*transpile.Options)
	}{
		{"nothing", "", func(*transpile.Options) {}},
		{"Libs", native, func(o *transpile.Options) { o.Libs = []string{"/lib/libm.so"} }},
		{"NativeC", native, func(o *transpile.Options) { o.NativeC = true }},
		{"Cgo", native, func(o *transpile.Options) { o.Cgo = true }},
		{"Library", native, func(o *transpile.Options) { o.Library = true }},
		{"CgoFlags", native, func(o *transpile.Options) { o.CgoFlags = []string{"CFLAGS: -DX"} }},
		{"Live", other, func(o *transpile.Options) { o.Live = true }},
		{"Introspect", other, func(o *transpile.Options) { o.Introspect = true }},
		{"Unit", other, func(o *transpile.Options) { o.Unit = true }},
	} {
		opt := transpile.Options{Sandbox: &transpile.Sandbox{}}
		c.set(&opt)
		_, diags := transpile.Load(src, opt)
		if err := diags.Err(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
