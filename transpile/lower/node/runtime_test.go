package node

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// TestSize compiles sizes for both word sizes: they are what the layout says, or the largest number that
// a word holds if that is less.
func TestSize(t *testing.T) {
	for _, n := range []layout.Num{layout.Const(0), layout.Const(24), {W4: 4, W8: 8}, {W4: 24, W8: 16}, layout.Const(math.MaxUint32),
		layout.Const(1 << 32), {W4: 1 << 31, W8: 1 << 32}, {W4: math.MaxUint32, W8: 1<<33 - 2}, {W4: 1 << 33, W8: 1 << 34}, layout.Const(1 << 51)} {
		text := strings.ReplaceAll(gotree.String(Size(n)), "rt.", "")
		for arch, want := range map[string]uint64{"386": min(n.W4, math.MaxUint32), "amd64": n.W8} {
			src := "package p\nconst Is64 = ^uintptr(0) >> 63\nconst WordMask = 1<<(32<<Is64) - 1\nconst x uintptr = " + text
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "p.go", src, 0)
			if err != nil {
				t.Fatal(err)
			}
			c := types.Config{Sizes: types.SizesFor("gc", arch)}
			pkg, err := c.Check("p", fset, []*ast.File{f}, nil)
			if err != nil {
				t.Errorf("%s: %s: %v", arch, text, err)
				continue
			}
			got, _ := constant.Uint64Val(pkg.Scope().Lookup("x").(*types.Const).Val())
			if got != want {
				t.Errorf("%s: %s is %d, want %d", arch, text, got, want)
			}
		}
	}
}
