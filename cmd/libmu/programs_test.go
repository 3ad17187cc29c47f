package main

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/oracle"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// lab compares programs with those that a client of the library builds. It is made once, in the folder of the library.
var lab = sync.OnceValues(func() (*oracle.Lab, error) {
	dir, err := installed()
	if err != nil {
		return nil, err
	}
	l, err := oracle.NewLab(filepath.Join(dir, "lab"))
	if err == nil {
		l.Library = dir
	}
	return l, err
})

func labOf(t *testing.T) *oracle.Lab {
	t.Helper()
	install(t)
	l, err := lab()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func builderWays(t *testing.T, list string) []oracle.Way {
	t.Helper()
	ways, err := oracle.SelectWays(list)
	if err != nil {
		t.Fatal(err)
	}
	return ways
}

// comparePrograms compares random programs with those that the client builds by calls.
func comparePrograms(t *testing.T, programs func(int64, int) []randprog.Program, list string, seed int64, n int) {
	t.Helper()
	var log strings.Builder
	res, err := oracle.Fuzz(oracle.Config{Lab: labOf(t), Ways: builderWays(t, list), Seed: seed, Count: n, Batch: 40, Log: &log, Make: programs})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Differences) > 0 {
		t.Error(log.String())
	}
}

// TestLongPrograms builds random programs by calls of the IR builders, also with collections all the time: they do what
// their text means.
func TestLongPrograms(t *testing.T) {
	longtest.Only(t)
	comparePrograms(t, oracle.Programs, "builders", 1, 60)
	comparePrograms(t, oracle.FrameSplitPrograms, "builders", 1, 16)
}

// shown is a program with values of each type in traps, one of which has no name.
const shown = `
.typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @i32 = int<32> .typedef @i52 = int<52> .typedef @i64 = int<64> .typedef @i96 = int<96> .typedef @i128 = int<128>
.typedef @f = float .typedef @d = double .typedef @void = void .typedef @p = uptr<@void> .typedef @fp = ufuncptr<@none> .typedef @tag = tagref64
.typedef @i6 = int<6> .typedef @r = ref<@void> .typedef @ir = iref<@i64> .typedef @fr = funcref<@none> .typedef @sr = stackref .typedef @tr = threadref
.typedef @vec = vector<@f 3> .typedef @arr = array<@i96 2> .typedef @str = struct<@i8 @vec @r @arr>
.typedef @argv = uptr<@p>
.funcsig @none = () -> () .funcsig @main.sig = (@i32 @argv) -> ()
.const @t1 <@i1> = 1 .const @m1 <@i8> = -1 .const @min <@i64> = -0x8000000000000000 .const @x96 <@i96> = -5 .const @x128 <@i128> = 0x80000000000000000000000000000000
.const @f1 <@f> = 0.1f .const @d1 <@d> = 0.1d .const @inf <@d> = -infd .const @n7 <@i52> = -7 .const @i6a <@i6> = 9
.const @beef <@i64> = 0xbeef .const @rn <@r> = NULL .const @irn <@ir> = NULL .const @frn <@fr> = NULL .const @srn <@sr> = NULL .const @trn <@tr> = NULL
.const @fs0 <@f> = -0.0f .const @vec0 <@vec> = {@f1 @fs0 @f1} .const @arr0 <@arr> = {@x96 @x96}
.const @0 <@i64> = 0 .global @cell <@i64>
.funcdecl @other <@none>
.funcdef @main VERSION %v <@main.sig> {
  %e(<@i32> %n <@argv> %a):
    %c1 = ADD <@i1> @t1 @0_1  %c8 = ADD <@i8> @m1 @0_8  %c64 = ADD <@i64> @min @0  %c96 = ADD <@i96> @x96 @0_96  %c128 = ADD <@i128> @x128 @0_128
    [%ints] TRAP <> KEEPALIVE (%n %c1 %c8 %c64 %c96 %c128)
    %float = FADD <@f> @f1 @f1  %double = FADD <@d> @d1 @inf  %sum = FADD <@d> @d1 @d1  %nan = FSUB <@d> @inf @inf
    [%floats] TRAP <> KEEPALIVE (%float %double %sum %nan)
    %ptr = PTRCAST <@i64 @p> @beef  %fptr = PTRCAST <@i64 @fp> @beef
    TRAP <> KEEPALIVE (%ptr %fptr)
    %t = COMMINST @uvm.tr64.from_int (@n7)  %u = COMMINST @uvm.tr64.from_fp (@d1)  %o = NEW <@i64>  %ov = REFCAST <@R @r> %o
    %w = COMMINST @uvm.tr64.from_ref (%ov @i6a)  %x = COMMINST @uvm.tr64.from_ref (@rn @i6a)
    [%tags] TRAP <> KEEPALIVE (%t %u %w %x)
    %f1 = SELECT <@i1 @fr> @t1 @other @frn  %f0 = SELECT <@i1 @fr> @t1 @frn @other
    %i = GETIREF <@i64> %o  %in = SELECT <@i1 @ir> @t1 @irn %i  %s = COMMINST @uvm.current_stack  %sn = SELECT <@i1 @sr> @t1 @srn %s
    %ref0 = SELECT <@i1 @r> @t1 @rn %ov  %th0 = SELECT <@i1 @tr> @t1 @trn @trn
    [%refs] TRAP <> KEEPALIVE (%f1 %f0 %ov %ref0 %i %in %s %sn %th0)
    %s1 = INSERTVALUE <@str 0> @str0 @m1  %s2 = INSERTVALUE <@str 2> %s1 %ov
    [%parts] TRAP <> KEEPALIVE (%s2)
    COMMINST @uvm.meta.enable_watchpoint (@w)
    WATCHPOINT 7 <> %off() %on() KEEPALIVE (%c8)
  %off(): RET ()
  %on():
    %zero = LOAD <@i64> @cell
    %q = SDIV <@i64> @min %zero
    RET ()
}
.const @0_1 <@i1> = 0 .const @0_8 <@i8> = 0 .const @0_96 <@i96> = 0 .const @0_128 <@i128> = 0 .const @w <@i32> = 7 .typedef @R = ref<@i64>
.const @str0 <@str> = {@0_8 @vec0 @rn @arr0}
`

// TestLongShown: what traps show is the same for a client, whose errors have codes.
func TestLongShown(t *testing.T) {
	longtest.Only(t)
	l := labOf(t)
	const want = `trap main.v.e.ints n=1 c1=1 c8=-1 c64=-9223372036854775808 c96=-5 c128=-170141183460469231731687303715884105728
trap main.v.e.floats float=0.2 double=-Inf sum=0.2 nan=NaN
trap main+14 ptr=0xbeef fptr=0xbeef
trap main.v.e.tags t=int(-7) u=fp(0.1) w=ref(ref,9) x=ref(NULL,9)
trap main.v.e.refs f1=@other f0=NULL ov=ref ref0=NULL i=iref in=NULL s=stackref sn=NULL th0=NULL
trap main.v.e.parts s2={-1 [0.1 -0 0.1] ref [-5 -5]}
trap main+35 c8=-1
`
	ways := builderWays(t, "builders")
	exes, err := l.Build(shown, ways)
	if err != nil {
		t.Fatal(err)
	}
	defer oracle.Remove(exes)
	for i, e := range exes[1:] {
		got, err := l.Run(e)
		if err != nil || got.Out != want || got.Err != "E_DIVZERO" {
			t.Errorf("%s: %v\n%d\n%s\n%s\nwant\n%s", ways[i+1].Name, err, got.Status, got.Out, got.Err, want)
		}
	}
	if what, err := l.Compare(shown, ways); err != nil || what != "" {
		t.Error(what, err)
	}
}

// TestLongRefused: what a builder has no function for is an error.
func TestLongRefused(t *testing.T) {
	longtest.Only(t)
	l := labOf(t)
	const place = "%nan = FSUB <@d> @inf @inf"
	for _, c := range []struct{ way, inst, want string }{
		{"builder", "%bn = COMMINST @uvm.irbuilder.new_bundle", "no call makes @uvm.irbuilder.new_bundle"},
		{"builder-2016", "%pn = COMMINST @uvm.native.get_addr <@ir> (@cell)", "no call makes @uvm.native.get_addr"},
	} {
		if _, err := l.Build(strings.Replace(shown, place, place+" "+c.inst, 1), builderWays(t, c.way)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.way, err)
		}
	}
}
