package assemble

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

func source(name, text string) dialect.Source { return dialect.Source{Name: name, Text: []byte(text)} }

// loadUnits is load with modules of several files.
func loadUnits(units ...Unit) (*module.Program, string) {
	set := diag.NewSet()
	diags := diag.NewList(set)
	p, _ := Load(set, units, diags)
	var b strings.Builder
	if err := diags.Print(&b); err != nil {
		panic(err)
	}
	return p, b.String()
}

func TestModuleNames(t *testing.T) {
	tests := []struct {
		unit Unit
		want string
	}{
		{Unit{Sources: []dialect.Source{source("dir/a.b.ial", ""), source("c.ial", "")}}, "a.b"},
		{Unit{Module: "given", Sources: []dialect.Source{source("a.ial", "")}}, "given"},
		{Unit{Sources: []dialect.Source{source("plain", "")}}, "plain"},
		{Unit{Module: "none"}, "none"},
	}
	for _, tt := range tests {
		p, errs := loadUnits(tt.unit)
		if errs != "" || len(p.Modules) != 1 || p.Modules[0].Name != tt.want {
			t.Errorf("%+v: got %q %s", tt.unit, p.Modules[0].Name, errs)
		}
	}
}

func TestBadModules(t *testing.T) {
	tests := []struct {
		units []Unit
		want  string
	}{
		{[]Unit{{Sources: []dialect.Source{source("mci.ial", "type T { }")}}}, "mci.ial:1:1: a module cannot be called mci, which is the module of intrinsics\n"},
		{[]Unit{{Module: "mci", Sources: []dialect.Source{source("x.ial", "")}}}, "x.ial:1:1: a module cannot be called mci, which is the module of intrinsics\n"},
		{[]Unit{{Module: "a", Sources: []dialect.Source{source("x.ial", "")}}, {Module: "a", Sources: []dialect.Source{source("y.ial", "")}}},
			"y.ial:1:1: module a redefined: each module is given once, with all its files\n"},
		{[]Unit{{}}, "the module has no name\n"},
	}
	for _, tt := range tests {
		if _, errs := loadUnits(tt.units...); errs != tt.want {
			t.Errorf("%+v: got %s", tt.units, errs)
		}
	}
}

func TestFilesOfAModule(t *testing.T) {
	files := func(texts ...string) Unit {
		u := Unit{Module: "m"}
		for i, text := range texts {
			u.Sources = append(u.Sources, source(string(rune('a'+i))+".ial", text))
		}
		return u
	}
	p, errs := loadUnits(files("entry main; type A { field B& b; }", "", "type B { field m/A& a; } function int32 main() { }"))
	if errs != "" {
		t.Fatal(errs)
	}
	m := p.Modules[0]
	if len(m.Structs) != 2 || m.Structs[1].Members[0].Type != p.Types.To(module.Reference, p.Types.Of(m.Structs[0])) || m.Entries[module.Main].Func != m.Functions[0] {
		t.Errorf("got %+v", m)
	}
	_, errs = loadUnits(files("type A { } function int32 f() { } entry f;", "type A { } entry f;"))
	want := `b.ial:1:6: type A redefined
	previous definition at a.ial:1:6
b.ial:1:12: entry redefined
	previous definition at a.ial:1:35
`
	if errs != want {
		t.Errorf("got %s", errs)
	}
}

// Every intrinsic function has the types that the reference gives.
func TestIntrinsics(t *testing.T) {
	const want = `uint8 get_compiler()
uint8 get_architecture()
uint8 get_operating_system()
uint8 get_endianness()
uint8 get_emulation_layer()
uint is_32_bit()
O atomic_load(O*)
void atomic_store(O*, O)
uint atomic_exchange(O*, O, O)
uint atomic_load_u(uint*)
void atomic_store_u(uint*, uint)
uint atomic_exchange_u(uint*, uint, uint)
uint atomic_OP_u(uint*, uint)
int atomic_load_s(int*)
void atomic_store_s(int*, int)
int atomic_exchange_s(int*, int, int)
int atomic_OP_s(int*, int)
void gc_collect()
void gc_minimize()
uint64 gc_get_collections()
void gc_add_pressure(uint)
void gc_remove_pressure(uint)
uint gc_is_generational()
uint gc_get_generations()
void gc_generation_collect(uint)
void gc_generation_minimize(uint)
uint64 gc_generation_get_collections(uint)
uint gc_is_interactive()
void gc_add_allocate_callback(CB)
void gc_remove_allocate_callback(CB)
void gc_set_free_callback(O, CB)
void gc_wait_for_free_callbacks()
uint gc_is_atomic()
uint8 gc_get_barriers()
float32 nan_with_payload_f32(uint32)
float64 nan_with_payload_f64(uint64)
uint32 nan_get_payload_f32(float32)
uint64 nan_get_payload_f64(float64)
uint is_nan_f32(float32)
uint is_nan_f64(float64)
uint is_inf_f32(float32)
uint is_inf_f64(float64)
W create_weak(O)
O get_weak_target(W)
void set_weak_target(W, O)
`
	p, _ := load("")
	wanted := map[string]bool{}
	for _, l := range strings.Split(strings.TrimSpace(want), "\n") {
		ops := []string{"OP"}
		if strings.Contains(l, "OP") {
			ops = strings.Fields("add sub mul div rem and or xor")
		}
		for _, op := range ops {
			wanted[strings.ReplaceAll(l, "OP", op)] = true
		}
	}
	short := strings.NewReplacer("void(Object&) cdecl", "CB", "Object&", "O", "Weak&", "W")
	for _, f := range p.MCI.Functions {
		if f.Conv != module.Cdecl || f.Module != p.MCI || len(f.Blocks) > 0 || f.Pos.IsValid() {
			t.Errorf("%s: %+v", f.Name, f)
		}
		got := short.Replace(strings.TrimSuffix(signature(f, p.MCI), " cdecl"))
		if !wanted[got] {
			t.Errorf("there is %s", got)
		}
		delete(wanted, got)
	}
	for l := range wanted {
		t.Errorf("there is no %s", l)
	}
	var types []string
	for _, s := range p.MCI.Structs {
		types = append(types, p.Types.Of(s).String())
	}
	if got := strings.Join(types, " "); got != "mci/Object mci/Weak" {
		t.Errorf("types %s", got)
	}
	if len(p.Modules) != 1 {
		t.Errorf("mci is among the %d modules of the program", len(p.Modules))
	}
}

// The program that is assembled from one of everything.
func TestProgram(t *testing.T) {
	p, errs := load(`[a:b] type S align 4 { [c:d] field int8 x; field static S& s; field thread int t; }
field global float32 g (n, h);
[e:'f g'] data d (1, 0xff);
function ssa nothrow int32 f(noescape S&, [k:v] int8) stdcall
{
    register S& s;
    [q:r] block entry unwind out { s = arg.pop; [x:y] volatile field.set s, i (S:x); jump.cond i (out, 'entry'); }
    register int8 i;
    block out { p = load.f32a (1, -nan); p = load.func (f); p = phi (s, i); }
    register float32* p;
}
function void fw() { block entry { forward (n, k); } }
function void away() { block entry { forward (x, k); } }
module exit fw;
`, `field global float32 h; function void k() { block entry { ffi (libc, 'a.b'); } }`)
	if errs != "" {
		t.Fatal(errs)
	}
	at := func(pos diag.Pos) string { return strings.TrimPrefix(p.Files.Position(pos).String(), "m.ial:") }
	m, n := p.Modules[0], p.Modules[1]
	s, f := m.Structs[0], m.Functions[0]
	entry, out := f.Blocks[0], f.Blocks[1]
	set, cond := entry.Instrs[1], entry.Instrs[2]
	checks := []struct {
		what string
		ok   bool
	}{
		{"struct", s.Name == "S" && s.Align == 4 && s.Module == m && s.Meta[0] == module.Pair{Key: "a", Value: "b"} && at(s.Pos) == "1:12"},
		{"members", len(s.Members) == 3 && s.Members[0].Storage == module.Instance && s.Members[1].Storage == module.Global && s.Members[2].Storage == module.Thread},
		{"member", s.Members[0].Struct == s && s.Members[0].Meta[0].Key == "c" && s.Members[0].Type.Kind == module.Int8 && at(s.Members[0].Pos) == "1:41"},
		{"type", s.Members[1].Type == p.Types.To(module.Reference, p.Types.Of(s))},
		{"alias", m.Fields[0].Root() == n.Fields[0] && m.Fields[0].ForwardModule == "n" && m.Fields[0].ForwardName == "h" && m.Fields[0].Storage == module.Global},
		{"data", string(m.Data[0].Bytes) == "\x01\xff" && m.Data[0].Meta[0].Value == "f g"},
		{"function", f.Attrs == module.SSA|module.NoThrow && f.Conv == module.Stdcall && f.Result.Kind == module.Int32 && at(f.Pos) == "4:28" && at(f.End) == "11:1"},
		{"parameters", len(f.Params) == 2 && f.Params[0].NoEscape && !f.Params[1].NoEscape && f.Params[1].Meta[0].Value == "v" && at(f.Params[0].Pos) == "4:39"},
		{"registers", len(f.Registers) == 3 && f.Registers[1].Name == "i" && f.Registers[1].Index == 1},
		{"blocks", len(f.Blocks) == 2 && f.Entry() == entry && entry.Unwind == out && out.Unwind == nil && out.Index == 1 && entry.Meta[0].Key == "q" && at(entry.End) == "7:114"},
		{"target", entry.Instrs[0].Target == f.Registers[0] && at(entry.Instrs[0].TargetPos) == "7:36" && at(entry.Instrs[0].Pos) == "7:40"},
		{"sources", set.Volatile && !cond.Volatile && set.Src[0] == f.Registers[0] && set.Src[1] == f.Registers[1] && at(set.SrcPos[1]) == "7:77" && set.Meta[0].Key == "x"},
		{"member operand", set.Field == s.Members[0] && at(set.OperandPos[0]) == "7:80"},
		{"branch", cond.Blocks[0] == out && cond.Blocks[1] == entry && at(cond.OperandPos[1]) == "7:104"},
		{"literals", len(out.Instrs[0].Lits) == 2 && out.Instrs[0].Lits[0] == 0x3f800000 && out.Instrs[0].Lits[1] == 0xffc00000},
		{"function operand", out.Instrs[1].Func == f},
		{"registers operand", len(out.Instrs[2].Regs) == 2 && out.Instrs[2].Regs[1] == f.Registers[1]},
		{"forward", m.Functions[1].Body() == module.Forward && m.Functions[1].Forward == n.Functions[0] && m.Functions[2].Forward == nil},
		{"symbol", n.Functions[0].Blocks[0].Instrs[0].Module == "libc" && n.Functions[0].Blocks[0].Instrs[0].Symbol == "a.b"},
		{"entry", m.Entries[module.ModuleExit].Func == m.Functions[1] && m.Entries[module.Main].Func == nil && at(m.Entries[module.ModuleExit].Pos) == "14:1"},
	}
	for _, c := range checks {
		if !c.ok {
			t.Errorf("%s is wrong", c.what)
		}
	}
}
