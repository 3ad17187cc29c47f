package write_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/write"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

func load(t *testing.T, name string, text []byte, strict bool) *ir.Program {
	t.Helper()
	files := diag.NewSet()
	diags := diag.NewList(files)
	p, ok := mu.Load(files, []dialect.Source{{Name: name, Text: text}}, dialect.Options{Strict: strict}, diags)
	if !ok {
		var b bytes.Buffer
		diags.Print(&b)
		t.Fatalf("%s\n%s", b.String(), text)
	}
	p.Files = files
	return p
}

// run returns what a program prints and its exit status.
func run(t *testing.T, p *ir.Program) (string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	status, err := interp.Run(p, interp.Config{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, MaxSteps: 20_000_000,
		LookupEnv: func(string) (string, bool) { return "", false }})
	if err != nil {
		return err.Error(), -1
	}
	return out.String(), status
}

// Every example that is one bundle is written as text. The text can be read strictly, does the
// same, and is written as the same text again.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*/*.uir")
	if err != nil || len(files) < 10 {
		t.Fatal("no examples", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			p := load(t, f, text, false)
			first, err := write.Program(p)
			if err != nil {
				t.Fatal(err)
			}
			q := load(t, "written.uir", first, true)
			if err := verify.Err(verify.Program(q)); err != nil {
				t.Fatal(err)
			}
			second, err := write.Program(q)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, second) {
				t.Errorf("written again\n%s\nfrom\n%s", second, first)
			}
			if p.Find("@main") == nil {
				return
			}
			wantOut, wantStatus := run(t, p)
			if out, status := run(t, q); out != wantOut || status != wantStatus {
				t.Errorf("prints %q, status %d; want %q, %d", out, status, wantOut, wantStatus)
			}
		})
	}
}

// A value that is used far away becomes a parameter of the blocks in between, and of no
// others.
func TestFarUse(t *testing.T) {
	b := ir.NewBuilder(nil)
	i64 := b.Types.Int(64)
	f := b.Body(b.Func("@f", b.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})), "v1")
	n := f.Name(f.Param(0, 0), "%n")
	way, use, other := f.Block("%way"), f.Block("%use"), f.Block("%other")
	x := f.Name(f.Bin(ir.OpMul, n, n), "%x")
	f.Branch2(f.Cmp(ir.OpEQ, n, f.Int(i64, 0)), ir.To(way), ir.To(other))
	f.At(way)
	f.Branch(use)
	f.At(use)
	f.Ret(x)
	f.At(other)
	f.Ret(f.Int(i64, -1))
	p, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	got, err := write.Program(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `.typedef @i64 = int<64>
.funcsig @sig.i64.to.i64 = (@i64) -> (@i64)
.const @i64_0  <@i64> = 0
.const @i64_m1 <@i64> = -1

.funcdef @f VERSION %v1 <@sig.i64.to.i64> {
    %entry(<@i64> %n):
        %x  = MUL <@i64> %n %n
        %v4 = EQ <@i64> %n @i64_0
        BRANCH2 %v4 %way(%x) %other()
    %way(<@i64> %x):
        BRANCH %use(%x)
    %use(<@i64> %x):
        RET (%x)
    %other():
        RET (@i64_m1)
}
`
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// If Mu text cannot express a construct, the error names it.
func TestUnsayable(t *testing.T) {
	tests := []struct {
		want string
		make func(b *ir.Builder)
	}{
		{"@e is a struct without fields", func(b *ir.Builder) { b.Type("@e", b.Types.Struct()) }},
		{"@a is an array without elements", func(b *ir.Builder) { b.Type("@a", b.Types.Array(b.Types.Int(8), 0)) }},
		{"@f.v1: watchpoint 0", func(b *ir.Builder) {
			f := b.Body(b.Func("@f", b.Types.Sig(nil, nil)), "v1")
			x, y := f.Block("%x"), f.Block("%y")
			f.WPBranch(0, ir.To(x), ir.To(y))
			for _, k := range []ir.BlockID{x, y} {
				f.At(k)
				f.Ret()
			}
		}},
		{"@f.v1: Mu text has no EQ of tagref64", func(b *ir.Builder) {
			f := b.Body(b.Func("@f", b.Types.Sig([]ir.TypeID{b.Types.Opaque(ir.KTagRef64)}, nil)), "v1")
			f.Cmp(ir.OpEQ, f.Param(0, 0), f.Param(0, 0))
			f.Ret()
		}},
		{"@g has an initial value", func(b *ir.Builder) {
			g := b.Global("@g", b.Types.Int(8))
			g.Init = b.IntConst(g.Type, 7)
		}},
		{"@g is a thread-local cell", func(b *ir.Builder) { b.Global("@g", b.Types.Int(8)).ThreadLocal = true }},
		{"@f is a start hook", func(b *ir.Builder) {
			fn := b.Func("@f", b.Types.Sig(nil, nil))
			b.Body(fn, "v1").Ret()
			b.Hook(ir.HookStart, fn)
		}},
		{"@f has 2 versions", func(b *ir.Builder) {
			fn := b.Func("@f", b.Types.Sig(nil, nil))
			for _, v := range []string{"v1", "v2"} {
				b.Body(fn, v).Ret()
			}
		}},
	}
	for _, tt := range tests {
		b := ir.NewBuilder(nil)
		tt.make(b)
		p, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := write.Program(p); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
