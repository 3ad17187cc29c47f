package transpile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A named bundle is a text with places for names: {0}, {1} and so on, which must differ.
type named struct {
	dialect, ending, text string
	spell                 func(name string) string // as it stands in the text
}

func asIs(name string) string { return name }

var namedBundles = []named{
	{"mu", ".uir", `
.typedef @i = int<32> .typedef @{0} = struct<@i @i> .typedef @r = ref<@{0}>
.const @0 <@i> = 0 .const @{1} <@i> = 3 .typedef @i64 = int<64> .const @cookie <@i64> = 1
.global @{2} <@i>
.funcsig @s = (@i) -> (@i) .funcsig @{3} = () -> (@i) .typedef @f = funcref<@s> .typedef @fp = ufuncptr<@s>
.funcdecl @{4} <@s>
.expose @{5} = @{6} #DEFAULT @cookie
.funcdef @{6} VERSION %{7} <@s> {
	%{8}(<@i> %{9}): %{10} = SDIV <@i> %{9} @0 %z = EQ <@i> %{9} @0 BRANCH2 %z %{11}(%{9}) %done(%{9})
	%{11}(<@i> %x): [%{12}] TRAP <> KEEPALIVE(%x) %o = NEW <@{0}> STORE <@i> @{2} %x BRANCH %done(%x)
	%done(<@i> %x): RET %x
}
.funcdef @main VERSION %v <@{3}> {
	%e(): %f = CALL <@s> @{6} (@{1}) %g = CALL <@s> @{6} (%f) %h = CALL <@s> @{4} (%g) RET %h
}`, asIs},
	{"mu", ".uir", ` // for symbols see TestHostileSymbols
.typedef @d = double .typedef @i = int<32> .funcsig @s = (@d) -> (@d) .typedef @{0} = ufuncptr<@s>
.const @{1} <@{0}> = EXTERN "a_symbol" .const @1 <@d> = 1.0d .const @2 <@i> = 2 .funcsig @m = () -> (@i)
.funcdef @main VERSION %v <@m> { %e(): %{2} = CCALL #DEFAULT <@{0} @s> @{1} (@1) RET @2 }`, asIs},
	{"uvm2014", ".uir", `
.typedef @i = int<32> .typedef @{0} = struct<@i @i> .typedef @r = ref<@{0}>
.const @{1} <@i> = 3 .global @{2} <@i> .funcsig @s = @i (@i) .funcdecl @{3} <@s>
.funcdef @{4} <@s> (%{5}) {
%{6}: %{7} = SDIV <@i> %{5} 0 %t = TRAP <void> %{8} %{8} KEEPALIVE (%{7})
%{8}: %c = CALL <@s> @{3} (%{7}) RET <@i> %c
}
.funcdef @main <@i ()> () { %e: %a = CALL <@s> @{4} (@{1}) %b = CALL <@s> @{4} (%a) RET <@i> %b }`, asIs},
	{"ial", ".ial", `
type {0} { field int32 {1}; field int64 {2}; }
field global int32 {3}; field thread int32 {4};
function int32 {5}(int32) {
	register int32 {6}; register int32 z; register {0}& {7}; register int32 * g;
	block entry { {6} = arg.pop; jump ({8}); }
	block {8} { z = load.i32 (0); g = field.global.addr ({3}); mem.set g, z; g = field.thread.addr ({4});
		{7} = mem.new; g = field.addr {7} ({0}:{1}); {6} = ari.div {6}, z; return {6}; }
}
function int32 main() {
	register int32 r;
	block entry { r = load.i32 (3); arg.push r; r = call ({5}); arg.push r; r = call ({5}); return r; }
}
entry main;`, func(name string) string { return "'" + strings.ReplaceAll(name, "'", `\'`) + "'" }},
	{"tvm", ".tvm", `
%{0} = define struct i32 i32;
%{1} = function (%{2} : i32) > i32 {
  br %{3};
block %{3}:
  %{4} = div %{2} #i0;
  return %{4};
};
%main = function () > i32 { %a = call %{1} #i1; %b = call %{1} %a; return %b; };`, asIs},
	{"ir", ".ir", `word stackref {0}
type @{@1} = struct<int<64> int<32>>
const @{@2}: int<32> = 5
global @{@3}: int<32>
func @{@4}: (int<32>) -> (int<32>) called {5} shown([prefix {6} open {7}])
func @{@8}: (int<32>) -> (int<32>)
func @main: () -> (int<32>)
version @{@9} of @{@4} {
^{%10}(%{%11}: int<32>):
  %{%12}: int<32> = [{%13}] sdiv <int<32>> %{%11} 0:int<32>
  [{@14}] trap keep(%{%12})
  [at {@15}] trap
  ret %{%12}
}
version @main.v of @main {
^e():
  %a: int<32> = call <(int<32>) -> (int<32>)> @{@4} @{@2}
  %b: int<32> = call <(int<32>) -> (int<32>)> @{@8} %a
  ret %b
}`, strconv.Quote},
}

// places are the places of a text; a mark is part of the name.
var places = regexp.MustCompile(`\{([@%]?)([0-9]+)\}`)

// with fills the places with names made of two.
func (n *named) with(a, b string) string {
	return places.ReplaceAllStringFunc(n.text, func(place string) string {
		m := places.FindStringSubmatch(place)
		if k, _ := strconv.Atoi(m[2]); k%2 == 0 {
			return n.spell(m[1] + a + "x" + m[2])
		}
		return n.spell(m[1] + "y" + m[2] + b)
	})
}

// source is the bundle with names made of two; modules of IAL have one too.
func (n *named) source(file, a, b string) Source {
	s := Source{Name: file, Text: []byte(n.with(a, b))}
	if n.dialect == "ial" {
		s.Unit = "m" + b
	}
	return s
}

// outsideOptions are those with which named bundles are translated.
var outsideOptions = []Options{
	{Lines: true}, {Lines: true, Optimize: 1}, {Optimize: 1, SingleFile: true, NativeC: true}, {Package: "p", Introspect: true, Lines: true, Sanitize: true},
	{Package: "p", Optimize: 1, Live: true}, {Lines: true, NativeC: true, Libs: []string{"m"}, CgoFlags: []string{"LDFLAGS: -lm"}},
}

// unitOptions are those of a unit.
var unitOptions = Options{Unit: true, Lines: true, Optimize: 1, UnitC: true}

// outline is what Go's compiler sees of generated files, without names and constants: declarations, the tokens of functions,
// imports and directives. It reports positions of files other than the bundle, names that are declared twice, and comments
// that are more than comments.
func outline(n *named, file, a, b string, opt Options) (string, error) {
	opt.Dialect = n.dialect
	p, diags := Load([]Source{n.source(file, a, b)}, opt)
	if p == nil {
		return "", errNoProgram{diags.Err()}
	}
	files, err := p.Generate()
	if err != nil {
		return "", errNoProgram{err}
	}
	var out strings.Builder
	known := map[string]bool{}
	for _, f := range files {
		positions := []string{lex.FileName(file), f.Name}
		if strings.Contains(n.with(a, b), "//line ") { // of the bundle, which names any file
			positions = nil
		}
		fmt.Fprintf(&out, "file %s\n", f.Name)
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "package %s\n", tree.Name.Name)
		for _, g := range tree.Comments {
			for _, c := range g.List {
				if err := directive(&out, c.Text, positions); err != nil {
					return "", err
				}
			}
		}
		declare := func(id *ast.Ident) error {
			key := id.Name
			if f.Name == "native_nocgo.go" { // instead of native_cgo.go
				key += " without cgo"
			}
			if known[key] && key != "_" && key != "init" {
				return fmt.Errorf("%s is declared twice", key)
			}
			known[key] = true
			return nil
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				from, to := set.PositionFor(d.Pos(), false).Offset, set.PositionFor(d.End(), false).Offset
				fmt.Fprintf(&out, "func %s\n", tokens(f.Data[from:to]))
				err = declare(d.Name)
			case *ast.GenDecl:
				fmt.Fprintf(&out, "%s", d.Tok)
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ImportSpec:
						fmt.Fprintf(&out, " %s", s.Path.Value)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							out.WriteString(" name")
							err = declare(id)
						}
					case *ast.TypeSpec:
						out.WriteString(" name")
						err = declare(s.Name)
					}
				}
				out.WriteByte('\n')
			}
			if err != nil {
				return "", err
			}
		}
	}
	return out.String(), nil
}

// errNoProgram is the reason that names are refused.
type errNoProgram struct{ error }

// directive adds a comment to an outline if it means anything to the go command. A position must be in one of some files, if
// any are given.
func directive(out *strings.Builder, text string, files []string) error {
	place, line := strings.CutPrefix(text, "//line ")
	if !line {
		place, line = strings.CutPrefix(text, "/*line ")
		place = strings.TrimSuffix(place, "*/")
	}
	switch {
	case line:
		if files != nil && !slices.ContainsFunc(files, func(f string) bool {
			rest, ok := strings.CutPrefix(place, f)
			return ok && regexp.MustCompile(`^(;[0-9]+)?:[0-9]+(:1)?$`).MatchString(rest)
		}) {
			return fmt.Errorf("the position %q", place)
		}
	case strings.HasPrefix(text, "/*"): // C
		for l := range strings.Lines(text) {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "#") {
				fmt.Fprintf(out, "C %s\n", l)
			}
		}
	case strings.HasPrefix(text, "// +build"), text != "//" && !strings.HasPrefix(text, "// "):
		fmt.Fprintf(out, "directive %s\n", text)
	}
	return nil
}

// tokens are those of Go, without names and constants.
func tokens(text []byte) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", -1, len(text)), text, nil, 0)
	var b strings.Builder
	for {
		_, tok, _ := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		b.WriteString(tok.String() + " ")
	}
}

// sameOutline compares the outlines of a bundle with names and with plain ones, and what convert writes of it.
func sameOutline(t *testing.T, n *named, file, a, b string, opt Options) (accepted bool) {
	t.Helper()
	got, err := outline(n, file, a, b, opt)
	if _, refused := err.(errNoProgram); refused {
		return false
	}
	if err != nil {
		t.Fatalf("%s, file %q, names %q and %q, %+v: %v", n.dialect, file, a, b, opt, err)
	}
	want, err := outline(n, "plain"+n.ending, "n", "n", opt)
	if err != nil {
		t.Fatalf("%s: %v", n.dialect, err)
	}
	if got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range w {
			if i >= len(g) || g[i] != w[i] {
				t.Fatalf("%s, file %q, names %q and %q, %+v: got %.300s, want %.300s", n.dialect, file, a, b, opt, g[min(i, len(g)-1)], w[i])
			}
		}
		t.Fatalf("%s, file %q, names %q and %q, %+v: more than expected: %q", n.dialect, file, a, b, opt, g[len(w):])
	}
	return true
}

// writable checks that convert writes bundles that can be read.
func writable(t *testing.T, n *named, a, b string) {
	t.Helper()
	for _, form := range []string{"uir", "uir2014", "ir"} {
		p, _ := Load([]Source{n.source("a"+n.ending, a, b)}, Options{Dialect: n.dialect})
		if p == nil {
			return
		}
		d, f := Dialects.Form(form)
		text, err := p.Write(f)
		if err != nil {
			continue // it cannot express something
		}
		if q, diags := Load([]Source{{Name: "b" + f.Ending, Text: text}}, Options{Dialect: d.Name}); q == nil {
			t.Errorf("%s, names %q and %q: convert -to %s: %v\n%s", n.dialect, a, b, form, diags.Err(), text)
		}
	}
}

// hostile are names that try to become more than names.
var hostile = []string{
	"two\nlines", "f\nfunc init() { println() }\n//", "a\r\nimport \"os\"\n", "*/\nfunc init() {}\n/*", "*/ func init() {} /*",
	"a\n//go:linkname f g\n", "\n//export f\n", "\n//line x.go:1\n", ":5", ":5:6", ";7", "`+evil()+`", "\"+evil()+\"", "a\xff\xfe", "a\u2028b", "\ufeff",
	"\x00", "a b", "a\tb", "\\", "\\n", "//", "/*", "{", "}", "\n}\nfunc init() {", "\n#cgo LDFLAGS: -lx\n", "\n// +build x\n", "%", "@", "'", "é", "世界", ".", "-",
	"func", "init", "_", "\n//go:embed x\nvar x string\n", "\x1b[2J", "\n.funcdecl @x <@y>\n", "\u202e",
}

// Names of bundles and of their files, whatever they are, add nothing to generated Go: each is in its place.
func TestOutside(t *testing.T) {
	for i := range namedBundles {
		n := &namedBundles[i]
		if _, err := outline(n, "plain"+n.ending, "n", "n", Options{}); err != nil {
			t.Fatalf("%s: %v", n.dialect, err)
		}
		accepted := 0
		for k, h := range hostile {
			for j, opt := range outsideOptions {
				if (j+k)%3 != 0 {
					continue // every name and every option, but not all pairs
				}
				if sameOutline(t, n, "a"+n.ending, h, h, opt) {
					accepted++
				}
				if !sameOutline(t, n, "d/"+h, "n", "n", opt) {
					t.Errorf("%s: a file with the name %q is refused", n.dialect, h)
				}
			}
			if n.dialect == "ir" {
				sameOutline(t, n, h, h, h, unitOptions)
			}
			writable(t, n, h, h)
		}
		if any := n.dialect == "ial" || n.dialect == "ir"; any && accepted < 50 {
			t.Errorf("%s: only %d programs with names of any characters are accepted", n.dialect, accepted)
		}
	}
}

// FuzzOutside is TestOutside for other names.
func FuzzOutside(f *testing.F) {
	for i, h := range hostile {
		f.Add(uint8(i), uint8(i/2), h, hostile[len(hostile)-1-i], hostile[(i*7)%len(hostile)])
	}
	f.Fuzz(func(t *testing.T, which, way uint8, a, b, file string) {
		n := &namedBundles[int(which)%len(namedBundles)]
		opt := outsideOptions[int(way)%len(outsideOptions)]
		if n.dialect == "ir" && way%4 == 3 {
			opt = unitOptions
		}
		sameOutline(t, n, file, a, b, opt)
		writable(t, n, a, b)
	})
}
