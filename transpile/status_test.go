package transpile

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
)

// TestStatusFlags compares the status flags of operations of all widths with their definitions. The script int_status
// does so for some widths in programs that are built, and in the engine.
func TestStatusFlags(t *testing.T) {
	var text, calls, want strings.Builder
	r := rand.New(rand.NewPCG(7, 9))
	for n := uint(1); n <= 128; n++ {
		fmt.Fprintf(&text, ".typedef @i%d = int<%[1]d> .funcsig @s%[1]d = (@i%[1]d @i%[1]d) -> ()\n", n)
		one := big.NewInt(1)
		mask := new(big.Int).Sub(new(big.Int).Lsh(one, n), one)
		signed := func(x *big.Int) *big.Int {
			x = new(big.Int).And(x, mask)
			if x.Bit(int(n-1)) == 1 {
				x.Sub(x, new(big.Int).Lsh(one, n))
			}
			return x
		}
		for _, op := range []string{"ADD", "SUB", "MUL"} {
			fmt.Fprintf(&text, `.funcdef @%s%d VERSION %%v <@s%[2]d> { %%e(<@i%[2]d> %%a <@i%[2]d> %%b):
				(%%r %%n %%z %%c %%v) = %[1]s [#N #Z #C #V] <@i%[2]d> %%a %%b [@%[1]s.%[2]d] TRAP <> KEEPALIVE(%%n %%z %%c %%v) RET () }
				`, op, n)
			edge := []*big.Int{big.NewInt(0), one, mask, new(big.Int).Lsh(one, n-1), new(big.Int).Rsh(mask, 1), new(big.Int).Lsh(one, n/2), new(big.Int).Lsh(one, (n+1)/2)}
			for k := range 12 {
				pick := func() *big.Int {
					x := edge[r.IntN(len(edge))]
					if k%3 == 0 {
						x = new(big.Int).Or(new(big.Int).Lsh(new(big.Int).SetUint64(r.Uint64()), 64), new(big.Int).SetUint64(r.Uint64()))
						x.Rsh(x, uint(r.IntN(128)))
					}
					return new(big.Int).And(x, mask)
				}
				a, b := pick(), pick()
				do := map[string]func(z, x, y *big.Int) *big.Int{"ADD": (*big.Int).Add, "SUB": (*big.Int).Sub, "MUL": (*big.Int).Mul}[op]
				u, s := do(new(big.Int), a, b), do(new(big.Int), signed(a), signed(b))
				res := signed(u)
				bit := map[bool]int{true: 1}
				fmt.Fprintf(&text, ".const @%s%d.a%d <@i%[2]d> = %[4]d .const @%[1]s%[2]d.b%[3]d <@i%[2]d> = %[5]d\n", op, n, k, a, b)
				fmt.Fprintf(&calls, "CALL <@s%[2]d> @%[1]s%[2]d(@%[1]s%[2]d.a%[3]d @%[1]s%[2]d.b%[3]d)\n", op, n, k)
				fmt.Fprintf(&want, "trap %s.%d n=%d z=%d c=%d v=%d\n", op, n, bit[res.Sign() < 0], bit[res.Sign() == 0],
					bit[u.Sign() < 0 || u.Cmp(mask) > 0], bit[s.Cmp(res) != 0])
			}
		}
	}
	text.WriteString(".funcsig @none = () -> () .funcdef @main VERSION %v <@none> { %e(): " + calls.String() + " RET () }\n")
	for _, level := range []int{0, 1} {
		p, diags := Load([]Source{{Name: "a.uir", Text: []byte(text.String())}}, Options{Optimize: level})
		if p == nil {
			t.Fatal(diags.Err())
		}
		if _, _, err := p.Ready(); err != nil {
			t.Fatal(err)
		}
		cfg := p.Interpreter()
		var out bytes.Buffer
		cfg.Stdout = &out
		if status, err := interp.Run(p.IR, cfg); err != nil || status != 0 {
			t.Fatalf("-O%d: status %d, %v", level, status, err)
		}
		got, wants := strings.Split(out.String(), "\n"), strings.Split(want.String(), "\n")
		for i, w := range wants {
			if i >= len(got) || got[i] != w {
				t.Fatalf("-O%d: line %d: got %q, want %q: %s", level, i+1, got[min(i, len(got)-1)], w, strings.Split(calls.String(), "\n")[i])
			}
		}
	}
}
