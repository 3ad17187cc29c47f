package hail

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/internal/lexis/fixture/lextest"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/steps"
)

// parse reads a script named t.hail; the second result has its errors.
func parse(t testing.TB, src string) (*Script, string) {
	s := Parse([]byte(src), NewSymbols())
	return s, lextest.Format("t.hail", s.Src, s.Reports)
}

func good(t testing.TB, src string) *Script {
	t.Helper()
	s, errs := parse(t, src)
	if errs != "" {
		t.Fatalf("%s\n%s", src, errs)
	}
	return s
}

func source(s *Script) string {
	var buf bytes.Buffer
	Fprint(&buf, s)
	return strings.TrimSuffix(buf.String(), "\n")
}

func TestParse(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{"// c\n//d", ""},
		{"\xef\xbb\xbf.new $a <@T>\r\n", ".new $a <@T>"},
		{".new$a<@T>.new $b <@T>", ".new $a <@T>\n.new $b <@T>"},
		{".new $1-.x <@4.T>", ".new $1-.x <@4.T>"},
		{".newhybrid $a <@T> 10", ".newhybrid $a <@T> 10"},
		{".newhybrid $a <@T> @n", ".newhybrid $a <@T> @n"},
		{".newhybrid $a <@T> -0x1", ".newhybrid $a <@T> -0x1"},
		{".init @g = 1", ".init @g = 1"},
		{".init $a = +017", ".init $a = +017"},
		{".init $a [ 1 ] [@n][0x2] = 1", ".init $a[1][@n][0x2] = 1"},
		{".init @g = @c", ".init @g = @c"},
		{".init @g = $a", ".init @g = $a"},
		{".init @g = NULL", ".init @g = NULL"},
		{".init @g = 1.5f", ".init @g = 1.5f"},
		{".init @g = -1.5e-10d", ".init @g = -1.5e-10d"},
		{".init @g = +inff", ".init @g = +inff"},
		{".init @g = -infd", ".init @g = -infd"},
		{".init @g = nanf", ".init @g = nanf"},
		{".init @g = nand", ".init @g = nand"},
		{".init @g = bitsf(1)", ".init @g = bitsf(1)"},
		{".init @g = bitsd ( -0x1 )", ".init @g = bitsd(-0x1)"},
		{".init @g = &@h", ".init @g = &@h"},
		{".init @g = & $a [1] [@n]", ".init @g = &$a[1][@n]"},
		{".init @g = *$a[1]", ".init @g = *$a[1]"},
		{".init @g = {}", ".init @g = {}"},
		{".init @g = { 1 {2 3}{} {{NULL}} &$a[1] *@h $b }", ".init @g = {1 {2 3} {} {{NULL}} &$a[1] *@h $b}"},
		{".init @g={1}.init @h={2}", ".init @g = {1}\n.init @h = {2}"},
	}
	for _, tt := range tests {
		s := good(t, tt.src)
		if got := source(s); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		{".new @a <@T>", "t.hail:1:6: bad .new: wanted the name of the object, with $, found @a; write .new $object <@type>"},
		{".new $a", "t.hail:1:8: bad .new $a: wanted <, found end of file; write .new $object <@type>\n\t.new $a begins at t.hail:1:1"},
		{".new $a <$T>", "t.hail:1:10: bad .new $a: wanted the name of a type, found $T; write .new $object <@type>"},
		{".new $a <@T> 5", "t.hail:1:14: wanted .new, .newhybrid or .init, found 5"},
		{".newhybrid $a <@T>\n.new $b <@T>", "t.hail:2:1: bad .newhybrid $a: wanted the length, an integer or a constant, found .new; write .newhybrid $object <@hybrid> 10\n\t.newhybrid $a begins at t.hail:1:1"},
		{".newhybrid $a <@T> $n", "t.hail:1:20: bad .newhybrid $a: wanted the length, an integer or a constant, found $n; write .newhybrid $object <@hybrid> 10"},
		{".init 5 = 5", "t.hail:1:7: bad .init: wanted a location, the name of a cell or object, found 5; write .init $object[0] = 42"},
		{".init $a 5", "t.hail:1:10: bad .init $a: wanted =, found 5; write .init $object[0] = 42"},
		{".init $a[$b] = 5", "t.hail:1:10: bad .init $a: wanted an index, an integer or a constant, found $b; write .init $object[0] = 42"},
		{".init $a[1 = 5", "t.hail:1:12: bad .init $a: wanted ], found =; write .init $object[0] = 42"},
		{".init $a = $b[1]", "t.hail:1:14: bad .init $a: wanted a value, found [; a location as a value begins with & for its address or * for what it holds"},
		{".init $a = &5", "t.hail:1:13: bad .init $a: wanted a location, the name of a cell or object, found 5; write a value such as 42, $a, NULL, {1 2}, &$a or *$a"},
		{".init $a = null", "t.hail:1:12: bad .init $a: wanted a value, found null; did you mean NULL?"},
		{".init $a = {1 2\n.init $b = 5", "t.hail:2:1: bad .init $a: wanted a value or }, found .init; write a value such as 42, $a, NULL, {1 2}, &$a or *$a\n\t.init $a begins at t.hail:1:1"},
		{".init $a = {1 2", "t.hail:1:16: bad .init $a: wanted a value or }, found end of file; write a value such as 42, $a, NULL, {1 2}, &$a or *$a\n\t.init $a begins at t.hail:1:1"},
		{".init $a = {1, 2}", "t.hail:1:14: unexpected , directly behind 1: white space alone separates names"},
		{".init $a = }", "t.hail:1:12: bad .init $a: wanted a value, found }; write a value such as 42, $a, NULL, {1 2}, &$a or *$a"},
		{".init $a = bitsf 5", "t.hail:1:18: bad .init $a: wanted (, found 5; write a value such as 42, $a, NULL, {1 2}, &$a or *$a"},
		{".init $a = bitsd(1.0d)", "t.hail:1:18: bad .init $a: wanted the bit pattern, an integer, found 1.0d; write a value such as 42, $a, NULL, {1 2}, &$a or *$a"},
		{".init $a = 08\n.init $b = 1d\n.init $c = %x", `t.hail:1:12: bad integer 08: a leading 0 means octal, which has no digits 8 and 9
t.hail:2:12: bad floating-point literal 1d: it needs a fraction, as in 1.0d or 1.0e5f
t.hail:3:12: unexpected character %`},
		{".nwe $a <@T>\n.init $a = 5.new $b <@T>\nnew $c <@T>\n.typedef @x = void", `t.hail:1:1: unknown definition .nwe; did you mean .new?
t.hail:2:13: unexpected .new directly behind 5: white space wanted
t.hail:4:1: unknown definition .typedef`},
		{"init $a = 5", "t.hail:1:1: wanted .new, .newhybrid or .init, found init; did you mean .init?"},
		{"\x00", "t.hail:1:1: unexpected NUL byte"},
		{".init $a = " + strings.Repeat("{", MaxDepth+1), fmt.Sprintf("t.hail:1:%d: bad .init $a: wanted a value, found {; lists nest at most 1000 deep", 12+MaxDepth)},
	}
	for _, tt := range tests {
		_, got := parse(t, tt.src)
		if got = strings.TrimSuffix(got, "\n"); got != tt.want {
			t.Errorf("%s\n got:\n%s\nwant:\n%s", tt.src, got, tt.want)
		}
	}
	if _, errs := parse(t, ".init $a = "+strings.Repeat("{", MaxDepth)+strings.Repeat("}", MaxDepth)); errs != "" {
		t.Errorf("lists nested to the limit: %s", errs)
	}
}

func TestFields(t *testing.T) {
	s := good(t, ".newhybrid $a <@T> 3\n.init @g[5][@n] = {$a -7 bitsd(9) *$a[1]}\n.new $b <@T>")
	if len(s.Defs) != 3 {
		t.Fatalf("%d definitions", len(s.Defs))
	}
	d := s.Defs[0]
	if d.Kind != NewHybrid || s.Spelling(d.Name) != "$a" || s.Spelling(d.Type) != "@T" || s.Int(d.Len).Lo != 3 {
		t.Errorf("%+v", d)
	}
	d = s.Defs[1]
	ix := s.Index(d.Left)
	if d.Kind != Init || s.Spelling(d.Left.Base) != "@g" || len(ix) != 2 || s.Int(ix[0]).Lo != 5 || s.Spelling(s.Name(ix[1])) != "@n" {
		t.Errorf("%+v", d)
	}
	if line, col := lex.Position(s.Src, ix[1].Off); line != 2 || col != 13 {
		t.Errorf("index at %d:%d", line, col)
	}
	vs := s.List(d.Right)
	if len(vs) != 4 || vs[0].Kind != Object || s.Name(vs[0]).Sym != s.Defs[0].Name.Sym {
		t.Fatalf("%+v", vs)
	}
	if l := s.Int(vs[1]); !l.Neg || l.Lo != 7 {
		t.Errorf("%+v", l)
	}
	if l := s.FP(vs[2]); !l.Double || l.Bits.Lo != 9 || s.Text(l.Off, l.End) != "bitsd(9)" {
		t.Errorf("%+v", l)
	}
	if l := s.Loc(vs[3]); s.Spelling(l.Base) != "$a" || len(s.Index(*l)) != 1 {
		t.Errorf("%+v", l)
	}
	if s.List(vs[0]) != nil || s.Int(vs[0]) != nil || s.FP(vs[0]) != nil || s.Loc(vs[0]) != nil || !s.Name(vs[1]).IsZero() {
		t.Error("a value is taken for one of another kind")
	}
	if n := unsafe.Sizeof(Value{}); n != 16 {
		t.Errorf("a value takes %d bytes", n)
	}
}

func TestExample(t *testing.T) {
	src, err := os.ReadFile("testdata/tree.hail")
	if err != nil {
		t.Fatal(err)
	}
	s := good(t, string(src))
	text := source(s)
	if got := source(good(t, text)); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
	for i := range src {
		if _, errs := parse(t, string(src[:i])); strings.Count(errs, "\nt.hail") > 0 {
			t.Errorf("first %d bytes: more than one error\n%s", i, errs)
		}
	}
}

func FuzzParse(f *testing.F) {
	src, err := os.ReadFile("testdata/tree.hail")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(src))
	f.Add(".init @g = { 1 {2 3}{} {{NULL}} &$a[1] *@h $b 1.5d }")
	f.Add(".init $a = {1, 2}\n.nwe\n.init $a[1 = 5")
	f.Fuzz(func(t *testing.T, src string) {
		s, errs := parse(t, src)
		text := source(s) // must not panic even if there are errors
		if errs != "" {
			return
		}
		if again := source(good(t, text)); again != text {
			t.Errorf("printed:\n%s\nprinted again:\n%s", text, again)
		}
	})
}

// bigScript generates a script with n objects, about 320 bytes each.
func bigScript(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, ".newhybrid $object%d <@rpython_array_of_signed> %d\n", i, i%50)
	}
	for i := range n {
		fmt.Fprintf(&b, ".init $object%d = {@hash_%d_i64 {", i, i)
		for j := range 15 {
			fmt.Fprintf(&b, "{$object%d %d} ", (i*31+j)%n, i*j)
		}
		fmt.Fprintf(&b, "}}\n.init $object%d[1][%d] = &@cell_%d[3]\n", i, i%50, i)
	}
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	src := bigScript(32_000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if s := Parse(src, NewSymbols()); len(s.Reports) > 0 {
			b.Fatal(s.Reports[0].Msg)
		}
	}
}

// TestLongLinear checks that eight times the objects take about eight times the steps.
func TestLongLinear(t *testing.T) {
	longtest.Only(t)
	n := steps.Count(t, 2, func(i int) { good(t, string(bigScript([]int{1000, 8000}[i]))) })
	if t.Log(n); n[1] > 9*n[0] {
		t.Errorf("1,000 objects take %d steps, 8,000 take %d", n[0], n[1])
	}
}
