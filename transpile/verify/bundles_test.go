package verify_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/steps"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// load reads bundles, one after the other.
func load(srcs ...mu.Source) (*ir.Program, error) {
	files := diag.NewSet()
	diags := diag.NewList(files)
	p, _ := mu.Load(files, srcs, mu.Options{}, diags)
	return p, diags.Err()
}

// bundles calls f for each bundle of the repository that has no errors, by itself or
// after those before it in its script.
func bundles(t testing.TB, f func(name string, p *ir.Program)) (n int) {
	try := func(srcs ...mu.Source) error {
		p, err := load(srcs...)
		if err == nil {
			n++
			f(srcs[len(srcs)-1].Name, p)
		}
		return err
	}
	glob := func(pattern string) []string {
		paths, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		return paths
	}
	for _, pattern := range []string{"examples/*/*.uir", "cmd/uvmbench/kernels/*/*.uir"} {
		for _, path := range glob(pattern) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := try(mu.Source{Name: path, Text: text}); err != nil {
				t.Error(err)
			}
		}
	}
	for _, path := range glob("testscripts/*.txtar") {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var before []mu.Source // a bundle may need those in front of it
		for _, file := range a.Files {
			if !strings.HasSuffix(file.Name, ".uir") {
				continue
			}
			src := mu.Source{Name: filepath.Base(path) + "/" + file.Name, Text: file.Data}
			if try(src) != nil {
				try(append(before, src)...)
			}
			before = append(before, src)
		}
	}
	return n
}

func TestBundles(t *testing.T) {
	n := bundles(t, func(name string, p *ir.Program) {
		types := p.Types.Len()
		if err := verify.Err(verify.Program(p)); err != nil {
			t.Errorf("%s:\n%v", name, err)
		}
		if p.Types.Len() != types {
			t.Errorf("%s: types were made", name)
		}
	})
	if n < 150 {
		t.Errorf("only %d bundles", n)
	}
	t.Logf("%d bundles", n)
}

// Versions checked one by one have no faults either.
func TestVersions(t *testing.T) {
	bundles(t, func(name string, p *ir.Program) {
		for _, f := range p.Funcs {
			for _, v := range f.Versions {
				if err := verify.Err(verify.Version(p, v)); err != nil {
					t.Errorf("%s:\n%v", name, err)
				}
			}
		}
	})
}

// chain is a body of n blocks, each of which uses results of the one before.
func chain(n int) (*ir.Program, *ir.Version) {
	p := ir.NewProgram()
	i64 := p.Types.Int(64)
	f := &ir.Function{Name: "@f", Sig: p.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})}
	p.Funcs = append(p.Funcs, f)
	v := p.NewVersion(f, "@f.v", diag.Pos{})
	b := v.NewBlock("%entry", diag.Pos{})
	x := v.AddParam(b, i64, "%x")
	for range n {
		for range 5 {
			in := v.Append(b, ir.Inst{Op: ir.OpAdd, Ty: i64, Args: []ir.ValueID{x, x}}, []ir.TypeID{i64}, nil)
			x = v.Insts[in].Results[0]
		}
		next := v.NewBlock("", diag.Pos{})
		param := v.AddParam(next, i64, "")
		v.Append(b, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: next, Args: []ir.ValueID{x}}}}, nil, nil)
		b, x = next, param
	}
	v.Append(b, ir.Inst{Op: ir.OpRet, Args: []ir.ValueID{x}}, nil, nil)
	return p, v
}

// TestLongLinear checks that ten times the blocks take about ten times the steps.
func TestLongLinear(t *testing.T) {
	longtest.Only(t)
	n := steps.Count(t, 2, func(i int) {
		p, v := chain([]int{300, 3000}[i])
		if err := verify.Err(verify.Version(p, v)); err != nil {
			t.Fatal(err)
		}
	})
	if t.Log(n); n[1] > 12*n[0] {
		t.Errorf("300 blocks take %d steps, 3,000 take %d", n[0], n[1])
	}
}

func BenchmarkVersion(b *testing.B) {
	p, v := chain(1000)
	b.ReportAllocs()
	x := verify.New(p)
	for b.Loop() {
		if f := x.Version(v); f != nil {
			b.Fatal(f)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(v.Insts)), "ns/inst")
}

// Heap images have no faults, and survive printing and parsing.
func TestImages(t *testing.T) {
	paths, err := filepath.Glob("../../testscripts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, bundle := range a.Files {
			for _, script := range a.Files {
				if !strings.HasSuffix(bundle.Name, ".uir") || !strings.HasSuffix(script.Name, ".hail") {
					continue
				}
				p, err := load(mu.Source{Name: bundle.Name, Text: bundle.Data})
				if err != nil {
					continue
				}
				files := diag.NewSet()
				if !mu.LoadHAIL(p, files, mu.Source{Name: script.Name, Text: script.Data}, diag.NewList(files)) {
					continue
				}
				n++
				if err := verify.Err(verify.Program(p)); err != nil {
					t.Errorf("%s/%s: %v", path, script.Name, err)
				}
				var first, second bytes.Buffer
				ir.Print(&first, p)
				q, err := ir.Parse(nil, path, first.Bytes())
				if err != nil {
					t.Errorf("%s/%s: %v", path, script.Name, err)
					continue
				}
				if ir.Print(&second, q); second.String() != first.String() {
					t.Errorf("%s/%s: text changes", path, script.Name)
				}
				if err := verify.Err(verify.Program(q)); err != nil {
					t.Errorf("%s/%s: parsed: %v", path, script.Name, err)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no images")
	}
	t.Logf("%d images", n)
}
