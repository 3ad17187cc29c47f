package live

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestDeepLoops: the memory for the code of loops in each other, and for finding where they can leave the engine, grows
// with their number, not with its square.
func TestDeepLoops(t *testing.T) {
	openUnit = func(string) error { return nil }
	defer func() { openUnit = nil }()
	cost := func(n int) uint64 {
		var b strings.Builder
		b.WriteString("func @f: (int<64>) -> ()\nversion @f.v of @f {\n^e(%n: int<64>):\n  branch ^h0(0:int<64>)\n")
		for i := range n {
			fmt.Fprintf(&b, "^h%[1]d(%%i%[1]d: int<64>):\n  branch ^h%[2]d(0:int<64>)\n", i, i+1)
		}
		fmt.Fprintf(&b, "^h%d(%%last: int<64>):\n  branch ^l%d()\n", n, n-1)
		for i := n - 1; i >= 0; i-- {
			fmt.Fprintf(&b, `^l%[1]d():
  %%k%[1]d: int<64> = add <int<64>> %%i%[1]d 1:int<64>
  %%c%[1]d: int<1> = ult <int<64>> %%k%[1]d %%n
  branch2 %%c%[1]d ^h%[1]d(%%k%[1]d) ^l%[2]d()
`, i, i-1)
		}
		text := strings.Replace(b.String(), "^l-1()", "^out()", 1) + "^out():\n  ret\n}\n"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		k, bad := codeOfText(t, text)
		if bad != "" {
			t.Fatal(bad)
		}
		if len(k.heads()) != n || len(k.leaving()) == 0 {
			t.Fatalf("%d loops have %d heads, and none leaves", n, len(k.heads()))
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := cost(500), cost(2000); large > 6*small {
		t.Errorf("4 times the loops take %d bytes instead of %d", large, small)
	}
}
