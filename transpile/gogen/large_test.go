package gogen_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// largeLoop is a program with a function of many cases, and the lines of the call in each and of the access in every third. With
// n arguments the program runs case n, and then case 0, which fails. The program may have several threads.
func largeLoop(cases int) (text string, calls, accesses []int) {
	var b strings.Builder
	line := 1
	p := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		line++
	}
	p(".typedef @i64 = int<64> .typedef @i32 = int<32> .typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @p8 = uptr<@i8> .typedef @pp8 = uptr<@p8> .typedef @r = ref<@i64>")
	p(".const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @null <@r> = NULL .const @zero32 <@i32> = 0")
	p(".funcsig @main.sig = (@i32 @pp8) -> (@i32) .funcsig @f.sig = (@i64 @r) -> (@i64) .funcsig @g.sig = (@i64) -> (@i64)")
	for i := range cases {
		p(".const @k%d <@i64> = %d", i, i)
	}
	p(".typedef @st = stackref .typedef @th = threadref .funcsig @spin.sig = () -> ()")
	p(".funcdef @spin VERSION %%v <@spin.sig> { %%e(): %%s = COMMINST @uvm.new_stack <[@spin.sig]> (@spin) %%t = NEWTHREAD %%s PASS_VALUES <> () RET () }") // so jumps back are polls
	p(".funcdef @main VERSION %%v <@main.sig> {")
	p("%%e(<@i32> %%n <@pp8> %%p): %%x = SEXT <@i32 @i64> %%n %%y = SUB <@i64> %%x @1 %%z = CALL <@f.sig> @f (%%y @null) RET @zero32 }")
	p(".funcdef @g VERSION %%v <@g.sig> { %%e(<@i64> %%x): %%c = EQ <@i64> %%x @0 BRANCH2 %%c %%t() %%r(%%x)\n%%t(): %%a = GETIREF <@i64> @null")
	line++
	p("%%v = LOAD <@i64> %%a RET %%v")
	p("%%r(<@i64> %%x): RET %%x }")
	p(".funcdef @f VERSION %%v <@f.sig> { %%e(<@i64> %%n <@r> %%o): BRANCH %%l(%%n %%o)")
	p("%%l(<@i64> %%n <@r> %%o): SWITCH <@i64> %%n %%end(%%n) {")
	for i := range cases {
		p("@k%d %%b%d(%%o)", i, i)
	}
	p("}")
	for i := range cases {
		p("%%b%d(<@r> %%o): %%x = MUL <@i64> @k%d @k%d", i, i, i)
		p("%%c = SLT <@i64> %%x @0")
		if i%3 == 1 { // a statement with two positions: the addition is made in that of the store
			p("%%a = GETIREF <@i64> %%o")
			accesses = append(accesses, line)
			p("%%d = LOAD <@i64> %%a")
			p("%%h = ADD <@i64> %%d %%x")
		} else {
			p("%%h = ADD <@i64> %%x @k%d", i)
		}
		calls = append(calls, line)
		p("%%y = CALL <@g.sig> @g (%%h)")
		p("BRANCH2 %%c %%l(%%y %%o) %%b%d.next(%%o)", i)
		p("%%b%d.next(<@r> %%o): BRANCH %%l(@0 %%o)", i)
	}
	p("%%end(<@i64> %%n): RET %%n }")
	return b.String(), calls, accesses
}

// TestLarge: traces of a function that has a table of its lines, instead of directives, have the right lines, and its jumps back
// to the head of a loop share a poll.
func TestLarge(t *testing.T) {
	dir := client(t)
	text, calls, accesses := largeLoop(400)
	for level := range 2 {
		p, diags := transpile.Load([]transpile.Source{{Name: "large.uir", Text: []byte(text)}}, transpile.Options{Lines: true, Optimize: level, DisablePasses: []string{"inline"}})
		if diags.HasErrors() {
			t.Fatal(diags.Error())
		}
		files, err := p.Generate()
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("large%d", level)
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		tables, polls := 0, 0
		for _, f := range files {
			tables += strings.Count(string(f.Data), "Lines: lines_f}")
			polls += strings.Count(string(f.Data), "t.Safepoint()")
			if err := os.WriteFile(filepath.Join(dir, name, f.Name), f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if tables != 1 {
			t.Errorf("-O%d: %d tables of lines", level, tables)
		}
		if polls != 1 {
			t.Errorf("-O%d: %d polls, want one for all jumps back", level, polls)
		}
		exe := filepath.Join(dir, name, "prog")
		cmd := exec.Command("go", "build", "-trimpath", "-o", exe, "./"+name)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, n := range []int{0, 1, 2, 90, 91, 92, 397, 398} {
			out, err := exec.Command(exe, make([]string, n)...).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("%v\n%s", err, out)
			}
			want := fmt.Sprintf("\t@f (large.uir:%d)\n", calls[0])
			if n%3 == 1 {
				want = fmt.Sprintf("\t@f (large.uir:%d)\n", accesses[n/3])
			}
			if !strings.Contains(string(out), want) {
				t.Errorf("-O%d, case %d: got\n%swant a frame %s", level, n, out, want)
			}
		}
	}
}

// TestChains: long chains of operations pass through a call now and then, those of floats too; short ones do not. Go accepts
// the code.
func TestChains(t *testing.T) {
	dir := client(t)
	for _, tt := range []struct{ typ, op, name string }{{"int<64>", "MUL", "int"}, {"int<7>", "ADD", "bits"}, {"double", "FMUL", "double"}} {
		for _, n := range []int{900, 5200} {
			text := ".typedef @t = " + tt.typ + " .funcsig @s = (@t) -> (@t)\n.funcdef @f VERSION %v <@s> { %e(<@t> %x0):\n"
			for i := range n {
				text += fmt.Sprintf("%%x%d = %s <@t> %%x%d %%x0\n", i+1, tt.op, i)
			}
			text += fmt.Sprintf("RET %%x%d }\n", n)
			p, diags := transpile.Load([]transpile.Source{{Name: "chain.uir", Text: []byte(text)}}, transpile.Options{Package: "p"})
			if diags.HasErrors() {
				t.Fatal(diags.Error())
			}
			files, err := p.Generate()
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s%d", tt.name, n)
			if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
				t.Fatal(err)
			}
			calls := 0
			for _, f := range files {
				calls += strings.Count(string(f.Data), "rt.Apart(")
				if err := os.WriteFile(filepath.Join(dir, name, f.Name), f.Data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if calls > n/1000 || calls < n/1000-1 {
				t.Errorf("%s: %d calls", name, calls)
			}
		}
	}
	cmd := exec.Command("go", "vet", "-unsafeptr=false", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTailChain: in a chain of tail calls, no function has copies of all that follow.
func TestTailChain(t *testing.T) {
	text := ".typedef @i64 = int<64> .const @1 <@i64> = 1 .funcsig @s = (@i64) -> (@i64)\n"
	for i := range 200 {
		text += fmt.Sprintf(".funcdef @f%d VERSION %%v <@s> { %%e(<@i64> %%x): %%y = ADD <@i64> %%x @1 TAILCALL <@s> @f%d (%%y) }\n", i, i+1)
	}
	text += ".funcdef @f200 VERSION %v <@s> { %e(<@i64> %x): RET %x }\n"
	p, diags := transpile.Load([]transpile.Source{{Name: "tails.uir", Text: []byte(text)}}, transpile.Options{Package: "p", Lines: true, Optimize: 1})
	if diags.HasErrors() {
		t.Fatal(diags.Error())
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, f := range files {
		for line := range strings.Lines(string(f.Data)) {
			if strings.Contains(line, "Inlined: ") {
				most = max(most, strings.Count(line, "@f"))
			}
		}
	}
	if most < 10 || most > 40 {
		t.Errorf("a function has copies of %d others", most)
	}
}
