package atomicsmodel

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
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

// TestSuite judges the shapes in all orders. A stronger order never makes an outcome possible, and SEQ_CST everywhere makes
// it impossible, as coherence makes it where there is only one location.
func TestSuite(t *testing.T) {
	never := map[string]bool{}
	suite(t, func(shape string, assigned []Order, test *Test) {
		v, err := Check(test, Options{})
		if err != nil {
			t.Fatal(err)
		}
		key := func(list []Order) string { return fmt.Sprint(shape, list) }
		never[key(assigned)] = v.Result == Never
		for i, o := range assigned {
			for _, kind := range strengths {
				if at := slices.Index(kind, o); at > 0 {
					weaker := slices.Clone(assigned)
					weaker[i] = kind[at-1]
					if never[key(weaker)] && v.Result != Never {
						t.Errorf("%s: %v, but Never with the weaker %v", test.Name, v.Result, weaker)
					}
				}
			}
		}
		if !slices.ContainsFunc(assigned, func(o Order) bool { return o != SeqCst }) && v.Result != Never {
			t.Errorf("%s: %v, though everything is SEQ_CST", test.Name, v.Result)
		}
		if strings.HasPrefix(shape, "Co") && v.Result != Never {
			t.Errorf("%s: %v, against coherence", test.Name, v.Result)
		}
	})
}

// TestSuiteNaive compares the tests of up to five accesses with the second checker, TestLongSuiteNaive all.
func TestSuiteNaive(t *testing.T) { suiteNaive(t, 5) }

func TestLongSuiteNaive(t *testing.T) {
	longtest.Only(t)
	suiteNaive(t, 99)
}

func suiteNaive(t *testing.T, most int) {
	suite(t, func(_ string, assigned []Order, test *Test) {
		if len(assigned) <= most {
			sameAsNaive(t, test, Options{})
		}
	})
}
