package syntax

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// bigBundle generates a bundle of about n bytes that looks like what a real
// front end emits: long names, many blocks, constants on top.
func bigBundle(n int) string {
	var b strings.Builder
	b.Grow(n + 4096)
	b.WriteString(".typedef @i64 = int<64>\n.typedef @i1 = int<1>\n.funcsig @sig_long_name = (@i64 @i64) -> (@i64)\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, ".const @%d_i64_constant <@i64> = %d\n", i, i*7919)
		fmt.Fprintf(&b, ".funcdef @pkg.module.function_%d VERSION @pkg.module.function_%d_v1 <@sig_long_name> {\n", i, i)
		fmt.Fprintf(&b, "    @pkg.module.function_%d_v1.entry(<@i64> @pkg.module.function_%d.x <@i64> %%y):\n", i, i)
		for j := range 12 {
			fmt.Fprintf(&b, "        %%v%d_block%d = ADD <@i64> %%y @%d_i64_constant\n", j, i%100, i)
			fmt.Fprintf(&b, "        %%f%d = GETFIELDIREF PTR <@i64 %d> %%v%d_block%d\n", j, j, j, i%100)
			fmt.Fprintf(&b, "        STORE PTR NOT_ATOMIC <@i64> %%f%d %%y // store %d\n", j, j)
		}
		b.WriteString("        %r = CALL <@sig_long_name> @pkg.module.function_0 (%y %y) EXC(%ok(%r %y) %bad(%y)) KEEPALIVE(%y)\n")
		b.WriteString("    %ok(<@i64> %r <@i64> %y):\n        %c = SLT <@i64> %r %y\n        BRANCH2 %c %ret(%y) %ret(%r)\n")
		b.WriteString("    %bad(<@i64> %y) [%exc]:\n        THROW %exc\n    %ret(<@i64> %y):\n        RET %y\n}\n\n")
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	src := []byte(bigBundle(8 << 20))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		set := diag.NewSet()
		f, err := set.Add("big.uir", src)
		if err != nil {
			b.Fatal(err)
		}
		errs := diag.NewList(set)
		if Parse(f, NewSymbols(), errs, 0).Bad {
			b.Fatal(errs)
		}
	}
}

// TestTreeSize checks that the tree is at most ten times as large as the source, so that
// bundles of tens of megabytes can be read.
func TestTreeSize(t *testing.T) {
	src := []byte(bigBundle(4 << 20))
	set := diag.NewSet()
	f, err := set.Add("big.uir", src)
	if err != nil {
		t.Fatal(err)
	}
	errs := diag.NewList(set)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b := Parse(f, NewSymbols(), errs, 0)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if b.Bad {
		t.Fatal(errs)
	}
	factor := float64(after.HeapAlloc-before.HeapAlloc) / float64(len(src))
	t.Logf("%d bytes, %d instructions, tree %.2f times the source", len(src), b.Insts, factor)
	if factor > 10 {
		t.Errorf("the tree takes %.1f times the size of the source", factor)
	}
	runtime.KeepAlive(b)
}
