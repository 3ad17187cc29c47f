package ial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// A tail call keeps pointers in structures alive in cells of the thread; with too many of them it becomes an
// ordinary call.
func TestPassing(t *testing.T) {
	for _, c := range []struct {
		member string
		cells  int
		tail   bool
	}{
		{"int64", 0, true}, {"S&", 0, true}, {"int8*", 1, true}, {"int8*{3}", 3, true}, {"Q{2}", 4, true}, {"void(int8*)", 0, true},
		{"int8*{16}", 16, true}, {"int8*{17}", 0, false}, {"Q{9}", 0, false}, {"int64{40}", 0, true},
	} {
		text := fmt.Sprintf(`type Q { field int64 n; field int8* a; field int8* b; }
type S { field int8 pad; field %s x; }
function int32 f(S) { register S s; register int32 r; block entry { s = arg.pop; arg.push s; r = call.tail (f); return r; } }
function int32 main() { register S s; register int32 r; block entry { arg.push s; r = call (f); return r; } }
entry main;
`, c.member)
		out := dump(t, load(t, 0, transpile.Source{Name: "t.ial", Text: []byte(text)}))
		if cells := strings.Count(out, "threadcell"); cells != c.cells || strings.Contains(out, "tailcall") != c.tail {
			t.Errorf("%s: %d cells, want %d, tail call %v\n%s", c.member, cells, c.cells, c.tail, out)
		}
	}
}
