package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/report"
)

// A litmusRun runs litmus tests on this machine: package atomicsmodel makes one bundle of them, which this command runs.
type litmusRun struct {
	e      *env
	on     bool
	live   bool // on the engine
	bundle atomicsmodel.BundleOptions
}

// run runs the tests of the reports that can be run, and notes there what was seen. It returns an exit status.
func (r *litmusRun) run(reports []*report.Report) int {
	var tests []*atomicsmodel.Test
	var ran []*report.Report
	for _, rep := range reports {
		if rep.Verdict.Result == atomicsmodel.UB {
			rep.Skipped = "its behaviour is undefined"
		} else if _, err := atomicsmodel.Bundle([]*atomicsmodel.Test{rep.Test}, r.bundle); err != nil {
			rep.Skipped = err.Error()
		} else {
			tests, ran = append(tests, rep.Test), append(ran, rep)
		}
	}
	if len(tests) == 0 {
		return statusOK
	}
	counts, err := r.counts(tests)
	if err != nil {
		return r.e.errorf("litmus: %v", err)
	}
	for i, rep := range ran {
		rep.Observe(counts[i])
	}
	return statusOK
}

// counts returns how often each test ended in which states.
func (r *litmusRun) counts(tests []*atomicsmodel.Test) ([][]atomicsmodel.Count, error) {
	text, err := atomicsmodel.Bundle(tests, r.bundle)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "uvm2go-litmus-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bundle := filepath.Join(dir, "litmus"+atomicsmodel.BundleEnding)
	if err := os.WriteFile(bundle, []byte(text), 0o666); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"run"}
	if r.live {
		args = append(args, "-live")
	}
	var stderr strings.Builder
	cmd := exec.Command(self, append(args, bundle)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running the tests: %w\n%s", err, stderr.String())
	}
	return atomicsmodel.ReadCounts(tests, string(out))
}
