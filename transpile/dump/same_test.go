package dump

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// bodyOf is the text of the version of a program.
func bodyOf(t *testing.T, lines string) string {
	t.Helper()
	p, err := ir.Parse(nil, "p.ir", []byte("func @f: (int<64>) -> (int<64>)\nversion @f.v of @f {\n"+lines+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return text(p, p.Funcs[0].Current())
}

const sum = `^e(%a: int<64>):
  %x: int<64> = add <int<64>> %a 1:int<64>
  %y: int<64> = add <int<64>> %a 1:int<64>
  branch ^n(%y)
^n(%s: int<64>):
  %z: int<64> = [at "@f.v.n+0"] sdiv <int<64>> %s %x
  ret %z
`

// TestSame: names of values and blocks, and places that have them, do not count.
func TestSame(t *testing.T) {
	for _, names := range []*strings.Replacer{
		strings.NewReplacer("%x", "%y", "%y", "%x"),
		strings.NewReplacer("%a", "%s", "%s", "%x", "%x", "%a", "^e", "^n", "^n", "^e", "v.n+", "v.e+"),
		strings.NewReplacer("%a", "%1", "%s", "%2", "%x", "%3", "%y", "%4", "%z", "%5", "^n", "^7", "v.n+0", "v.7+0"),
		strings.NewReplacer("%a", "%x.2", "%s", "%x.3", "%x", "%x.4"),
	} {
		other := names.Replace(sum)
		a, b := same(bodyOf(t, sum), bodyOf(t, other))
		if a != b {
			t.Errorf("%s\ndiffers:\n%s", other, diff.Diff("a", []byte(a), "b", []byte(b)))
		}
	}
}

// TestSameDiffers: what is connected in another way is another body, whatever the names are.
func TestSameDiffers(t *testing.T) {
	for _, names := range []*strings.Replacer{
		strings.NewReplacer("(%y)", "(%x)"),
		strings.NewReplacer("%s %x\n", "%x %s\n"),
		strings.NewReplacer("ret %z", "ret %s"),
		strings.NewReplacer("add", "sub"),
		strings.NewReplacer("1:int<64>\n  branch", "2:int<64>\n  branch"),
	} {
		a, b := same(bodyOf(t, sum), bodyOf(t, names.Replace(sum)))
		if a == b {
			t.Errorf("no difference in\n%s", names.Replace(sum))
		}
	}
}

// TestSameLines shows only the lines that differ, although all names are others.
func TestSameLines(t *testing.T) {
	long := strings.Replace(sum, "  branch", `  %p: int<64> = mul <int<64>> %y 3:int<64>
  %q: int<64> = mul <int<64>> %p 5:int<64>
  %r: int<64> = mul <int<64>> %q %p
  branch`, 1)
	other := strings.Replace(long, "mul <int<64>> %q %p", "xor <int<64>> %q %p", 1)
	other = strings.Replace(other, "  %p: ", "  %new: int<64> = mul <int<64>> %x %x\n  %p: ", 1)
	other = strings.NewReplacer("%a", "%1", "%s", "%2", "%x", "%3", "%y", "%4", "%z", "%5", "%p", "%6", "%q", "%7", "%r", "%8", "^n", "^m").Replace(other)
	a, b := same(bodyOf(t, long), bodyOf(t, other))
	var changes []string
	for l := range strings.Lines(string(diff.Diff("a", []byte(a), "b", []byte(b)))) {
		if strings.Contains("+-", l[:1]) && l[1] == ' ' {
			changes = append(changes, l)
		}
	}
	want := `+  %new: int<64> = mul <int<64>> %x %x
-  %r: int<64> = mul <int<64>> %q %p
+  %1: int<64> = xor <int<64>> %q %p
`
	if got := strings.Join(changes, ""); got != want {
		t.Errorf("got\n%swant\n%sof\n%s", got, want, b)
	}
	// An empty text has nothing in common with another.
	if a, b := same("", bodyOf(t, sum)); a != "" || b == "" {
		t.Errorf("got %q and %q", a, b)
	}
}

// TestSameLinear: texts of values without names take memory that grows with their number, not with its square.
func TestSameLinear(t *testing.T) {
	cost := func(n int) uint64 {
		var b strings.Builder
		b.WriteString("version @f.v of @f {\n^e.0(%1: int<64>):\n")
		for i := range n {
			fmt.Fprintf(&b, "  %%%d: int<64> = add <int<64>> %%%d 1:int<64>\n", i+2, i+1)
		}
		fmt.Fprintf(&b, "  ret %%%d\n}\n", n+1)
		other := strings.Replace(b.String(), " 1:", " 2:", 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if x, y := same(b.String(), other); strings.Replace(x, " 1:", " 2:", 1) != y {
			t.Error("values have other names")
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := cost(500), cost(4000); large > 16*small {
		t.Errorf("8 times the values take %d bytes instead of %d", large, small)
	}
}
