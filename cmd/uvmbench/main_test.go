package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
)

// TestMain lets the test executable measure programs instead of the command.
func TestMain(m *testing.M) {
	if os.Getenv(measureEnv) != "" {
		os.Exit(measureMain(os.Args[1:], os.Stdout, os.Stderr))
	}
	if len(os.Args) == 3 && os.Args[1] == liveCommand {
		os.Exit(liveMain(os.Args[2], os.Stderr))
	}
	if len(os.Args) > 2 && os.Args[1] == "act" {
		act(os.Args[2])
	}
	os.Exit(m.Run())
}

// act plays a measured program, for TestMeasure.
func act(what string) {
	switch what {
	case "print":
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
	case "fail":
		os.Exit(3)
	case "late":
		time.Sleep(20 * time.Second)
		fmt.Println("late")
	case "variable":
		fmt.Println(os.Getenv(measureEnv))
	}
	os.Exit(0)
}

// report makes a report from times in milliseconds by kernel and twin.
func report(times map[string]map[string][]float64) *Report {
	r := &Report{Format: reportFormat, Date: "2026-01-02T03:04:05Z", Size: "full", Repeats: 3, OS: "linux", Arch: "amd64", CPUs: 2,
		Load: []float64{0.5, 1.5}, Tools: []string{"go version go1.26"}}
	ks, err := loadKernels()
	if err != nil {
		panic(err)
	}
	for _, k := range ks {
		for _, twin := range append([]string{twinMu0, twinWithout}, twinNames...) {
			ms, ok := times[k.name][twin]
			if !ok {
				continue
			}
			x := &Result{Kernel: k.name, Group: k.group, Twin: twin}
			for _, v := range ms {
				x.Samples = append(x.Samples, Sample{CPU: int64(v * 1000), Wall: int64(v * 2000), RSS: 2048})
			}
			r.Results = append(r.Results, x)
		}
	}
	return r
}

func sample() *Report {
	return report(map[string]map[string][]float64{
		"fib":       {twinMu: {80, 82, 81}, twinMu0: {100, 100, 100}, twinGo: {100, 100, 100}, twinC: {40, 41, 40}},
		"tak":       {twinMu: {120, 120, 120}, twinGo: {100, 101, 99}, twinC: {60, 60, 60}},
		"gcbench":   {twinMu: {40, 41, 42}, twinGo: {100, 110, 105}, twinC: {80, 80, 80}, twinJava: {100, 100, 100}},
		"throw10":   {twinMu: {9, 9, 9}, twinGo: {100, 100, 100}, twinErr: {10, 10, 10}},
		"generator": {twinMu: {110, 110, 110}, twinGo: {100, 100, 100}, twinChan: {400, 400, 400}},
		"keepalive": {twinMu: {100, 100, 101}, twinWithout: {100, 100, 100}},
		"lines-fib": {twinMu: {100, 100, 101}, twinWithout: {90, 90, 90}},
		"start":     {twinMu: {2, 2, 2}, twinGo: {1, 1, 1}},
	})
}

func near(a, b float64) bool {
	return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b)
}

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		in                       []float64
		median, min, max, q1, q3 float64
	}{
		{[]float64{7}, 7, 7, 7, 7, 7},
		{[]float64{3, 1}, 2, 1, 3, 1.5, 2.5},
		{[]float64{5, 1, 3}, 3, 1, 5, 2, 4},
		{[]float64{4, 1, 3, 2}, 2.5, 1, 4, 1.75, 3.25},
		{nil, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		s := summarize(c.in)
		if !near(s.median, c.median) || !near(s.min, c.min) || !near(s.max, c.max) || !near(s.q1, c.q1) || !near(s.q3, c.q3) {
			t.Errorf("summarize(%v) = %+v", c.in, s)
		}
	}
	in := []float64{3, 1, 2}
	summarize(in)
	if !reflect.DeepEqual(in, []float64{3, 1, 2}) {
		t.Error("summarize sorts its argument")
	}
	if s := summarize([]float64{9, 10, 11}); !near(s.noise(), 0.05) {
		t.Errorf("noise %v, want 0.05", s.noise())
	}
}

func TestMeans(t *testing.T) {
	if g := geomean([]float64{2, 8}); !near(g, 4) {
		t.Errorf("geomean(2, 8) = %v", g)
	}
	if g := geomean(nil); !math.IsNaN(g) {
		t.Errorf("geomean() = %v", g)
	}
	// The second round is slow for both, but its ratio is normal.
	s := ratios([]float64{50, 100, 50}, []float64{100, 200, 90})
	if !near(s.median, 0.5) || !near(s.min, 0.5) || !near(s.max, 50.0/90) {
		t.Errorf("ratios: %+v", s)
	}
	if s := ratios(nil, []float64{1}); !math.IsNaN(s.median) {
		t.Errorf("ratio of nothing: %+v", s)
	}
	if s := ratios([]float64{1}, []float64{0}); !math.IsNaN(s.median) {
		t.Errorf("ratio to no time: %+v", s)
	}
}

func TestKernels(t *testing.T) {
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob("kernels/*/full.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, k := range ks {
		if k.group != groupOverheads {
			n++
			if !k.args || k.want[sizeFull] == "" || k.want[sizeMiddle] == "" || k.want[sizeSmall] == "" {
				t.Errorf("%s: no size or no output", k.name)
			}
			if k.source(twinGo).text == nil || k.source(twinC).text == nil {
				t.Errorf("%s: a twin is missing", k.name)
			}
		}
		if k.sources[0].twin != twinMu {
			t.Errorf("%s: the first source is %s", k.name, k.sources[0].twin)
		}
		full, small := k.bundleText(sizeFull), k.bundleText(sizeSmall)
		if k.args && (full == small || !strings.Contains(small, "@SIZE <@i64> = "+k.sizes[sizeSmall]+"  // small: "+k.sizes[sizeSmall]+"\n")) {
			t.Errorf("%s: the size does not change", k.name)
		}
		if w := k.without; w != nil && w.edit != nil && strings.Count(w.edit(full), "KEEPALIVE") != 1 {
			t.Errorf("%s: clauses of calls stay, or that of the trap goes", k.name)
		}
	}
	if n != len(dirs) {
		t.Errorf("%d kernels of %d folders", n, len(dirs))
	}
	for _, g := range goals {
		if sel, err := selectKernels(ks, g.kernels); err != nil || g.kernels != nil && len(sel) != len(g.kernels) {
			t.Errorf("goal %s: %v", g.title, err)
		}
	}
	if _, err := selectKernels(ks, []string{"fib", "fob"}); err == nil || !strings.Contains(err.Error(), `"fob"`) {
		t.Errorf("unknown kernel: %v", err)
	}
	sel, err := selectKernels(ks, []string{"tak", "fib"})
	if err != nil || len(sel) != 2 || sel[0].name != "fib" {
		t.Errorf("selection: %v", err)
	}
}

// The lines with the size of the twins in other dialects, with one verb for the size and one for the small size.
var sizeLines = map[string]string{
	twinIAL: "size = load.i64 (%s);  // small: %s\n",
	twinTVM: "%%size = #l%s;  // small: %s\n",
}

// TestWritten checks that the twins in other dialects are valid programs at both sizes, and run only if they are asked for.
func TestWritten(t *testing.T) {
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	for twin, line := range sizeLines {
		n := 0
		for _, k := range ks {
			if k.source(twin).text == nil {
				continue
			}
			n++
			if s := newSuite(t.Context(), &config{}, t.TempDir(), io.Discard); slices.Contains(s.twins(k), twin) {
				t.Errorf("%s: the twin %s runs although it was not asked for", k.name, twin)
			}
			m := sizeLine.FindSubmatch(k.sources[0].text)
			for i, size := range []string{sizeFull, sizeSmall} {
				files, err := k.written(twin, "dir", size)
				if err != nil {
					t.Fatal(err)
				}
				if want := fmt.Sprintf(line, m[2+2*i], k.sizes[sizeSmall]); !strings.Contains(string(files[0].Text), want) {
					t.Errorf("%s: no line %s", k.name, want)
				}
				if _, diags := transpile.Load(files, transpile.Options{}); diags.Err() != nil {
					t.Errorf("%s: %v", k.name, diags.Err())
				}
			}
		}
		if n == 0 {
			t.Errorf("no twins %s", twin)
		}
	}
}

// TestLongWritten checks that the twins in other dialects print the same as their bundles.
func TestLongWritten(t *testing.T) {
	longtest.Only(t)
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	for twin := range sizeLines {
		args := []string{"-small", "-check", "-q", "-twins", twin, "-work", t.TempDir()}
		if twin == twinIAL {
			args[4] += "," + twinFree
		}
		for _, k := range ks {
			if k.source(twin).text != nil {
				args = append(args, k.name)
			}
		}
		var out bytes.Buffer
		if status := run(args, &out, &out); status != statusOK {
			t.Errorf("%s: status %d\n%s", twin, status, out.String())
		}
	}
}

// TestUntested checks that, without tests, the twins in IAL access elements only through pointers.
func TestUntested(t *testing.T) {
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	sel, err := selectKernels(ks, untestedOf)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range sel {
		asked := newSuite(t.Context(), &config{twins: map[string]bool{twinFree: true}}, t.TempDir(), io.Discard)
		if got := asked.twins(k); !slices.Equal(got, []string{twinFree}) {
			t.Errorf("%s: twins %v", k.name, got)
		}
		files, err := k.written(twinIAL, "dir", sizeSmall)
		if err != nil {
			t.Fatal(err)
		}
		files[0].Text = untested(files[0].Text)
		if text := string(files[0].Text); strings.Contains(text, "array.get") || strings.Contains(text, "array.set") || !strings.Contains(text, ".first = array.addr") {
			t.Errorf("%s: elements are tested in\n%s", k.name, text)
		}
		if _, diags := transpile.Load(files, transpile.Options{}); diags.Err() != nil {
			t.Errorf("%s: %v", k.name, diags.Err())
		}
	}
}

// has checks that a text contains parts, ignoring the number of spaces, and returns the text with one space between words.
func has(t *testing.T, text string, parts ...string) string {
	t.Helper()
	got := strings.Join(strings.Fields(text), " ")
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	return got
}

func TestTable(t *testing.T) {
	var b strings.Builder
	writeTable(&b, sample(), byCPU)
	has(t, b.String(),
		"2 CPUs, full sizes, 3 runs each, load average 0.5 before, 1.5 after",
		"fib 81.0 80.0..82.0 100 40.0 0.81 0.80..0.82 2.02 0.81 2 2",
		"tak 120 120..120 100 60.0 1.20 1.19..1.21 2.00 1.20 2 2",
		"geometric mean 0.99 2.01 0.99",
		"gcbench 41.0 40.0..42.0 105 80.0 100 0.39 0.37..0.40 0.51 0.41 0.39 2 2",
		"fib -O0 81.0 100 0.81 0.80..0.82",
		"throw10 Go, error returns 9.00 10.0 0.90 0.90..0.90",
		"start Go, wall time 4.00 2.00",
		"calls and recursion Go 2 0.99 1.20 tak 0.85: missed",
		"objects and collection, CPU time HotSpot 1 0.41 1.00: met",
		"exception through 10 frames Go 1 0.09 0.10: met",
		"SWAPSTACK switch Go, channels 1 0.28 0.30: met",
		"keep-alive clauses without them 1 1.00 1.02: met",
		"//line directives without them 1 1.11 1.02: missed",
		"start to end of an empty program, wall time Go 1 2.00 ms more 5 ms: met",
	)
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.TrimRight(l, " ") != l {
			t.Errorf("spaces at the end of %q", l)
		}
	}
	if strings.Contains(b.String(), "NaN") {
		t.Errorf("NaN in\n%s", b.String())
	}
	// A report without measurements must not cause a panic.
	writeTable(&b, report(nil), byWall)
}

// TestWorst checks that a goal is missed if a single kernel is too slow, even if the mean is not.
func TestWorst(t *testing.T) {
	r := report(map[string]map[string][]float64{
		"sieve":  {twinMu: {50}, twinGo: {100}},
		"matmul": {twinMu: {111}, twinGo: {100}},
	})
	all := standings(r, byCPU)
	if len(all) != 1 || all[0].met || all[0].worstOf != "matmul" || !near(all[0].worst, 1.11) {
		t.Errorf("%+v", all)
	}
}

func TestAlign(t *testing.T) {
	got := align([][]string{{"name", "ms"}, {"a heading of its own width"}, {"µs", "1.5"}, {"long name", ""}}, "lr")
	want := "name        ms\na heading of its own width\nµs         1.5\nlong name\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestReportFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	r := sample()
	if err := r.write(file); err != nil {
		t.Fatal(err)
	}
	got, err := readReport(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, r) {
		a, _ := json.Marshal(r)
		b, _ := json.Marshal(got)
		t.Errorf("wrote %s\nread %s", a, b)
	}
	for _, c := range []struct{ text, want string }{
		{"", "not a report"},
		{"[]", "not a report"},
		{`{"format": 7}`, "report of format 7, this version reads 1"},
		{`{"format": 1, "results": [null]}`, "result 0 is incomplete"},
		{`{"format": 1, "results": [{"kernel": "fib", "twin": "go"}]}`, "result 0 is incomplete"},
		{`{"format": 1, "results": [{"kernel": "fib", "twin": "go", "samples": [{"cpu_us": -1}]}]}`, "negative measurement of fib go"},
		{`{"format": 1, "results": [{"kernel": "fib", "twin": "go", "samples": [{"cpu_us": 1}]}, {"kernel": "fib", "twin": "go", "samples": [{"cpu_us": 1}]}]}`, "two results for fib go"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readReport(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []float64
		want     verdict
	}{
		{"same", []float64{1, 1, 1}, []float64{1, 1, 1}, within},
		{"below the floor", []float64{1, 1, 1}, []float64{1.015, 1.015, 1.015}, within},
		{"slower", []float64{1, 1.01, 1.02}, []float64{1.1, 1.11, 1.12}, slower},
		{"faster", []float64{1, 1.01, 1.02}, []float64{0.9, 0.91, 0.92}, faster},
		{"overlapping", []float64{1, 1.01, 1.2}, []float64{1.1, 1.11, 1.12}, within},
		{"scattered", []float64{0.7, 1, 1.3}, []float64{1.31, 1.32, 4}, within},
		{"nothing", nil, []float64{1}, within},
	} {
		if _, v := judge(summarize(c.old), summarize(c.new)); v != c.want {
			t.Errorf("%s: %s, want %s", c.name, v, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	now := report(map[string]map[string][]float64{
		// Everything runs at half the speed, and tak has improved.
		"fib":   {twinMu: {160, 164, 162}, twinGo: {200, 200, 200}},
		"tak":   {twinMu: {120, 120, 120}, twinGo: {200, 202, 198}},
		"start": {twinMu: {4, 4, 4}, twinGo: {2, 2, 2}},
		"sieve": {twinMu: {1}, twinGo: {1}}, // not in the old report
	})
	now.Tools = []string{"go version go1.27"}
	var b strings.Builder
	writeComparison(&b, sample(), now, byCPU)
	got := has(t, b.String(),
		"not the compiler of then: now go version go1.27",
		"fib 0.81 0.80..0.82 0.81 0.80..0.82 +0.0% ~",
		"tak 1.20 1.19..1.21 0.60 0.59..0.61 -50.0% faster",
		"1 faster, 0 slower, 2 within noise; geometric mean -20.6%",
	)
	if strings.Contains(got, "sieve") {
		t.Errorf("a kernel of one report only:\n%s", b.String())
	}
	now.Size = "small"
	b.Reset()
	writeComparison(&b, sample(), now, byCPU)
	if !strings.Contains(b.String(), "cannot be compared") {
		t.Errorf("sizes differ: %s", b.String())
	}
}

func TestPlot(t *testing.T) {
	for name, r := range map[string]*Report{
		"sample": sample(),
		"empty":  report(nil),
		"extreme": report(map[string]map[string][]float64{
			"fib": {twinMu: {1e6}, twinGo: {1}, twinC: {1e9}},
			"tak": {twinMu: {1}, twinC: {1e9}},
		}),
	} {
		r.OS = "<&\">"
		svg := plot(r, byCPU)
		if !bytes.Equal(svg, plot(r, byCPU)) {
			t.Errorf("%s: two plots of one report differ", name)
		}
		d := xml.NewDecoder(bytes.NewReader(svg))
		root := ""
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v in\n%s", name, err, svg)
			}
			if e, ok := tok.(xml.StartElement); ok && root == "" {
				root = e.Name.Local
			}
		}
		if root != "svg" {
			t.Errorf("%s: the root is %q", name, root)
		}
		if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s: numbers that are none in\n%s", name, svg)
		}
	}
	if svg := plot(sample(), byCPU); !bytes.Contains(svg, []byte(">gcbench<")) || !bytes.Contains(svg, []byte(">0.81 Go   2.02 C<")) {
		t.Errorf("kernels or ratios are missing in\n%s", svg)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-h", statusOK, "usage: uvmbench"},
		{"-list fib", statusOK, "fib"},
		{"-n 0", statusUsage, "-n 0: want 1 or more"},
		{"-metric time", statusUsage, "want cpu or wall"},
		{"-twins go,rust", statusUsage, `unknown twin "rust"`},
		{"-timeout 0s", statusUsage, "want a time above 0"},
		{"-bad", statusUsage, "uvmbench -h lists the flags"},
		{"fob", statusUsage, `unknown kernel "fob"`},
		{"-compare testdata/none.json fib", statusUsage, "none.json"},
		{"-from x.json -disable licm", statusUsage, "-from measures nothing"},
	} {
		var out bytes.Buffer
		if status := run(strings.Fields(c.args), &out, &out); status != c.status || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: status %d, output %s", c.args, status, out.String())
		}
	}
}

// TestFrom checks that -from shows, converts and compares earlier measurements.
func TestFrom(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.json")
	if err := sample().write(file); err != nil {
		t.Fatal(err)
	}
	svg := filepath.Join(dir, "r.svg")
	var out, errs bytes.Buffer
	if status := run([]string{"-from", file, "-compare", file, "-svg", svg, "fib"}, &out, &errs); status != statusOK {
		t.Fatalf("status %d\n%s", status, errs.String())
	}
	if !strings.Contains(out.String(), "0 faster, 0 slower, 1 within noise") || strings.Contains(out.String(), "tak") {
		t.Errorf("output:\n%s", out.String())
	}
	if _, err := os.Stat(svg); err != nil {
		t.Error(err)
	}
}

// TestEndToEnd takes one kernel from its source to the table.
func TestEndToEnd(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.json")
	args := []string{"-small", "-n", "2", "-twins", "mu,ial,go", "-work", filepath.Join(dir, "work"), "-json", file, "fib"}
	var out, errs bytes.Buffer
	if status := run(args, &out, &errs); status != statusOK {
		t.Fatalf("status %d\n%s", status, errs.String())
	}
	if !strings.Contains(out.String(), "\n  fib ") {
		t.Errorf("no row in\n%s", out.String())
	}
	r, err := readReport(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, twin := range []string{twinMu, twinIAL, twinGo} {
		x := r.find("fib", twin)
		if x == nil || len(x.Samples) != 2 || x.Samples[0].Wall == 0 {
			t.Errorf("%s: %+v", twin, x)
		}
	}

	// Programs are not built again, and wrong output is noticed.
	mu := filepath.Join(dir, "work", "bin", "small", "fib.mu")
	before, err := os.Stat(mu)
	if err != nil {
		t.Fatal(err)
	}
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	sel, err := selectKernels(ks, []string{"fib"})
	if err != nil {
		t.Fatal(err)
	}
	sel[0].want[sizeSmall] = "trap fib.done checksum=0\n"
	c, _, _ := parseFlags([]string{"-small", "-check", "-q", "-twins", "mu,go"}, io.Discard, io.Discard)
	errs.Reset()
	rep, ok := newSuite(t.Context(), c, filepath.Join(dir, "work"), &errs).run(sel)
	if ok || len(rep.Results) != 0 || !strings.Contains(errs.String(), `uvmbench: fib, mu: prints "trap fib.done checksum=6765\n", want "trap fib.done checksum=0\n"`) {
		t.Errorf("a wrong line: ok %v\n%s", ok, errs.String())
	}
	if after, err := os.Stat(mu); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("built again: %v", err)
	}
}

func TestMeasure(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const late = "still running after 500ms"
	for _, c := range []struct{ what, stdout, stderr, err string }{
		{"print", "out\n", "err\n", ""},
		{"fail", "", "", "exit status 3"},
		{"late", "", "", late},
		{"variable", "\n", "", ""},
	} {
		r := &runner{ctx: t.Context(), self: self, timeout: time.Minute}
		if c.err == late {
			r.timeout = 500 * time.Millisecond
		}
		o, err := r.run(&program{argv: []string{self, "act", c.what}})
		if err != nil || o.Stdout != c.stdout || o.Stderr != c.stderr || o.Error != c.err {
			t.Errorf("%s: %+v %v", c.what, o, err)
		}
	}
	r := &runner{ctx: t.Context(), self: self, timeout: time.Minute}
	if _, err := r.run(&program{}); err == nil {
		t.Error("nothing to run is measured")
	}
	o, err := r.run(&program{argv: []string{filepath.Join(t.TempDir(), "none")}})
	if err != nil || o.Error == "" {
		t.Errorf("a program that is not there: %+v %v", o, err)
	}
}
