package nodes_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes/remake"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// A remade has the calls that build the bundle of a text, and the builder for them.
type remade struct {
	t     testing.TB
	ids   *nodes.IDBuilder
	calls []remake.Call
}

// emptyProgram has what is predefined.
func emptyProgram() nodes.Program {
	next := uint32(70000)
	return nodes.Program{
		NextID: func() uint32 { next++; return next },
		NameOf: func(uint32) string { return "" },
		Known: func(id uint32) nodes.Kind {
			switch {
			case id == 0x264:
				return nodes.Sig
			case 0x260 <= id && id < 0x264:
				return nodes.Type
			}
			return nodes.None
		},
	}
}

// remakes returns the calls of a text; nil if there are none for it.
func remakes(t testing.TB, text []byte, locals bool) *remade {
	t.Helper()
	r := &remade{t: t, ids: nodes.NewIDs(emptyProgram())}
	calls, err := remake.Calls(text, locals, func(name string) uint32 {
		id, err := r.ids.GenSym(name)
		if err != nil {
			t.Fatal(err)
		}
		return id
	})
	if err != nil && !errors.Is(err, remake.ErrUnspeakable) {
		t.Fatal(err)
	}
	if r.calls = calls; err != nil {
		return nil
	}
	return r
}

// load makes the calls and loads the bundle into an empty program.
func (r *remade) load() (*ir.Program, error) {
	for _, c := range r.calls {
		if err := r.ids.Call(c.Row, c.Args); err != nil {
			return nil, err
		}
	}
	return loadIDs(r.t, r.ids)
}

// loadIDs loads a bundle into an empty program. The error has all messages.
func loadIDs(t testing.TB, ids *nodes.IDBuilder) (*ir.Program, error) {
	t.Helper()
	tree, bad := ids.End()
	if bad != nil {
		return nil, bad
	}
	return loadTree(t, tree)
}

// loadTree is loadIDs for the tree of a bundle.
func loadTree(t testing.TB, tree *nodes.Tree) (*ir.Program, error) {
	t.Helper()
	p := ir.NewProgram()
	p.Files, p.NextID = diag.NewSet(), 180000
	diags := diag.NewList(p.Files)
	to := mu.Running{Bodies: true, ByID: func(id uint32) any {
		for name, known := range remake.Predefined {
			if known == id {
				return p.Entities[name]
			}
		}
		return nil
	}}
	if fault := mu.ExtendTree(p, p.Files, tree, to, diags); fault != mu.NoFault {
		return nil, mu.FaultsAt(diags, func(at diag.Pos) string { return tree.Where(int(at.Off)) })
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Error(err)
	}
	return p, nil
}

// bodies prints the definitions and bodies of a program without the names and IDs in functions.
func bodies(p *ir.Program) string {
	var out bytes.Buffer
	funcs := slices.SortedFunc(slices.Values(p.Funcs), func(a, b *ir.Function) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range funcs {
		v := f.Current()
		fmt.Fprintf(&out, "%s: %s\n", f.Name, p.Types.Text(f.Sig))
		if v == nil {
			continue
		}
		for i := range v.Values {
			v.Values[i].Name = ""
		}
		for i := range v.Insts {
			v.Insts[i].Name, v.Insts[i].ID = "", 0
		}
		for i := range v.Blocks {
			v.Blocks[i].Name, v.Blocks[i].ID, v.Blocks[i].Locals = "", 0, nil
		}
		v.Name, v.ID = f.Name+".v", 0
		ir.PrintVersion(&out, p, v)
	}
	byName := func(a, b *ir.Const) int { return strings.Compare(a.Name, b.Name) } // their order depends on what uses them
	for _, c := range slices.SortedFunc(slices.Values(p.Consts), byName) {
		fmt.Fprintf(&out, "%s: %s %d %x %x %s %d\n", c.Name, p.Types.Text(c.Type), c.Kind, c.Hi, c.Lo, c.Sym, len(c.Elems))
	}
	for _, g := range p.Globals {
		fmt.Fprintf(&out, "%s: %s\n", g.Name, p.Types.Text(g.Type))
	}
	return out.String()
}

// A seed is a bundle of a script, with the program that its text becomes.
type seed struct {
	text []byte
	prog *ir.Program
}

// seedBundles are the bundles in the scripts that can be loaded alone.
func seedBundles(t testing.TB) map[string]seed {
	list := map[string]seed{}
	scripts, _ := filepath.Glob("../../../testscripts/*.txtar")
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			if filepath.Ext(f.Name) == ".uir" && len(f.Data) < 1<<16 && !bytes.Contains(f.Data, []byte("@uvm.irbuilder.")) && !syntax.IsMuc(f.Data) {
				set := diag.NewSet()
				if p, ok := mu.Load(set, []mu.Source{{Name: "a.uir", Text: f.Data}}, mu.Options{}, diag.NewList(set)); ok {
					list[filepath.Base(path)+"/"+f.Name] = seed{f.Data, p}
				}
			}
		}
	}
	return list
}

// TestIDsRemake: the bundles of the scripts, built by calls, become what their text becomes; so does what is built by
// the same calls in another order.
func TestIDsRemake(t *testing.T) {
	bundles := seedBundles(t)
	done := map[string]bool{}
	for name, s := range bundles {
		text, want := s.text, s.prog
		for _, named := range []bool{false, true} {
			r := remakes(t, text, named)
			if r == nil {
				continue
			}
			for _, c := range r.calls {
				done[c.Row.Name] = true
			}
			got, err := r.load()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if g, w := bodies(got), bodies(want); g != w {
				t.Errorf("%s: built:\n%s\ntext:\n%s", name, g, w)
			}
		}
		r := remakes(t, text, true)
		if r == nil {
			continue
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(r.calls), func(i, k int) { r.calls[i], r.calls[k] = r.calls[k], r.calls[i] })
		if _, err := r.load(); err != nil {
			t.Errorf("%s, in another order: %v", name, err)
		}
	}
	if len(bundles) < 100 {
		t.Errorf("%d bundles", len(bundles))
	}
	for _, row := range nodes.IDRows {
		if !done[row.Name] && row.Name != "new_type_irbuilderref" {
			t.Errorf("no bundle needs %s", row.Name)
		}
	}
}
