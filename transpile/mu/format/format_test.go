package format

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

func TestSource(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty", "", ""},
		{"blank", "\n \r\n\t\n", ""},
		{"comment alone", "\n\n// c  \n\n", "// c\n"},
		{"definitions", `
.typedef @i64=int < 64 > .typedef @void = void
.typedef   @r = ref<@i64>



.typedef @s=struct<@i64   @r>
.const @a<@i64>=1
.const @long <@r>=NULL
.const @b <@i64> = {  }
.const @c <@i64> = { @a @b }
.const @d <@i64> = bitsd ( 0x1 )
.global @g<@i64>
.global @gg<@i64>
.funcsig @s=( @a  @b )->()
.funcsig @sig = ()->(@a)
.funcdecl @f<@s>
.expose @e=@f #DEFAULT @a
`, `.typedef @i64  = int<64>
.typedef @void = void
.typedef @r    = ref<@i64>

.typedef @s = struct<@i64 @r>
.const @a    <@i64> = 1
.const @long <@r>   = NULL
.const @b    <@i64> = {}
.const @c    <@i64> = {@a @b}
.const @d    <@i64> = bitsd(0x1)
.global @g  <@i64>
.global @gg <@i64>
.funcsig @s   = (@a @b) -> ()
.funcsig @sig = () -> (@a)
.funcdecl @f <@s>
.expose @e = @f #DEFAULT @a
`},
		{"function", `.funcdef @f VERSION %v<@s>{%a(<@i>%x<@i> %y )[ %e ] :

%r=ADD<@i>%x %y
%rr = [%n]LOAD PTR SEQ_CST<@i>%p
STORE<@i>%p %rr
(%o %k)=CMPXCHG WEAK ACQ_REL RELAXED<@i>%p %r %rr
SWITCH<@i>%x %d (%x) {@c1 %b( )

@c2 %b ( %x )}


%b( ):RET( )
%c():
RET%x

}`, `.funcdef @f VERSION %v <@s> {
    %a(<@i> %x <@i> %y) [%e]:
        %r  = ADD <@i> %x %y
        %rr = [%n] LOAD PTR SEQ_CST <@i> %p
        STORE <@i> %p %rr
        (%o %k) = CMPXCHG WEAK ACQ_REL RELAXED <@i> %p %r %rr
        SWITCH <@i> %x %d(%x) {
            @c1 %b()

            @c2 %b(%x)
        }

    %b():
        RET ()
    %c():
        RET %x
}
`},
		{"calls", `.funcdef @f VERSION %v <@s> { %a():
CALL<@s>@g(%x %y)EXC ( %n ( %x ) %e ( ) )KEEPALIVE ( %x )
COMMINST @c[#A #B]<@t><[@s]>( %x )
COMMINST @c ()
TRAP<>KEEPALIVE()
CCALL #DEFAULT<@p @s>@g()
NEWTHREAD %s THREADLOCAL ( %t )PASS_VALUES<>()
SWAPSTACK %s RET_WITH<@t>THROW_EXC %e
SWAPSTACK %s KILL_OLD PASS_VALUES <@t>(%x)
WATCHPOINT 1<>%a()%b()WPEXC(%c())
SWITCH <@i> %x %d() { }
BRANCH2 %c %a ( ) %b ( )
RET(%x %y) } `, `.funcdef @f VERSION %v <@s> {
    %a():
        CALL <@s> @g (%x %y) EXC(%n(%x) %e()) KEEPALIVE(%x)
        COMMINST @c [#A #B] <@t> <[@s]> (%x)
        COMMINST @c ()
        TRAP <> KEEPALIVE()
        CCALL #DEFAULT <@p @s> @g ()
        NEWTHREAD %s THREADLOCAL(%t) PASS_VALUES <> ()
        SWAPSTACK %s RET_WITH <@t> THROW_EXC %e
        SWAPSTACK %s KILL_OLD PASS_VALUES <@t> (%x)
        WATCHPOINT 1 <> %a() %b() WPEXC(%c())
        SWITCH <@i> %x %d() {}
        BRANCH2 %c %a() %b()
        RET (%x %y)
}
`},
		{"comments", `// head
   // head 2

.typedef @a = void // a
.typedef @bb = void// bb   
// between

//
.typedef @c = struct< // open
@a // in
// own
@b> // shut
.funcdef @f VERSION %v <@s> { // f

// above a
%a(): // a

// above r
%r = ADD <@i> // mid
%x %y
%qq = ADD <@i> %x %y // after
// above switch
SWITCH <@i> %x %d() { // sw
// case
@c %a() // c

// end of switch
}
SWITCH <@i> %x %d() {
//only
}
// end of f
}
// last
`, `// head
// head 2

.typedef @a  = void  // a
.typedef @bb = void  // bb
// between

//
.typedef @c = struct<  // open
    @a  // in
    // own
    @b>  // shut
.funcdef @f VERSION %v <@s> {  // f
    // above a
    %a():  // a
        // above r
        %r = ADD <@i>  // mid
                %x %y
        %qq = ADD <@i> %x %y  // after
        // above switch
        SWITCH <@i> %x %d() {  // sw
            // case
            @c %a()  // c

            // end of switch
        }
        SWITCH <@i> %x %d() {
            //only
        }
        // end of f
}
// last
`},
		{"lists", `.const @c <@t> = {
@a @b

@c
}
.funcsig @s = (@a
@b) ->
(@c)
.funcdef @f VERSION %v <@s> {
%a(<@i> %x
<@i> %y):
CALL <@s>
@g
(%x
%y) EXC(%n()
%e())
RET (
%x
)
}`, `.const @c <@t> = {
    @a @b
    @c
}
.funcsig @s = (@a
    @b) -> (@c)
.funcdef @f VERSION %v <@s> {
    %a(<@i> %x
            <@i> %y):
        CALL <@s> @g (%x
                %y) EXC(%n()
                %e())
        RET (
                %x
                )
}
`},
		{"wide", `.funcdef @f VERSION %v <@s> {
%a():
%result = CALL <@signature> @function_with_a_name (%argument1 %argument2) EXC(%n(%result) %e())
%result = CALL <@signature> @function_with_a_name (%argument1 %argument2) EXC(%normal(%result) %e())
%r = CALL <@signature> @function_with_a_name (%argument1 %argument2) EXC(%normal(%result) %exc()) KEEPALIVE(%a)
%r = CALL <@signature> @function (%argument1 %argument2 %a) KEEPALIVE(%argument1 %argument2 %argument3)
%r = CALL <@signature> @function_name () EXC(%normal_destination(%r %argument1 %argument2) %exc()) KEEPALIVE(%a1 %a2)
}`, `.funcdef @f VERSION %v <@s> {
    %a():
        %result = CALL <@signature> @function_with_a_name (%argument1 %argument2)
                EXC(%n(%result) %e())
        %result = CALL <@signature> @function_with_a_name (%argument1 %argument2)
                EXC(%normal(%result) %e())
        %r = CALL <@signature> @function_with_a_name (%argument1 %argument2)
                EXC(%normal(%result) %exc()) KEEPALIVE(%a)
        %r = CALL <@signature> @function (%argument1 %argument2 %a)
                KEEPALIVE(%argument1 %argument2 %argument3)
        %r = CALL <@signature> @function_name ()
                EXC(%normal_destination(%r %argument1 %argument2) %exc()) KEEPALIVE(%a1 %a2)
}
`},
		{"very wide", `.funcdef @f VERSION %v <@s> {
%a():
%r = CALL <@signature> @function_name () EXC(%normal_destination(%r %argument1 %argument2) %exc()) KEEPALIVE(%a1 %a2 %a3 %a4)
}`, `.funcdef @f VERSION %v <@s> {
    %a():
        %r = CALL <@signature> @function_name ()
                EXC(%normal_destination(%r %argument1 %argument2) %exc())
                KEEPALIVE(%a1 %a2 %a3 %a4)
}
`},
		{"outliers", `.typedef @a = void
.typedef @abcdefghijklmnopqrstu = void
.typedef @abcdefghijklmnopqrstuv = void
.typedef @a = void
`, `.typedef @a                     = void
.typedef @abcdefghijklmnopqrstu = void
.typedef @abcdefghijklmnopqrstuv = void
.typedef @a = void
`},
		{"line ends and byte order mark", "\xef\xbb\xbf.typedef @a = void // x\r\n\r\n\r\n.typedef @b = void\r// c\r", ".typedef @a = void  // x\n\n.typedef @b = void\n// c\n"},
		{"form of muc", `// f
.typedef t=ref<struct<  int< 8 >  t>> .typedef long=int<1> .const  c<t>=NULL
.const dd<struct<int<8>>> = {  <int<8>>1 }
.funcsig s=(int<8> t)->( )
.funcdecl g<(t int<8>)->( )>.expose e=g #DEFAULT <int<64>>0
.funcdef f<(t int<8>)->( )>{ // here
e(<t>a <int<8>>b)[x]:r=ADD<int<8>>b <int<8>>1 long=ADD<int<8>>b b
[here]TRAP<>EXC(n(r <int<8>>2)e2())KEEPALIVE(r)
n(<int<8>>r <int<8>>s):CALL<(t int<8>)->()>g(<t>NULL s)
SWITCH<int<8>>r e2(){<int<8>>1 e2()
// two
<int<8>>
2 n(<int<8>>1 r)}
e2()[ x ]:v=NEW<struct<int<8>>>RET<struct<int<8>>>{<int<8>>1}}
`, `// f
.typedef t    = ref<struct<int<8> t>>
.typedef long = int<1>
.const c  <t> = NULL
.const dd <struct<int<8>>> = {<int<8>> 1}
.funcsig s = (int<8> t) -> ()
.funcdecl g <(t int<8>) -> ()>
.expose e = g #DEFAULT <int<64>> 0
.funcdef f <(t int<8>) -> ()> {  // here
    e(<t> a <int<8>> b) [x]:
        r    = ADD <int<8>> b <int<8>> 1
        long = ADD <int<8>> b b
        [here] TRAP <> EXC(n(r <int<8>> 2) e2()) KEEPALIVE(r)
    n(<int<8>> r <int<8>> s):
        CALL <(t int<8>) -> ()> g (<t> NULL s)
        SWITCH <int<8>> r e2() {
            <int<8>> 1 e2()
            // two
            <int<8>> 2 n(<int<8>> 1 r)
        }
    e2() [x]:
        v = NEW <struct<int<8>>>
        RET <struct<int<8>>> { <int<8>> 1 }
}
`},
		{"comment bytes", "// \xff é \t\n", "// \xff é\n"},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			got, err := Source("t.uir", []byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			check(t, []byte(tt.src))
		})
	}
}

func TestErrors(t *testing.T) {
	_, err := Source("t.uir", []byte(".typedef @a = 5\n.typedef"))
	var list *diag.List
	if !errors.As(err, &list) || list.Errors() != 2 {
		t.Fatalf("got %v", err)
	}
	if got := err.Error(); !strings.HasPrefix(got, "t.uir:1:15: ") {
		t.Errorf("got %s", got)
	}
}

// read parses a source without errors and returns its tree and comments as text.
func read(t *testing.T, src []byte) (tree, comments string) {
	t.Helper()
	set := diag.NewSet()
	f, err := set.Add("t.uir", src)
	if err != nil {
		t.Fatal(err)
	}
	errs := diag.NewList(set)
	b := syntax.Parse(f, syntax.NewSymbols(), errs, syntax.WithComments)
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	var buf bytes.Buffer
	syntax.Fprint(&buf, b)
	var cs strings.Builder
	for _, c := range b.Comments {
		cs.WriteString(strings.TrimRight(b.Text(c.Off, c.End), " \t") + "\n")
	}
	return buf.String(), cs.String()
}

// check tests properties of formatting that hold for every bundle: it keeps tree and
// comments, and formatting again changes nothing.
func check(t *testing.T, src []byte) {
	t.Helper()
	once, err := Source("t.uir", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	tree, comments := read(t, src)
	tree1, comments1 := read(t, once)
	if tree != tree1 {
		t.Errorf("formatting changes\n%s\ninto\n%s", src, once)
	}
	if comments != comments1 {
		t.Errorf("comments\n%s\nbecome\n%s\nin\n%s", comments, comments1, once)
	}
	twice, err := Source("t.uir", once)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(once, twice) {
		t.Errorf("formatted\n%s\nformatted again\n%s", once, twice)
	}
}

func examples(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../syntax/testdata/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	var srcs [][]byte
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		srcs = append(srcs, src)
	}
	return append(srcs, []byte(inMuc))
}

// inMuc is an example in the form of muc.
const inMuc = `.typedef t = ref<struct<int<8> t array<t 3>>>
.const c <struct<int<8> t>> = {<int<8>> 1 <t> NULL}
.funcdef f <(t int<8>) -> (int<8>)> {
    e(<t> a <int<8>> b) [x]:
        r = [i] ADD <int<8>> b <int<8>> -1
        CALL <(t int<8>) -> (int<8>)> f (<t> NULL r) EXC(n(r <int<8>> 2) e2()) KEEPALIVE(r)
    n(<int<8>> r <int<8>> s):
        SWITCH <int<8>> r e3(<struct<int<8>>> { <int<8>> 1 }) {
            <int<8>> 1 e3(<struct<int<8>>> { <int<8>> 2 })
            <int<8>> 2 n(<int<8>> 1 r)
        }
    e3(<struct<int<8>>> x):
        RET <int<8>> 1
    e2() [x]:
        (@v w) = ADD [#N] <int<8>> <int<8>> 1 <int<8>> 2
        RET <int<8>> 5
}
`

// shuffle puts random white space and comments between the tokens of src.
func shuffle(src []byte, rng *rand.Rand) []byte {
	var out bytes.Buffer
	sc := syntax.NewScanner(src, syntax.IsMuc(src))
	for {
		t := sc.Next()
		n := rng.Intn(20)
		switch {
		case n < 8:
			out.WriteByte(' ')
		case n < 12:
			out.WriteString("\n")
		case n < 14:
			out.WriteString(" \r\n\t\n\n ")
		case n < 15:
			fmt.Fprintf(&out, " // c%d \n", rng.Intn(1000))
		case n < 16:
			fmt.Fprintf(&out, "\n//c%d\n\n//d\n", rng.Intn(1000))
		default:
			out.WriteByte(' ')
		}
		if t.Off == t.End {
			return out.Bytes()
		}
		out.Write(src[t.Off:t.End])
	}
}

func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, src := range examples(t) {
		check(t, src)
		for range 30 {
			check(t, shuffle(src, rng))
			if t.Failed() {
				return
			}
		}
	}
}

func FuzzSource(f *testing.F) {
	rng := rand.New(rand.NewSource(2))
	for _, src := range examples(f) {
		f.Add(src)
		f.Add(shuffle(src, rng))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, err := Source("t.uir", src); err == nil {
			check(t, src)
		}
	})
}

func BenchmarkSource(b *testing.B) {
	var all bytes.Buffer
	for all.Len() < 4<<20 {
		for _, src := range examples(b) {
			all.Write(src)
		}
	}
	b.SetBytes(int64(all.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Source("big.uir", all.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
