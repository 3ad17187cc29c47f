package lower

import (
	"fmt"
	"slices"
	"testing"
)

// TestTake gives each line one owner.
func TestTake(t *testing.T) {
	c := copies{spans: map[string][]span{}}
	for _, s := range []struct {
		file        string
		first, last int
		want        bool
	}{
		{"a", 10, 20, true}, {"a", 20, 25, false}, {"a", 5, 10, false}, {"a", 1, 30, false}, {"a", 12, 13, false},
		{"a", 21, 25, true}, {"a", 1, 9, true}, {"b", 12, 13, true}, {"a", 40, 40, true}, {"a", 26, 39, true}, {"a", 40, 41, false},
	} {
		if got := c.take(s.file, span{s.first, s.last}); got != s.want {
			t.Errorf("%s %d to %d: %v", s.file, s.first, s.last, got)
		}
	}
	if want := []span{{1, 9}, {10, 20}, {21, 25}, {26, 39}, {40, 40}}; !slices.Equal(c.spans["a"], want) {
		t.Error(fmt.Sprint(c.spans["a"]))
	}
}
