package libc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// TestTable checks each row against the function that it names: the signature, the
// name, and that flags and signature agree.
func TestTable(t *testing.T) {
	fset := token.NewFileSet()
	pkgs, err := parser.ParseDir(fset, ".", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	// In table.go the last element of a row must be the function named.
	ast.Inspect(pkgs["libc"].Files["table.go"], func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) != 5 {
			return true
		}
		name, ok1 := lit.Elts[1].(*ast.BasicLit)
		fn, ok2 := lit.Elts[4].(*ast.Ident)
		if ok1 && ok2 && name.Value != fmt.Sprintf("%q", fn.Name) {
			t.Errorf("%s: row names %s, holds %s", fset.Position(lit.Pos()), name.Value, fn.Name)
		}
		return true
	})
	seen := map[string]bool{}
	for _, row := range Table {
		if seen[row.C] {
			t.Errorf("%s: two rows", row.C)
		}
		seen[row.C] = true
		got, err := sigOf(reflect.TypeOf(row.fn))
		if err != nil {
			t.Errorf("%s: %v", row.C, err)
			continue
		}
		if want := strings.Replace(row.Sig, "|", "", 1); got != want {
			t.Errorf("%s: row has %s, the function %s", row.C, want, got)
		}
		if row.Flags&Pure != 0 && row.Flags&(Blocks|Exits) != 0 || row.Flags&Exact != 0 && row.Flags&Pure == 0 {
			t.Errorf("%s: flags contradict each other", row.C)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		sig  string
		want signature
	}{
		{"v()", signature{result: 'v'}},
		{"el(ipl)", signature{result: 'l', params: "ipl", errno: true, least: 3}},
		{"ei(pi|i)", signature{result: 'i', params: "pii", errno: true, least: 2}},
		{"ei(p*)", signature{result: 'i', params: "p", errno: true, variadic: true, least: 1}},
	} {
		if got := parse(test.sig); got != test.want {
			t.Errorf("parse(%q): got %+v, want %+v", test.sig, got, test.want)
		}
	}
}

func TestLookup(t *testing.T) {
	s := newString("hello")
	defer Free(s)
	n := Lookup("strlen")
	if n == nil || n != Lookup("strlen") || n.Sig != "l(p)" || At(n.Addr) != n {
		t.Fatalf("strlen: %+v", n)
	}
	if got, err := n.Call(0, uint64(s)); got != 5 || err != nil {
		t.Errorf("strlen: got %d, %v", got, err)
	}
	if got, err := Invoke(0, n.Addr, uint64(s), 1, 2); got != 5 || err != nil {
		t.Errorf("strlen with more arguments: got %d, %v", got, err)
	}
	if _, err := n.Call(0); err == nil {
		t.Error("strlen without argument: no error")
	}
	if Lookup("no_such_function") != nil {
		t.Error("found what does not exist")
	}
	for _, addr := range []uintptr{0, 1, n.Addr + 1, n.Addr + slotSize*maxSlots, s} {
		if At(addr) != nil {
			t.Errorf("native at %#x", addr)
		}
		if _, err := Invoke(0, addr); err == nil {
			t.Errorf("invoked %#x", addr)
		}
	}
	if err := Register("my native", func() {}); err == nil || err.Error() != `bad native symbol "my native": ' ' cannot be part of a symbol` {
		t.Errorf("a name with a space: %v", err)
	}
	a, ok := Symbol("memcpy")
	b, ok2 := Symbol("memmove")
	if !ok || !ok2 || a == b {
		t.Errorf("symbols: %#x %v, %#x %v", a, ok, b, ok2)
	}
	if _, ok := Symbol("nothing"); ok {
		t.Error("address for nothing")
	}
	cell, ok := Symbol("environ")
	if !ok || *at[uintptr](cell) == 0 {
		t.Error("no environ")
	}
}

// TestCallAll calls each safe native by words and compares with the direct
// call where the classes allow.
func TestCallShapes(t *testing.T) {
	e := NewErrno()
	defer e.Free()
	bits := math.Float64bits
	for _, test := range []struct {
		name string
		args []uint64
		want uint64
	}{
		{"sqrt", []uint64{bits(2)}, bits(math.Sqrt2)},
		{"fmod", []uint64{bits(5.5), bits(-2)}, bits(1.5)},
		{"ldexp", []uint64{bits(1.5), uint64(1<<32 - 2)}, bits(0.375)},
		{"sqrtf", []uint64{uint64(math.Float32bits(4))}, uint64(math.Float32bits(2))},
		{"abs", []uint64{0xdeadbeef_ffffffff}, 1},
		{"labs", []uint64{^uint64(0)}, 1},
		{"toupper", []uint64{'a'}, 'A'},
		{"c_increase", []uint64{41}, 42},
		{"inspectStack", []uint64{0, 1}, 0},
	} {
		if got, err := Lookup(test.name).Call(e, test.args...); got != test.want || err != nil {
			t.Errorf("%s%#x: got %#x, %v, want %#x", test.name, test.args, got, err, test.want)
		}
	}
	for _, row := range Table {
		if Lookup(row.C) == nil {
			t.Errorf("%s: not found", row.C)
		}
	}
	p, _ := Lookup("malloc").Call(e, 100)
	q, _ := Lookup("realloc").Call(e, p, 1000)
	Lookup("memset").Call(e, q, 7, 1000)
	if *at[byte](uintptr(q) + 999) != 7 {
		t.Error("memset by words")
	}
	if got, _ := Lookup("memcmp").Call(e, q, q, 1000); got != 0 {
		t.Errorf("memcmp by words: %d", got)
	}
	f := newString("%d-%s-%.1f")
	s := newString("x")
	if got, _ := Lookup("sprintf").Call(e, q, uint64(f), 7, uint64(s), bits(1.25)); got != 7 || string(cstring("", uintptr(q))) != "7-x-1.2" {
		t.Errorf("sprintf by words: %d %q", got, cstring("", uintptr(q)))
	}
	Lookup("free").Call(e, q)
	if got, _ := Lookup("close").Call(e, uint64(math.MaxUint32)); got != math.MaxUint32 || e.Get() != eBADF {
		t.Errorf("close(-1) by words: %#x, errno %d", got, e.Get())
	}
	if got, _ := Lookup("open").Call(e, uint64(s), 0); got != math.MaxUint32 || e.Get() == 0 {
		t.Errorf("open by words: %#x, errno %d", got, e.Get())
	}
	e.Set(77)
	if loc, _ := Lookup("__errno_location").Call(e); *at[int32](uintptr(loc)) != 77 {
		t.Error("errno location")
	}
}

func TestRegister(t *testing.T) {
	var seen []any
	regs := []struct {
		name, sig string
		f         any
		args      []uint64
		want      uint64
	}{
		{"t_mixed", "h(bhilpfd)", func(a int8, b uint16, c int32, d int64, p uintptr, f float32, g float64) int16 {
			seen = []any{a, b, c, d, p, f, g}
			return -2
		}, []uint64{0xff, 0x18000, ^uint64(0), ^uint64(4), 99, uint64(math.Float32bits(1.5)), math.Float64bits(-2.5)}, 0xfffe},
		{"t_errno", "ei(i)", func(e Errno, x uint32) uint32 { e.Set(int32(x)); return x + 1 }, []uint64{12}, 13},
		{"t_words", "el(*)", func(e Errno, w []uint64) uint64 { return uint64(len(w)) }, []uint64{1, 2, 3}, 3},
		{"t_void", "v()", func() {}, nil, 0},
		{"t_float", "f(f)", func(x float32) float32 { return x * 2 }, []uint64{uint64(math.Float32bits(3))}, uint64(math.Float32bits(6))},
	}
	e := NewErrno()
	defer e.Free()
	for _, r := range regs {
		if err := Register(r.name, r.f); err != nil {
			t.Fatal(err)
		}
		n := Lookup(r.name)
		if n == nil || n.Sig != r.sig || At(n.Addr) != n {
			t.Fatalf("%s: got %+v, want %s", r.name, n, r.sig)
		}
		if got, err := n.Call(e, r.args...); got != r.want || err != nil {
			t.Errorf("%s: got %#x, %v, want %#x", r.name, got, err, r.want)
		}
		if Register(r.name, r.f) == nil {
			t.Errorf("%s registered twice", r.name)
		}
	}
	if want := []any{int8(-1), uint16(0x8000), int32(-1), int64(-5), uintptr(99), float32(1.5), -2.5}; !reflect.DeepEqual(seen, want) {
		t.Errorf("t_mixed saw %v, want %v", seen, want)
	}
	if e.Get() != 12 {
		t.Errorf("errno %d", e.Get())
	}
	for name, f := range map[string]any{
		"write": func() {}, "environ": func() {}, "": func() {}, "t_nil": nil, "t_int": 3, "t_nilfunc": (func())(nil),
		"t_two": func() (int, int) { return 1, 2 }, "t_string": func(string) {}, "t_result": func() string { return "" },
	} {
		if Register(name, f) == nil {
			t.Errorf("%q: registered %T", name, f)
		}
	}
}

func TestRegistryConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 50 {
				name := fmt.Sprintf("c_%d_%d", i, j)
				if err := Register(name, func(x uint64) uint64 { return x + uint64(j) }); err != nil {
					t.Error(err)
				}
				addr, _ := Symbol(name)
				if got, err := Invoke(0, addr, 1); got != uint64(1+j) || err != nil {
					t.Errorf("%s: %d, %v", name, got, err)
				}
				if Lookup("strlen") == nil {
					t.Error("strlen is gone")
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkCall(b *testing.B) {
	s := newString("hello, world")
	n := Lookup("strlen")
	b.Run("direct", func(b *testing.B) {
		for b.Loop() {
			Strlen(s)
		}
	})
	b.Run("Invoke", func(b *testing.B) {
		for b.Loop() {
			Invoke(0, n.Addr, uint64(s))
		}
	})
	r := Lookup("lseek")
	b.Run("reflect", func(b *testing.B) {
		for b.Loop() {
			r.reflect(0, []uint64{^uint64(0), 0, 9})
		}
	})
}
