package mu_test

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A value of one Go type cannot be converted to another: otherwise a client could use a number as a
// stack.
func TestConversions(t *testing.T) {
	all := []mu.Value{mu.Int{}, mu.Float{}, mu.Double{}, mu.UPtr{}, mu.UFuncPtr{}, mu.Struct{}, mu.Array{}, mu.Vector{}, mu.Ref{}, mu.IRef{},
		mu.TagRef64{}, mu.FuncRef{}, mu.ThreadRef{}, mu.StackRef{}, mu.Cursor{}, mu.IRNode{}, mu.IRBuilderRef{}}
	for i, a := range all {
		for j, b := range all {
			if from, to := reflect.TypeOf(a), reflect.TypeOf(b); i != j && from.ConvertibleTo(to) {
				t.Errorf("%v can be converted to %v", from, to)
			}
		}
	}
}

func TestValues(t *testing.T) {
	c := open(t)
	if n := c.Int(-3, 6); n.Int64() != -3 || n.Uint64() != 61 {
		t.Errorf("%d %d", n.Int64(), n.Uint64())
	}
	b, _ := new(big.Int).SetString("123456789abcdef0123456789", 16)
	if n := c.BigInt(b, 100).Big(); n.Cmp(b) != 0 {
		t.Errorf("%x", n)
	}
	if n := c.BigInt(big.NewInt(-1), 70).Big(); n.BitLen() != 70 {
		t.Errorf("%x", n)
	}
	k := must[mu.Value](t)(c.ConstNamed("@big"))
	if k.(mu.Int).Big().Cmp(b) != 0 {
		t.Errorf("@big is %x", k.(mu.Int).Big())
	}
	s := must[mu.Value](t)(c.ConstNamed("@apair")).(mu.Struct)
	if f := must[mu.Value](t)(c.Field(s, 0)).(mu.Int); f.Int64() != 7 {
		t.Error("field 0")
	}
	s2 := must[mu.Struct](t)(c.WithField(s, 2, c.Double(9)))
	if f := must[mu.Value](t)(c.Field(s2, 2)).(mu.Double); f.Float64() != 9 {
		t.Error("field 2")
	}
	if f := must[mu.Value](t)(c.Field(s, 2)).(mu.Double); f.Float64() != 0.5 {
		t.Error("field 2 of the old one")
	}
	_, err := c.WithField(s, 1, c.Double(9))
	wantCode(t, err, mu.TypeMismatch)
	_, err = c.Field(s, 3)
	wantCode(t, err, mu.OutOfRange)

	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	tr := must[mu.TagRef64](t)(c.TagRef(o, 5))
	back, tag, err := c.Ref(tr)
	if err != nil || tag != 5 || back.IsNull() || !tr.IsRef() || tr.IsInt() {
		t.Error("tagref64", tag, err)
	}
	_, err = tr.Int()
	wantCode(t, err, mu.TypeMismatch)
	if v, err := c.TagInt(77).Int(); v != 77 || err != nil {
		t.Error(v, err)
	}
	if v, err := c.TagDouble(1.5).Double(); v != 1.5 || err != nil {
		t.Error(v, err)
	}
}

func TestMemory(t *testing.T) {
	c := open(t)
	loc := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	if err := c.Store(mu.SeqCst, loc, c.Int(40, 64)); err != nil {
		t.Fatal(err)
	}
	old := must[mu.Value](t)(c.AtomicRMW(mu.SeqCst, mu.Add, loc, c.Int(2, 64)))
	if old.(mu.Int).Int64() != 40 {
		t.Error("atomicrmw")
	}
	if _, ok, err := c.CmpXchg(mu.SeqCst, mu.SeqCst, loc, c.Int(1, 64), c.Int(2, 64)); ok || err != nil {
		t.Error("cmpxchg", err)
	}
	if _, ok, err := c.CmpXchg(mu.SeqCst, mu.SeqCst, loc, c.Int(42, 64), c.Int(2, 64)); !ok || err != nil {
		t.Error("cmpxchg", err)
	}
	if v := must[mu.Value](t)(c.Load(mu.Acquire, loc)).(mu.Int); v.Int64() != 2 {
		t.Error("load")
	}
	wantCode(t, c.Store(mu.SeqCst, loc, c.Int(1, 32)), mu.TypeMismatch)
	wantCode(t, c.Store(mu.Acquire, loc, c.Int(1, 64)), mu.BadArg)
	h := must[mu.Ref](t)(c.NewHybrid(must[mu.Type](t)(c.TypeNamed("@text")), 3))
	v := must[mu.IRef](t)(c.VarPartIRef(must[mu.IRef](t)(c.IRef(h))))
	for i := range int64(3) {
		at := must[mu.IRef](t)(c.ShiftIRef(v, i))
		if err := c.Store(mu.NotAtomic, at, c.Int(i*i, 32)); err != nil {
			t.Error(err)
		}
	}
	if err := c.Collect(); err != nil {
		t.Fatal(err)
	}
	at := must[mu.IRef](t)(c.ShiftIRef(v, 2))
	if x := must[mu.Value](t)(c.Load(mu.NotAtomic, at)).(mu.Int); x.Int64() != 4 {
		t.Error("hybrid", x.Int64())
	}
	wantCode(t, c.Unpin(h), mu.NotPinned)
	p := must[mu.UPtr](t)(c.Pin(h))
	if p.Addr() == 0 {
		t.Error("pin")
	}
	if a := must[mu.UPtr](t)(c.Addr(h)); a.Addr() != p.Addr() || a.Type() != p.Type() {
		t.Errorf("address %#x of %s, pinned at %#x of %s", a.Addr(), a.Type(), p.Addr(), p.Type())
	}
	if err := c.Unpin(h); err != nil {
		t.Error(err)
	}
	wantCode(t, c.Unpin(h), mu.NotPinned) // Addr has made no pin
	_, err := c.Addr(c.Int(1, 64))
	wantCode(t, err, mu.TypeMismatch)
	null := must[mu.Value](t)(c.Null(at.Type())).(mu.IRef)
	_, err = c.Load(mu.NotAtomic, null)
	wantCode(t, err, mu.Null)
}

func TestHandles(t *testing.T) {
	c, d := open(t), open(t)
	n := c.Int(1, 64)
	_, err := d.Call(fn(t, d, "@pushed"), n)
	wantCode(t, err, mu.BadHandle)
	if err := c.Delete(n); err != nil {
		t.Error(err)
	}
	wantCode(t, c.Delete(n), mu.BadHandle)
	_, err = c.NewStack(mu.FuncRef{})
	wantCode(t, err, mu.BadHandle)
	_, err = c.VM().ID("@nothing")
	wantCode(t, err, mu.NoName)
	_, err = c.VM().Name(12)
	wantCode(t, err, mu.NoID)
	_, err = c.FuncNamed("@i64")
	wantCode(t, err, mu.NoID)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	wantCode(t, d.Close(), mu.CtxClosed)
	_, err = d.FuncNamed("@gcd")
	if err == nil {
		_, err = d.Call(fn(t, d, "@gcd"))
	}
	wantCode(t, err, mu.CtxClosed)
	_, err = c.ThreadLocal(mu.ThreadRef{})
	wantCode(t, err, mu.BadHandle)
}

// TestNames checks that looking up names and looking up IDs are inverse to each other.
func TestNames(t *testing.T) {
	c := open(t)
	for _, name := range []string{"@gcd", "@gcd.v1", "@gcd.v1.more", "@ask.v1.entry.ask", "@i64", "@two", "@cell", "@half",
		"@uvm.meta.bytes", "@gcd.v1.more.r"} {
		id := must[mu.ID](t)(c.ID(name))
		if got := must[string](t)(c.VM().Name(id)); got != name {
			t.Errorf("%s is called %s", name, got)
		}
	}
	if id := must[mu.ID](t)(c.ID("@uvm.meta.trap_handler.sig")); id != 0x264 {
		t.Errorf("ID %#x", id)
	}
}
