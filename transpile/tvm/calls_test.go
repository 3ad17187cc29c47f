package tvm_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

// ways are the options with which calls are made.
var ways = map[string]transpile.Options{
	"-O0": {}, "-O1": {Optimize: 1}, "-disable mono": {Optimize: 1, DisablePasses: []string{"mono"}},
}

// call interprets a function and returns its output, its results, and its error.
func call(t *testing.T, opt transpile.Options, name, args string, srcs ...transpile.Source) string {
	t.Helper()
	opt.Verify, opt.Call = true, name
	if args != "" {
		opt.CallArgs = strings.Split(args, " ")
	}
	p, diags := transpile.Load(srcs, opt)
	if diags.HasErrors() {
		var b bytes.Buffer
		diags.Print(&b)
		return b.String()
	}
	if err := p.Optimized(nil); err != nil {
		t.Fatal(err)
	}
	f, consts, err := p.CallArgs()
	if err != nil {
		return err.Error()
	}
	var out, errs bytes.Buffer
	var texts []string
	cfg := interp.Config{Stdout: &out, Stderr: &errs, MaxSteps: 1e7}
	cfg.Returned = func(vals []interp.Value) {
		if texts, err = interp.Results(p.IR, f.Name, vals, p.CallResults(f)...); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := interp.Call(p.IR, f.Name, interp.Literals(p.IR, consts), cfg); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(errs.String(), "\n")
	return strings.TrimSpace(out.String() + strings.Join(texts, "\n") + first)
}

var callLine = regexp.MustCompile(`(?m)^// ([a-z0-9_]+)\(([^)]*|.*type\(.*)\) -> (.*)$`)

// TestCalls makes the calls in the comments of the modules in testdata, with and without the passes,
// and with copies for known types or without: NAME(ARGS) -> OUTPUT, or ~ and a pattern for the output.
func TestCalls(t *testing.T) {
	texttest.Sources(t, ".tvm", func(t *testing.T, file, text string) {
		calls := callLine.FindAllStringSubmatch(text, -1)
		if len(calls) == 0 {
			t.Fatal("no calls")
		}
		src := transpile.Source{Name: file, Text: []byte(text)}
		for _, c := range calls {
			for way, opt := range ways {
				got := call(t, opt, c[1], c[2], src)
				pattern, ok := strings.CutPrefix(c[3], "~")
				if ok && !regexp.MustCompile(pattern).MatchString(got) || !ok && got != c[3] {
					t.Errorf("%s: %s(%s) gives %s, want %s", way, c[1], c[2], got, c[3])
				}
			}
		}
	})
}
