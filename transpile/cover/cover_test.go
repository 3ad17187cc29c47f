package cover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/cover"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

const text = `.typedef @i64 = int<64>
.const @0 <@i64> = 0
.funcsig @s = (@i64) -> (@i64)
.funcdef @f VERSION %v <@s> {
  %a(<@i64> %x): %c = EQ <@i64> %x @0  BRANCH2 %c %b() %d(%x)
  %b(): RET @0
  %d(<@i64> %x):
    %y = ADD <@i64> %x %x

    %z = ADD <@i64>
      %y %y
    TAILCALL <@s> @f(%z)
}
`

// TestUnits: units are blocks, several of which may be on a line; lines without instructions end them.
func TestUnits(t *testing.T) {
	tests := []struct {
		name, file, text string
		want             string
	}{
		{"bundle", "f.uir", text, "./f.uir @f 5:1-5:0 2@0 6:1-6:0 1@1 8:1-8:0 1@2 10:1-10:0 1@2 12:1-12:0 1@2"},
		{"one line", "f.uir", strings.ReplaceAll(text, "\n", " "), "./f.uir @f 1:1-1:177 2@0 1:177-1:210 1@1 1:210-1:0 3@2"},
		// Without a column the line is that of the first block.
		{"author", "f.uir", strings.Replace(text, "  %a(", "//line x/y.src:7\n  %a(", 1), "./x/y.src @f 7:1-7:0 1@0 8:1-8:0 1@1 10:1-10:0 1@2 12:1-12:0 1@2 14:1-14:0 1@2"},
		{"columns", "f.uir", strings.Replace(text, "  %b(", "//line /y.src:7:5\n  %b(", 1), "./f.uir @f 5:1-5:0 2@0; /y.src @f 7:1-7:0 1@1 9:1-9:0 1@2 11:1-11:0 1@2 13:1-13:0 1@2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := instrument(t, false, transpile.Source{Name: test.file, Text: []byte(test.text)})
			if got := show(c); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestBundles: each bundle is a file, and the cell has all counters.
func TestBundles(t *testing.T) {
	second := ".funcdef @g VERSION %v <@s> {\n %a(<@i64> %x):\n %y = CALL <@s> @f(%x)\n RET %y\n}\n"
	c := instrument(t, true, transpile.Source{Name: "f.uir", Text: []byte(text)}, transpile.Source{Name: "sub/g.uir", Text: []byte(second)})
	const want = "./f.uir @f 5:1-5:0 2@0 6:1-6:0 1@1 8:1-8:0 1@2 10:1-10:0 1@2 12:1-12:0 1@2; ./sub/g.uir @g 3:1-4:0 2@3"
	if got := show(c); got != want || c.N != 4 {
		t.Errorf("%d counters, %s\nwant 4, %s", c.N, got, want)
	}
	if got, want := c.Counters(), []uint32{5, 0, 0, 0, 1, 2, 2, 2, 1, 1, 0, 3}; !slices.Equal(got, want) {
		t.Errorf("counters %v, want %v", got, want)
	}
}

// TestNothing: a bundle in binary form has no lines, and a program without bodies nothing to count.
func TestNothing(t *testing.T) {
	if c := instrument(t, false, transpile.Source{Name: "f.uir", Text: []byte(".typedef @i64 = int<64>\n")}); c != nil {
		t.Errorf("units %s, want none", show(c))
	}
}

// TestExamples: what is added is well-formed in every dialect.
func TestExamples(t *testing.T) {
	for _, name := range []string{"exceptions/exceptions.uir", "uvm2014/threads/threads.uir", "ial/threads/threads.ial", "tvm/generic/generic.tvm"} {
		text, err := os.ReadFile(filepath.Join("../../examples", name))
		if err != nil {
			t.Fatal(err)
		}
		p := load(t, transpile.Source{Name: name, Text: text})
		if c := cover.Instrument(p, true); c == nil || len(c.Files) != 1 {
			t.Errorf("%s: units in other files than the bundle", name)
		}
		if err := verify.Err(verify.Program(p)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func instrument(t *testing.T, atomic bool, srcs ...transpile.Source) *cover.Counting {
	t.Helper()
	p := load(t, srcs...)
	c := cover.Instrument(p, atomic)
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Error(err)
	}
	return c
}

func load(t *testing.T, srcs ...transpile.Source) *ir.Program {
	t.Helper()
	p, diags := transpile.Load(srcs, transpile.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	return p.IR
}

// show is FILE FUNCTION UNIT..., where a unit is LINE:COL-LINE:COL INSTRUCTIONS@COUNTER.
func show(c *cover.Counting) string {
	var files []string
	for _, f := range c.Files {
		s := f.Name
		for _, fn := range f.Funcs {
			s += " " + fn.Name
			for _, u := range fn.Units {
				s += fmt.Sprintf(" %d:%d-%d:%d %d@%d", u.Line, u.Col, u.End, u.EndCol, u.Insts, u.Counter)
			}
		}
		files = append(files, s)
	}
	return strings.Join(files, "; ")
}
