package ial_test

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

// load loads a program for a level of optimisation, and verifies the representation.
func load(t *testing.T, level int, srcs ...transpile.Source) *transpile.Program {
	t.Helper()
	p, diags := transpile.Load(srcs, transpile.Options{Optimize: level, Verify: true})
	if diags.HasErrors() {
		var b bytes.Buffer
		diags.Print(&b)
		t.Fatal(b.String())
	}
	if err := p.Optimized(nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// run interprets a program and returns its status and its output to standard error.
func run(t *testing.T, level int, cfg interp.Config, srcs ...transpile.Source) (int, string) {
	t.Helper()
	p := load(t, level, srcs...)
	var out, errs bytes.Buffer
	cfg.Stdout, cfg.Stderr, cfg.MaxSteps = &out, &errs, 1e7
	status, err := interp.Run(p.IR, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return status, errs.String()
}

var header = regexp.MustCompile(`(?m)^// (status|stderr): (.*)$`)

// Every program in testdata ends as its header says, before and after the passes, and
// with a collection at every allocation.
func TestPrograms(t *testing.T) {
	texttest.Sources(t, ".ial", func(t *testing.T, file, text string) {
		src := transpile.Source{Name: file, Text: []byte(text)}
		want := map[string]string{}
		for _, m := range header.FindAllStringSubmatch(text, -1) {
			want[m[1]] = m[2]
		}
		for level := range 2 {
			for _, every := range []uint64{0, 1} {
				status, errs := run(t, level, interp.Config{CollectEvery: every}, src)
				if fmt.Sprint(status) != want["status"] {
					t.Errorf("-O%d, collecting every %d: status %d, want %s\n%s", level, every, status, want["status"], errs)
				}
				if !matches(want["stderr"], errs) {
					t.Errorf("-O%d, collecting every %d: got %swant %s", level, every, errs, want["stderr"])
				}
			}
		}
	})
}

// matches reports whether a text matches a pattern; an empty pattern matches only an empty text.
func matches(pattern, text string) bool {
	return pattern == "" && text == "" || pattern != "" && regexp.MustCompile(pattern).MatchString(text)
}
