package ir_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

func text(p *ir.Program) string {
	var b bytes.Buffer
	if err := ir.Print(&b, p); err != nil {
		panic(err)
	}
	return b.String()
}

func parse(t testing.TB, s string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(nil, "dump", []byte(s))
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	return p
}

// bundles calls f for each bundle of the repository that is a correct program by itself.
func bundles(t testing.TB, f func(name string, p *ir.Program)) {
	try := func(name string, data []byte) {
		files := diag.NewSet()
		if p, ok := mu.Load(files, []mu.Source{{Name: name, Text: data}}, mu.Options{}, diag.NewList(files)); ok {
			f(name, p)
		}
	}
	for _, pattern := range []string{"examples/*/*.uir", "cmd/uvmbench/kernels/*/*.uir", "testscripts/*.txtar"} {
		paths, err := filepath.Glob("../../" + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(path, ".txtar") {
				try(path, data)
				continue
			}
			for _, file := range txtar.Parse(data).Files {
				if strings.HasSuffix(file.Name, ".uir") {
					try(path+"/"+file.Name, file.Data)
				}
			}
		}
	}
}

func TestPrintParse(t *testing.T) {
	n := 0
	bundles(t, func(name string, p *ir.Program) {
		n++
		first := text(p)
		q, err := ir.Parse(nil, name, []byte(first))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if second := text(q); second != first {
			t.Errorf("%s: text changes: %s", name, firstDifference(first, second))
		}
		if err := verify.Err(verify.Program(q)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := equal(p, q); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := passes.Run(p, passes.Options{Level: 1}); err != nil {
			t.Fatal(err)
		}
		if after := text(p); text(parse(t, after)) != after {
			t.Errorf("%s: text changes after the passes: %s", name, firstDifference(after, text(parse(t, after))))
		}
	})
	if n < 100 {
		t.Errorf("only %d bundles", n)
	}
}

// TestText compares texts written by hand with their printed form, except for the line of
// numbers. Each file of testdata shows one thing, which its comment names.
func TestText(t *testing.T) {
	texttest.Each(t, func(t *testing.T, file *texttest.File) {
		file.Has(t, "hand.ir", "printed.ir")
		p := parse(t, string(file.Files[0].Data))
		if err := verify.Err(verify.Program(p)); err != nil {
			t.Error(err)
		}
		_, got, _ := strings.Cut(text(p), "\n")
		file.Want(t, got)
		if _, again, _ := strings.Cut(text(parse(t, got)), "\n"); again != got {
			t.Errorf("printed again, it is\n%s", again)
		}
	})
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d: %q, %q", i+1, x[i], append(y, make([]string, i+1)...)[i])
		}
	}
	return "second is longer"
}

// sample has every construct of the text form.
const sample = `program 65600 2
type @i64 = int<64> !65536
type @node = struct<@i64 ref<@node>> !65537
type @size = @i64 !65538
type @h = hybrid<@i64 int<8>> !65539
type #0 = ref<#0>
const @c: @i64 = 42 !65540
const @wide: int<128> = 0x10000000000000000
const @arr: array<@i64 2> = {@c 7:@i64}
const @nan: float = bits(0x7fc00000)
const @half: double = 0.5
const @ext: ufuncptr<() -> ()> = extern "größe.b"
global @g: @node !65541
func @f: (@i64 #0) -> (@i64) !65542
func @"odd name": () -> ()
expose @e: ufuncptr<() -> ()> = @"odd name" 3:@i64 !65543

version @f.v1 of @f !65544 {
^entry.0(%a.1: @i64, %r.2: #0):
  %x.3: @i64 = add <@i64> %a.1 @c
  %p.4: iref<@i64> = getfieldiref <@node> #0 @g
  %old.5: @i64, %ok.6: int<1> = cmpxchg.weak.acq_rel.relaxed <@i64> %p.4 %x.3 1:@i64
  %@glob.7: @i64 = [@f.v1.call] atomicrmw.relaxed.umax <@i64> %p.4 5:@i64 !70000
  %8: @i64 = [%call] call <(@i64 #0) -> (@i64)> @f %@glob.7 null:#0 exc ^nor.2(%8) ^1() keep(%a.1 %x.3)
^1() [%exc.9: ref<void>]: !0
  throw %exc.9
^nor.2(%"odd \n".10: @i64):
  switch <@i64> %"odd \n".10 @c 1:@i64 ^1.4() ^1.4() ^1.4()
^1.4():
  watchpoint.wpexc #7 types(@i64 double) ^1.4() ^@glob.6() ^1()
^@glob.6():
  tailcall <(@i64 #0) -> (@i64)> @f %a.1 %r.2
}

version @f.v2 of @f {
^entry.0(%a.1: @i64, %r.2: #0):
  %3: float = kill_dependency <float> @nan
  ret @c
}

image
object $root: @h 10
object $"odd": @i64 0
init $0[1 3]: int<8> = const 200:int<8>
init @g[1]: ref<@node> = ref $1[]: @i64
init $0[0]: @i64 = tagfp 4607182418800017408
init $0[0]: @i64 = tagref null 3
`

func TestSample(t *testing.T) {
	src := strings.Replace(sample, "kill_dependency", "killdependency", 1)
	p := parse(t, src)
	first := text(p)
	if second := text(parse(t, first)); second != first {
		t.Errorf("text changes: %s", firstDifference(first, second))
	}
	if err := equal(p, parse(t, first)); err != nil {
		t.Error(err)
	}
	v := p.Funcs[0].Versions[0]
	for i, want := range map[int]string{1: "%a", 7: "@glob", 8: "", 10: "odd \n"} {
		if got := v.Values[i].Name; got != want {
			t.Errorf("value %d is %q, want %q", i, got, want)
		}
	}
	if len(p.Funcs[0].Versions) != 2 || !v.Blocks[3].Dead || !v.Blocks[5].Dead {
		t.Error("versions or dead blocks")
	}
	if c := p.Consts[1]; c.Hi != 1 || c.Lo != 0 {
		t.Errorf("wide constant %x %x", c.Hi, c.Lo)
	}
	if len(p.Image.Inits) != 4 || p.Image.Inits[3].From.Object != -1 {
		t.Errorf("image %+v", p.Image)
	}
}

// Numbers may be left out by hand.
func TestHandwritten(t *testing.T) {
	p := parse(t, `
func @gcd: (int<32> int<32>) -> (int<32>)  // greatest common divisor
version @gcd.v of @gcd {
^entry(%a: int<32>, %b: int<32>):
  branch ^head(%a %b)
^head(%x: int<32>, %y: int<32>):
  %z: int<1> = eq <int<32>> %y 0:int<32>
  branch2 %z ^done() ^step()
^step():
  %m: int<32> = urem <int<32>> %x %y
  branch ^head(%y %m)
^done():
  ret %x
}`)
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Error(err)
	}
	if got := ir.InstString(p, p.Funcs[0].Versions[0], 4); got != "%m.6: int<32> = urem <int<32>> %x.3 %y.4" {
		t.Errorf("got %s", got)
	}
}

func TestParseErrors(t *testing.T) {
	const fn = "func @f: () -> ()\nversion @f.v of @f {\n"
	for _, c := range []struct{ src, want string }{
		{"bogus", "d:1:1: unexpected bogus"},
		{"type @a = int<", "d:1:15: want width, got end of line"},
		{"type @a = ref<@b>", "d:1:15: unknown type @b"},
		{"type @a = @b\ntype @b = @a", "defined as itself"},
		{"const @c: int<8> = x", "d:1:20: bad constant of type int<8>"},
		{"const @c: int<8> = 1\nconst @c: int<8> = 1", "d:2:7: @c redefined"},
		{"func @f: int<8>", "want a signature"},
		{"version @f.v of @f {\n}", "@f is no function"},
		{"func @f: () -> (int<8>) shown()", "d:1:32: @f has 1 results, and shows 0"},
		{"func @f: () -> (int<8>) shown(odd)", "d:1:31: want [, got odd"},
		{"func @f: () -> (int<8>) shown([prefix])", "want a prefix, got ]"},
		{"func @f: () -> (int<8>) shown([odd])", "want word, got odd"},
		{"func @f: () -> (int<8>) shown(" + strings.Repeat("{", 20000), "nested too deep"},
		{"word bogus \"x\"", "bogus is no kind of types"},
		{fn + "^e():\n  ret %x.5\n}", "d:4:7: %x.5 is not defined"},
		{fn + "^e():\n  branch ^z()\n}", "d:4:10: ^z is not defined"},
		{fn + "^e():\n  frob\n}", "d:4:3: unknown operation frob"},
		{fn + "^e():\n  load.strange\n}", "d:4:3: unknown suffix strange"},
		{fn + "^e():\n  ret @nope\n}", "unknown name @nope"},
		{fn + "^e():\n  ret %x.99999999\n}", "bad name %x.99999999"},
		{fn + "^e(%a.1: int<8>, %a.1: int<8>):\n  ret\n}", "%a.1 redefined"},
		{fn + "  ret\n}", "instruction before the first block"},
		{fn + "^e():\n  ret\n", "version without }"},
		{"object $x: ?type3 4", "want a type, got ?"},
		{strings.Repeat("type @a = "+strings.Repeat("ref<", 20000), 1), "nested too deep"},
	} {
		_, err := ir.Parse(nil, "d", []byte(c.src))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: got %v, want %s", c.src, err, c.want)
		}
	}
}

// Printers accept anything.
func TestPrintBroken(t *testing.T) {
	for _, p := range []*ir.Program{nil, {}, {Funcs: []*ir.Function{nil, {Versions: []*ir.Version{nil, {}}}}, Consts: []*ir.Const{nil, {Kind: 99}},
		Globals: []*ir.Global{nil}, Exposes: []*ir.Expose{nil, {}}, Image: &ir.Image{Inits: []ir.ImageInit{{Kind: 77}, {}}}}} {
		if text(p) == "" {
			t.Error("nothing printed")
		}
		var b bytes.Buffer
		if ir.PrintVersion(&b, p, nil); b.Len() == 0 {
			t.Error("nothing printed")
		}
	}
	v := &ir.Version{Values: make([]ir.Value, 2), Blocks: []ir.Block{{Insts: []ir.InstID{0, 1, 2, 9}, Params: []ir.ValueID{77}, Exc: -3}},
		Insts: []ir.Inst{{}, {Op: 250, Flags: 255, Ty: 99, Sig: -1, Args: []ir.ValueID{-1, 5}, Dests: []ir.Dest{{Block: 9}}, Name: "x"}, {Op: ir.OpLoad, Ord: 99}}}
	v.Values[1] = ir.Value{Kind: ir.ValueConst}
	p := ir.NewProgram()
	var b bytes.Buffer
	if err := ir.PrintVersion(&b, p, v); err != nil || !strings.Contains(b.String(), "?inst9") {
		t.Errorf("%v: %s", err, &b)
	}
	for id := ir.InstID(-2); id < 5; id++ {
		ir.InstString(p, v, id)
	}
	ir.ValueString(p, v, 400)
	ir.BlockString(v, 400)
	c := &ir.Const{Kind: ir.ConstAggregate}
	c.Elems = []*ir.Const{c}
	p.Consts = append(p.Consts, c)
	text(p)
}

func TestDeepTypes(t *testing.T) {
	p := ir.NewProgram()
	id := p.Types.Int(8)
	for range 100000 {
		id = p.Types.Ref(id)
	}
	wide := p.Types.Int(64)
	for range 60 {
		wide = p.Types.Struct(wide, wide)
	}
	p.Globals = append(p.Globals, &ir.Global{Name: "@g", Type: id}, &ir.Global{Name: "@h", Type: wide})
	first := text(p)
	if len(first) > 2<<20 {
		t.Errorf("%d bytes", len(first))
	}
	if second := text(parse(t, first)); second != first {
		t.Error("text changes")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("func @f: () -> ()\nversion @f.v of @f {\n^e:\n ret\n}")
	bundles(f, func(_ string, p *ir.Program) {
		if s := text(p); len(s) < 3000 {
			f.Add(s)
		}
	})
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ir.Parse(nil, "f", []byte(src))
		if err != nil {
			return
		}
		first := text(p)
		q, err := ir.Parse(nil, "f", []byte(first))
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second := text(q); second != first {
			t.Fatalf("text changes: %s", firstDifference(first, second))
		}
		verify.Program(p)
	})
}

// A text that PrintPlaced writes is read back with the positions of the source: file and line of
// each instruction and block.
func TestPrintPlaced(t *testing.T) {
	bundles(t, func(name string, p *ir.Program) {
		var b bytes.Buffer
		if err := ir.PrintPlaced(&b, p); err != nil {
			t.Fatal(err)
		}
		files := diag.NewSet()
		q, err := ir.Parse(files, "/placed.ir", b.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		line := func(s *diag.Set, at diag.Pos) string {
			x := s.Position(at)
			return fmt.Sprintf("%s:%d", filepath.Base(x.File), x.Line)
		}
		for i, fn := range p.Funcs {
			for k, v := range fn.Versions {
				w := q.Funcs[i].Versions[k]
				for b := range v.Blocks {
					for n, id := range v.Blocks[b].Insts {
						want, got := line(p.Files, v.Insts[id].Pos), line(files, w.Insts[w.Blocks[b].Insts[n]].Pos)
						if want != got {
							t.Fatalf("%s: %s: instruction %d of block %d is at %s, want %s", name, v.Name, n, b, got, want)
						}
					}
				}
			}
		}
	})
}

// The name of the source of a program adds no line to what PrintPlaced writes, and positions have it as it is shown.
func TestPrintPlacedNames(t *testing.T) {
	const text = "func @f: () -> ()\nversion @f.v of @f {\n^e():\n  ret\n}\n"
	for file, want := range map[string]string{
		"/a.uir": "/a.uir", "/a\nfunc @g: () -> ()": `/a\nfunc @g: () -> ()`, "/a:5": "/a:5", "/a:5:6": "/a:5:6", "/a\rb": `/a\rb`, "/a\xff": `/a\xff`,
	} {
		p, err := ir.Parse(nil, file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := ir.PrintPlaced(&b, p); err != nil {
			t.Fatal(err)
		}
		q, err := ir.Parse(nil, "/placed.ir", b.Bytes())
		if err != nil || len(q.Funcs) != 1 {
			t.Fatalf("%q: %v\n%s", file, err, b.String())
		}
		if at := q.Files.Position(q.Funcs[0].Versions[0].Insts[1].Pos); at.File != want || at.Line != 4 {
			t.Errorf("%q: the instruction is at line %d of %q\n%s", file, at.Line, at.File, b.String())
		}
	}
}
