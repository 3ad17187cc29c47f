package write

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// load assembles two modules, m and n.
func load(m, n string) (*module.Program, *diag.List) {
	set := diag.NewSet()
	diags := diag.NewList(set)
	p, _ := assemble.Load(set, []assemble.Unit{
		{Module: "m", Sources: []dialect.Source{{Name: "m.ial", Text: []byte(m)}}},
		{Module: "n", Sources: []dialect.Source{{Name: "n.ial", Text: []byte(n)}}},
	}, diags)
	return p, diags
}

// other is the module n of the tests.
const other = "type T { field int8 x; field static int8 s; } function void f() { } field global int8 g; field thread int8 t; data d (1);"

var tests = []struct{ name, src, want string }{
	{"empty", "", ""},
	{"form B", `entry main; data d (0x10, 255); field global int32 g; [a:b] type T align 0x8 { field int8 x; [c:d] field T& t; }
		field thread n/T[4]* t (n, t2); module exit e; type U { }
		function int32 main() { block entry { } } function void e() { block h { } }`, `[a:b] type T align 8
{
    field int8 x;
    [c:d] field T& t;
}

type U
{
}

field global int32 g;
field thread n/T[4]* t (n, t2);

data d (16, 255);

function int32 main()
{
    block entry
    {
    }
}

function void e()
{
    block h
    {
    }
}

entry main;
module exit e;
`},
	{"form A by a member", "type T { field int8 x; field static T& s; field thread int8 t; }", `type T
{
    field instance int8 x;
    field static T& s;
    field thread int8 t;
}
`},
	{"form A by an instruction", "type T { field int8 x; } function void f() { register T t; register int8 r; block entry { r = field.get t (T:x); } }", `type T
{
    field instance int8 x;
}

function void f()
{
    register T t;
    register int8 r;

    block entry
    {
        r = field.get t (T:x);
    }
}
`},
	{"instructions", `function nothrow ssa void() cdecl f(noescape int8*, [a:b] n/T{3}) stdcall {
		register int8 r; [c:d] register float32 f;
		[e:f] block entry unwind h {
			[g:h] volatile mem.set r, r;
			r = load.size (n/T); r = load.offset (n/T:x); r = field.static.get (n/T:s);
			r = field.global.addr (n/g); r = field.thread.get (n/t); r = load.data (n/d); r = call (n/f); invoke (mci/gc_collect); r = load.func (f);
			jump (h); jump.cond r (h, entry); r = phi (r, f); r = phi (); array.ari.add r, r, r;
		}
		block h { jump (entry); ffi (libc, 'a+b'); forward (x, forward); } }`, `function ssa nothrow void() cdecl f(noescape int8*, [a:b] n/T{3}) stdcall
{
    register int8 r;
    [c:d] register float32 f;

    [e:f] block entry unwind h
    {
        [g:h] volatile mem.set r, r;
        r = load.size (n/T);
        r = load.offset (n/T:x);
        r = field.static.get (n/T:s);
        r = field.global.addr (n/g);
        r = field.thread.get (n/t);
        r = load.data (n/d);
        r = call (n/f);
        invoke (mci/gc_collect);
        r = load.func (f);
        jump (h);
        jump.cond r (h, entry);
        r = phi (r, f);
        r = phi ();
        array.ari.add r, r, r;
    }

    block h
    {
        jump (entry);
        ffi (libc, 'a+b');
        forward (x, 'forward');
    }
}
`},
	{"quotes", `type 'function' { field void() 'type'; field int8 'it\'s'; field int8 '.5'; field 'function'& 'a\b'; }
		['nop':'nan'] field global 'function'* 'int8'; data 'data' (); function void 'x y'(void('function'&)) { register int8 'é'; block 'x' { 'é' = load.i8 (1); } } module entry f; function void f() { }`, ""},
	{"literals", `function void f() { register int8 r; block entry {
		r = load.i8 (-0x80); r = load.ui8 (0xff); r = load.i16 (-1); r = load.ui16 (65535); r = load.i32 (-2147483648); r = load.ui32 (4294967295);
		r = load.i64 (-9223372036854775808); r = load.ui64 (18446744073709551615);
		r = load.f32a (1, -0.0, 0.1, 1.0e30, 1.0e300, -1.0e300, nan, -nan, +inf, 1.4e-45, 16777216, 3.4028234e38);
		r = load.f64a (100000000000000000000000, 0.1, -5.0e-324, 1.7976931348623157e308, -inf, 123456789.125, nan, -nan);
		comment (); raw (1, 2); } }`, `function void f()
{
    register int8 r;

    block entry
    {
        r = load.i8 (-128);
        r = load.ui8 (255);
        r = load.i16 (-1);
        r = load.ui16 (65535);
        r = load.i32 (-2147483648);
        r = load.ui32 (4294967295);
        r = load.i64 (-9223372036854775808);
        r = load.ui64 (18446744073709551615);
        r = load.f32a (1.0, -0.0, 0.1, 1.0e+30, inf, -inf, nan, -nan, inf, 1.0e-45, 1.6777216e+07, 3.4028235e+38);
        r = load.f64a (1.0e+23, 0.1, -5.0e-324, 1.7976931348623157e+308, -inf, 1.23456789125e+08, nan, -nan);
        comment ();
        raw (1, 2);
    }
}
`},
	{"long list", "data d (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17);", `data d (
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    17);
`},
}

func TestModule(t *testing.T) {
	for _, tt := range tests {
		p, diags := load(tt.src, other+" field thread T[4]* t2;")
		if diags.HasErrors() {
			t.Errorf("%s: %v", tt.name, diags)
			continue
		}
		got, err := Module(p.Modules[0])
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if tt.want != "" && string(got) != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		again, diags := load(string(got), other+" field thread T[4]* t2;")
		if diags.HasErrors() {
			t.Errorf("%s: %v\n%s", tt.name, diags, got)
			continue
		}
		c := comparison{t: t, seen: map[[2]uintptr]bool{}}
		c.same(tt.name, reflect.ValueOf(p.Modules[0]), reflect.ValueOf(again.Modules[0]))
	}
}

// A comparison compares the meaning of two programs: everything except positions.
type comparison struct {
	t    *testing.T
	seen map[[2]uintptr]bool
}

func (c *comparison) same(path string, a, b reflect.Value) {
	if c.t.Failed() || a.Type() == reflect.TypeOf(diag.Pos{}) {
		return
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			c.t.Errorf("%s: one is nil", path)
		} else if key := [2]uintptr{a.Pointer(), b.Pointer()}; !a.IsNil() && !c.seen[key] {
			c.seen[key] = true
			c.same(path, a.Elem(), b.Elem())
		}
	case reflect.Struct:
		for i := range a.NumField() {
			c.same(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			c.t.Errorf("%s: %d and %d elements", path, a.Len(), b.Len())
			return
		}
		for i := range a.Len() {
			c.same(path, a.Index(i), b.Index(i))
		}
	default:
		if !a.Equal(b) {
			c.t.Errorf("%s: %v and %v", path, a, b)
		}
	}
}

// The comparison finds differences.
func TestComparison(t *testing.T) {
	for _, texts := range [][2]string{
		{"type T { }", "type U { }"},
		{"type T { field int8 x; }", "type T { field uint8 x; }"},
		{"data d (1);", "data d (2);"},
		{"function void f() { block entry { } }", "function void f() { block entry { nop; } }"},
	} {
		p, _ := load(texts[0], "")
		q, _ := load(texts[1], "")
		fake := &testing.T{}
		c := comparison{t: fake, seen: map[[2]uintptr]bool{}}
		c.same("m", reflect.ValueOf(p.Modules[0]), reflect.ValueOf(q.Modules[0]))
		if !fake.Failed() {
			t.Errorf("%q: no difference", texts)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", `a\`, "\xff"} {
		if _, err := Module(&module.Module{Name: "m", Structs: []*module.Struct{{Name: name}}}); err == nil || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("%q: got %v", name, err)
		}
	}
	if _, err := Module(&module.Module{Name: "m", Structs: []*module.Struct{{Name: `a\'b`}}}); err != nil {
		t.Error(err)
	}
}

// Every float is read back with the same bits.
func FuzzFloats(f *testing.F) {
	f.Add(uint64(0x3ff0000000000000), uint32(0x3f800000))
	f.Add(uint64(0x8000000000000000), uint32(0xff800000))
	f.Fuzz(func(t *testing.T, d uint64, s uint32) {
		if math.IsNaN(math.Float64frombits(d)) || s&0x7fffffff > 0x7f800000 {
			return
		}
		text := "function void f() { register int8 r; block entry { r = load.f64 (" + literal(d, module.Float64) + "); r = load.f32 (" + literal(uint64(s), module.Float32) + "); } }"
		p, diags := load(text, "")
		if diags.HasErrors() {
			t.Fatalf("%s: %v", text, diags)
		}
		is := p.Modules[0].Functions[0].Blocks[0].Instrs
		if is[0].Lits[0] != d || is[1].Lits[0] != uint64(s) {
			t.Errorf("%s: got %x %x", text, is[0].Lits[0], is[1].Lits[0])
		}
	})
}

func FuzzModule(f *testing.F) {
	for _, tt := range tests {
		f.Add(tt.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, diags := load(src, other)
		if diags.HasErrors() {
			return
		}
		once, err := Module(p.Modules[0])
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		again, diags := load(string(once), other)
		if diags.HasErrors() {
			t.Fatalf("%v\n%s\nfrom %s", diags, once, src)
		}
		twice, err := Module(again.Modules[0])
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%v\n%s\nbecomes\n%s", err, once, twice)
		}
		c := comparison{t: t, seen: map[[2]uintptr]bool{}}
		c.same("module", reflect.ValueOf(p.Modules[0]), reflect.ValueOf(again.Modules[0]))
	})
}
