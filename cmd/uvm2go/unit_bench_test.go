package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// unitKernels are kernels of cmd/uvmbench, with arguments for which their functions @run take some milliseconds.
var unitKernels = []struct{ name, size string }{
	{"binarytrees", "11"}, {"deltablue", "30"}, {"fib", "27"}, {"hashmap", "20000"}, {"matmul", "150"}, {"nbody", "50000"},
	{"quicksort", "50000"}, {"richards", "8"}, {"sha256", "8000"}, {"sieve", "1"}, {"spectralnorm", "200"}, {"vcall", "500"},
}

// unitClient calls the function @run of the package that is linked, and @unit.run of the bundle that it loads, in turn.
const unitClient = `package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	fixed "client/fixed"
	_ "client/kernel"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/live"
	_ "github.com/uvm2go/uvm2go/rtlib/live/tier2"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func main() {
	vm, err := live.New(mu.Config{})
	check(err)
	c := vm.NewContext()
	text, err := os.ReadFile(os.Args[1])
	check(err)
	check(c.LoadBundleText(string(text)))
	size, err := strconv.ParseInt(os.Args[2], 10, 64)
	check(err)
	call := func(name string) (mu.Value, time.Duration) {
		scope := c.OpenScope()
		defer scope.Close()
		f, err := c.FuncNamed(name)
		check(err)
		at := time.Now()
		r, err := c.Call(f, c.Int(size, 64))
		check(err)
		return r[0], time.Since(at)
	}
	for compiled := false; !compiled; {
		call("@unit.run")
		said, err := os.ReadFile(os.Args[3])
		check(err)
		compiled = strings.Contains(string(said), " is compiled\n")
		if strings.Contains(string(said), " stays on the engine") {
			log.Fatal(string(said))
		}
	}
	t := rtlib.NewThreadCtx()
	defer rtlib.CloseThreadCtx(t)
	ahead, unit, unchanged := time.Hour, time.Hour, time.Hour
	for range 40 {
		a, d := call("@run")
		b, e := call("@unit.run")
		at := time.Now()
		r, err := fixed.Fixed_run(t, size)
		f := time.Since(at)
		check(err)
		if fmt.Sprint(a) != fmt.Sprint(b) || fmt.Sprint(a) != fmt.Sprint(c.Int(r, 64)) {
			log.Fatalf("%v, %v and %v", a, b, r)
		}
		ahead, unit, unchanged = min(ahead, d), min(unit, e), min(unchanged, f)
	}
	fmt.Println(float64(unit)/float64(ahead), float64(unit)/float64(unchanged))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`

// BenchmarkUnit compares bundles that were compiled while a program ran with the same bundles in a package that was translated
// with -live before: the least times of 40 calls each, in turn, in one process. It reports how many times as long the
// former take.
func BenchmarkUnit(b *testing.B) {
	if strings.TrimSpace(scripttest.GoEnv(b, "CGO_ENABLED")) != "1" {
		b.Skip("needs plugins")
	}
	dir, write := clientModule(b, unitClient)
	for _, pkg := range []string{"kernel", "fixed"} {
		if err := os.Mkdir(filepath.Join(dir, pkg), 0o777); err != nil {
			b.Fatal(err)
		}
	}
	command := scripttest.Command(b)
	run := func(b *testing.B, stderr *os.File, argv ...string) string {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+scripttest.Path(command), "UVM2GO_CACHE="+filepath.Join(dir, "cache"), "UVMDEBUG=live=1")
		cmd.Stderr = stderr
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%v: %v", argv, err)
		}
		return strings.TrimSpace(string(out))
	}
	names := regexp.MustCompile(`@[\w.]+`)
	for _, k := range unitKernels {
		b.Run(k.name, func(b *testing.B) {
			text, err := os.ReadFile(filepath.Join("..", "uvmbench", "kernels", k.name, k.name+".uir"))
			if err != nil {
				b.Fatal(err)
			}
			own, _, _ := strings.Cut(string(text), ".funcsig @main.sig")
			with := func(prefix string) string {
				return names.ReplaceAllStringFunc(own, func(n string) string {
					if strings.HasPrefix(n, "@uvm.") {
						return n
					}
					return "@" + prefix + n[1:]
				})
			}
			late := write("unit.uir", with("unit."))
			run(b, os.Stderr, command, "-live", "-pkg", "kernel", "-o", "kernel/kernel.go", write(k.name+".uir", own))
			run(b, os.Stderr, command, "-pkg", "fixed", "-o", "fixed/fixed.go", write("fixed.uir", with("fixed.")))
			run(b, os.Stderr, "go", "build", "-o", "client.exe", ".")
			stderr, err := os.Create(filepath.Join(dir, "said"))
			if err != nil {
				b.Fatal(err)
			}
			defer stderr.Close()
			ratios := strings.Fields(run(b, stderr, filepath.Join(dir, "client.exe"), late, k.size, stderr.Name()))
			for i, metric := range []string{"ratio", "fixed-ratio"} {
				x, err := strconv.ParseFloat(ratios[i], 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(x, metric)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
