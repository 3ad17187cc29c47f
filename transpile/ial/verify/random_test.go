package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/lint"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// subject has an instruction of every operation.
func subject(t *testing.T) *module.Program {
	t.Helper()
	var body strings.Builder
	regs := strings.Fields("i i2 i3 j u f p s a v2 t2 q w sv ua sa")
	for op := range module.NumOps {
		row := module.Ops[op]
		if row.Operand == module.OperandSymbol {
			continue
		}
		if row.Target {
			fmt.Fprintf(&body, "%s = ", regs[int(op)%len(regs)])
		}
		body.WriteString(row.Mnemonic)
		for i := range row.Sources {
			fmt.Fprintf(&body, "%s %s", []string{"", ",", ","}[i], regs[(int(op)+i+1)%len(regs)])
		}
		body.WriteString(map[module.Operands]string{
			module.OperandLiteral: " (1)", module.OperandLiterals: " (1, 2)", module.OperandType: " (S)", module.OperandMember: " (S:x)",
			module.OperandGlobal: " (gl)", module.OperandThread: " (tl)", module.OperandFunc: " (g)", module.OperandLabel: " (x)",
			module.OperandBranch: " (x, y)", module.OperandRegs: " (i, j)", module.OperandData: " (d)",
		}[row.Operand] + ";\n")
	}
	text := "function ssa int32 t(int32, S&) {" + registers + "block entry unwind y { " + body.String() + " } block x { leave; } block y { return i; } }" +
		"function int32 n() cdecl { block entry { ffi (libc, rand); } } function int32 fo(int32) { block entry { forward (m, g); } }" + prelude
	p, diags := assembled("m.ial", text)
	if p == nil {
		t.Fatal(diags.Err())
	}
	return p
}

// mutate changes a function at random.
func mutate(r *rand.Rand, f *module.Function) {
	block := func() *module.Block { return f.Blocks[r.IntN(len(f.Blocks))] }
	b := block()
	var in *module.Instr
	if len(b.Instrs) > 0 {
		in = b.Instrs[r.IntN(len(b.Instrs))]
	}
	switch r.IntN(14) {
	case 0: // another name for the block
		b.Name = []string{"entry", "x", "other"}[r.IntN(3)]
	case 1:
		b.Instrs = nil
	case 2, 3: // a shorter block
		if in != nil {
			i := r.IntN(len(b.Instrs))
			b.Instrs = slices.Delete(b.Instrs, i, i+1)
		}
	case 4:
		b.Unwind = block()
	case 5:
		b.Unwind = nil
	case 6: // a block that nothing leads to
		n := len(f.Blocks)
		f.Blocks = append(f.Blocks, &module.Block{Name: fmt.Sprint("b", n), Index: n})
	case 7, 8: // an instruction elsewhere
		if in != nil {
			to := block()
			to.Instrs = slices.Insert(slices.Clone(to.Instrs), r.IntN(len(to.Instrs)+1), in)
		}
	case 9, 10: // other registers
		if in != nil {
			c := *in
			if c.Target != nil {
				c.Target = f.Registers[r.IntN(len(f.Registers))]
			}
			c.Src = slices.Clone(c.Src)
			for i := range c.Src {
				c.Src[i] = f.Registers[r.IntN(len(f.Registers))]
			}
			b.Instrs = slices.Clone(b.Instrs)
			b.Instrs[slices.Index(b.Instrs, in)] = &c
		}
	case 11:
		f.Attrs = module.Attrs(r.IntN(64))
	case 12:
		f.Conv = module.Convention(r.IntN(3))
	case 13:
		f.Params = f.Params[:r.IntN(len(f.Params)+1)]
	}
}

// TestRandom: whatever a body looks like, the verifier ends, with the same faults each time;
// so does the linter for bodies without faults.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rules := map[string]bool{}
	for range 400 {
		p := subject(t)
		for _, f := range p.Modules[0].Functions {
			for range r.IntN(30) {
				mutate(r, f)
			}
		}
		first := faults(p)
		if again := faults(p); !slices.Equal(first, again) {
			t.Fatalf("first %q, then %q", first, again)
		}
		for _, m := range first {
			if i := strings.LastIndexByte(m, '('); i >= 0 {
				rules[m[i:]] = true
			}
		}
		if len(first) == 0 {
			lint.Program(p, diag.NewList(p.Files))
		}
	}
	if len(rules) < 30 {
		t.Errorf("only %d rules were broken", len(rules))
	}
}

func faults(p *module.Program) []string {
	diags := diag.NewList(p.Files)
	verify.Program(p, diags)
	var ms []string
	for _, d := range diags.All() {
		ms = append(ms, d.Msg)
	}
	return ms
}

// TestEvery: the verifier finds many faults in the subject, with an instruction of every operation, and does not panic.
func TestEvery(t *testing.T) {
	if n := len(faults(subject(t))); n < 50 {
		t.Errorf("only %d faults", n)
	}
}

// TestRandomText: texts with statements left out, doubled and exchanged.
func TestRandomText(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	base := (&row{head: "ssa int32 t(int32)", body: `block entry unwind c { i = arg.pop; arg.push i; i2 = call (g); jump.cond u (x, y); }
		block x { j = load.i64 (1); jump (z); } block y { i3 = ari.neg i; jump (z); } block z { f = phi (j, i3); return i; } block c { s = eh.catch; eh.rethrow; }`}).text()
	parts := strings.SplitAfter(base, ";")
	assembledCount := 0
	for range 2000 {
		mixed := slices.Clone(parts)
		for range 1 + r.IntN(3) {
			i, j := r.IntN(len(mixed)), r.IntN(len(mixed))
			switch r.IntN(3) {
			case 0:
				mixed = slices.Delete(mixed, i, i+1)
			case 1:
				mixed = slices.Insert(mixed, i, mixed[j])
			case 2:
				mixed[i], mixed[j] = mixed[j], mixed[i]
			}
		}
		if p, diags := assembled("m.ial", strings.Join(mixed, "")); p != nil {
			assembledCount++
			verify.Program(p, diags)
			if !diags.HasErrors() {
				lint.Program(p, diags)
			}
		}
	}
	if assembledCount < 50 {
		t.Errorf("only %d texts assembled", assembledCount)
	}
}

// TestLarge has large functions; cmd/internal/scale counts the steps that these take.
func TestLarge(t *testing.T) {
	const n = 10_000
	var regs, chain, late, wide, widePhi strings.Builder
	for i := range n {
		fmt.Fprintf(&regs, "register int32 r%d; ", i)
		fmt.Fprintf(&chain, "block b%d { r%d = ari.neg r%d; jump (b%d); } ", i+1, i+1, i, i+2)
		fmt.Fprintf(&late, "block b%d { jump.cond u (c%d, d%d); } block c%d { jump (b%d); } block d%d { r%d = ari.neg r0; jump (b%d); } ", i+1, i+1, i+1, i+1, i+2, i+1, i+1, i+2)
		fmt.Fprintf(&wide, "block b%d { r%d = load.i32 (1); jump (all); } ", i+1, i+1)
		fmt.Fprintf(&widePhi, "r%d, ", i+1)
	}
	fmt.Fprintf(&regs, "register int32 r%d; register int32 last; register uint u; register int32[] ar;", n)
	var uses strings.Builder
	for i := range n {
		fmt.Fprintf(&uses, "array.set ar, u, r%d; ", i+1)
	}
	const head = "function ssa void f() { "
	params := "(" + strings.Repeat("int32, ", n) + "int32)"
	const entry = "block entry { ar = load.i32a (); u = load.size (int32); r0 = load.i32 (1); jump (b1); } "
	for name, text := range map[string]string{
		"a chain":              head + regs.String() + entry + chain.String() + fmt.Sprintf("block b%d { leave; } }", n+1),
		"assignments in forks": head + regs.String() + entry + late.String() + fmt.Sprintf("block b%d { %s leave; } }", n+1, uses.String()),
		"used before":          head + regs.String() + "block first { " + uses.String() + "jump (entry); } " + entry + late.String() + fmt.Sprintf("block b%d { leave; } }", n+1),
		"pointers to functions": "function void wide" + params + " { block entry { leave; } } function void g() { register void() q; block entry { " +
			strings.Repeat("q = load.func (wide); invoke (wide); ", n) + "leave; } }",
		"phi": head + regs.String() + "block entry { jump (b1); } " + wide.String() + "block all { last = phi (" + widePhi.String()[:widePhi.Len()-2] + "); leave; } }",
	} {
		p, diags := assembled("m.ial", text)
		if p == nil {
			t.Fatalf("%s: %v", name, diags.Err())
		}
		verify.Program(p, diags)
		if name == "used before" || name == "pointers to functions" {
			if got := diags.Errors(); got < n {
				t.Errorf("%s: %d faults", name, got)
			}
		} else if diags.HasErrors() {
			t.Errorf("%s: %v", name, diags.Err())
		}
	}
}
