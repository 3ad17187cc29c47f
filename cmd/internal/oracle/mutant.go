package oracle

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
)

// A Mutant is a fault put into the translator or the runtime on purpose.
type Mutant struct {
	Name     string
	File     string // path in the module, with slashes
	Old, New string // the text to replace, which must occur once
	// Script is a script of the command that must notice the fault if the comparison
	// of single-threaded programs cannot; "" if the comparison must.
	Script string
}

// MutantList are the faults that are tried.
var MutantList = []Mutant{
	{"shift mask a bit too wide", "transpile/lower/arith.go",
		"return uint64(1)<<bits.Len32(n-1) - 1", "return uint64(1)<<bits.Len32(n) - 1", ""},
	{"operands of SUB swapped", "transpile/lower/arith.go",
		`return masked(bin(intOps[op], x, y), n)`, `return masked(bin(intOps[op], y, x), n)`, ""},
	{"wide SREM unsigned", "transpile/lower/arith.go",
		`ir.OpSDiv: "SDiv", ir.OpSRem: "SRem",`, `ir.OpSDiv: "SDiv", ir.OpSRem: "URem",`, ""},
	{"SEXT without the sign", "transpile/lower/convert.go",
		"return masked(unsigned(signedOf(x, f), t), t)", "return masked(unsigned(x, t), t)", ""},
	{"ULT takes equal", "transpile/lower/compare.go", "ir.OpULT: gotree.Less,", "ir.OpULT: gotree.LessEq,", ""},
	{"conversion to int<32> does not saturate", "rtlib/num/conv.go",
		"func F64ToI32(f float64) uint32 {\n\tif f > -0x1p31-1 && f < 0x1p31 {", "func F64ToI32(f float64) uint32 {\n\tif f == f {", ""},
	{"FREM loses the sign", "rtlib/num/frem.go",
		"return math.Float64frombits(join(mx, ey, 52) | bx&sign)", "return math.Float64frombits(join(mx, ey, 52))", ""},
	{"product of 128 bits without a carry", "rtlib/num/u128.go", "hi + x.Hi*y.Lo + x.Lo*y.Hi", "hi + x.Hi*y.Lo", ""},
	{"SELECT of vectors the wrong way round", "transpile/lower/select.go", "body.If(lane(c), then, nil)", "body.If(gotree.Not(lane(c)), then, nil)", ""},
	{"branch arguments one after the other", "transpile/lower/fn.go", "parallel = true", "parallel = false", ""},
	{"exception not looked for after a call", "transpile/lower/call.go", "if (throws || in.Has(ir.FlagExc)) && ", "if in.Has(ir.FlagExc) && ", ""},
	{"caught exception stays thrown", "rtlib/internal/core/support.go", "t.Thrown, t.Exc = 0, 0", "t.Exc = 0", ""},
	{"results are no roots", "transpile/lower/frame.go",
		"if s < 0 || !e.inFrame(e.cur) {", "if s < 0 || !e.inFrame(e.cur) || e.v.Values[x].Kind == ir.ValueResult {", ""},
	{"live variables lost at safepoints", "transpile/lower/plan/roots.go", "r.slots[w] |= across[w]", "r.slots[w] |= across[w] &^ 1", ""},
	{"fields overlap", "transpile/layout/layout.go", "l.Size = off.Add(fl.Size)", "l.Size = off.Add(fl.Align)", ""},
	{"used memory not zeroed", "rtlib/internal/immix/alloc.go", "mem.Clear(w.end, size)", "_ = size", ""},
	{"tag of a tagref64 shifted", "rtlib/internal/gc/tagref.go",
		"return tagExp | 2 | a&tagAddr | a>>47<<63 | t&1<<2 | t>>1<<59>>12", "return tagExp | 2 | a&tagAddr | a>>47<<63 | t>>1<<59>>12", ""},
	{"weak references not cleared", "rtlib/internal/gc/mark.go",
		"} else if !m.marks.Has(c) {\n\t\t\t\tmem.StoreAddress(slot, 0)", "} else if !m.marks.Has(c) {\n\t\t\t\t_ = slot", "gc_weakref"},
	{"SEQ_CST fence left out", "transpile/lower/mem.go", `out.Do(atomic("Fence"))`, `_ = atomic("Fence")`, "atomic_fence"},
	{"NAND without the NOT", "rtlib/atomics/word32.go", "old, ^(old & v)) {", "old, old & v) {", "atomic_int"},
	{"first value of a switch of stacks doubled", "transpile/lower/repr/area.go",
		"func (a *Area) nextWord() gotree.Expr { a.w++; return a.Word(a.w - 1) }", "func (a *Area) nextWord() gotree.Expr { a.w++; return a.Word(0) }", ""},
	{"coroutine keeps nothing", "transpile/lower/resume.go", "e.save(out, in.Keep)\n\tout.Set(", "out.Set(", ""},
	{"coroutine goes on at the place before", "transpile/lower/resume.go", `out.Set(word(tVar, "Resume"), lit(in.Imm))`, `out.Set(word(tVar, "Resume"), lit(in.Imm-1))`, ""},
	{"what a coroutine keeps is no root", "transpile/lower/resume.go",
		"\te.prologue(begin, 0)", "\troots := e.keepRoots\n\te.keepRoots = 0\n\te.prologue(begin, 0)\n\te.keepRoots = roots", ""},
	{"exception of a coroutine lost", "rtlib/internal/thread/guest.go", "s.Ctx.Thrown, s.Ctx.Exc, s.Ctx.Overflow = 1,", "s.Ctx.Thrown, s.Ctx.Exc, s.Ctx.Overflow = 0,", ""},
	{"lent stack bound at once", "rtlib/internal/stack/state.go", "if w&wordLent != 0 {\n\t\t\treturn Lent", "if false {\n\t\t\treturn Lent", "stack_guest_lent"},
	{"mask of folded shifts a bit too wide", "transpile/passes/fold.go", "return b & (1<<bits.Len32(n-1) - 1) }", "return b & (1<<bits.Len32(n) - 1) }", ""},
	{"stores forget nothing", "transpile/passes/loads.go",
		"return !l.disjoint(k.location, at) })", "return false })", ""},
	{"products go round without being advanced", "transpile/passes/strength.go", "\t\tpass(b, y)", "\t\tpass(b, p)", ""},
	{"neighbours at the wrong distance", "transpile/passes/strength.go", "off += c", "off += c + 1", ""},
}

// Mutants puts each fault into a copy of the module in root and shows which test
// notices it. It tries only the faults whose names contain only. It reports
// whether all were noticed.
func Mutants(root, only string, log io.Writer) (bool, error) {
	dir, err := os.MkdirTemp("", "uvmfuzz-mutants-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := copyModule(dir, root); err != nil {
		return false, err
	}
	// Report faults that no longer fit the sources before running anything.
	var errs []error
	for _, m := range MutantList {
		if _, err := m.changed(dir); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return false, errors.Join(errs...)
	}
	ok := true
	fmt.Fprintf(log, "| fault | in | noticed by |\n| --- | --- | --- |\n")
	for _, m := range MutantList {
		if only != "" && !strings.Contains(m.Name, only) {
			continue
		}
		by, err := m.try(dir)
		if err != nil {
			return false, fmt.Errorf("mutant %q: %w", m.Name, err)
		}
		if by == "" {
			ok = false
			by = "NOTHING"
		}
		fmt.Fprintf(log, "| %s | `%s` | %s |\n", m.Name, m.File, by)
	}
	return ok, nil
}

// changed returns the contents of the file with the fault.
func (m *Mutant) changed(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.File)))
	if err != nil {
		return "", fmt.Errorf("mutant %q: %w", m.Name, err)
	}
	if n := strings.Count(string(b), m.Old); n != 1 {
		return "", fmt.Errorf("mutant %q: the text to replace occurs %d times in %s, want once", m.Name, n, m.File)
	}
	return strings.Replace(string(b), m.Old, m.New, 1), nil
}

// try puts the fault in, finds what notices it, and removes it again.
func (m *Mutant) try(dir string) (by string, err error) {
	path := filepath.Join(dir, filepath.FromSlash(m.File))
	good, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	bad, err := m.changed(dir)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, []byte(bad), 0o666); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, good, 0o666)) }()
	exe := filepath.Join(dir, "uvmfuzz.exe")
	// uvmfuzz contains the runtime as text, which must be correct as well.
	for _, args := range [][]string{{"build", "./rtlib/..."}, {"build", "-o", exe, "./cmd/uvmfuzz"}} {
		if out, err := run(dir, "go", args...); err != nil {
			return "", fmt.Errorf("does not build: %v\n%s", err, out)
		}
	}
	if m.Script == "" {
		ways := "O0-stress"
		switch {
		case strings.HasPrefix(m.File, "transpile/passes/"):
			ways = "O1"
		case m.File == "transpile/lower/resume.go" || m.File == "rtlib/internal/thread/guest.go":
			ways = "O1-stress"
		}
		// The seeds of the test command come first; they should suffice.
		for _, args := range [][]string{{"-seed", "1", "-n", "10"}, {"-seed", "11", "-n", "70"}, {"-seed", "81", "-n", "160"}} {
			args = append(args, "-batch", "20", "-reduce=false", "-stop", "1", "-keep", "", "-ways", ways)
			out, err := run(dir, exe, args...)
			if err == nil {
				continue
			}
			// A fault in code that the interpreter shares with the translator can break the interpreter.
			if _, s, ok := strings.Cut(out, "internal error: interpreter, "); ok {
				return "interpreter: " + goprog.Clip(goprog.FirstLine(s)), nil
			}
			// Status 1 means that there are differences. Any other status, or a signal, tells nothing about the fault.
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				return "", fmt.Errorf("%v\n%s", err, out)
			}
			for _, line := range strings.Split(out, "\n") {
				if s, ok := strings.CutPrefix(line, "DIFFERENCE: "); ok {
					return "comparison: " + goprog.Clip(strings.ReplaceAll(s, "|", "/")), nil
				}
			}
			return "comparison: " + goprog.Clip(goprog.FirstLine(out)), nil
		}
		return failing(dir, "10m", "TestLongCompiledOperations", "./transpile/gogen")
	}
	return failing(dir, "60s", "TestScripts/^"+m.Script+"$", "./testscripts/...")
}

// failing returns the name of the test if it fails or has not ended after a limit.
func failing(dir, limit, test, pkg string) (string, error) {
	out, err := run(dir, "go", "test", "-timeout", limit, "-run", test, pkg)
	if err == nil {
		return "", nil
	}
	name := strings.NewReplacer("^", "", "$", "").Replace(test)
	if strings.Contains(out, "panic: test timed out") {
		return name + ", which does not end", nil
	}
	if !strings.Contains(out, "FAIL: "+name) {
		return "", fmt.Errorf("%s: %v\n%s", name, err, out)
	}
	return name, nil
}

// run runs a command and returns its output.
func run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "UVM2GO_LONG=1") // see testscripts/longtest
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// copyModule copies the sources of a module.
func copyModule(dst, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(dst, rel), 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dst, rel), b, 0o666)
	})
}
