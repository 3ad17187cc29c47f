package mu_test

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// noValues are the ways to give no value where a Value is wanted.
var noValues = []mu.Value{nil, mu.Int{}, mu.Ref{}, (*mu.Int)(nil), (*mu.Ref)(nil), new(mu.StackRef)}

// A missing value among the arguments, or a variable that is not there, is found before the function is called.
func TestMissing(t *testing.T) {
	c := open(t)
	handle(t, c, func(_ *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		t.Errorf("trap at %s", site)
		return mu.ThreadEnd{}
	})
	pushed := fn(t, c, "@pushed") // traps
	for _, v := range noValues {
		_, err := c.Call(pushed, v)
		wantCode(t, err, mu.BadHandle)
		_, err = c.Call(pushed, []mu.Value{v})
		wantCode(t, err, mu.BadHandle)
		_, err = mu.Call1[int64](c, pushed, v)
		wantCode(t, err, mu.BadHandle)
		_, err = c.CallContext(timeout(), pushed, v)
		wantCode(t, err, mu.BadHandle)
	}
	var value *mu.Value
	for _, p := range []any{nil, (*int64)(nil), (*uint64)(nil), (*int)(nil), value, (*mu.Int)(nil), (*bool)(nil), (*string)(nil)} {
		err := c.CallInto(pushed, mu.Results{p}, 1)
		wantCode(t, err, mu.BadArg)
		if want := "result 1 of @pushed: the pointer to the variable is nil"; !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	wantCode(t, c.CallInto(pushed, mu.Results{nil, nil}, 1), mu.TypeMismatch)
	var none context.Context
	_, err := c.CallContext(none, pushed, 1)
	wantCode(t, err, mu.BadArg)
	wantCode(t, c.VM().Wait(none), mu.BadArg)
}

// Every function that takes values returns E_HANDLE when they are missing, whatever else is wrong, and none panics.
func TestMissingEverywhere(t *testing.T) {
	c := open(t)
	value, int64s := reflect.TypeFor[mu.Value](), must[mu.Type](t)(c.TypeNamed("@i64"))
	isValue := func(t reflect.Type) bool { return t.Implements(value) }
	for _, object := range []any{c, c.OpenScope()} {
		of := reflect.ValueOf(object)
		for i := range of.NumMethod() {
			name, method := of.Type().Method(i).Name, of.Method(i)
			typ, takes := method.Type(), false
			for k := range typ.NumIn() {
				in := typ.In(k)
				takes = takes || isValue(in) || in.Kind() == reflect.Slice && isValue(in.Elem())
			}
			if !takes {
				continue
			}
			for _, missing := range noValues {
				var args []reflect.Value
				for k := range typ.NumIn() {
					arg := reflect.New(typ.In(k)).Elem()
					switch in := typ.In(k); {
					case in == value && missing != nil:
						arg.Set(reflect.ValueOf(missing))
					case in.Kind() == reflect.Slice && in.Elem() == value:
						arg = reflect.ValueOf([]mu.Value{missing})
					case in == reflect.TypeFor[mu.Type]():
						arg.Set(reflect.ValueOf(int64s))
					case in == reflect.TypeFor[context.Context]():
						arg.Set(reflect.ValueOf(timeout()))
					}
					args = append(args, arg)
				}
				call := method.Call
				if typ.IsVariadic() {
					call = method.CallSlice
				}
				out := call(args)
				if err, _ := out[len(out)-1].Interface().(error); !errors.Is(err, mu.BadHandle) {
					t.Errorf("%s with %T: error %v, want %s", name, missing, err, mu.BadHandle)
				}
			}
		}
	}
	if _, err := mu.Import[mu.Value](c, nil); !errors.Is(err, mu.BadHandle) {
		t.Errorf("Import: error %v", err)
	}
	n := c.Int(1, 64)
	if _, err := mu.Import(c, &n); !errors.Is(err, mu.TypeMismatch) {
		t.Errorf("Import of a variable: error %v", err)
	}
	if _, err := mu.Import(c, c.BigInt((*big.Int)(nil), 64)); !errors.Is(err, mu.BadArg) {
		t.Errorf("Import of what could not be made: error %v", err)
	}
}

// Threads and trap handlers resume stacks with values that are missing, or with nothing.
func TestMissingResumption(t *testing.T) {
	c := open(t)
	f := fn(t, c, "@pushed")
	var how mu.Resumption
	for _, how := range []mu.Resumption{how, (*mu.PassValues)(nil), (*mu.PassArgs)(nil), (*mu.ThrowExc)(nil)} {
		_, err := c.NewThread(must[mu.StackRef](t)(c.NewStack(f)), mu.Ref{}, how)
		wantCode(t, err, mu.BadArg)
	}
	for _, v := range noValues {
		for _, how := range []mu.Resumption{mu.PassValues{Values: []mu.Value{v}}, mu.Pass(mu.StackRef{}, v), mu.Pass(mu.StackRef{}, []mu.Value{v})} {
			_, err := c.NewThread(must[mu.StackRef](t)(c.NewStack(f)), mu.Ref{}, how)
			wantCode(t, err, mu.BadHandle)
		}
	}
	var result mu.TrapResult
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ string, _ uint32) mu.TrapResult { return result })
	for _, result = range []mu.TrapResult{nil, (*mu.PassValues)(nil), (*mu.ThreadEnd)(nil)} {
		_, err := c.Call(f, 1)
		wantCode(t, err, mu.BadArg)
	}
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ string, _ uint32) mu.TrapResult {
		return mu.Pass(s, (*mu.Int)(nil))
	})
	_, err := c.Call(f, 1)
	wantCode(t, err, mu.BadHandle)
}

// A list of values is passed as such, also inside another list.
func TestLists(t *testing.T) {
	c := open(t)
	gcd, vals := fn(t, c, "@gcd"), ints(c, 48, 36)
	for _, args := range [][]any{{vals}, {vals[:1], 36}, {[]any{48, vals[1:]}}, {[]any{48, []any{36}, []mu.Value{}}}} {
		if d, err := mu.Call1[int64](c, gcd, args...); d != 12 || err != nil {
			t.Errorf("%v: %d, %v", args, d, err)
		}
	}
	n := c.Int(48, 64)
	if d, err := mu.Call1[int64](c, gcd, &n, 36); d != 12 || err != nil {
		t.Errorf("the address of a value: %d, %v", d, err)
	}
	_, err := c.Call(gcd, vals, 1)
	wantCode(t, err, mu.TypeMismatch)
	if want := "@gcd is called with 3 arguments, want 2"; !strings.Contains(err.Error(), want) {
		t.Errorf("error %q, want %q", err, want)
	}
	_, err = c.Call(gcd, open(t).Int(1, 64), vals[1])
	wantCode(t, err, mu.BadHandle)
}

// Plain Go values resume stacks: of a new thread, and after a trap.
func TestPass(t *testing.T) {
	c := open(t)
	pushed := fn(t, c, "@pushed") // takes and waits for an int<64>
	var result mu.TrapResult
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ string, _ uint32) mu.TrapResult {
		switch r := result.(type) {
		case mu.PassArgs:
			return mu.Pass(s, r.Args...)
		case mu.PassValues:
			return &mu.PassValues{s, ints(tc, 4)}
		}
		return result
	})
	result = mu.PassValues{}
	want4 := must[int64](t)(mu.Call1[int64](c, pushed, 7))
	result = mu.Pass(mu.StackRef{}, 4)
	if n, err := mu.Call1[int64](c, pushed, 7); n != want4 || err != nil {
		t.Errorf("got %d, %v, want %d", n, err, want4)
	}
	for _, test := range []struct {
		args []any
		code mu.Code
		text string
	}{
		{[]any{1.5}, mu.TypeMismatch, "value 1: a Go value that does not suit @i64"},
		{[]any{new(big.Int)}, mu.TypeMismatch, "value 1: a Go value that does not suit @i64"},
		{[]any{1, 2}, mu.TypeMismatch, "value 2: a Go value where the stack waits for none"},
		{nil, mu.TypeMismatch, ""},
	} {
		result = mu.PassArgs{Args: test.args}
		_, err := mu.Call1[int64](c, pushed, 7)
		if !errors.Is(err, test.code) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%v: error %v, want %s %q", test.args, err, test.code, test.text)
		}
	}
	result = mu.Pass(mu.StackRef{}, 4)
	if _, err := c.NewThread(must[mu.StackRef](t)(c.NewStack(pushed)), mu.Ref{}, mu.Pass(mu.StackRef{}, int8(7))); err != nil {
		t.Error(err)
	}
	wait(t, c)
	_, err := c.NewThread(must[mu.StackRef](t)(c.NewStack(fn(t, c, "@scale"))), mu.Ref{}, mu.Pass(mu.StackRef{}, 300, 1.0, 1.0, true))
	wantCode(t, err, mu.OutOfRange)
}

// An *Error with a code stands for all errors of this code.
func TestErrorsIs(t *testing.T) {
	c := open(t)
	_, err := c.Call(fn(t, c, "@divide"), 1, 0)
	for target, want := range map[error]bool{
		&mu.Error{Code: mu.DivByZero}:               true,
		&mu.Error{Code: mu.Null}:                    false,
		&mu.Error{}:                                 false,
		&mu.Error{Code: mu.DivByZero, Msg: "other"}: false,
		(*mu.Error)(nil):                            false,
		mu.DivByZero:                                true,
	} {
		if errors.Is(err, target) != want {
			t.Errorf("%v is %#v: want %v", err, target, want)
		}
	}
}

// The address of a pinned location is a Go pointer, which vet accepts.
func TestPointer(t *testing.T) {
	c := open(t)
	r := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	loc := must[mu.IRef](t)(c.IRef(r))
	p := must[mu.UPtr](t)(c.Pin(loc))
	defer c.Unpin(loc)
	if err := c.Store(mu.NotAtomic, loc, c.Int(41, 64)); err != nil {
		t.Fatal(err)
	}
	*(*int64)(p.Pointer())++
	if v := must[mu.Value](t)(c.Load(mu.NotAtomic, loc)).(mu.Int).Int64(); v != 42 {
		t.Errorf("%d in the location", v)
	}
	if p := (mu.UPtr{}).Pointer(); p != nil {
		t.Errorf("%v of no value", p)
	}
	if p := (mu.UFuncPtr{}).Pointer(); p != nil {
		t.Errorf("%v of no value", p)
	}
}
