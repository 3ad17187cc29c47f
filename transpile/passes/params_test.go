package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// TestManySweeps wants the parameter of a loop that goes round unchanged replaced, though what is known of
// the others changes in as many sweeps as there are others.
func TestManySweeps(t *testing.T) {
	for _, n := range []int{3, 41, 301} {
		var params, first, next strings.Builder
		for i := range n {
			fmt.Fprintf(&params, " <@i64> %%v%d", i)
			first.WriteString([]string{" %x", " @7"}[(i+1)/n])
			fmt.Fprintf(&next, " %%v%d", (i+1)%n)
		}
		text := fmt.Sprintf(`.funcdef @f VERSION %%v <@i_i> { %%e(<@i64> %%x): BRANCH %%b(%%x%[2]s)
%%b(<@i64> %%k%[1]s): %%c = SLT <@i64> %%v0 @0 BRANCH2 %%c %%b(%%k%[3]s) %%o(%%k %%v0)
%%o(<@i64> %%k <@i64> %%r): %%s = ADD <@i64> %%k %%r RET %%s }`, &params, &first, &next)
		v := function(optimized(t, text, passes.Options{}), "@f")
		most := 0
		for b := 1; b < len(v.Blocks); b++ {
			most = max(most, len(v.Blocks[b].Params))
		}
		if most != n {
			t.Errorf("%d variables that rotate: a block has %d parameters", n, most)
		}
	}
}

// TestSweepsOrNot wants the same bodies from both ways to find out what parameters are.
func TestSweepsOrNot(t *testing.T) {
	defer func(n int) { *passes.MaxSweeps = n }(*passes.MaxSweeps)
	for _, text := range []string{bigBundle(3, 40, 5), bigBundle(1, 200, 12)} {
		var printed []string
		for _, *passes.MaxSweeps = range []int{100, 0} {
			p := loadText(t, text)
			if err := passes.Run(p, passes.Options{Level: 1, Origins: &passes.Origins{}}); err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := ir.Print(&b, p); err != nil {
				t.Fatal(err)
			}
			printed = append(printed, b.String())
		}
		if printed[0] != printed[1] {
			t.Errorf("without sweeps:\n%.3000s\nwith sweeps:\n%.3000s", printed[1], printed[0])
		}
	}
}
