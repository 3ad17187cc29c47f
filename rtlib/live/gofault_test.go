package live_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/native"
)

func hundredth(n int64) int64 { return 100 / n }

// A fault in Go code that loaded code calls is NATIVE, with its place in Go; one in loaded code that a native of the
// runtime calls is that of the instruction.
func TestGoFault(t *testing.T) {
	if err := native.Register("live_test_hundredth", hundredth); err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	c.load(`.typedef $fp = ufuncptr<@one> .const $divide <$fp> = EXTERN "live_test_hundredth"
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %y = CCALL #DEFAULT <$fp @one> $divide(%x) RET %y }
		.funcdef $g VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $f(%x) %z = SDIV <@i64> %y %x RET %z }
		.typedef $p = uptr<@void> .funcsig $compare.sig = ($p $p) -> (@i32) .typedef $compare.fp = ufuncptr<$compare.sig> .const $0 <@i32> = 0
		.funcsig $sort.sig = ($p @i64 @i64 $compare.fp) -> () .typedef $sort.fp = ufuncptr<$sort.sig> .const $qsort <$sort.fp> = EXTERN "qsort"
		.funcdef $compare VERSION %v <$compare.sig> { %e(<$p> %a <$p> %b): %x = LOAD <@i32> $cell %y = SDIV <@i32> $0 %x RET %y }
		.global $cell <@i32>
		.expose $x.compare = $compare #DEFAULT @0 .typedef $pair = array<@i64 2> .typedef $ipair = iref<$pair> .typedef $ppair = uptr<$pair> .global $two <$pair> .const $8 <@i64> = 8
		.funcdef $h VERSION %v <@one> { %e(<@i64> %x): %q = COMMINST @uvm.native.pin <$ipair> ($two) %p = PTRCAST <$ppair $p> %q
			CCALL #DEFAULT <$sort.fp $sort.sig> $qsort(%p @2 $8 $x.compare) RET %x }`)
	for _, test := range []struct{ f, kind, where, detail, last string }{
		{"$g", "NATIVE", "github.com/uvm2go/uvm2go/rtlib/live_test.hundredth", "the native live_test_hundredth panicked: runtime error: integer divide by zero", "$g"},
		{"$h", "DIV_BY_ZERO", "$compare.v.e+1", "", "$h"},
	} {
		f, err := c.FuncNamed(c.own(test.f))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Call(f, 0)
		var e *rtlib.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: error %v", test.f, err)
		}
		if e.Kind.String() != test.kind || e.Where != c.own(test.where) || e.Detail != test.detail {
			t.Errorf("%s: %v, want %s at %s: %s", test.f, e, test.kind, c.own(test.where), test.detail)
		}
		if last := e.Trace[len(e.Trace)-1].Func; last != c.own(test.last) {
			t.Errorf("%s: trace %v", test.f, e.Trace)
		}
		if test.kind == "NATIVE" && (!strings.HasSuffix(e.File, "gofault_test.go") || e.Trace[0].Func != test.where || e.Trace[1].Func != c.own("$f")) {
			t.Errorf("%s: at %s, trace %v", test.f, e.File, e.Trace)
		}
	}
	c.expect("50", "$f", 2)
}
