package mu_test

import (
	"errors"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// weak returns a weak reference to a new object and the handle of the object.
func weak(t testing.TB, c *mu.Ctx) (mu.IRef, mu.Ref) {
	t.Helper()
	w := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@W"))))
	at := must[mu.IRef](t)(c.IRef(w))
	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	if err := c.Store(mu.SeqCst, at, o); err != nil {
		t.Fatal(err)
	}
	return at, o
}

// alive reports whether the referent of a weak reference is still alive after two collections.
func alive(t testing.TB, c *mu.Ctx, at mu.IRef) bool {
	t.Helper()
	for range 2 {
		if err := c.VM().GC(); err != nil {
			t.Fatal(err)
		}
	}
	v := must[mu.Value](t)(c.Load(mu.SeqCst, at))
	defer c.Delete(v)
	return !v.IsNull()
}

// A scope deletes values that were made in it, except those that it keeps.
func TestScope(t *testing.T) {
	c := open(t)
	same, throws := fn(t, c, "@same"), fn(t, c, "@throws")
	var ats []mu.IRef
	outer := c.OpenScope()
	for range 4 {
		at, o := weak(t, c)
		if err := outer.Keep(at); err != nil {
			t.Fatal(err)
		}
		ats = append(ats, at)
		s := c.OpenScope()
		res := must[[]mu.Value](t)(c.Call(same, o))
		_, err := c.Call(throws, o)
		var exc *mu.Exception
		if !errors.As(err, &exc) {
			t.Fatal(err)
		}
		n := c.Int(3, 64)
		kept := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
		if err := s.Keep(kept, o); err != nil { // o is not of this scope
			t.Error(err)
		}
		c.OpenScope() // closes with s
		inner := c.Int(4, 64)
		s.Close()
		s.Close()
		for _, v := range []mu.Value{res[0], exc.Exc, n, inner} {
			wantCode(t, c.Delete(v), mu.BadHandle)
		}
		wantCode(t, s.Keep(n), mu.BadHandle)
		if kept.IsNull() || c.Delete(kept) != nil {
			t.Error("what was kept is gone")
		}
		if !alive(t, c, at) {
			t.Error("a value of the outer scope is gone")
		}
	}
	outer.Close()
	for _, at := range ats {
		if alive(t, c, at) {
			t.Error("the object is alive after the scope")
		}
	}
}

// Import brings values from outside into the context of a trap handler.
func TestImport(t *testing.T) {
	c := open(t)
	at, o := weak(t, c)
	number := c.Int(5, 64)
	var kept mu.Ref
	other := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		r := must[mu.Ref](t)(mu.Import(tc, o))
		kept = must[mu.Ref](t)(mu.Import(other, r))
		if site == "@pushed.v1.entry.again" {
			return mu.PassValues{Stack: s, Values: []mu.Value{must[mu.Value](t)(mu.Import[mu.Value](tc, number))}}
		}
		return mu.ThrowExc{Stack: s, Exc: r}
	})
	want(t, call(t, c, "@pushed", 7), 12)
	_, err := c.Call(fn(t, c, "@traps"))
	var exc *mu.Exception
	if !errors.As(err, &exc) {
		t.Fatal(err)
	}
	if same := must[bool](t)(c.Same(must[mu.Ref](t)(mu.Import(c, kept)), must[mu.Value](t)(c.RefCast(o, kept.Type())))); !same {
		t.Error("another object")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	d := open(t)
	_, err = mu.Import(d, o)
	wantCode(t, err, mu.CtxClosed)
	_, err = mu.Import(d, mu.Ref{})
	wantCode(t, err, mu.BadHandle)
	_ = at
	mine := must[mu.Ref](t)(mu.Import(d, kept))
	other.Delete(kept)
	if err := d.VM().GC(); err != nil {
		t.Fatal(err)
	}
	void := must[mu.Type](t)(d.TypeNamed("@R"))
	if v := must[mu.Value](t)(d.RefCast(mine, void)); v.IsNull() {
		t.Error("NULL")
	}
	_, err = mu.Import(d, kept)
	wantCode(t, err, mu.BadHandle)
}

// Import while the other context is in use and its values are deleted.
func TestImportConcurrently(t *testing.T) {
	c := open(t)
	ty := must[mu.Type](t)(c.TypeNamed("@i64"))
	var mutex sync.Mutex
	shared := must[mu.Ref](t)(c.NewFixed(ty))
	stop := make(chan bool)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			d := c.VM().NewContext()
			defer d.Close()
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := d.OpenScope()
				mutex.Lock()
				v := shared
				mutex.Unlock()
				if r, err := mu.Import(d, v); err == nil {
					at := must[mu.IRef](t)(d.IRef(r))
					if n := must[mu.Value](t)(d.Load(mu.NotAtomic, at)).(mu.Int).Int64(); n != 0 {
						t.Error(n)
					}
				} else {
					wantCode(t, err, mu.BadHandle)
				}
				s.Close()
			}
		})
	}
	for range 300 {
		r := must[mu.Ref](t)(c.NewFixed(ty))
		mutex.Lock()
		old := shared
		shared = r
		mutex.Unlock()
		if err := c.Delete(old); err != nil {
			t.Error(err)
		}
		if err := c.Collect(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

// A code is an error for errors.Is.
func TestCodes(t *testing.T) {
	c := open(t)
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@gcd")))
	if err := c.KillStack(s); err != nil {
		t.Fatal(err)
	}
	err := fmt.Errorf("wrapped: %w", c.KillStack(s))
	if !errors.Is(err, mu.StackState) || errors.Is(err, mu.TypeMismatch) || mu.StackState.Error() != "E_STACK_STATE" {
		t.Error(err)
	}
}

// Types without a name are spelled with their parameters.
func TestTypeStrings(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		keep := must[[]mu.Value](t)(tc.DumpKeepalives(cur))
		if got := keep[1].Type().String(); got != "iref<@pair>" {
			t.Error(got)
		}
		tc.CloseCursor(cur)
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@unnamed", 4), 4)
	at := func(name string) mu.IRef {
		r := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed(name))))
		return must[mu.IRef](t)(c.IRef(r))
	}
	for _, test := range []struct {
		v    mu.Value
		want string
	}{
		{c.Int(1, 77), "int<77>"},
		{at("@arr"), "iref<@arr>"},
		{at("@stk"), "iref<@stk>"},
		{must[mu.UPtr](t)(c.Pin(at("@pair"))), "uptr<@pair>"},
		{must[mu.IRef](t)(c.GlobalNamed("@slot")), "iref<@fn>"},
		{fn(t, c, "@gcd"), "funcref<@two>"},
		{fn(t, c, "@pushed"), "@fn"},
		{mu.Int{}, "none"},
		{c.Int(1, 0), "none"},
	} {
		if got := test.v.Type().String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	_, err := c.RefCast(at("@arr"), must[mu.Type](t)(c.TypeNamed("@R")))
	if err == nil || !strings.Contains(err.Error(), "iref<@arr>") {
		t.Error(err)
	}
}

// Constants, global cells and exposed functions are found by name.
func TestNamed(t *testing.T) {
	c := open(t)
	if v := must[mu.Value](t)(c.ConstNamed("@half")); v.(mu.Double).Float64() != 0.5 {
		t.Error("@half")
	}
	if v := must[mu.IRef](t)(c.GlobalNamed("@cell")); v.IsNull() {
		t.Error("@cell")
	}
	if v := must[mu.UFuncPtr](t)(c.ExposedNamed("@callback")); v.IsNull() {
		t.Error("@callback")
	}
	_, err := c.ConstNamed("@cell")
	wantCode(t, err, mu.NoID)
	_, err = c.GlobalNamed("@nothing")
	wantCode(t, err, mu.NoName)
	_, err = c.ExposedNamed("@gcd")
	wantCode(t, err, mu.NoID)
}

// TestDocComments checks that each exported type, function, method and constant has a comment.
func TestDocComments(t *testing.T) {
	pkgs, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") },
		parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := doc.New(pkgs["mu"], "mu", 0)
	want := func(what, text string) {
		if text == "" {
			t.Errorf("%s has no comment", what)
		}
	}
	funcs := p.Funcs
	for _, ty := range p.Types {
		want(ty.Name, ty.Doc)
		funcs = append(append(funcs, ty.Funcs...), ty.Methods...)
		for _, v := range append(ty.Consts, ty.Vars...) {
			want("a group of "+ty.Name, v.Doc)
		}
	}
	for _, f := range funcs {
		want(f.Recv+" "+f.Name, f.Doc)
	}
	if len(p.Types) < 30 || len(funcs) < 80 {
		t.Errorf("%d types, %d functions", len(p.Types), len(funcs))
	}
}
