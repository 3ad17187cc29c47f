package nodes_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// Calls as bytes, for tests that change them: the number of the row, then the operands, each as its letter in
// Row.Lists requires: numbers as varints, lists and texts after their length.

func encode(row *nodes.Row, args []nodes.Operand) []byte {
	number := 0
	for i := range nodes.Rows {
		if nodes.Rows[i].Name == row.Name {
			number = i
		}
	}
	out := []byte{byte(number)}
	word := func(x uint64) { out = binary.AppendUvarint(out, x) }
	for i, l := range row.Lists() {
		a := &args[i]
		switch l[0] {
		case 'n':
			word(uint64(a.Node))
		case 'A':
			word(uint64(len(a.Nodes)))
			for _, n := range a.Nodes {
				word(uint64(n))
			}
		case 'W', 'I':
			word(uint64(len(a.Words)))
			for _, w := range a.Words {
				word(w)
			}
		case 'Z':
			word(uint64(len(a.Text)))
			out = append(out, a.Text...)
		default:
			word(a.Word)
		}
	}
	return out
}

// decode reads a call. What is missing is 0.
func decode(in *bytes.Reader) (*nodes.Row, []nodes.Operand) {
	b, _ := in.ReadByte()
	row := &nodes.Rows[int(b)%len(nodes.Rows)]
	word := func() uint64 {
		x, _ := binary.ReadUvarint(in)
		return x
	}
	length := func() int { return int(min(word(), 8)) }
	var args []nodes.Operand
	for _, l := range row.Lists() {
		var a nodes.Operand
		switch l[0] {
		case 'n':
			a.Node = int(word() & 0xffff)
		case 'A':
			for range length() {
				a.Nodes = append(a.Nodes, int(word()&0xffff))
			}
		case 'W', 'I':
			for range length() {
				a.Words = append(a.Words, word())
			}
		case 'Z':
			text := make([]byte, length())
			in.Read(text)
			a.Text = string(text)
		default:
			a.Word = word()
		}
		args = append(args, a)
	}
	return row, args
}

// running is a program with an entity of each kind that get_node can give, with IDs from 1.
func running() (p *ir.Program, at map[uint32]any, kinds map[uint32]nodes.Kind) {
	b := ir.NewBuilder(nil)
	p = b.Prog
	p.Files = diag.NewSet()
	i64 := b.Types.Int(64)
	sig := b.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})
	f, g := b.Func("@known.f", sig), b.Global("@known.g", i64)
	k := b.Const("@known.k", b.IntConst(i64, 7))
	x := b.Expose("@known.x", f, 1)
	p.NextID = 80000 // after those of newMaker
	return p, map[uint32]any{1: b.Type("@known.t", i64), 2: b.Type("@known.sig", sig), 3: k, 4: g, 5: f, 6: x},
		map[uint32]nodes.Kind{1: nodes.Type, 2: nodes.Sig, 3: nodes.Const, 4: nodes.Global, 5: nodes.Func, 6: nodes.Exposed}
}

// checkCalls makes the calls and loads the bundle. Whatever they are, the result is a program that obeys the rules of
// the representation, or errors about nodes.
func checkCalls(t *testing.T, calls []byte) (loaded bool) {
	t.Helper()
	p, at, kinds := running()
	next := uint32(70000)
	b := nodes.New(nodes.Program{
		NextID: func() uint32 { next++; return next },
		Known:  func(id uint32) nodes.Kind { return kinds[id] },
		NameOf: func(id uint32) string {
			if id%2 == 0 {
				return "" // it has none
			}
			return "@known"
		},
	})
	for in := bytes.NewReader(calls); in.Len() > 0; {
		if row, args := decode(in); row.Name != "new_bundle" && !strings.HasPrefix(row.Name, "load_bundle") && row.Name != "abort_bundle_node" {
			if n, err := b.Call(row, args); err == nil && row.Result == "n" && n < 2 {
				t.Fatalf("%s makes node %d", row.Name, n)
			}
		}
	}
	tree, err := b.End()
	if err != nil {
		return false
	}
	diags := diag.NewList(p.Files)
	to := mu.Running{Bodies: true, ByID: func(id uint32) any { return at[id] }, Find: func(name string) any {
		if x, ok := p.Entities[name]; ok {
			return x
		}
		return nil
	}}
	if fault := mu.ExtendTree(p, p.Files, tree, to, diags); fault != mu.NoFault {
		text := mu.FaultsAt(diags, func(at diag.Pos) string { return tree.Where(int(at.Off)) }).Error()
		if text == "" || strings.Contains(text, "internal error") || fault == mu.BadText {
			t.Fatalf("%d: %q", fault, text)
		}
		return false
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	var out, again strings.Builder
	if err := ir.Print(&out, p); err != nil {
		t.Fatal(err)
	}
	q, bad := ir.Parse(diag.NewSet(), "built.ir", []byte(out.String()))
	if bad != nil {
		t.Fatalf("%v\n%s", bad, out.String())
	}
	if err := ir.Print(&again, q); err != nil || again.String() != out.String() {
		t.Fatalf("%v: the text of the representation changes:\n%s\n%s", err, out.String(), again.String())
	}
	return true
}

// recorded are the calls of TestRows, which are right.
func recorded(t testing.TB) []byte {
	m := newMaker(t)
	everyRow(m)
	return m.calls
}

// TestMisuse changes calls that are right at random.
func TestMisuse(t *testing.T) {
	right := recorded(t)
	if !checkCalls(t, right) {
		t.Fatal("the calls are not right")
	}
	loaded := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0))
		calls := bytes.Clone(right)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(calls))
			switch r.IntN(4) {
			case 0:
				calls[i] = byte(r.IntN(128))
			case 1:
				calls[i] ^= 1 << r.IntN(7)
			case 2:
				calls = append(calls[:i], calls[i+1:]...)
			default:
				calls = calls[:i+1]
			}
			if len(calls) == 0 {
				break
			}
		}
		if checkCalls(t, calls) {
			loaded++
		}
	}
	if loaded == 0 || loaded == 400 {
		t.Errorf("%d of 400 bundles are right", loaded)
	}
}

// FuzzCalls makes calls of any kind.
func FuzzCalls(f *testing.F) {
	f.Add(recorded(f))
	f.Fuzz(func(t *testing.T, calls []byte) { checkCalls(t, calls) })
}
