package libc

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/mathbits.txt, on amd64")

// otherBits has, by processor, the functions whose results differ from those on amd64 for some
// arguments (docs/ports.md): Go has an assembly routine for one of the two, or contracts a product
// and a sum into one operation there.
var otherBits = map[string][]string{
	"386": plainBits, "arm": plainBits, "mips": plainBits, "mipsle": plainBits, "mips64": plainBits, "mips64le": plainBits, "wasm": plainBits,
	"ppc64": without(fusedBits, "expm1"), "ppc64le": without(fusedBits, "expm1"),
	"arm64": fusedBits, "riscv64": fusedBits, "loong64": fusedBits,
	"s390x": append(slices.Clone(fusedBits), "cbrt", "sinhf"),
}

var (
	plainBits = []string{"sinh", "cosh", "tanh", "exp", "log", "log10", "pow"}
	fusedBits = []string{"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expm1",
		"log", "log2", "log10", "log1p", "pow", "hypot"}
)

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(x string) bool { return x == name })
}

// TestMathBits compares checksums of the results of the functions of math.h for fixed arguments with
// those on amd64, so that the output of programs does not depend on the port. All NaNs are taken as
// equal.
func TestMathBits(t *testing.T) {
	const file = "testdata/mathbits.txt"
	var got strings.Builder
	for _, row := range Table {
		if sum, ok := mathSum(row.fn); ok {
			fmt.Fprintf(&got, "%s %016x\n", row.C, sum)
		}
	}
	if *update && runtime.GOARCH == "amd64" {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(text))
	lines := strings.Fields(got.String())
	if len(want) != len(lines) || len(lines) < 100 {
		t.Fatalf("%d words, want %d", len(lines), len(want))
	}
	var differ []string
	for i := 0; i < len(want); i += 2 {
		if want[i] != lines[i] {
			t.Fatalf("function %s, want %s", lines[i], want[i])
		}
		if want[i+1] != lines[i+1] {
			differ = append(differ, want[i])
		}
	}
	if known := otherBits[runtime.GOARCH]; !slices.Equal(differ, known) {
		t.Errorf("on %s these do not give the bits of amd64: %q, want %q", runtime.GOARCH, differ, known)
	}
}

// mathSum is a checksum of the results of a function of float or double; ok says that it is one.
func mathSum(fn any) (sum uint64, ok bool) {
	h := fnv.New64a()
	put := func(x float64) {
		bits := math.Float64bits(x)
		if x != x {
			bits = 1
		}
		for range 8 {
			h.Write([]byte{byte(bits)})
			bits >>= 8
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, 10, math.Pi, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64}
	for i := range 2000 {
		var x, y float64
		switch {
		case i < len(special)*len(special):
			x, y = special[i/len(special)], special[i%len(special)]
		case i%2 == 0: // of the size that programs have
			x, y = (r.Float64()-0.5)*100, (r.Float64()-0.5)*20
		default: // of any size
			x, y = math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64())
		}
		if i%4 == 2 {
			x /= 50 // where asin is defined
		}
		if x != x {
			x = math.NaN() // always the same
		}
		if y != y {
			y = math.NaN()
		}
		var f Errno
		switch fn := fn.(type) {
		case func(float64) float64:
			put(fn(x))
		case func(Errno, float64) float64:
			put(fn(f, x))
		case func(float64, float64) float64:
			put(fn(x, y))
		case func(Errno, float64, float64) float64:
			put(fn(f, x, y))
		case func(float32) float32:
			put(float64(fn(float32(x))))
		case func(Errno, float32) float32:
			put(float64(fn(f, float32(x))))
		case func(float32, float32) float32:
			put(float64(fn(float32(x), float32(y))))
		case func(Errno, float32, float32) float32:
			put(float64(fn(f, float32(x), float32(y))))
		default:
			return 0, false
		}
	}
	return h.Sum64(), true
}
