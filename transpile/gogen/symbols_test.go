package gogen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// hostile are texts that are no symbols, as if no reader had checked them: each would change Go, C or
// assembly if it stood there as it is.
var hostile = []string{
	"f*/\nimport \"os/exec\"\n/*", "f\"); __asm__(\".incbin \\\"/etc/hostname\\\"", "f\n.incbin \"x\"", "f\\n.incbin", "f\r\n#cgo LDFLAGS: -x",
	"environ@GOTPCREL(%rip), %rax\n.incbin", "a@b@c", "@", "x@", "", "a b", "$1", ".", "1b", "%rax", "*x", "a+b", "a-4", "??/", "f`", "\x00", "\xff\xfe", "a\u2028b", "a;b", "a,b@c d",
	"//go:linkname main.main x", "*/ func init() {} /*",
}

// TestHostileSymbols: the declarations, imports and C text of a program do not depend on what its symbols are,
// beyond the Go strings that have them.
func TestHostileSymbols(t *testing.T) {
	const text = `
		.typedef @i64 = int<64>
		.funcsig @s = (@i64) -> (@i64)  .typedef @fp = ufuncptr<@s>  .funcsig @m = () -> ()
		.const @f <@fp> = EXTERN "first_one"  .const @g <@fp> = EXTERN "second_one"  .const @one <@i64> = 1
		.typedef @both = struct<@fp @fp>  .const @pair <@both> = {@f @g}
		.funcdef @main VERSION %v <@m> { %e():
			%x = CCALL #DEFAULT <@fp @s> @f (@one)
			%p = EXTRACTVALUE <@both 1> @pair
			%y = CCALL #DEFAULT <@fp @s> %p (%x)
			COMMINST @uvm.thread_exit
		}`
	for _, opt := range []transpile.Options{{}, {SingleFile: true}, {NativeC: true, Lines: true}, {Package: "p", Introspect: true}, {Live: true}} {
		want := symbolShape(t, text, opt, "a+b", "a+c") // like the hostile ones, not named to the C linker
		for i, sym := range hostile {
			if got := symbolShape(t, text, opt, sym, hostile[(i+1)%len(hostile)]); got != want {
				t.Errorf("%+v: symbol %q:\n%s\nwant\n%s", opt, sym, got, want)
			}
		}
	}
}

// symbolShape describes a program with two symbols: the names of its declarations, its imports, and its preamble.
func symbolShape(t *testing.T, text string, opt transpile.Options, first, second string) string {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: []byte(text)}}, opt)
	if p == nil {
		t.Fatal(diags)
	}
	for _, c := range p.IR.Consts {
		if c.Kind == ir.ConstExtern {
			c.Sym = map[string]string{"first_one": first, "second_one": second}[c.Sym]
		}
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatalf("%q: %v", first, err)
	}
	var b strings.Builder
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, f.Name, f.Data, parser.ParseComments)
		if err != nil {
			t.Fatalf("%q: %v", first, err)
		}
		fmt.Fprintf(&b, "%s: %d comments\n", f.Name, len(tree.Comments))
		kinds := map[string]int{}
		for _, d := range tree.Decls {
			kinds[fmt.Sprintf("%T", d)]++
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				for _, s := range g.Specs {
					b.WriteString(s.(*ast.ImportSpec).Path.Value + "\n")
				}
				if g.Doc != nil {
					b.WriteString(g.Doc.Text())
				}
			}
		}
		fmt.Fprintln(&b, kinds)
	}
	return b.String()
}

// TestVersionedSymbol: on ELF the assembler gives the version to the linker; elsewhere the name is as it is written.
func TestVersionedSymbol(t *testing.T) {
	const text = `.funcsig @m = () -> () .typedef @fp = ufuncptr<@m> .const @f <@fp> = EXTERN "f@V_1.2"
		.funcdef @main VERSION %v <@m> { %e(): CCALL #DEFAULT <@fp @m> @f () COMMINST @uvm.thread_exit }`
	p, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: []byte(text)}}, transpile.Options{SingleFile: true})
	if p == nil {
		t.Fatal(diags)
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	const want = `
#ifdef __ELF__
__asm__(".symver uvm_s0, f@V_1.2");
extern char uvm_s0 __attribute__((visibility("default")));
#else
extern char uvm_s0 __asm__(UVM_PREFIX "f@V_1.2") __attribute__((visibility("default")));
#endif
`
	if !strings.Contains(string(files[0].Data), want) {
		t.Errorf("no%s", want)
	}
}
