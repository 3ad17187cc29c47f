package randprog

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestSplit checks that every definition is in exactly one part (except repeated versions), that lines of the
// first part have the same numbers as in the whole, and that there are many different splits.
func TestSplit(t *testing.T) {
	counts := map[int]bool{}
	seen := map[string]bool{}
	for seed := range int64(20) {
		whole := Bundle([]Program{Generate(seed, "@p.")})
		first, bundles := Split(whole, seed)
		counts[len(bundles)] = true
		all := strings.ReplaceAll(first+strings.Join(bundles, ""), splitTick, "")
		lines, now := strings.Split(whole, "\n"), strings.Split(first, "\n")
		for i, line := range lines {
			if line == "" || strings.HasPrefix(line, "  %entry(<@argc>") || strings.Contains(line, "start] TRAP") {
				continue
			}
			if strings.HasPrefix(line, ".") && strings.Count(all, line+"\n") != 1 {
				t.Errorf("seed %d: %q occurs %d times", seed, line, strings.Count(all, line+"\n"))
			}
			label, tick := strings.CutSuffix(now[i], splitTick)
			if tick && label == line {
				seen["tick"] = true
			} else if now[i] != line && now[i] != "" {
				what, _, _ := strings.Cut(now[i], " ")
				if _, end, ok := strings.Cut(now[i], "): "); ok {
					what, _, _ = strings.Cut(end, " ")
				}
				seen[what] = true
			}
		}
		if strings.Contains(all, "unexpose [#DEFAULT] (%p) RET %r") {
			seen["again with its cookie"] = true
		}
		for _, b := range bundles {
			if strings.Contains(b, splitCookie) {
				seen["cookie"] = true
			}
			for _, f := range regexp.MustCompile(`(?m)^\.funcdef (\S+) VERSION %v1again`).FindAllStringSubmatch(b, -1) {
				_, compiled := cutFrom(first, ".funcdef "+f[1]+" VERSION %v1 ")
				seen[fmt.Sprint("again, compiled ", compiled)] = true
			}
		}
		if at, ok := cutFrom(first, "@split.begin ("); ok {
			var lo, early, hi int
			if _, err := fmt.Sscanf(at, "@split.b%d @split.b%d @split.b%d)", &lo, &early, &hi); err != nil || lo != 1 || hi != len(bundles) || early > hi {
				t.Errorf("seed %d: %.40q with %d bundles: %v", seed, at, len(bundles), err)
			}
			seen[fmt.Sprint("early ", early > 0)], seen[fmt.Sprint("late ", early < hi)] = true, true
		}
	}
	if len(counts) < 3 {
		t.Errorf("the numbers of bundles are %v, want three", counts)
	}
	for _, what := range []string{".funcdecl", "THROW", "BRANCH", "CALL", "tick", "early true", "early false", "late true", "late false", "again, compiled true", "again, compiled false", "cookie",
		"again with its cookie"} {
		if !seen[what] {
			t.Errorf("no split has %s, only %v", what, seen)
		}
	}
}

// cutFrom returns the part of s after a text.
func cutFrom(s, text string) (string, bool) {
	_, after, ok := strings.Cut(s, text)
	return after, ok
}
