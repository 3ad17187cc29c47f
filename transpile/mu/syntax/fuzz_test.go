package syntax

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/steps"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// FuzzParse checks that no input makes Parse panic or hang, that Bad and the
// list agree, and that a tree without errors survives printing and parsing.
func FuzzParse(f *testing.F) {
	for _, src := range examples(f) {
		f.Add(src)
	}
	for _, tt := range errorTests {
		f.Add(tt.src)
		f.Add(inBlock(tt.src))
	}
	for _, tt := range mucTests {
		f.Add(tt.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		b, errs := parse(t, src)
		if errs != "" {
			source(t, b) // must not panic on an incomplete tree
			return
		}
		text := source(t, b)
		if again := source(t, good(t, text)); again != text {
			t.Errorf("printed:\n%s\nprinted again:\n%s", text, again)
		}
	})
}

// TestTruncated parses every prefix of an example.
func TestTruncated(t *testing.T) {
	for name, src := range examples(t) {
		for i := range src {
			set := diag.NewSet()
			f, err := set.Add(name, []byte(src[:i]))
			if err != nil {
				t.Fatal(err)
			}
			errs := diag.NewList(set)
			Parse(f, NewSymbols(), errs, 0)
			// The error, and perhaps that a function is not closed.
			if n := errs.Errors(); n > 2 {
				t.Fatalf("%s, first %d bytes: %d errors, %v", name, i, n, errs)
			}
		}
	}
}

// hostileParts need a scan ahead when repeated, or make recovery search for a place to continue.
var hostileParts = []string{
	"(", "(\n", "%a ", "%a\n", "%a(", "%a(\n", "%a()\n", "%a=", "[%a\n", "{", "}\n", "<", "x\n", "é\n", "\"\n", "0", ".x\n",
	"a ", "a\n", "a(", "a(\n", "a()\n", "a=", "<int<8>> ", "<int<8>> 1 ", "ref<", "(a)->", "CALL <s> f (a\n", "a(<int<8>> x\n",
	"COMMINST @c (", "COMMINST @c (\n", "COMMINST @c [", "SWITCH <@i> %x %d() {\n", "RET\n(", "RET (%a\n", "CALL <@s> @f (%a\n",
}

// hostile parses size bytes of repetitions of a part, at the top level and in a block.
func hostile(t *testing.T, part string, size int) {
	t.Helper()
	long := strings.Repeat(part, size/len(part))
	for _, src := range []string{long, inBlock(long), mucBlock(long)} {
		if _, errs := parse(t, src); errs == "" {
			t.Errorf("%q many times: no errors", part)
		}
	}
}

// mucBlock is inBlock in the form of muc.
func mucBlock(insts string) string {
	return ".funcdef f <(int<8>) -> ()> {\na(<int<8>> x):\n" + insts + "\n}\n"
}

// TestHostile parses long repetitions.
func TestHostile(t *testing.T) {
	for _, part := range hostileParts {
		hostile(t, part, 1<<16)
	}
}

// TestLongHostile checks that the time of TestHostile is linear.
func TestLongHostile(t *testing.T) {
	longtest.Only(t)
	const size = 1 << 13
	n := steps.Count(t, 2*len(hostileParts), func(i int) { hostile(t, hostileParts[i/2], size<<(3*(i%2))) })
	for i, part := range hostileParts {
		if small, large := n[2*i], n[2*i+1]; large > 10*small {
			t.Errorf("%q: %d bytes take %d steps, %d take %d", part, size, small, 8*size, large)
		}
	}
}
