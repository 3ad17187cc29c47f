package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/steps"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// bigBundle is a bundle as front ends write them: funcs functions of blocks
// blocks, each of which passes live variables on; every tenth block ends a loop,
// every fifth calls the next function.
func bigBundle(funcs, blocks, live int) string {
	var b strings.Builder
	b.WriteString(`.typedef @i64 = int<64>
.typedef @S = struct<@i64 @i64>
.typedef @R = ref<@S>
.const @I1 <@i64> = 1
.const @I9 <@i64> = 9
.funcsig @f.sig = (@R @i64) -> (@i64)
`)
	var params, args strings.Builder
	for i := range live {
		fmt.Fprintf(&params, " <@i64> %%v%d", i)
		fmt.Fprintf(&args, " %%v%d", i)
	}
	for f := range funcs {
		fmt.Fprintf(&b, ".funcdef @f%d VERSION %%v1 <@f.sig> {\n%%entry(<@R> %%r <@i64> %%n):\n  BRANCH %%b0(%%r%s)\n", f, strings.Repeat(" %n", live))
		for k := range blocks {
			fmt.Fprintf(&b, "%%b%d(<@R> %%r%s):\n", k, params.String())
			v := k % live
			fmt.Fprintf(&b, "  %%i = GETIREF <@S> %%r\n  %%a = GETFIELDIREF <@S %d> %%i\n  %%l = LOAD <@i64> %%a\n", k%2)
			fmt.Fprintf(&b, "  %%x = ADD <@i64> %%v%d %%l\n  %%y = MUL <@i64> %%x @I9\n  %%z = XOR <@i64> %%y %%v%d\n", v, (v+1)%live)
			last := "%z"
			if k%7 == 0 {
				b.WriteString("  STORE <@i64> %a %z\n")
			}
			if k%5 == 0 {
				fmt.Fprintf(&b, "  %%c = CALL <@f.sig> @f%d (%%r %%z)\n", (f+1)%funcs)
				last = "%c"
			}
			next := strings.Replace(args.String(), fmt.Sprintf(" %%v%d", v), " "+last, 1)
			switch {
			case k == blocks-1:
				fmt.Fprintf(&b, "  RET %s\n", last)
			case k%10 == 9:
				fmt.Fprintf(&b, "  %%t = SLT <@i64> %%z @I9\n  BRANCH2 %%t %%b%d(%%r%s) %%b%d(%%r%s)\n", k-8, next, k+1, next)
			default:
				fmt.Fprintf(&b, "  BRANCH %%b%d(%%r%s)\n", k+1, next)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func loadText(t testing.TB, text string) *ir.Program {
	files := diag.NewSet()
	list := diag.NewList(files)
	p, ok := mu.Load(files, []mu.Source{{Name: "big.uir", Text: []byte(text)}}, mu.Options{}, list)
	if !ok {
		t.Fatal(list.Error())
	}
	p.Files = files
	return p
}

// TestLongLinear wants ten times the work to take about ten times the steps, for many
// functions and for large ones.
func TestLongLinear(t *testing.T) {
	longtest.Only(t)
	sizes := [][2]int{{4, 100}, {40, 100}, {4, 1000}} // functions and their blocks
	n := steps.Count(t, len(sizes), func(i int) {
		p := loadText(t, bigBundle(sizes[i][0], sizes[i][1], 12))
		if err := passes.Run(p, passes.Options{Level: 1, Origins: &passes.Origins{}}); err != nil {
			t.Fatal(err)
		}
	})
	t.Log(n)
	for i, size := range sizes {
		if n[i] > 13*n[0] {
			t.Errorf("%d functions of %d blocks take %d steps, %d of %d take %d", size[0], size[1], n[i], sizes[0][0], sizes[0][1], n[0])
		}
	}
}
