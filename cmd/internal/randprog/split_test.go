package randprog

import (
	"strings"
	"testing"
)

// TestSplit wants every definition to be in exactly one part, the lines of the first part to be those of the
// whole, and splits to be many and different.
func TestSplit(t *testing.T) {
	counts := map[int]bool{}
	before := map[string]bool{}
	for seed := range int64(20) {
		whole := Bundle([]Program{Generate(seed, "@p.")})
		first, bundles := Split(whole, seed)
		counts[len(bundles)] = true
		all := first + strings.Join(bundles, "")
		lines, now := strings.Split(whole, "\n"), strings.Split(first, "\n")
		for i, line := range lines {
			if line == "" || strings.HasPrefix(line, "  %entry(<@argc>") {
				continue
			}
			if strings.HasPrefix(line, ".") && strings.Count(all, line+"\n") != 1 {
				t.Errorf("seed %d: %q occurs %d times", seed, line, strings.Count(all, line+"\n"))
			}
			if now[i] != line && now[i] != "" {
				what, _, _ := strings.Cut(now[i], " ")
				if _, end, ok := strings.Cut(now[i], "): "); ok {
					what, _, _ = strings.Cut(end, " ")
				}
				before[what] = true
			}
		}
	}
	if len(counts) < 3 {
		t.Errorf("the numbers of bundles are %v, want three", counts)
	}
	for _, what := range []string{".funcdecl", "THROW", "BRANCH"} {
		if !before[what] {
			t.Errorf("no function has %s before it is loaded, only %v", what, before)
		}
	}
}
