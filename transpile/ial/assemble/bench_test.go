package assemble

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
)

// BenchmarkLoad assembles a module of several megabytes.
func BenchmarkLoad(b *testing.B) {
	text := repeat(10_000, func(i int) string {
		return fmt.Sprintf(`function int32 f%d(int32, T&)
{
    register int32 n; register int32 m; register T& t; register uint more;
    block entry { n = arg.pop; t = arg.pop; jump (test); }
    block test { more = cmp.gt n, m; jump.cond more (body, done); }
    block body { m = field.get t (T:x); n = ari.sub n, m; arg.push n; arg.push t; n = call (f%d); jump (test); }
    block done { m = load.i32 (%d); n = ari.add n, m; return n; }
}
`, i, (i*7)%10_000, i)
	}) + "type T { field int32 x; }\ndata d (" + strings.Repeat("1, 200, ", 100_000) + "3);"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		set := diag.NewSet()
		diags := diag.NewList(set)
		if _, ok := Load(set, []Unit{{Module: "m", Sources: []dialect.Source{{Name: "m.ial", Text: []byte(text)}}}}, diags); !ok {
			b.Fatal(diags)
		}
	}
}
