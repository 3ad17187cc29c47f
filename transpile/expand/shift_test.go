package expand_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// TestShifts compares the interpreter's results for shifts and rotations with those for
// their expansions, also after the passes, at all widths up to 66 and some up to 128, with
// counts of other widths, variable and constant.
func TestShifts(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	widths := []uint32{95, 96, 97, 127, 128}
	for n := uint32(1); n <= 66; n++ {
		widths = append(widths, n)
	}
	ops := []string{"shlfar", "lshrfar", "ashrfar", "rotl", "rotr"}
	value := func(bits uint32) interp.Value {
		v := interp.Value{Lo: r.Uint64(), Hi: r.Uint64()}
		if r.Intn(2) == 0 {
			v = interp.Value{Lo: uint64(r.Intn(140))} // near the width
		}
		if bits <= 64 {
			return interp.Value{Lo: v.Lo & (1<<(bits-1)<<1 - 1)}
		}
		v.Hi &= 1<<(bits-65)<<1 - 1
		return v
	}
	for _, n := range widths {
		for _, m := range []uint32{1, 3, 8, 16, 64, 128, n} {
			var b strings.Builder
			constant := value(m)
			if m > 64 {
				constant.Hi = 0
			}
			for _, op := range ops {
				fmt.Fprintf(&b, `func @%[1]s: (int<%[2]d> int<%[3]d>) -> (int<%[2]d> int<%[2]d>)
version @%[1]s.v of @%[1]s {
^e(%%x: int<%[2]d>, %%k: int<%[3]d>):
  %%a: int<%[2]d> = %[1]s <int<%[2]d> int<%[3]d>> %%x %%k
  %%b: int<%[2]d> = %[1]s <int<%[2]d> int<%[3]d>> %%x %[4]d:int<%[3]d>
  ret %%a %%b
}
`, op, n, m, constant.Lo)
			}
			read := func() *ir.Program {
				p, err := ir.Parse(nil, "p.ir", []byte(b.String()))
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			plain, expanded, optimized := read(), read(), read()
			expand.Program(expanded)
			expand.Program(optimized)
			if err := passes.Run(optimized, passes.Options{Level: 1, Check: true}); err != nil {
				t.Fatal(err)
			}
			for _, op := range ops {
				for range 6 {
					args := []interp.Value{value(n), value(m)}
					run := func(p *ir.Program) string {
						res, status, err := interp.Call(p, "@"+op, args, interp.Config{})
						return fmt.Sprint(res, status, err)
					}
					want := run(plain)
					if got := run(expanded); got != want {
						t.Errorf("%s <%d %d> %v, and by %d: got %s, want %s", op, n, m, args, constant.Lo, got, want)
					}
					if got := run(optimized); got != want {
						t.Errorf("%s <%d %d> %v, and by %d, optimized: got %s, want %s", op, n, m, args, constant.Lo, got, want)
					}
				}
			}
		}
	}
}
