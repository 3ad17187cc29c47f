package passes_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// A job is one run of a program that a script or folder of the repository
// describes.
type job struct {
	name   string
	srcs   []mu.Source
	images []mu.Source
	opt    mu.Options
	cfg    interp.Config
	call   string
	args   string
	passes passes.Options
}

// jobs collects the programs of the script tests, the examples and, in their
// small size, the kernels.
func jobs(t testing.TB) []job {
	var out []job
	scripts, _ := filepath.Glob("../../testscripts/*.txtar")
	for _, path := range scripts {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, scriptJobs(strings.TrimSuffix(filepath.Base(path), ".txtar"), data)...)
	}
	bundles, _ := filepath.Glob("../../examples/*/*.uir")
	kernels, _ := filepath.Glob("../../cmd/uvmbench/kernels/*/*.uir")
	for _, path := range append(bundles, kernels...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, job{name: filepath.Base(path), srcs: []mu.Source{{Name: path, Text: smallSize(text)}}})
	}
	if len(out) < 100 {
		t.Fatalf("only %d programs found", len(out))
	}
	return out
}

var sizeLine = regexp.MustCompile(`(?m)= *\d+( *// small: )(\d+)`)

// smallSize gives a kernel its small size.
func smallSize(text []byte) []byte { return sizeLine.ReplaceAll(text, []byte("= $2$1$2")) }

func scriptJobs(name string, data []byte) []job {
	comment, files := "", map[string][]byte{}
	file := ""
	for _, line := range strings.SplitAfter(string(data), "\n") {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "-- ") && strings.HasSuffix(s, " --") {
			file = s[3 : len(s)-3]
		} else if file == "" {
			comment += line
		} else {
			files[file] = append(files[file], line...)
		}
	}
	var out []job
	env := map[string]string{}
	seen := map[string]bool{}
	for _, line := range strings.Split(comment, "\n") {
		w := words(line)
		if len(w) > 0 && w[0] == "env" {
			for _, kv := range w[1:] {
				k, v, _ := strings.Cut(kv, "=")
				env[k] = v
			}
		}
		at := 0
		for at < len(w) && w[at] != "uvm2go" {
			at++
		}
		if at+2 > len(w)-1 || w[at+1] != "run" && w[at+1] != "build" {
			continue
		}
		key := strings.ReplaceAll(strings.Join(w[at:], " "), " -O0", "")
		if j, ok := scriptJob(w[at+2:], files, env); ok && !seen[key] {
			seen[key] = true
			j.name = name + "/" + strconv.Itoa(len(out))
			out = append(out, j)
		}
	}
	return out
}

func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

func scriptJob(args []string, files map[string][]byte, env map[string]string) (j job, ok bool) {
	j.cfg.TrapMode = env["UVM_TRAP"]
	if h := env["UVM_HEAP"]; strings.HasSuffix(h, "M") {
		n, _ := strconv.Atoi(strings.TrimSuffix(h, "M"))
		j.cfg.HeapLimit = uint64(n) << 20
	}
	for i := 0; i < len(args); i++ {
		next := func() string {
			if i++; i < len(args) {
				return args[i]
			}
			return ""
		}
		if flag, val, cut := strings.Cut(args[i], "="); cut && strings.HasPrefix(flag, "-") {
			args = append(append(append([]string(nil), args[:i]...), flag, val), args[i+1:]...)
		}
		switch a := args[i]; a {
		case "-O0", "-O1", "-interp":
		case "-hail":
			f := next()
			j.images = append(j.images, mu.Source{Name: f, Text: files[f]})
		case "-sanitize":
			j.cfg.CheckNullAddress = true
			j.passes.Sanitize = true
		case "-strict":
			j.opt.Strict = true
		case "-seed", "-o":
			next()
		case "-trap":
			j.cfg.TrapMode = next()
		case "-entry":
			j.cfg.Entry = next()
		case "-call":
			j.call = next()
		case "-args":
			j.args = next()
		case "--":
			j.cfg.Args = append([]string{"./prog"}, args[i+1:]...)
			i = len(args)
		default:
			text, found := files[a]
			if strings.HasPrefix(a, "-") || !found || !strings.HasSuffix(a, ".uir") {
				return j, false
			}
			j.srcs = append(j.srcs, mu.Source{Name: a, Text: text})
		}
	}
	return j, len(j.srcs) > 0
}

// load reads the job's program; nil if it has errors, which some have on purpose.
func (j *job) load() *ir.Program {
	files := diag.NewSet()
	list := diag.NewList(files)
	p, ok := mu.Load(files, j.srcs, j.opt, list)
	for i := 0; ok && i < len(j.images); i++ {
		ok = mu.LoadHAIL(p, files, j.images[i], list)
	}
	if !ok {
		return nil
	}
	p.Files = files
	return p
}

// outcome runs the program and returns all that can be observed of it. Backtraces
// are left out: inlining changes them.
func (j *job) outcome(p *ir.Program) string {
	var stdout, stderr bytes.Buffer
	cfg := j.cfg
	cfg.Stdin, cfg.Stdout, cfg.Stderr = strings.NewReader(""), &stdout, &stderr
	cfg.Start = time.Unix(1, 0)
	cfg.MaxSteps = 10_000_000
	cfg.StackLimit = 100_000 // deep enough for recursions that end
	cfg.LookupEnv = func(string) (string, bool) { return "", false }
	status := 0
	var err error
	if j.call == "" {
		status, err = interp.Run(p, cfg)
	} else {
		f, ok := p.Find(j.call).(*ir.Function)
		if !ok {
			return "no function " + j.call
		}
		var vals []*ir.Const
		var results []interp.Value
		if vals, err = dialect.ParseArgs(p, f, j.args); err == nil {
			results, status, err = interp.Call(p, f.Name, interp.Literals(p, vals), cfg)
		}
		if err == nil && status == 0 {
			lines, _ := interp.Results(p, f.Name, results)
			fmt.Fprintln(&stdout, lines)
		}
	}
	if err != nil {
		fmt.Fprintln(&stderr, err)
	}
	var keep []string
	for _, l := range strings.Split(stderr.String(), "\n") {
		if !strings.HasPrefix(l, "\t") {
			keep = append(keep, l)
		}
	}
	return fmt.Sprintf("status %d\n%s%s", status, stdout.String(), strings.Join(keep, "\n"))
}

// common cuts two texts to the length of the shorter.
func common(a, b string) (string, string) {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	n := min(len(a), len(b))
	return a[:n], b[:n]
}

// TestPrograms runs every program of the repository before and after the
// passes, which are verified one by one.
func TestPrograms(t *testing.T) {
	comparePrograms(t, 4, func(int, *passes.Options) {})
}

// TestLongPrograms does so with all programs, TestPrograms with one in four.
func TestLongPrograms(t *testing.T) {
	longtest.Only(t)
	comparePrograms(t, 1, func(int, *passes.Options) {})
}

// TestSelections runs some programs before and after passes in an order that the table does not have.
func TestSelections(t *testing.T) {
	compareSelections(t, 24, 1)
}

// TestLongSelections does so with all programs, and several orders of each.
func TestLongSelections(t *testing.T) {
	longtest.Only(t)
	for seed := range uint64(4) {
		compareSelections(t, 1, 2+seed)
	}
}

func compareSelections(t *testing.T, oneIn int, seed uint64) {
	var names []string
	for _, n := range passes.Names() {
		if n != "share" { // the interpreter does not run what it makes
			names = append(names, n)
		}
	}
	comparePrograms(t, oneIn, func(program int, o *passes.Options) {
		r := rand.New(rand.NewPCG(seed, uint64(program)))
		o.Select = []string{"names"}
		for range 2 + r.IntN(10) {
			o.Select = append(o.Select, names[r.IntN(len(names))])
		}
	})
}

func comparePrograms(t *testing.T, oneIn int, change func(program int, o *passes.Options)) {
	t.Helper()
	names := passes.Names()
	n := 0
	for i, j := range jobs(t) {
		if i%oneIn > 0 {
			continue
		}
		t.Run(j.name, func(t *testing.T) {
			before, after := j.load(), j.load()
			if before == nil {
				t.Skip("has errors")
			}
			n++
			// The names of instructions are made explicit on both sides.
			base := j.passes
			base.Level, base.Disable = 1, names[1:]
			if err := passes.Run(before, base); err != nil {
				t.Fatal(err)
			}
			opt := j.passes
			opt.Level, opt.Check, opt.Origins = 1, true, &passes.Origins{}
			change(i, &opt)
			if opt.Select != nil && strings.HasPrefix(j.name, "error_overflow") {
				return // its depths are chosen for bodies without copies
			}
			if err := passes.Run(after, opt); err != nil {
				t.Fatal(err)
			}
			if j.cfg.HeapLimit != 0 {
				return // the interpreter keeps more alive when blocks share variables
			}
			want, got := j.outcome(before), j.outcome(after)
			if strings.Contains(want, "STACK_OVERFLOW") && (opt.Select != nil || strings.Contains(got, interp.ErrSteps.Error())) {
				return // a recursion goes deeper after the passes
			}
			if endless := interp.ErrSteps.Error(); strings.Contains(want, endless) || strings.Contains(got, endless) {
				want, got = common(strings.ReplaceAll(want, endless, ""), strings.ReplaceAll(got, endless, ""))
			}
			if got != want {
				t.Errorf("the program behaves differently after the passes %q\ngot\n%s\nwant\n%s", opt.Select, got, want)
			}
		})
	}
	t.Logf("%d programs", n)
}
