package transpile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestNamesOfGo: functions of a bundle whose names generated code uses for itself get other names in Go.
// A package declares each name once, and no local variable shadows it.
func TestNamesOfGo(t *testing.T) {
	const text = `
.typedef @i64 = int<64> .const @1 <@i64> = 1 .const @0 <@i64> = 0
.funcsig @s = (@i64) -> (@i64) .funcsig @load.sig = (@uvm.meta.bytes.r) -> ()
.funcdef @thunks VERSION %v <@s> { %e(<@i64> %x): RET %x }
.funcdef @frame VERSION %v <@s> {
	%e(<@i64> %x): %z = EQ <@i64> %x @0 BRANCH2 %z %done(%x) %more(%x)
	%more(<@i64> %x): %y = SUB <@i64> %x @1 %r = CALL <@s> @frame (%y) %q = MUL <@i64> %r %x RET %q
	%done(<@i64> %x): RET %x
}
.funcdef @load VERSION %v <@load.sig> { %e(<@uvm.meta.bytes.r> %b): COMMINST @uvm.meta.load_bundle (%b) RET () }
`
	p, diags := Load([]Source{{Name: "a.uir", Text: []byte(text)}}, Options{Optimize: 1, Package: "p"})
	if p == nil {
		t.Fatal(diags.Err())
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	var trees []*ast.File
	set := token.NewFileSet()
	for _, f := range files {
		tree, err := parser.ParseFile(set, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	top := map[string]bool{}
	take := func(n *ast.Ident) {
		if top[n.Name] && n.Name != "_" && n.Name != "init" {
			t.Errorf("%v: %s again", set.Position(n.Pos()), n.Name)
		}
		top[n.Name] = true
	}
	each(trees, func(d ast.Decl) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				take(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				names(s, take)
			}
		}
	})
	each(trees, func(d ast.Decl) {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			return
		}
		shadows := func(n *ast.Ident) {
			if top[n.Name] && n.Name != "_" {
				t.Errorf("%v: %s shadows what the package declares", set.Position(n.Pos()), n.Name)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, s := range n.Specs {
					names(s, shadows)
				}
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
						shadows(id)
					}
				}
			}
			return true
		})
	})
	if !top["thunks"] || top["frame"] {
		t.Errorf("declared: %v", top)
	}
}

func each(trees []*ast.File, fn func(ast.Decl)) {
	for _, t := range trees {
		for _, d := range t.Decls {
			fn(d)
		}
	}
}

// names gives the names that a const, var or type declares.
func names(s ast.Spec, fn func(*ast.Ident)) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		fn(s.Name)
	case *ast.ValueSpec:
		for _, n := range s.Names {
			fn(n)
		}
	}
}

// TestPlainNames: names of IAL that Mu text cannot have become names that it can have, all different.
func TestPlainNames(t *testing.T) {
	const text = `
function int64 f(int64) { register int64 x; block entry { x = arg.pop; arg.push x; x = call ('f '); return x; } }
function int64 'f '(int64) { register int64 x; block entry { x = arg.pop; arg.push x; x = call ('f!'); return x; } }
function int64 'f!'(int64) { register int64 'x y'; block entry { 'x y' = arg.pop; jump ('b 1'); } block 'b 1' { return 'x y'; } }
`
	for _, form := range []string{"uir", "uir2014"} {
		p, diags := Load([]Source{{Name: "a.ial", Text: []byte(text)}}, Options{Package: "p"})
		if p == nil {
			t.Fatal(diags.Err())
		}
		_, f := Dialects.Form(form)
		out, err := p.Write(f)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		p, diags = Load([]Source{{Name: "a.uir", Text: out}}, Options{})
		if p == nil {
			t.Errorf("%s: %v\n%s", form, diags.Err(), out)
		} else if len(p.IR.Funcs) != 3 {
			t.Errorf("%s: %d functions of 3", form, len(p.IR.Funcs))
		}
	}
}
