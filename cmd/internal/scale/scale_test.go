package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
)

// A family makes bundles that have one construct n times or with length n.
type family struct {
	name string
	n    int
	make func(n int) string
}

// A group holds families with the same settings.
type group struct {
	name     string
	file     string // file name whose ending tells the dialect
	families []family
	prelude  string
	refused  bool // the bundles have errors
	image    bool // the texts are HAIL scripts, for the prelude
	across   bool // n values are live across n blocks: Mu text grows with the square of n, because each block passes on the values that later ones use
}

var groups = []group{
	{name: "mu", file: "a.uir", families: muFamilies, prelude: muPrelude},
	{name: "mu refused", file: "a.uir", families: muRefused, prelude: muPrelude, refused: true},
	{name: "hail", file: "a.uir", families: hailFamilies, prelude: hailBundle, image: true},
	{name: "hail refused", file: "a.uir", families: hailRefused, prelude: hailBundle, image: true, refused: true},
	{name: "2014", file: "a.uir", families: oldFamilies, prelude: oldPrelude},
	{name: "2014 across blocks", file: "a.uir", families: oldAcross, prelude: oldPrelude, across: true},
	{name: "ir", file: "a.ir", families: irFamilies},
	{name: "ir across blocks", file: "a.ir", families: irAcross, across: true},
	{name: "ial", file: "a.ial", families: ialFamilies},
	{name: "ial across blocks", file: "a.ial", families: ialAcross, across: true},
	{name: "ial refused", file: "a.ial", families: ialRefused, refused: true},
	{name: "tvm", file: "a.tvm", families: tvmFamilies},
	{name: "tvm refused", file: "a.tvm", families: tvmRefused, refused: true},
}

// stages returns the stages through which the bundles of a group go. Most stages check a bundle first and stop
// if it is refused.
func (g *group) stages() []string {
	if !g.refused {
		return slices.DeleteFunc(slices.Clone(stages), func(s string) bool {
			// The writer of the form of muc is that of uir.
			return g.across && s == "to uir" || s == "to muc" && (g.across || g.file != "a.uir")
		})
	}
	list := []string{"check", "format"}
	for _, form := range transpile.Dialects.Of(transpile.Source{Name: g.file}).Forms {
		if form.Convert != nil {
			list = append(list, "to "+form.Name)
		}
	}
	return list
}

// TestScale checks that the memory of each stage is proportional to the length of its input.
func TestScale(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as in main
	scale(t, 8, func(_ *testing.T, jobs []Job) (results []Result) {
		for i := range jobs {
			results = append(results, allocated(&jobs[i]))
		}
		return results
	})
}

// TestLongScale does the same with longer inputs, where quadratic growth with a small factor shows, and counts steps as
// well.
func TestLongScale(t *testing.T) {
	longtest.Only(t)
	scale(t, 1, run)
}

// scale tries families at a fraction of their sizes, and at a quarter of that. Four times the
// length may take at most ten times as many steps; quadratic growth would be sixteen times.
func scale(t *testing.T, part int, run func(*testing.T, []Job) []Result) {
	var jobs []Job
	for _, g := range groups {
		for _, f := range g.families {
			for _, stage := range g.stages() {
				for _, n := range []int{f.n / part / 4, f.n / part} {
					j := Job{File: g.file, Text: []byte(g.prelude + f.make(n)), Stage: stage}
					if g.image {
						j.Text, j.Image = []byte(g.prelude), []byte(f.make(n))
					}
					jobs = append(jobs, j)
				}
			}
		}
	}
	results := run(t, jobs)
	for _, g := range groups {
		for _, f := range g.families {
			for _, stage := range g.stages() {
				small, large := results[0], results[1]
				results = results[2:]
				if stage == "check" && (large.Error != "") != g.refused {
					t.Errorf("%s, %s: got error %q", g.name, f.name, large.Error)
				}
				if strings.Contains(large.Error, "internal error") || stage != "check" && !strings.HasPrefix(stage, "to ") && !g.refused && large.Error != "" {
					t.Errorf("%s, %s, %s: got error %q", g.name, f.name, stage, large.Error)
				}
				if large.Steps > 10*small.Steps || large.Bytes > 8*small.Bytes+1<<16 {
					t.Errorf("%s, %s, %s: from %d to %d takes from %d steps and %d bytes to %d and %d", g.name, f.name, stage, f.n/part/4, f.n/part,
						small.Steps, small.Bytes, large.Steps, large.Bytes)
				}
			}
		}
	}
}

// run builds the command with counters and passes jobs to it.
func run(t *testing.T, jobs []Job) []Result {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "scale.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-cover", "-covermode=atomic", "-coverpkg=github.com/uvm2go/uvm2go/transpile/...,github.com/uvm2go/uvm2go/cmd/internal/scale", "-o", exe, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer in.Close()
		e := json.NewEncoder(in)
		for _, j := range jobs {
			if e.Encode(j) != nil {
				return
			}
		}
	}()
	out, err := cmd.Output()
	var results []Result
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var r Result
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if err != nil || len(results) != len(jobs) {
		j := jobs[min(len(results), len(jobs)-1)]
		t.Fatalf("%v: %d results of %d jobs; the next is %s of\n%.300s", err, len(results), len(jobs), j.Stage, j.Text)
	}
	return results
}
