package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// mucTests are bundles in the form of muc, and what Fprint writes in the form of 2016, with what is written in place as a
// definition of the name #1, #2 and so on.
var mucTests = []struct{ src, want string }{
	{".typedef t = ref<struct<t int<8>>>", `
.typedef #1 = int<8>
.typedef #2 = struct<@t #1>
.typedef @t = ref<#2>`},
	{".const c <int<8>> = 1 .const d <int<8>> = 2 .global g <array<int<8> 0x4>>", `
.typedef #1 = int<8>
.typedef #2 = array<#1 0x4>
.const @c <#1> = 1
.const @d <#1> = 2
.global @g <#2>`},
	{".const c <struct<int<8> p>> = {<int<8>> 1 <p> EXTERN \"x\"} .typedef p = uptr<void>", `
.typedef #1 = int<8>
.typedef #2 = struct<#1 @p>
.const #3 <#1> = 1
.const #4 <@p> = EXTERN "x"
.typedef #5 = void
.const @c <#2> = {#3 #4}
.typedef @p = uptr<#5>`},
	{".funcdecl f <(int<8> t) -> ()> .expose e = f #DEFAULT <int<64>> 0 .typedef t = funcref<(int<8> t) -> ()>", `
.typedef #1 = int<8>
.funcsig #2 = (#1 @t) -> ()
.typedef #3 = int<64>
.const #4 <#3> = 0
.funcdecl @f <#2>
.expose @e = @f #DEFAULT #4
.typedef @t = funcref<#2>`},
	// Operands are local if the block has such a variable, also one that is defined later.
	{`.funcdef f <s> {
	e(<t> x): y = ADD <t> x z z = ADD <t> @z w BRANCH b(x y w)
	b(<t> w <t> @v)[x]: RET (w v x y) }`, `
.funcdef @f VERSION %v1 <@s> {
%e(<@t> %x):
%y = ADD <@t> %x %z
%z = ADD <@t> @z @w
BRANCH %b(%x %y @w)
%b(<@t> %w <@t> @v) [%x]:
RET (%w @v %x @y)
}`},
	{`.funcdef f VERSION v <s> { %e():
	(r) = [n] CALL <(t) -> (t)> g (<t> NULL x) EXC(a(r <t> NULL) b(y)) KEEPALIVE(x r)
	a(<t> r <t> n): SWITCH <i> <i> 1 a(<t> NULL n) { <i> 1 b(r) @c
		b(<t> NULL) }
	b(<t> x): NEWTHREAD x THREADLOCAL(<ref<void>> NULL) PASS_VALUES <t i> (x <i> 1)
	x = CCALL #DEFAULT <uptr<void> (t) -> ()> <uptr<void>> EXTERN "f" (g)
	SWAPSTACK s RET_WITH <i> THROW_EXC <t> NULL
	COMMINST uvm.new_stack [#A] <i> <[(i) -> () s]> (g)
	RET <float> bitsf(0x1) }`, `
.funcsig #1 = (@t) -> (@t)
.const #2 <@t> = NULL
.const #3 <@i> = 1
.typedef #4 = void
.typedef #5 = ref<#4>
.const #6 <#5> = NULL
.typedef #7 = uptr<#4>
.funcsig #8 = (@t) -> ()
.const #9 <#7> = EXTERN "f"
.funcsig #10 = (@i) -> ()
.typedef #11 = float
.const #12 <#11> = bitsf(0x1)
.funcdef @f VERSION %v <@s> {
%e():
%r = [%n] CALL <#1> @g (#2 @x) EXC ( %a(%r #2) %b(@y) ) KEEPALIVE(@x %r)
%a(<@t> %r <@t> %n):
SWITCH <@i> #3 %a(#2 %n) { #3 %b(%r) @c %b(#2) }
%b(<@t> %x):
NEWTHREAD %x THREADLOCAL(#6) PASS_VALUES <@t @i> (%x #3)
%x = CCALL #DEFAULT <#7 #8> #9 (@g)
SWAPSTACK @s RET_WITH <@i> THROW_EXC #2
COMMINST @uvm.new_stack [#A] <@i> <[#10 @s]> (@g)
RET (#12)
}`},
	// A label has a colon behind its parameters; a destination has not.
	{`.funcdef f <() -> ()> { e(): BRANCH2 <int<1>> 1
		a(<int<8>> 1)
		b()
	a(<int<8>> x): RET ()
	b() [x]: RET () }`, `
.funcsig #1 = () -> ()
.typedef #2 = int<1>
.const #3 <#2> = 1
.typedef #4 = int<8>
.const #5 <#4> = 1
.funcdef @f VERSION %v1 <#1> {
%e():
BRANCH2 #3 %a(#5) %b()
%a(<#4> %x):
RET ()
%b() [%x]:
RET ()
}`},
	{".typedef _a = int<8> .typedef inff.x = int<1> .global ADD-x.y <_a> .global @4 <inff.x> .funcdecl f <()->()>", `
.funcsig #1 = () -> ()
.typedef @_a = int<8>
.typedef @inff.x = int<1>
.global @ADD-x.y <@_a>
.global @4 <@inff.x>
.funcdecl @f <#1>`},
}

// TestMuc: bundles in the form of muc give the tree of the other form, and Fprint keeps the form.
func TestMuc(t *testing.T) {
	for _, tt := range mucTests {
		b := good(t, tt.src)
		if !b.Muc() {
			t.Fatalf("%s\nis not in the form of muc", tt.src)
		}
		text := source(t, b)
		if again := source(t, good(t, text)); again != text {
			t.Errorf("printed:\n%s\nprinted again:\n%s", text, again)
		}
		if got, want := expanded(t, b), strings.TrimPrefix(tt.want, "\n"); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", tt.src, got, want)
		}
	}
}

// expanded writes a bundle in the form of 2016, in the way of mucTests.
func expanded(t *testing.T, b *Bundle) string {
	t.Helper()
	for i, d := range b.Inline {
		_, n := d.Head()
		b.Syms.Spellings(n.Sym, 1)[0] = fmt.Sprintf("#%d", i+1)
	}
	w := *b.Whole()
	w.Bare, w.Inline = nil, nil
	for _, d := range w.Defs {
		if f, ok := d.(*FuncDef); ok {
			f.Unversioned = false
		}
	}
	return strings.TrimSuffix(source(t, &w), "\n")
}

// TestMistakesAreNotMuc: no single mistake makes a text of 2016 one in the form of muc.
func TestMistakesAreNotMuc(t *testing.T) {
	for name, src := range examples(t) {
		if IsMuc([]byte(src)) {
			t.Errorf("%s is in the form of muc", name)
		}
		sc := NewScanner([]byte(src), false)
		for tok := sc.Next(); tok.Off < tok.End; tok = sc.Next() {
			for _, end := range []Off{tok.Off + 1, tok.End} { // without its first character, which may be a sigil; without it
				if one := src[:tok.Off] + src[end:]; IsMuc([]byte(one)) {
					t.Fatalf("%s without %q at %d is in the form of muc", name, src[tok.Off:end], tok.Off)
				}
			}
		}
	}
}

// TestDeepMuc: there is a limit to what is written in one another, and the text of messages does not grow with the depth.
func TestDeepMuc(t *testing.T) {
	deep := func(n int) string {
		return ".typedef t = " + strings.Repeat("ref<", n) + "void" + strings.Repeat(">", n)
	}
	good(t, deep(1000))
	_, errs := parse(t, deep(1001))
	if want := "t.uir:1:4018: bad .typedef t: more than 1000 definitions written one in the other; give an inner one a name\n"; errs != want {
		t.Errorf("got %s, want %s", errs, want)
	}
	if _, errs := parse(t, deep(1_000_000)); len(errs) > 1000 {
		t.Errorf("%d bytes of errors", len(errs))
	}
}
