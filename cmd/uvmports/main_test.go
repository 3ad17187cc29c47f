package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// jobs returns jobs with the given names.
func jobs(names ...string) (list []job) {
	for _, n := range names {
		list = append(list, job{name: n})
	}
	return list
}

func TestChoose(t *testing.T) {
	all := []string{"a", "a 2", "b", "c", "d", "e"}
	for _, c := range []struct {
		match, from string
		n           int
		want        string
	}{
		{"", "", 0, "a,a 2,b,c,d,e"},
		{"^[a-c]", "", 0, "a,a 2,b,c"},
		{"", "b", 0, "b,c,d,e"},
		{"^[a-c]", "a 2", 0, "a 2,b,c"},
		{"", "", 3, "a,b,d"},
		{"", "b", 3, "b,d"}, // the rest of the sample that "", "", 3 has
		{"", "c", 3, "error"},
	} {
		got := "error"
		list, err := selection{match: regexp.MustCompile(c.match), from: c.from, n: c.n}.choose(jobs(all...))
		if err == nil {
			var names []string
			for _, j := range list {
				names = append(names, j.name)
			}
			got = strings.Join(names, ",")
		}
		if got != c.want {
			t.Errorf("-run %q -from %q -programs %d: %s, want %s", c.match, c.from, c.n, got, c.want)
		}
	}
}

// TestKnown checks that each program of apart.go is among the examples and scripts, and checks the reason
// for one on ports of both byte orders.
func TestKnown(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all, err := examples(root)
	if err != nil {
		t.Fatal(err)
	}
	more, _, err := scripts(root)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, j := range append(all, more...) {
		names[j.name] = true
	}
	for _, known := range []map[string]string{everywhere, narrowPrograms, bigPrograms, strictPrograms, wasmPrograms} {
		for name := range known {
			if !names[name] {
				t.Errorf("there is no program %s", name)
			}
		}
	}
	m := &matrix{list: []tried{{job: job{name: "tvm_byte_order"}}}, want: make([]goprog.Outcome, 1)}
	for arch, want := range map[string]string{"ppc64": parts, "s390x": parts, "ppc64le": ""} {
		if _, why := m.expected(ports.Port{System: "linux", Arch: arch}, 0); why != want {
			t.Errorf("tvm_byte_order on %s: %q, want %q", arch, why, want)
		}
	}
}

// TestStopped runs shell scripts as programs, one of which does not end. Only programs that ended before
// ctx was done count.
func TestStopped(t *testing.T) {
	dir := t.TempDir()
	m := &matrix{module: goprog.Module(dir), timeout: time.Hour}
	var list []tried
	for i := range 40 {
		text := "#!/bin/sh\necho $1\n"
		if i == 20 {
			text = "#!/bin/sh\nexec sleep 3600\n"
		}
		name := fmt.Sprintf("p%02d", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		list = append(list, tried{job: job{name: name}, batch: name, pkg: name})
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := map[int]bool{}
	next := m.runAll(ctx, ports.Runner{}, dir, list, func(i int, o goprog.Outcome, err error) {
		if err != nil || o.Out != list[i].name+"\n" {
			t.Errorf("%s: %+v, %v", list[i].name, o, err)
		}
		if ended[i] = true; len(ended) == 20 {
			cancel()
		}
	})
	for i := range next {
		if !ended[i] {
			t.Errorf("%s is skipped", list[i].name)
		}
	}
	if len(ended) != 20 || ended[next] || next > 20 {
		t.Errorf("%d programs ended, the first that did not is %d", len(ended), next)
	}
	again := 0
	if next = m.runAll(t.Context(), ports.Runner{}, dir, list[21:], func(int, goprog.Outcome, error) { again++ }); next != 19 || again != 19 {
		t.Errorf("without a limit %d of 19 programs ended, the first that did not is %d", again, next)
	}
}

// TestNoProgram selects none, so that a port runs the tests of the runtime only.
func TestNoProgram(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all := []ports.Port{{System: "linux", Arch: "386"}}
	m, err := newMatrix(t.Context(), root, t.TempDir(), all, selection{match: regexp.MustCompile("^$")}, time.Minute)
	if err != nil || len(m.list) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRest checks the flags that continue a stopped run, for each place where it can stop.
func TestRest(t *testing.T) {
	arm, s390x := ports.Port{System: "linux", Arch: "arm64"}, ports.Port{System: "linux", Arch: "s390x"}
	for _, c := range []struct {
		rows []row
		from string
		want string
	}{
		{[]row{{port: arm, of: 7, programs: 7}}, "", ""},
		{[]row{{port: arm, of: 7, programs: 5, next: "f 2", stopped: true}}, "a", "linux/arm64: stopped; continue with -ports linux/arm64 -from 'f 2'\n"},
		{[]row{{port: arm, of: 7, programs: 7, stopped: true}}, "", "linux/arm64: stopped during the tests\n"},
		{[]row{{port: arm, of: 7, programs: 7}, {port: s390x, stopped: true}}, "", "linux/s390x: stopped; continue with -ports linux/s390x\n"},
		{[]row{{port: s390x, stopped: true}}, "a 3", "linux/s390x: stopped; continue with -ports linux/s390x -from 'a 3'\n"},
	} {
		var b strings.Builder
		if rest := printRest(&b, c.rows, c.from); b.String() != c.want || rest != (c.want != "") {
			t.Errorf("%+v: %q, %v, want %q", c.rows, b.String(), rest, c.want)
		}
	}
	var b strings.Builder
	printTable(&b, []row{{port: arm, runner: "qemu", of: 7, programs: 5, apart: 1}})
	if got := strings.Join(strings.Fields(strings.Split(b.String(), "\n")[1]), " "); got != "linux/arm64 qemu 5 of 7 0 1 - 0" {
		t.Errorf("the row of a stopped port is %q", got)
	}
}

// TestReadTests counts the packages in the output of go test.
func TestReadTests(t *testing.T) {
	const out = "ok  \tx/a\t0.1s\n?   \tx/b\t[no test files]\n--- FAIL: TestC (0.00s)\nFAIL\nFAIL\tx/c\t0.1s\nok  \tx/d\t0.1s\nFAIL\n"
	var r row
	r.readTests(t.Context(), strings.NewReader(out))
	if r.packages != 3 || !slices.Equal(r.fail, []string{"x/c"}) {
		t.Errorf("%d packages, those that fail are %q", r.packages, r.fail)
	}
	r = row{}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	r.readTests(stopped, strings.NewReader(out))
	if r.packages != 2 || len(r.fail) != 0 {
		t.Errorf("after a stop %d packages, those that fail are %q", r.packages, r.fail)
	}
}
