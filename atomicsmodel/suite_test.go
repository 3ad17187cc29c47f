package atomicsmodel

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// strengths are the orders of loads and stores; each is at least as strong as those before it, but for CONSUME, which is
// left out here.
var strengths = map[byte][]Order{'R': {Relaxed, Acquire, SeqCst}, 'W': {Relaxed, Release, SeqCst}}

// suite calls f with each well-known shape in each assignment of orders.
func suite(t *testing.T, f func(shape string, assigned []Order, test *Test)) {
	t.Helper()
	n := 0
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		words := strings.Fields(shapes[shape])
		var kinds []byte
		for _, w := range words {
			e, _ := parseEdge(w)
			kinds = append(kinds, e.from)
		}
		for ch := (&choose.Chooser{}); ; {
			var text []string
			var assigned []Order
			for i, w := range words {
				o := strengths[kinds[i]][ch.Choose(3)]
				assigned = append(assigned, o)
				text = append(text, o.String(), w)
			}
			test, err := Cycle("", strings.Join(text, " "))
			if err != nil {
				t.Fatal(shape, err)
			}
			f(shape, assigned, test)
			n++
			if !ch.Next() {
				break
			}
		}
	}
	if n < 5000 {
		t.Errorf("only %d tests", n)
	}
}

// between are the orders of a fence between two accesses, "" for none; strong has the orders of accesses with them, by kind: all relaxed, all release
// and acquire, all SEQ_CST.
var (
	between = []string{"", "acq", "rel", "ar", "sc"}
	strong  = []map[byte]string{{'R': "rlx", 'W': "rlx"}, {'R': "acq", 'W': "rel"}, {'R': "sc", 'W': "sc"}}
)

// fenced calls f with each shape with each choice of fences in the threads.
func fenced(t *testing.T, f func(shape string, accesses int, test *Test)) {
	t.Helper()
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		words := strings.Fields(shapes[shape])
		for ch := (&choose.Chooser{}); ; {
			orders := strong[ch.Choose(len(strong))]
			var text []string
			for _, w := range words {
				e, _ := parseEdge(w)
				text = append(text, orders[e.from])
				if rest, ok := strings.CutPrefix(w, "Po"); ok {
					if fence := between[ch.Choose(len(between))]; fence != "" {
						w = "F." + fence + rest
					}
				}
				text = append(text, w)
			}
			test, err := Cycle("", strings.Join(text, " "))
			if err != nil {
				t.Fatal(shape, text, err)
			}
			f(shape, len(words), test)
			if !ch.Next() {
				break
			}
		}
	}
}

// chains are cycles through read-modify-writes and dependencies. A star stands for each of the orders of its kind: of a store,
// a load, an update.
var chains = map[string]string{
	"release sequence":      "PodWW W* Rfe rmw U* Rfe R* PodRR Fre",
	"longer sequence":       "PodWW W* Rfe rmw rlx Rfe rmw U* Rfe R* PodRR Fre",
	"update, then load":     "PodWW W* Rfe rmw U* PodRR Fre",
	"SB of updates":         "rmw W* PodWR R* Fre rmw W* PodWR R* Fre",
	"address of the load":   "PodWW W* Rfe R* DpdR R* Fre",
	"data of the load":      "PodWW W* Rfe R* DpdW W* Coe",
	"condition, load":       "PodWW W* Rfe R* CtrldR R* Fre",
	"condition, store":      "PodWW W* Rfe R* CtrldW W* Coe",
	"chain of dependencies": "PodWW W* Rfe R* DpdR R* DpdR Fre",
	"end of the dependency": "PodWW W* Rfe R* DpdR R* PodRR Fre",
	"LB with dependencies":  "R* DpdW W* Rfe R* DpdW W* Rfe",
	"LB with one":           "R* DpdW W* Rfe R* PodRW W* Rfe",
	"ISA2, dependencies":    "PodWW W* Rfe R* DpdW W* Rfe R* DpdR Fre",
	"WRC, dependencies":     "W* Rfe R* DpdW W* Rfe R* DpdR Fre",
	"IRIW, dependencies":    "Rfe R* DpdR R* Fre Rfe R* DpdR R* Fre",
}

var chainOrders = map[string][]string{"W*": {"rlx", "rel", "sc"}, "R*": {"rlx", "con", "acq", "sc"}, "U*": {"rlx", "acq", "rel", "ar", "sc"}}

// chained calls f with each of the chains in all orders.
func chained(t *testing.T, f func(shape string, accesses int, test *Test)) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(chains)) {
		words := strings.Fields(chains[name])
		for ch := (&choose.Chooser{}); ; {
			text := slices.Clone(words)
			accesses := 0
			for i, w := range words {
				if orders := chainOrders[w]; orders != nil {
					text[i] = orders[ch.Choose(len(orders))]
				}
				if strings.ContainsAny(w[:1], "RFCPDI") && !strings.HasSuffix(w, "*") {
					accesses++
				}
			}
			test, err := Cycle("", strings.Join(text, " "))
			if err != nil {
				t.Fatal(name, text, err)
			}
			f(name, accesses, test)
			if !ch.Next() {
				break
			}
		}
	}
}

// TestSuite judges all generated tests, and compares the verdicts with those in testdata/verdicts.txt, where each line is a
// family of tests and has one letter for each, in the order in which they are made: - for Never, + for Sometimes. The flag
// -update writes the file. A stronger order never makes an outcome possible, and SEQ_CST everywhere makes it impossible, as
// coherence makes it where there is only one location.
func TestSuite(t *testing.T) {
	var families []string
	letters := map[string][]byte{}
	total := 0
	judge := func(family string, test *Test) Result {
		v, err := Check(test, Options{})
		if err != nil {
			t.Fatal(err)
		}
		letter := byte('-')
		switch v.Result {
		case Never:
		case Sometimes:
			letter = '+'
		default:
			t.Errorf("%s: %v", test.Name, v.Result)
		}
		if letters[family] == nil {
			families = append(families, family)
		}
		letters[family] = append(letters[family], letter)
		total++
		return v.Result
	}
	never := map[string]bool{}
	suite(t, func(shape string, assigned []Order, test *Test) {
		result := judge(shape+", orders", test)
		key := func(list []Order) string { return fmt.Sprint(shape, list) }
		never[key(assigned)] = result == Never
		for i, o := range assigned {
			for _, kind := range strengths {
				if at := slices.Index(kind, o); at > 0 {
					weaker := slices.Clone(assigned)
					weaker[i] = kind[at-1]
					if never[key(weaker)] && result != Never {
						t.Errorf("%s: %v, but Never with the weaker %v", test.Name, result, weaker)
					}
				}
			}
		}
		if !slices.ContainsFunc(assigned, func(o Order) bool { return o != SeqCst }) && result != Never {
			t.Errorf("%s: %v, though everything is SEQ_CST", test.Name, result)
		}
		if strings.HasPrefix(shape, "Co") && result != Never {
			t.Errorf("%s: %v, against coherence", test.Name, result)
		}
	})
	fenced(t, func(shape string, _ int, test *Test) { judge(shape+", fences", test) })
	chained(t, func(shape string, _ int, test *Test) { judge(shape, test) })
	t.Logf("%d tests", total)
	if total < 10_000 {
		t.Errorf("only %d tests", total)
	}
	var b strings.Builder
	for _, f := range families {
		fmt.Fprintf(&b, "%s: %s\n", f, letters[f])
	}
	file := filepath.Join("testdata", "verdicts.txt")
	if *scripttest.Update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(string(text), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d of %s differs; go test -update writes it", i+1, file)
		}
	}
}

// TestSuiteNaive compares part of the tests of up to five accesses with the second checker, TestLongSuiteNaive one in four of all.
func TestSuiteNaive(t *testing.T) { suiteNaive(t, 5, 3) }

func TestLongSuiteNaive(t *testing.T) {
	longtest.Only(t)
	suiteNaive(t, 99, 4)
}

// suiteNaive compares each n-th of the tests with most accesses at the most.
func suiteNaive(t *testing.T, most, n int) {
	i := 0
	compare := func(_ string, accesses int, test *Test) {
		if accesses > most {
			return
		}
		if i++; i%n == 0 {
			sameAsNaive(t, test, Options{})
		}
	}
	suite(t, func(shape string, assigned []Order, test *Test) { compare(shape, len(assigned), test) })
	fenced(t, compare)
	chained(t, compare)
	t.Logf("%d tests, each %d. of them", i, n)
}
