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

	_ "client/kernel"

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
	ahead, unit := time.Hour, time.Hour
	for range 40 {
		a, d := call("@run")
		b, e := call("@unit.run")
		if fmt.Sprint(a) != fmt.Sprint(b) {
			log.Fatalf("%v and %v", a, b)
		}
		ahead, unit = min(ahead, d), min(unit, e)
	}
	fmt.Println(ahead.Nanoseconds(), unit.Nanoseconds())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`

// fixedClient calls the function @run of a package that cannot be changed while it runs.
const fixedClient = `package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"client/fixed"

	"github.com/uvm2go/uvm2go/rtlib"
)

func main() {
	size, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	t := rtlib.NewThreadCtx()
	defer rtlib.CloseThreadCtx(t)
	least := time.Hour
	for range 40 {
		at := time.Now()
		if _, err := fixed.Run(t, size); err != nil {
			log.Fatal(err)
		}
		least = min(least, time.Since(at))
	}
	fmt.Println(least.Nanoseconds())
}
`

// BenchmarkUnit compares bundles that were compiled while a program ran with the same bundles in a package that was translated
// with -live before: the least times of the calls in two seconds, in turn, in one process. It reports how many times as long the
// former take, and the same for a package that cannot be changed while it runs, which is called in a process of its own: with it,
// no frames of the program could be inspected.
func BenchmarkUnit(b *testing.B) {
	if strings.TrimSpace(scripttest.GoEnv(b, "CGO_ENABLED")) != "1" {
		b.Skip("needs plugins")
	}
	dir, write := clientModule(b, unitClient)
	for _, pkg := range []string{"kernel", "fixed", "alone"} {
		if err := os.Mkdir(filepath.Join(dir, pkg), 0o777); err != nil {
			b.Fatal(err)
		}
	}
	write("alone/main.go", fixedClient)
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
			source, err := os.ReadFile(filepath.Join("..", "uvmbench", "kernels", k.name, k.name+".uir"))
			if err != nil {
				b.Fatal(err)
			}
			own, _, _ := strings.Cut(string(source), ".funcsig @main.sig")
			text := write(k.name+".uir", own)
			late := write("unit.uir", names.ReplaceAllStringFunc(own, func(n string) string {
				if strings.HasPrefix(n, "@uvm.") {
					return n
				}
				return "@unit." + n[1:]
			}))
			run(b, os.Stderr, command, "-live", "-pkg", "kernel", "-o", "kernel/kernel.go", text)
			run(b, os.Stderr, command, "-pkg", "fixed", "-o", "fixed/fixed.go", text)
			run(b, os.Stderr, "go", "build", "-o", "client.exe", ".")
			run(b, os.Stderr, "go", "build", "-o", "alone.exe", "./alone")
			stderr, err := os.Create(filepath.Join(dir, "said"))
			if err != nil {
				b.Fatal(err)
			}
			defer stderr.Close()
			var ns []float64
			for _, f := range strings.Fields(run(b, stderr, filepath.Join(dir, "client.exe"), late, k.size, stderr.Name()) + " " +
				run(b, os.Stderr, filepath.Join(dir, "alone.exe"), k.size)) {
				n, err := strconv.ParseFloat(f, 64)
				if err != nil {
					b.Fatal(err)
				}
				ns = append(ns, n)
			}
			b.ReportMetric(ns[1]/ns[0], "ratio")
			b.ReportMetric(ns[1]/ns[2], "fixed-ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
