package mu_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// TestPlainValues passes plain Go values in and out.
func TestPlainValues(t *testing.T) {
	c := open(t)
	scale := fn(t, c, "@scale") // int<8> double float int<1> -> double int<8> float int<1>
	var d float64
	var n int8
	var f float32
	var b bool
	if err := c.CallInto(scale, mu.Results{&d, &n, &f, &b}, int8(-3), 1.5, float32(0.25), true); err != nil {
		t.Fatal(err)
	}
	if d != -4.5 || n != -3 || f != 0.25 || !b {
		t.Error(d, n, f, b)
	}
	var wide int64
	var v mu.Value
	var m mu.Float
	var one uint8
	if err := c.CallInto(scale, mu.Results{&v, &wide, &m, &one}, uint64(253), c.Double(2), 0.5, 1); err != nil {
		t.Fatal(err)
	}
	if v.(mu.Double).Float64() != -6 || wide != -3 || m.Float32() != 0.5 || one != 1 {
		t.Error(v, wide, m, one)
	}
	if n, err := mu.Call1[mu.Int](c, fn(t, c, "@wide"), -1); err != nil || n.Big().BitLen() != 100 {
		t.Error(n.Big(), err)
	}
	if n, err := mu.Call1[uint64](c, fn(t, c, "@sub"), uint8(1), int32(2)); err != nil || n != math.MaxUint64 {
		t.Error(n, err)
	}
	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	r, err := mu.Call1[mu.Ref](c, fn(t, c, "@same"), o)
	if err != nil || r.Type().String() != "@R" || r.IsNull() {
		t.Error(r.Type(), err)
	}
	p := nativePointer(c).(mu.UFuncPtr).Addr()
	if n, err := mu.Call1[int64](c, fn(t, c, "@through"), p, 7); err != nil || n != 8 {
		t.Error(n, err)
	}
}

// Arguments that do not fit are an error, and the function is not called.
func TestPlainMisfits(t *testing.T) {
	c, other := open(t), open(t)
	handle(t, c, func(_ *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		t.Errorf("trap at %s", site)
		return mu.ThreadEnd{}
	})
	pushed, scale := fn(t, c, "@pushed"), fn(t, c, "@scale")
	var n int64
	for _, test := range []struct {
		f    mu.FuncRef
		args []any
		code mu.Code
	}{
		{pushed, []any{}, mu.TypeMismatch},
		{pushed, []any{1, 2}, mu.TypeMismatch},
		{pushed, []any{"1"}, mu.TypeMismatch},
		{pushed, []any{nil}, mu.BadHandle},
		{pushed, []any{1.0}, mu.TypeMismatch},
		{pushed, []any{true}, mu.TypeMismatch},
		{pushed, []any{uintptr(1)}, mu.TypeMismatch},
		{pushed, []any{&n}, mu.TypeMismatch},
		{pushed, []any{c.Int(1, 32)}, mu.TypeMismatch},
		{pushed, []any{other.Int(1, 64)}, mu.BadHandle},
		{pushed, []any{mu.Int{}}, mu.BadHandle},
		{scale, []any{256, 1.0, 1.0, true}, mu.OutOfRange},
		{scale, []any{-129, 1.0, 1.0, true}, mu.OutOfRange},
		{scale, []any{uint64(1 << 63), 1.0, 1.0, true}, mu.OutOfRange},
		{scale, []any{1, 1, 1.0, true}, mu.TypeMismatch},
		{scale, []any{1, 1.0, 0.1, true}, mu.OutOfRange},
		{scale, []any{1, 1.0, 1.0, 2}, mu.OutOfRange},
		{fn(t, c, "@same"), []any{0}, mu.TypeMismatch},
	} {
		_, err := c.Call(test.f, test.args...)
		wantCode(t, err, test.code)
	}
	var i8 int8
	var f32 float32
	var ref mu.Ref
	for _, into := range []mu.Results{nil, {}, {&n, &n}, {n}, {&i8}, {&f32}, {&ref}, {new(bool)}, {new(string)}, {new(uintptr)}} {
		wantCode(t, c.CallInto(pushed, into, 1), mu.TypeMismatch)
	}
	if n != 0 || i8 != 0 || !ref.IsNull() {
		t.Error("something was stored")
	}
}

// TestCallAllocations: a call with plain numbers does not allocate.
func TestCallAllocations(t *testing.T) {
	c := open(t)
	f, g := fn(t, c, "@sub"), fn(t, c, "@gives")
	x, sum := int64(1<<40), int64(0)
	for name, call := range map[string]func() error{
		"CallInto": func() (err error) {
			var d int64
			err = c.CallInto(f, mu.Results{&d}, x, 5000)
			sum += d
			return err
		},
		"Call1": func() error {
			d, err := mu.Call1[int64](c, f, x, uint32(x))
			sum += d
			return err
		},
		"float": func() error {
			d, err := mu.Call1[float64](c, g)
			sum += int64(d)
			return err
		},
	} {
		n := testing.AllocsPerRun(100, func() {
			if err := call(); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	// With handles: the list, one for each result.
	if n := testing.AllocsPerRun(100, func() { c.Call(f, x, x) }); n > 2 {
		t.Errorf("Call: %v allocations", n)
	}
}

func BenchmarkCall1(b *testing.B) {
	c := open(b)
	f := fn(b, c, "@sub")
	b.ReportAllocs()
	x := int64(1 << 40)
	for b.Loop() {
		if _, err := mu.Call1[int64](c, f, x, 5); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareTrap is a trap whose handler only returns.
func BenchmarkBareTrap(b *testing.B) {
	c := open(b)
	c.VM().SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		return mu.PassValues{Stack: s, Values: []mu.Value{tc.Int(4, 64)}}
	})
	f := fn(b, c, "@pushed")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mu.Call1[int64](c, f, 7); err != nil {
			b.Fatal(err)
		}
	}
}

// Without the engine for live code Literals returns an error.
func TestNoLiterals(t *testing.T) {
	c := open(t)
	_, err := c.Literals(fn(t, c, "@sub"), "1,2")
	wantCode(t, err, mu.DynCode)
}

// A value prints as in run -call; a signature is spelled out.
func TestStrings(t *testing.T) {
	c := open(t)
	if got := fmt.Sprint(c.Int(-5, 8), c.Double(1e100), mu.Int{}); got != "-5 1e+100 " {
		t.Errorf("got %q", got)
	}
	id, err := c.ID("@sub")
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.VM().Lookup(id)
	if want := "(@i64 @i64) -> (@i64)"; err != nil || e.Kind != mu.KindFunc || e.Type.Structure() != want {
		t.Errorf("@sub is %s %s, %v; want function %s", e.Kind, e.Type.Structure(), err, want)
	}
}
