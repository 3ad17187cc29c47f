package mu_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A thread that is held does not run, but has its stack and its values; Release lets it run, and those made later.
func TestHold(t *testing.T) {
	c := open(t)
	vm := c.VM()
	cell := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	if err := c.Store(mu.SeqCst, cell, c.Int(-1, 64)); err != nil {
		t.Fatal(err)
	}
	begin := func(n int64) mu.StackRef {
		s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@changed_store")))
		must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.Pass(s, n)))
		return s
	}
	read := func() int64 { return must[mu.Value](t)(c.Load(mu.SeqCst, cell)).(mu.Int).Int64() }
	vm.Hold()
	vm.Hold() // no more than once
	s := begin(7)
	begin(7)
	wantCode(t, c.KillStack(s), mu.StackState) // it has a thread
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := vm.Wait(ctx); err != context.DeadlineExceeded {
		t.Errorf("Wait returns %v before the threads have begun", err)
	}
	if n := read(); n != -1 {
		t.Errorf("a held thread has stored %d", n)
	}
	if err := c.Collect(); err != nil { // does not wait for them
		t.Error(err)
	}
	for i, want := range []int64{7, 8} {
		if vm.Release(); i == 1 {
			begin(8)
		}
		if err := vm.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if n := read(); n != want {
			t.Errorf("the cell has %d, want %d", n, want)
		}
	}
	vm.Release() // nothing is held
}

// Convert changes referents and lengths, and nothing else.
func TestConvert(t *testing.T) {
	c := open(t)
	ty := func(name string) mu.Type { return must[mu.Type](t)(c.TypeNamed(name)) }
	o := must[mu.Ref](t)(c.NewFixed(ty("@i64")))
	p := must[mu.Value](t)(c.Pointer(ty("@up"), 0x1234))
	for _, conv := range []struct {
		v    mu.Value
		to   string
		want string // the type and value, or the code of the error
	}{
		{o, "@R", "@R"},
		{o, "@W", "@Ri"},
		{o, "@Ii", "E_TYPE"},
		{must[mu.IRef](t)(c.IRef(o)), "@Ii", "@Ii"},
		{fn(t, c, "@gcd"), "@fn", "@fn"},
		{p, "@cbp", "@cbp 4660"},
		{p, "@i64", "E_TYPE"},
		{c.Int(-1, 32), "@i64", "@i64 4294967295"},
		{c.Int(-1, 64), "@i6", "@i6 63"},
		{c.Int(-1, 64), "@i100", "@i100 18446744073709551615"},
		{c.Double(1), "@f", "E_TYPE"},
		{c.Double(1), "@d", "@d"},
	} {
		got := ""
		switch v, err := c.Convert(conv.v, ty(conv.to)); v := v.(type) {
		case nil:
			wantCode(t, err, mu.Code(conv.want))
			continue
		case mu.Int:
			got = fmt.Sprintf("%v %d", v.Type(), v.Big())
		case mu.UFuncPtr:
			got = fmt.Sprintf("%v %d", v.Type(), v.Addr())
		default:
			got = v.Type().String()
		}
		if got != conv.want {
			t.Errorf("%v as %s: %s, want %s", conv.v.Type(), conv.to, got, conv.want)
		}
	}
	_, err := c.Convert(o, mu.Type{})
	wantCode(t, err, mu.TypeMismatch)
	_, err = c.Convert(mu.Ref{}, ty("@R"))
	wantCode(t, err, mu.BadHandle)
	if got := must[mu.IRef](t)(c.GlobalNamed("@cell")).Content(); got != ty("@i64") {
		t.Errorf("the content of the cell is of %v", got)
	}
	if (mu.IRef{}).Content() != (mu.Type{}) || ty("@i6").Bits() != 6 || ty("@d").Bits() != 0 {
		t.Error("the content of nothing, or the length of a type")
	}
}

// Awaits tells what a stack waits for.
func TestAwaits(t *testing.T) {
	c := open(t)
	for name, want := range map[string]string{"@gcd": "[@i64 @i64]", "@scale": "[@i8 @d @f @i1]", "@same": "[none]", "@none_to_none": "[]"} {
		s := must[mu.StackRef](t)(c.NewStack(fn(t, c, name)))
		if got := fmt.Sprint(must[[]mu.Type](t)(c.Awaits(s))); got != want {
			t.Errorf("%s waits for %s, want %s", name, got, want)
		}
		if err := c.KillStack(s); err != nil {
			t.Error(err)
		}
		if got := must[[]mu.Type](t)(c.Awaits(s)); got != nil {
			t.Errorf("a killed stack waits for %v", got)
		}
	}
}
