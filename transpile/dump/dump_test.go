package dump_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

const bundle = `.typedef @i64 = int<64>  .typedef @i1 = int<1>
.const @c0 <@i64> = 0  .const @c1 <@i64> = 1
.funcsig @s = (@i64) -> (@i64)
.funcdecl @decl <@s>
.funcdef @f VERSION %v1 <@s> {
  %entry(<@i64> %n):
    BRANCH %head(%n @c0)
  %head(<@i64> %i <@i64> %a):
    %z = EQ <@i64> %i @c0
    BRANCH2 %z %out(%a) %body(%i %a)
  %body(<@i64> %i <@i64> %a):
    %j = SUB <@i64> %i @c1
    %q = SDIV <@i64> %a %j EXC(%head(%j %q) %exc())
  %out(<@i64> %a):
    SWITCH <@i64> %a %fin(%a) { @c1 %fin(@c0) }
  %exc() [%e]:
    THROW %e
  %fin(<@i64> %r):
    RET %r
}
.funcdef @g VERSION %v1 <@s> {
  %entry(<@i64> %n):
    %r = CALL <@s> @f (%n)
    RET %r
}
`

func load(t testing.TB, name, text string) *ir.Program {
	t.Helper()
	files := diag.NewSet()
	diags := diag.NewList(files)
	p, ok := mu.Load(files, []mu.Source{{Name: name, Text: []byte(text)}}, mu.Options{}, diags)
	if !ok {
		t.Fatal(diags.Err())
	}
	return p
}

func get(t testing.TB, p *ir.Program, opt dump.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := dump.Dump(&b, p, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wants(t *testing.T, got string, list ...string) {
	t.Helper()
	for _, w := range list {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
}

func TestText(t *testing.T) {
	p := load(t, "b.uir", bundle)
	all := get(t, p, dump.Options{})
	wants(t, all, "program ", "version @f.v1 of @f", "version @g.v1 of @g")
	if _, err := ir.Parse(nil, "d", []byte(all)); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"@g", "@g.v1"} {
		one := get(t, p, dump.Options{Func: name})
		wants(t, one, "version @g.v1 of @g", "call <@s> @f %n.1")
		if strings.Contains(one, "version @f.v1") {
			t.Errorf("%s: dump has @f", name)
		}
	}
}

func TestUnknown(t *testing.T) {
	p := load(t, "b.uir", bundle)
	for name, want := range map[string]string{"@nope": "unknown function @nope", "@decl": "@decl is declared but never defined"} {
		err := dump.Dump(io.Discard, p, dump.Options{Func: name})
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if dump.Dump(io.Discard, nil, dump.Options{Form: dump.DOT}) == nil {
		t.Error("no error for no program")
	}
}

func TestDOT(t *testing.T) {
	got := get(t, load(t, "b.uir", bundle), dump.Options{Form: dump.DOT, Func: "@f"})
	wants(t, got, "digraph", `label="@f.v1"`, `b0_1 -> b0_3 [label="true"]`, `b0_1 -> b0_2 [label="false"]`,
		`b0_2 -> b0_4 [label="exc", style=dashed]`, `b0_3 -> b0_5 [label="default"]`, `b0_3 -> b0_5 [label="@c1"]`, `^exc.4() [%e.`)
	if strings.Count(got, "{") != strings.Count(got, "}") {
		t.Error("braces do not match")
	}
}

// wellFormed parses XML to its end.
func wellFormed(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestSVG(t *testing.T) {
	p := load(t, "b.uir", bundle)
	got := get(t, p, dump.Options{Form: dump.SVG})
	wants(t, got, "<svg ", "@f.v1", "@g.v1", ">true<", ">false<", ">exc<", ">default<", `class="e x"`, "%j.", "&lt;@i64&gt;")
	if err := wellFormed(got); err != nil {
		t.Error(err)
	}
	if n := strings.Count(got, "<rect"); n != 7 {
		t.Errorf("%d boxes, want 7", n)
	}
	if n := strings.Count(got, `<path class="e`); n != 7 {
		t.Errorf("%d edges, want 7", n)
	}
	if again := get(t, load(t, "b.uir", bundle), dump.Options{Form: dump.SVG}); again != got {
		t.Error("two dumps differ")
	}
}

// Boxes do not overlap, and lie inside the picture.
func TestSVGBoxes(t *testing.T) {
	got := get(t, load(t, "b.uir", bundle), dump.Options{Form: dump.SVG, Func: "@f"})
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	size := regexp.MustCompile(`width="(\d+)" height="(\d+)"`).FindStringSubmatch(got)
	width, height := number(size[1]), number(size[2])
	var boxes [][4]float64
	for _, m := range regexp.MustCompile(`<rect class="b" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"`).FindAllStringSubmatch(got, -1) {
		x, y := number(m[1]), number(m[2])
		boxes = append(boxes, [4]float64{x, y, x + number(m[3]), y + number(m[4])})
	}
	for i, a := range boxes {
		if a[0] < 0 || a[1] < 0 || a[2] > width || a[3] > height {
			t.Errorf("box %d lies outside", i)
		}
		for k, b := range boxes[:i] {
			if a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3] {
				t.Errorf("boxes %d and %d overlap", i, k)
			}
		}
	}
	// The entry is above the head, the head above the body, and the body above its successors.
	if !(boxes[0][1] < boxes[1][1] && boxes[1][1] < boxes[2][1] && boxes[2][1] < boxes[4][1]) {
		t.Error("blocks are not in order")
	}
}

var outside = regexp.MustCompile(`(?i)(src|href)\s*=\s*"?[^#"]|@import|url\([^#]|<script`)

func TestHTML(t *testing.T) {
	p := load(t, "b.uir", bundle)
	vs, err := dump.Select(p, "")
	if err != nil {
		t.Fatal(err)
	}
	snapshot := map[*ir.Version]string{}
	for _, v := range vs {
		snapshot[v] = dump.IRColumn("", p).Text(v)
	}
	for i := range vs[1].Insts {
		vs[1].Insts[i].Name = "%renamed"
	}
	page := func() string {
		var b bytes.Buffer
		if err := dump.HTML(&b, p, "b.uir & co", vs, []dump.Column{
			dump.SourceColumn("source", p),
			{Title: "read", Text: func(v *ir.Version) string { return snapshot[v] }},
			dump.IRColumn("after <pass>", p),
			{Title: "empty"},
		}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := page()
	wants(t, got, "<html", "</html>", "b.uir &amp; co", "after &lt;pass&gt;", "    7      BRANCH %head(%n @c0)", "   24      RET %r", "<mark>", "<svg ",
		"<mark>  %r.3: @i64 = [%renamed] call &lt;@s&gt; @f %n.1</mark>")
	if strings.Contains(got, ".funcdecl") {
		t.Error("source of more than the versions")
	}
	if m := outside.FindString(got); m != "" {
		t.Errorf("refers to the outside: %s", m)
	}
	if page() != got {
		t.Error("two pages differ")
	}
}

// Every example has every form.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("../../examples/*/*.uir")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := load(t, path, string(text))
		get(t, p, dump.Options{})
		get(t, p, dump.Options{Form: dump.DOT})
		if err := wellFormed(get(t, p, dump.Options{Form: dump.SVG})); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		vs, _ := dump.Select(p, "")
		if err := dump.HTML(io.Discard, p, path, vs, []dump.Column{dump.SourceColumn("source", p), dump.IRColumn("IR", p)}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Broken versions can be dumped.
func TestBroken(t *testing.T) {
	v := &ir.Version{Name: "@f.v",
		Insts:  []ir.Inst{{}, {Op: ir.OpBranch, Dests: []ir.Dest{{Block: 77}, {Block: -1}, {Block: 0}}}, {Op: 250, Flags: 255, Dests: []ir.Dest{{}, {}, {}}}, {Op: ir.OpSwitch, Dests: []ir.Dest{{}, {Block: 1}}}},
		Blocks: []ir.Block{{Insts: []ir.InstID{1, 900}, Params: []ir.ValueID{7}, Exc: 8}, {Insts: []ir.InstID{2}}, {}, {Insts: []ir.InstID{1}, Dead: true}, {Insts: []ir.InstID{3}}}}
	p := ir.NewProgram()
	p.Funcs = []*ir.Function{nil, {Name: "@f", Versions: []*ir.Version{nil, v}}}
	for _, f := range []dump.Form{dump.Text, dump.DOT, dump.SVG} {
		for _, name := range []string{"", "@f"} {
			get(t, p, dump.Options{Form: f, Func: name})
		}
	}
	if err := dump.HTML(io.Discard, p, "x", []*ir.Version{v}, []dump.Column{dump.SourceColumn("s", p), dump.IRColumn("i", p)}); err != nil {
		t.Error(err)
	}
}

// A long function takes no more than linear time and stack.
func TestManyLines(t *testing.T) {
	p := ir.NewProgram()
	b := ir.NewBuilder(p)
	f := b.Body(b.Func("@f", b.Types.Sig(nil, nil)), "v")
	for range 5000 {
		next := f.Block("")
		f.Branch(next)
		f.At(next)
	}
	f.Ret()
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := wellFormed(get(t, p, dump.Options{Form: dump.SVG})); err != nil {
		t.Error(err)
	}
}

// TestPlain numbers values only where names repeat, drops ids, and leaves strings alone.
func TestPlain(t *testing.T) {
	p, err := ir.Parse(nil, "p.ir", []byte(`type @i = int<64>
const @b: array<int<8> 7> = bytes "%a.1 !3"
func @f: (@i) -> (@i)
version @f.v of @f {
^e(%a: @i):
  %b: @i = add <@i> %a %a
  branch ^e.7(%b)
^e.7(%a.9: @i):
  %b.12: @i = mul <@i> %a.9 5:@i
  ret %b.12
}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := `version @f.v of @f {
^e(%a: @i):
  %b: @i = add <@i> %a %a
  branch ^e.2(%b)
^e.2(%a.2: @i):
  %b.2: @i = mul <@i> %a.2 5:@i
  ret %b.2
}
`
	if got := dump.Plain(p, p.Funcs[0].Current()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `const @b: array<int<8> 7> = bytes "%a.1 !3"
func @f: (@i) -> (@i)
type @i = int<64>
`
	if got := dump.PlainDefinitions(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The source column has the lines of the author's source beside those of the bundle.
func TestAuthorsLines(t *testing.T) {
	const text = ".funcsig @s = () -> ()\n.funcdef @f VERSION %v <@s> {\n//line a.src:7:1\n%e():\nRET ()\n//line b.src:12\n}\n"
	files := diag.NewSet()
	p, ok := mu.Load(files, []mu.Source{{Name: "f.uir", Text: []byte(text)}}, mu.Options{}, diag.NewList(files))
	if !ok {
		t.Fatal("the bundle has errors")
	}
	p.Files = files
	got := dump.SourceColumn("source", p).Text(p.Funcs[0].Current())
	want := "    2           .funcdef @f VERSION %v <@s> {\n    3           //line a.src:7:1\n    4  a.src:7  %e():\n    5  a.src:8  RET ()\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
