package interp_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The scripts of the command run here with the interpreter instead of built
// programs: both must behave in the same way.

// errSkip means that a script needs something that the interpreter does not have.
var errSkip = errors.New("not for the interpreter")

// script is the state of one running script.
type script struct {
	t      *testing.T
	files  map[string][]byte
	env    map[string]string
	built  map[string][]string // what build made: flags and bundles
	stdout bytes.Buffer
	stderr bytes.Buffer
	status int
}

func TestScripts(t *testing.T) { runScripts(t, 3) }

// TestLongScripts runs all scripts, TestScripts one in three.
func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	runScripts(t, 1)
}

func runScripts(t *testing.T, oneIn int) {
	t.Helper()
	paths, err := filepath.Glob("../../testscripts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		if i%oneIn > 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			comment, files := parseArchive(data)
			s := &script{t: t, files: files, env: map[string]string{}, built: map[string][]string{}}
			for i, line := range strings.Split(comment, "\n") {
				err := s.command(line)
				if errors.Is(err, errSkip) {
					t.Skipf("line %d: %s: %v", i+1, line, err)
				}
				if err != nil {
					t.Fatalf("line %d: %s: %v\nstdout:\n%s\nstderr:\n%s", i+1, line, err, &s.stdout, &s.stderr)
				}
			}
		})
	}
}

// parseArchive splits a txtar archive.
func parseArchive(data []byte) (comment string, files map[string][]byte) {
	files = map[string][]byte{}
	name := ""
	for _, line := range strings.SplitAfter(string(data), "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "-- ") && strings.HasSuffix(trimmed, " --") {
			name = trimmed[3 : len(trimmed)-3]
			files[name] = nil
			continue
		}
		if name == "" {
			comment += line
		} else {
			files[name] = append(files[name], line...)
		}
	}
	return comment, files
}

// words splits a line as testscript does: by white space, with single quotes.
func words(line string) []string {
	var out []string
	word, inWord, quoted := "", false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quoted && c == '\'' && i+1 < len(line) && line[i+1] == '\'':
			word += "'"
			i++
		case c == '\'':
			quoted, inWord = !quoted, true
		case quoted:
			word += string(c)
		case c == '#' && !inWord:
			return out
		case c == ' ' || c == '\t':
			if inWord {
				out = append(out, word)
			}
			word, inWord = "", false
		default:
			word += string(c)
			inWord = true
		}
	}
	if inWord {
		out = append(out, word)
	}
	return out
}

func (s *script) command(line string) error {
	w := words(line)
	if len(w) == 0 || w[0] == "[!cgo]" { // the interpreter has its native functions without cgo
		return nil
	}
	negative := w[0] == "!"
	if negative {
		w = w[1:]
	}
	switch w[0] {
	case "env":
		for _, e := range w[1:] {
			k, v, _ := strings.Cut(e, "=")
			s.env[k] = v
		}
		return nil
	case "status":
		want, err := strconv.Atoi(w[1])
		if err != nil {
			return errSkip
		}
		if err := s.exec(w[2:]); err != nil {
			return err
		}
		if s.status != want {
			return fmt.Errorf("exit status %d, want %d", s.status, want)
		}
		return nil
	case "exec":
		if err := s.exec(w[1:]); err != nil {
			return err
		}
		if (s.status != 0) != negative {
			return fmt.Errorf("exit status %d", s.status)
		}
		return nil
	case "stdout", "stderr":
		return s.match(w, negative)
	case "cmp":
		got := s.stdout.String()
		switch w[1] {
		case "stdout":
		case "stderr":
			got = s.stderr.String()
		default:
			return errSkip
		}
		if want := string(s.files[w[2]]); got != want {
			return fmt.Errorf("%s differs from %s:\n%s", w[1], w[2], diffLines(got, want))
		}
		return nil
	}
	return errSkip
}

func (s *script) match(w []string, negative bool) error {
	text := s.stdout.String()
	if w[0] == "stderr" {
		text = s.stderr.String()
	}
	args, count := w[1:], -1
	if n, ok := strings.CutPrefix(args[0], "-count="); ok {
		count, _ = strconv.Atoi(n)
		args = args[1:]
	}
	// Conditions on how a program is built do not matter for the interpreter.
	re, err := regexp.Compile("(?m)" + strings.TrimSuffix(args[0], ".*CGO_ENABLED=1"))
	if err != nil {
		return err
	}
	n := len(re.FindAllString(text, -1))
	if (n == 0) != negative || count >= 0 && n != count {
		return fmt.Errorf("%d matches in %s", n, w[0])
	}
	return nil
}

func diffLines(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var b strings.Builder
	for i := 0; i < max(len(g), len(w)); i++ {
		switch {
		case i >= len(g):
			fmt.Fprintf(&b, "line %d: missing %q\n", i+1, w[i])
		case i >= len(w):
			fmt.Fprintf(&b, "line %d: extra %q\n", i+1, g[i])
		case g[i] != w[i]:
			fmt.Fprintf(&b, "line %d:\n got %s\nwant %s\n", i+1, g[i], w[i])
		default:
			continue
		}
		if b.Len() > 2000 {
			break
		}
	}
	return b.String()
}

// exec runs uvm2go run or a program that uvm2go build has made.
func (s *script) exec(w []string) error {
	s.stdout.Reset()
	s.stderr.Reset()
	s.status = 0
	for i := range w {
		w[i] = strings.ReplaceAll(w[i], "$exe", "")
	}
	if prog, ok := strings.CutPrefix(w[0], "./"); ok {
		args, ok := s.built[prog]
		if !ok {
			return errSkip
		}
		return s.run(args, w[1:])
	}
	if w[0] != "uvm2go" || len(w) < 2 {
		return errSkip
	}
	args, progArgs := w[2:], []string(nil)
	for i, a := range args {
		if a == "--" {
			args, progArgs = args[:i], args[i+1:]
			break
		}
	}
	switch w[1] {
	case "build":
		for i, a := range args {
			if a == "-o" && i+1 < len(args) {
				s.built[args[i+1]] = append(append([]string(nil), args[:i]...), args[i+2:]...)
				return nil
			}
		}
	case "run":
		return s.run(args, progArgs)
	}
	return errSkip
}

// run interprets: flags and bundles as the command has them.
func (s *script) run(args, progArgs []string) error {
	cfg := interp.Config{Stdin: strings.NewReader(""), Stdout: &s.stdout, Stderr: &s.stderr,
		LoadHAIL: transpile.LoadHAIL, LoadText: transpile.LoadText}
	cfg.TrapMode = s.env["UVM_TRAP"]
	call, callArgs := "", ""
	var opt transpile.Options
	var srcs []transpile.Source
	for i := 0; i < len(args); i++ {
		next := func() string {
			i++
			if i >= len(args) {
				return ""
			}
			return args[i]
		}
		if flag, val, ok := strings.Cut(args[i], "="); ok && strings.HasPrefix(flag, "-") {
			args = append(append(append([]string(nil), args[:i]...), flag, val), args[i+1:]...)
		}
		switch a := args[i]; a {
		case "-hail":
			f := next()
			opt.Images = append(opt.Images, transpile.Source{Name: f, Text: s.files[f]})
		case "-O0", "-O1":
		case "-sanitize":
			cfg.CheckNullAddress = true
		case "-strict":
			opt.Strict = true
		case "-dialect":
			opt.Dialect = next()
		case "-interp":
		case "-seed":
			cfg.Seed, _ = strconv.ParseInt(next(), 10, 64)
		case "-trap":
			cfg.TrapMode = next()
		case "-entry":
			cfg.Entry = next()
		case "-call":
			call = "@" + strings.TrimPrefix(next(), "@")
		case "-args":
			callArgs = next()
		default:
			text, ok := s.files[a]
			if strings.HasPrefix(a, "-") || !ok || !strings.HasSuffix(a, ".uir") {
				return errSkip
			}
			srcs = append(srcs, transpile.Source{Name: a, Text: text})
		}
	}
	if err := s.environment(&cfg); err != nil {
		return err
	}
	cfg.Args = append([]string{"./prog"}, progArgs...)
	prog, err := load(srcs, opt, &s.stderr)
	if err != nil {
		s.status = 1
		return nil
	}
	usage := func(err error) error {
		fmt.Fprintln(&s.stderr, err)
		s.status = 2
		return nil
	}
	if call == "" && cfg.Entry == "" && prog.Main == nil {
		return errSkip // the message names the function of the dialect
	}
	if call == "" {
		s.status, err = interp.Run(prog, cfg)
		if err != nil && strings.HasPrefix(err.Error(), "entry: ") {
			return usage(err)
		}
		return err
	}
	f, err := prog.Defined(call)
	if err != nil {
		return usage(fmt.Errorf("call: %w", err))
	}
	vals, err := dialect.ParseArgs(prog, f, callArgs)
	if err != nil {
		return usage(fmt.Errorf("call: %w", err))
	}
	results, status, err := interp.Call(prog, call, interp.Literals(prog, vals), cfg)
	if err != nil || status != 0 {
		s.status = status
		return err
	}
	lines, err := interp.Results(prog, call, results)
	for _, l := range lines {
		fmt.Fprintln(&s.stdout, l)
	}
	return err
}

// environment copies the environment variables that the interpreter supports.
func (s *script) environment(cfg *interp.Config) error {
	if h := s.env["UVM_HEAP"]; h != "" {
		unit := uint64(1)
		for suffix, n := range map[string]uint64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
			if strings.HasSuffix(h, suffix) {
				unit, h = n, strings.TrimSuffix(h, suffix)
			}
		}
		n, err := strconv.ParseUint(h, 10, 64)
		if err != nil {
			return errSkip
		}
		cfg.HeapLimit = n * unit
	}
	if s.env["UVM_STACK"] != "" {
		return errSkip
	}
	for _, kv := range strings.Split(s.env["UVMDEBUG"], ",") {
		k, v, _ := strings.Cut(kv, "=")
		switch k {
		case "gcstress":
			n, err := strconv.ParseUint(v, 10, 64)
			if err != nil {
				return errSkip
			}
			cfg.CollectEvery = n
		case "", "gcverify", "clobberfree":
		default:
			return errSkip
		}
	}
	cfg.LookupEnv = func(k string) (string, bool) { v, ok := s.env[k]; return v, ok }
	return nil
}

// load reads bundles of any dialect; diagnostics go to w.
func load(srcs []transpile.Source, opt transpile.Options, w io.Writer) (*ir.Program, error) {
	prog, diags := transpile.Load(srcs, opt)
	if err := diags.Print(w); err != nil {
		return nil, err
	}
	if prog == nil {
		return nil, errors.New("the bundle has errors")
	}
	return prog.IR, nil
}
