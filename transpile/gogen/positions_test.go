package gogen_test

import (
	"bytes"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// marked is a bundle whose operations have constants that can be found in the machine code: @c1, @c2
// and so on, each used in one line. Results in @work and @leaf are used more than once, so that each
// gets a statement; those in @folded are folded into the expressions that use them, in statements of
// other lines.
const marked = `.typedef @i64 = int<64>  .typedef @i1 = int<1>  .typedef @Node = struct<@i64 @list>  .typedef @list = ref<@Node>
.const @0 <@i64> = 0
.const @1 <@i64> = 1
CONSTS
.const @nil <@list> = NULL
.funcsig @i_i = (@i64) -> (@i64)
.funcsig @v_v = () -> ()
.global @sink <@i64>
.funcdecl @other <@i_i>

.funcdef @work VERSION %v <@i_i> {
    %entry(<@i64> %n):
        %a = XOR <@i64> %n @c1
        STORE <@i64> @sink %a

        BRANCH %loop(%a @nil)
    %loop(<@i64> %k <@list> %l):
        %x = XOR <@i64> %k @c2
        STORE <@i64> @sink %x
        %c = ULT <@i64> %x @c3
        BRANCH2 %c
            %cons(%x %l)
            %end(%x %l)
    %cons(<@i64> %k <@list> %l):
        %node = NEW <@Node>
        %i = GETIREF <@Node> %node
        %f = GETFIELDIREF <@Node 0> %i
        STORE <@i64> %f @c4
        %g = GETFIELDIREF <@Node 1> %i

        STORE <@list> %g %l
        %y = ADD <@i64> %k @c5
        %r = CALL <@i_i> @leaf (%y)
            EXC(%back(%r %node) %caught(%y))
    %back(<@i64> %k <@list> %l):
        BRANCH %loop(%k %l)
    %caught(<@i64> %k):
        %z = XOR <@i64> %k @c6
        STORE <@i64> @sink %z
        RET %z
    %end(<@i64> %k <@list> %l):
        %i = GETIREF <@Node> %l
        %f = GETFIELDIREF <@Node 0> %i
        %v = LOAD <@i64> %f
        %q = UDIV <@i64> %v %k
        %s = XOR <@i64> %q @c7
        STORE <@i64> @sink %s
        RET %s
}

.funcdef @leaf VERSION %v <@i_i> {
    %entry(<@i64> %n):
        %m = XOR <@i64> %n @c8
        STORE <@i64> @sink %m
        %r = CALL <@i_i> @other (%m)
        RET %r
}

.funcdef @folded VERSION %v <@i_i> {
    %entry(<@i64> %n):
        %a = XOR <@i64> %n @c9
        %b = ADD <@i64> %a @c10
        %e = XOR <@i64> %b @c11

        BRANCH %loop(%e %n)
    %loop(<@i64> %x <@i64> %y):
        %p = XOR <@i64> %x @c12
        %r = CALL <@i_i>
            @other
            (%p)
        %q = ADD <@i64> %r @c13
        STORE <@i64> @sink
            %q
        %u = XOR <@i64> %y @c14
        %w = ADD <@i64> %x @c15
        %m = AND <@i64> %y @c16
        %c = ULT <@i64> %m %x
        BRANCH2 %c %loop(%u %w) %end(%x)
    %end(<@i64> %x):
        %s = XOR <@i64> %x @c17
        %t = SUB <@i64> %s %x
        RET %t
}

.funcdef @main VERSION %v <@v_v> {
    %entry():
        %r = CALL <@i_i> @work (@1)
        %s = CALL <@i_i> @folded (%r)
        STORE <@i64> @sink %s
        RET ()
}
`

// marks is the number of these constants in marked.
const marks = 17

// TestPositions compares the line tables of built programs with their bundles. Every machine
// instruction of a function of a bundle is attributed to a line with an instruction or with the head of
// a function that was inlined there, or to the runtime, whose functions Go inlines. Operations that
// can be recognised are attributed to their own lines.
func TestPositions(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("reads machine code of linux/amd64")
	}
	dir := client(t)
	positionsOfExamples(t, dir, 12)
	text := marked
	consts := ""
	for i := range marks {
		consts += fmt.Sprintf(".const @c%d <@i64> = %#x ", i+1, mark(i+1))
	}
	text = strings.Replace(text, "CONSTS", consts, 1)
	for _, level := range []int{0, 1} {
		// Without passes that copy code.
		opt := transpile.Options{Optimize: level, Lines: true, DisablePasses: []string{"inline", "unroll"}}
		img := build(t, dir, fmt.Sprintf("marked%d", level), "marked.uir", text, opt)
		lines := strings.Split(text, "\n")
		for i := 1; i <= marks; i++ {
			use := regexp.MustCompile(fmt.Sprintf(`^ .* @c%d\b`, i))
			found := img.find(uint32(mark(i)))
			if len(found) == 0 {
				t.Errorf("-O%d: no operation with @c%d", level, i)
			}
			for n, l := range lines {
				if !use.MatchString(l) {
					continue
				}
				for _, at := range found {
					if at.line != n+1 {
						t.Errorf("-O%d: %q is at line %d in machine code, want %d", level, strings.TrimSpace(l), at.line, n+1)
					}
				}
			}
		}
	}
}

// TestLongPositions does so with all examples, TestPositions with one in twelve.
func TestLongPositions(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("reads machine code of linux/amd64")
	}
	positionsOfExamples(t, client(t), 1)
}

func positionsOfExamples(t *testing.T, dir string, oneIn int) {
	t.Helper()
	examples, err := filepath.Glob("../../examples/*/*.uir")
	if err != nil || len(examples) < 10 {
		t.Fatal(examples, err)
	}
	for i, file := range examples {
		if i%oneIn > 0 {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		build(t, dir, fmt.Sprintf("example%d", i), filepath.Base(file), string(b), transpile.Options{Optimize: 1, Lines: true})
	}
}

// mark is a number that occurs nowhere else in the machine code.
func mark(i int) int { return 0x5eed0000 + i*0x101 }

// image is a built program.
type image struct {
	code  []byte
	addr  uint64 // of the code
	funcs []*gosym.Func
	table *gosym.Table
}

// placed is the position of an instruction by the line table.
type placed struct {
	file string
	line int
}

// build translates and builds a bundle, and checks that every line in the line table is one of the bundle.
func build(t *testing.T, dir, name, file, text string, opt transpile.Options) *image {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: file, Text: []byte(text)}}, opt)
	if diags.HasErrors() {
		t.Fatal(diags.Error())
	}
	if len(p.CSymbols()) > 0 {
		return nil
	}
	known := positions(p.IR)
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, name)
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(sub, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(sub, "prog")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", exe, "./"+name)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	img := open(t, exe)
	for _, f := range img.funcs {
		if img.at(f.Entry).file != file {
			continue // not of a bundle
		}
		for pc := f.Entry; pc < f.End; pc++ {
			at := img.at(pc)
			base, _, _, _ := lex.UnmarkFile(at.file)
			switch {
			case base == file && !known[at.line]:
				t.Errorf("%s: %s+%#x is at line %d, which has no instruction", file, f.Name, pc-f.Entry, at.line)
			case strings.Contains(at.file, "/code"): // a file of functions of the bundle
				t.Errorf("%s: %s+%#x is at %s:%d", file, f.Name, pc-f.Entry, at.file, at.line)
			default:
				continue
			}
			break
		}
	}
	return img
}

// positions are the lines of instructions and functions.
func positions(p *ir.Program) map[int]bool {
	lines := map[int]bool{}
	for _, f := range p.Funcs {
		if v := f.Current(); v != nil {
			lines[p.Files.Position(v.Pos).Line] = true
			for i := range v.Insts {
				lines[p.Files.Position(v.Insts[i].Pos).Line] = true
			}
		}
	}
	return lines
}

// open reads the functions of package main of an executable.
func open(t *testing.T, exe string) *image {
	t.Helper()
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := f.Section(".text")
	code, err := text.Data()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := f.Section(".gopclntab").Data()
	if err != nil {
		t.Fatal(err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, text.Addr))
	if err != nil {
		t.Fatal(err)
	}
	img := &image{code: code, addr: text.Addr, table: table}
	for i := range table.Funcs {
		if fn := &table.Funcs[i]; strings.HasPrefix(fn.Name, "main.") {
			img.funcs = append(img.funcs, fn)
		}
	}
	if len(img.funcs) == 0 {
		t.Fatal("no functions")
	}
	return img
}

func (m *image) at(pc uint64) placed {
	file, line, _ := m.table.PCToLine(pc)
	return placed{file, line}
}

// find lists the positions of the instructions with a constant.
func (m *image) find(c uint32) (list []placed) {
	want := binary.LittleEndian.AppendUint32(nil, c)
	for _, f := range m.funcs {
		code := m.code[f.Entry-m.addr : f.End-m.addr]
		for from := 0; ; {
			i := bytes.Index(code[from:], want)
			if i < 0 {
				break
			}
			from += i + 1
			if at := m.at(f.Entry + uint64(from-1)); strings.HasSuffix(at.file, ".uir") {
				list = append(list, at)
			}
		}
	}
	return list
}
