package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
)

// Images of VMs (live.WriteImage), which the command runs.

// imageVM is a VM with bundles.
func imageVM(t *testing.T, bundles ...string) *mu.Ctx {
	t.Helper()
	vm, err := live.New(mu.Config{LateSymbols: true})
	if err != nil {
		t.Fatal(err)
	}
	c := vm.NewContext()
	t.Cleanup(func() { c.Close(); vm.Close() })
	for _, b := range bundles {
		if err := c.LoadBundleText(b); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// call calls a function of the VM without arguments.
func call(t *testing.T, c *mu.Ctx, name string) []mu.Value {
	t.Helper()
	f, err := c.FuncNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Call(f)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// image writes an image that begins with a function, and returns its file.
func image(t *testing.T, c *mu.Ctx, im live.Image, entry string) string {
	t.Helper()
	var err error
	if im.Entry, err = c.ID(entry); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := live.WriteImage(c, &b, im); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "image.ir")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// runs runs an image in some ways.
type runs func(t *testing.T, file, want string)

func runImages(ways ...[]string) runs {
	return func(t *testing.T, file, want string) {
		t.Helper()
		for _, w := range ways {
			w = append(w[:len(w):len(w)], file)
			var out, errs bytes.Buffer
			if status := Main(w, nil, &out, &errs); status != statusOK || errs.String() != "" || out.String() != want {
				t.Errorf("%s: status %d\n%s%s\nwant\n%s", strings.Join(w, " "), status, out.String(), errs.String(), want)
			}
		}
	}
}

var imageTests = map[string]func(t *testing.T, run runs){"types": testImageTypes, "heap": testImageHeap, "code": testImageCode}

// TestImages interprets images.
func TestImages(t *testing.T) {
	for name, test := range imageTests {
		t.Run(name, func(t *testing.T) { test(t, runImages([]string{"run", "-interp"})) })
	}
}

// TestLongImages builds images.
func TestLongImages(t *testing.T) {
	longtest.Only(t)
	for name, test := range imageTests {
		t.Run(name, func(t *testing.T) { test(t, runImages([]string{"run"}, []string{"run", "-O0"})) })
	}
}

const imageTypes = `
	.typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @i16 = int<16> .typedef @i32 = int<32> .typedef @i64 = int<64> .typedef @i128 = int<128> .typedef @i52 = int<52> .typedef @i6 = int<6>
	.typedef @f = float .typedef @d = double .typedef @v = void .typedef @rv = ref<@v> .typedef @t = tagref64
	.funcsig @none = () -> () .typedef @fn = funcref<@none> .typedef @stack = stackref
	.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @2 <@i64> = 2 .const @3 <@i64> = 3`

// testImageTypes checks that values of each type come out as they went in.
func testImageTypes(t *testing.T, run runs) {
	c := imageVM(t, imageTypes, `
		.typedef @four = vector<@f 4> .typedef @rows = array<@in 3> .typedef @in = struct<@i8 @i16>
		.typedef @all = struct<@i1 @i8 @i16 @i32 @i64 @i128 @f @d @four @rows @t @t @t @fn @p @fp>
		.typedef @p = uptr<@v> .typedef @fp = ufuncptr<@none>
		.const @c1 <@i1> = 1 .const @c8 <@i8> = -3 .const @c16 <@i16> = 0x1234 .const @c32 <@i32> = -70000 .const @c64 <@i64> = 0x123456789abcdef0
		.const @c128 <@i128> = 0x123456789abcdef00fedcba987654321 .const @cf <@f> = 1.5f .const @cd <@d> = -2.25d
		.const @cfour <@four> = {@cf @zf @cf @cf} .const @zf <@f> = 0.0f
		.const @cin <@in> = {@c8 @c16} .const @zin <@in> = {@z8 @z16} .const @z8 <@i8> = 0 .const @z16 <@i16> = 0 .const @crows <@rows> = {@zin @cin @cin}
		.const @c52 <@i52> = 77 .const @tag <@i6> = 9 .const @cp <@p> = 0x7777 .const @cfp <@fp> = 0x8888
		.global @g <@all> .global @ref <@t>
		.funcdef @fill VERSION %v <@none> { %e():
			%o = NEW <@i64> %vo = REFCAST <@ri @rv> %o
			%td = COMMINST @uvm.tr64.from_fp (@cd) %ti = COMMINST @uvm.tr64.from_int (@c52) %tr = COMMINST @uvm.tr64.from_ref (%vo @tag)
			%f0 = GETFIELDIREF <@all 0> @g STORE <@i1> %f0 @c1   %f1 = GETFIELDIREF <@all 1> @g STORE <@i8> %f1 @c8
			%f2 = GETFIELDIREF <@all 2> @g STORE <@i16> %f2 @c16 %f3 = GETFIELDIREF <@all 3> @g STORE <@i32> %f3 @c32
			%f4 = GETFIELDIREF <@all 4> @g STORE <@i64> %f4 @c64 %f5 = GETFIELDIREF <@all 5> @g STORE <@i128> %f5 @c128
			%f6 = GETFIELDIREF <@all 6> @g STORE <@f> %f6 @cf    %f7 = GETFIELDIREF <@all 7> @g STORE <@d> %f7 @cd
			%f8 = GETFIELDIREF <@all 8> @g STORE <@four> %f8 @cfour  %f9 = GETFIELDIREF <@all 9> @g STORE <@rows> %f9 @crows
			%f10 = GETFIELDIREF <@all 10> @g STORE <@t> %f10 %td %f11 = GETFIELDIREF <@all 11> @g STORE <@t> %f11 %ti %f12 = GETFIELDIREF <@all 12> @g STORE <@t> %f12 %tr
			%f13 = GETFIELDIREF <@all 13> @g STORE <@fn> %f13 @fill
			%f14 = GETFIELDIREF <@all 14> @g STORE <@p> %f14 @cp %f15 = GETFIELDIREF <@all 15> @g STORE <@fp> %f15 @cfp
			RET () }
		.typedef @ri = ref<@i64>
		.funcdef @main VERSION %v <@none> { %e(): %g = LOAD <@all> @g [@all.there] TRAP <> KEEPALIVE(%g) RET () }`)
	call(t, c, "@fill")
	run(t, image(t, c, live.Image{}, "@main"),
		"trap all.there g={1 -3 4660 -70000 1311768467463790320 24197857203266734864629346612071973665 1.5 -2.25 [1.5 0 1.5 1.5] [{0 0} {-3 4660} {-3 4660}] fp(-2.25) int(77) ref(ref,9) @fill 0x7777 0x8888}\n")
}

// testImageHeap checks cycles, shared objects, hybrids, places inside of objects and cells, weak references, and objects that
// only a place inside of them keeps alive.
func testImageHeap(t *testing.T, run runs) {
	c := imageVM(t, imageTypes, `
		.typedef @node = struct<@i64 @rn @in> .typedef @rn = ref<@node> .typedef @in = iref<@i64> .typedef @w = weakref<@node>
		.typedef @hy = hybrid<@i8 @pair> .typedef @pair = struct<@i64 @rn> .typedef @rh = ref<@hy> .typedef @arr = array<@pair 3>
		.const @nil <@rn> = NULL
		.global @a <@rn> .global @b <@rn> .global @h <@rh> .global @arr.g <@arr> .global @at <@in> .global @back <@in> .global @weak <@w> .global @lost <@w> .global @inside <@in>
		.funcdef @fill VERSION %v <@none> { %e():
			%x = NEW <@node> %y = NEW <@node> %xi = GETIREF <@node> %x %yi = GETIREF <@node> %y
			%xn = GETFIELDIREF <@node 1> %xi STORE <@rn> %xn %y %yn = GETFIELDIREF <@node 1> %yi STORE <@rn> %yn %x
			%x0 = GETFIELDIREF <@node 0> %xi STORE <@i64> %x0 @1 %y0 = GETFIELDIREF <@node 0> %yi STORE <@i64> %y0 @2
			%x2 = GETFIELDIREF <@node 2> %xi STORE <@in> %x2 %y0
			STORE <@rn> @a %x STORE <@rn> @b %x STORE <@w> @weak %y
			%l = NEW <@node> STORE <@w> @lost %l
			%h = NEWHYBRID <@hy @i64> @3 STORE <@rh> @h %h %hi = GETIREF <@hy> %h %hv = GETVARPARTIREF <@hy> %hi %h2 = SHIFTIREF <@pair @i64> %hv @2
			%h20 = GETFIELDIREF <@pair 0> %h2 STORE <@i64> %h20 @3 STORE <@in> @at %h20 %h21 = GETFIELDIREF <@pair 1> %h2 STORE <@rn> %h21 %y
			%g1 = GETELEMIREF <@arr @i64> @arr.g @1 %g10 = GETFIELDIREF <@pair 0> %g1 STORE <@i64> %g10 @2 STORE <@in> @back %g10
			%o = NEW <@pair> %oi = GETIREF <@pair> %o %o0 = GETFIELDIREF <@pair 0> %oi STORE <@i64> %o0 @3 STORE <@in> @inside %o0
			RET () }
		.funcdef @main VERSION %v <@none> { %e():
			%a = LOAD <@rn> @a %b = LOAD <@rn> @b %shared = EQ <@rn> %a %b
			%ai = GETIREF <@node> %a %an = GETFIELDIREF <@node 1> %ai %y = LOAD <@rn> %an
			%yi = GETIREF <@node> %y %yn = GETFIELDIREF <@node 1> %yi %z = LOAD <@rn> %yn %cycle = EQ <@rn> %a %z
			%a2 = GETFIELDIREF <@node 2> %ai %in = LOAD <@in> %a2 %y0 = GETFIELDIREF <@node 0> %yi %same = EQ <@in> %in %y0 %two = LOAD <@i64> %in
			%w = LOAD <@w> @weak %weak = EQ <@rn> %w %y %l = LOAD <@w> @lost %lost = EQ <@rn> %l @nil
			%at = LOAD <@in> @at %three = LOAD <@i64> %at
			%h = LOAD <@rh> @h %hi = GETIREF <@hy> %h %hv = GETVARPARTIREF <@hy> %hi %h2 = SHIFTIREF <@pair @i64> %hv @2 %h21 = GETFIELDIREF <@pair 1> %h2 %hy = LOAD <@rn> %h21 %inhybrid = EQ <@rn> %hy %y
			%back = LOAD <@in> @back %g1 = GETELEMIREF <@arr @i64> @arr.g @1 %g10 = GETFIELDIREF <@pair 0> %g1 %incell = EQ <@in> %back %g10
			%i = LOAD <@in> @inside %kept = LOAD <@i64> %i
			[@heap.there] TRAP <> KEEPALIVE(%shared %cycle %same %two %weak %lost %three %inhybrid %incell %kept) RET () }`)
	call(t, c, "@fill")
	run(t, image(t, c, live.Image{}, "@main"), "trap heap.there shared=1 cycle=1 same=1 two=2 weak=1 lost=1 three=3 inhybrid=1 incell=1 kept=3\n")
}

// testImageCode checks which bodies are in an image, and what Only and ThreadLocal mean.
func testImageCode(t *testing.T, run runs) {
	c := imageVM(t, imageTypes, `
		.funcsig @get = () -> (@i64) .global @n <@i64> .global @other <@i64> .typedef @ri = ref<@i64>
		.funcdef @value VERSION %v1 <@get> { %e(): RET @1 }
		.funcdef @unused VERSION %v1 <@get> { %e(): RET @1 }
		.funcdef @main VERSION %v <@get> { %e(): %x = CALL <@get> @value () %n = LOAD <@i64> @n
			%l = COMMINST @uvm.get_threadlocal %r = REFCAST <@rv @ri> %l %i = GETIREF <@i64> %r %local = LOAD <@i64> %i
			[@code.there] TRAP <> KEEPALIVE(%x %n %local) STORE <@i64> @n @3 RET @3 }`,
		".funcdef @value VERSION %v2 <@get> { %e(): RET @2 }")
	i64, err := c.TypeNamed("@i64")
	if err != nil {
		t.Fatal(err)
	}
	local, err := c.NewFixed(i64)
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.IRef(local)
	if err == nil {
		err = c.Store(mu.NotAtomic, at, c.Int(42, 64))
	}
	if err != nil {
		t.Fatal(err)
	}
	id, err := c.ID("@main")
	if err != nil {
		t.Fatal(err)
	}
	file := image(t, c, live.Image{Only: []mu.ID{id}, ThreadLocal: local}, "@main")
	run(t, file, "trap code.there x=2 n=0 local=42\n") // the result is not the exit status
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"@unused", "@other", "@value.v1"} {
		if strings.Contains(string(text), name) {
			t.Errorf("%s is in the image", name)
		}
	}
	if whole, err := os.ReadFile(image(t, c, live.Image{ThreadLocal: local}, "@main")); err != nil || !strings.Contains(string(whole), "func @unused") {
		t.Errorf("@unused is not in the image: %v", err)
	}
}

// TestImageFaults checks what is said about a VM of which there can be no image.
func TestImageFaults(t *testing.T) {
	for _, test := range []struct{ bundle, fill, entry, want string }{
		{`.global @s <@stack> .funcdef @fill VERSION %v <@none> { %e(): %x = COMMINST @uvm.new_stack <[@none]> (@fill) STORE <@stack> @s %x RET () }`, "@fill", "@fill",
			"the cell @s has a stackref, which an image cannot have"},
		{`.typedef @ii = iref<@i64> .global @i <@ii> .funcdef @fill VERSION %v <@none> { %e(): %x = ALLOCA <@i64> STORE <@ii> @i %x RET () }`, "@fill", "@fill",
			"the cell @i has an iref to memory that is neither in a cell nor in an object"},
		{`.funcdecl @fun <@none>`, "", "@fun", "the entry function @fun is declared but not defined"},
		{`.funcsig @one = (@i64) -> () .funcdef @fun VERSION %v <@one> { %e(<@i64> %x): RET () }`, "", "@fun", "the entry function @fun has the signature (int<64>) -> (): want no parameters"},
		{`.global @g <@i64>`, "", "@g", "is not the ID of a function"},
	} {
		c := imageVM(t, imageTypes, test.bundle)
		if test.fill != "" {
			call(t, c, test.fill)
		}
		id, err := c.ID(test.entry)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		err = live.WriteImage(c, &b, live.Image{Entry: id})
		if !errors.Is(err, mu.DynCode) || !strings.Contains(err.Error(), test.want) || b.Len() > 0 {
			t.Errorf("%s: %v\nwant %s", test.bundle, err, test.want)
		}
	}
}

// TestLongImagesOfExamples makes an image of each example right after loading, and compares what it prints with what the
// example prints.
func TestLongImagesOfExamples(t *testing.T) {
	longtest.Only(t)
	n := 0
	for _, ending := range transpile.Dialects.Endings() {
		files, err := filepath.Glob("../../examples/*/*" + ending)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := transpile.Load([]transpile.Source{{Name: file, Text: text}}, transpile.Options{})
			if p == nil {
				continue // a part of an example
			}
			entry, err := p.EntryFunction()
			if err != nil || len(p.CSymbols()) > 0 {
				continue
			}
			vm, err := live.New(mu.Config{})
			if err != nil {
				t.Fatal(err)
			}
			c := vm.NewContext()
			err = c.LoadBundleNamed(file, string(text))
			var id mu.ID
			if err == nil {
				id, err = c.ID(entry.Name)
			}
			var b bytes.Buffer
			if err == nil {
				err = live.WriteImage(c, &b, live.Image{Entry: id})
			}
			c.Close()
			vm.Close()
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			image := filepath.Join(t.TempDir(), "image.ir")
			if err := os.WriteFile(image, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			run := func(file string) string {
				var out, errs bytes.Buffer
				status := Main([]string{"run", "-interp", file}, nil, &out, &errs)
				return fmt.Sprintf("%s%d lines of errors, failed %v", out.String(), strings.Count(errs.String(), "\n"), status > statusUsage)
			}
			if is, want := run(image), run(file); is != want {
				t.Errorf("%s: the image prints\n%s\nwant\n%s", file, is, want)
			}
			n++
		}
	}
	if n < 20 {
		t.Errorf("%d examples", n)
	}
}
