package syntax_test

import (
	"fmt"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Sets of IDs have few ranges however many bundles they are of.
func TestUnion(t *testing.T) {
	set := func(list ...uint32) (s syntax.IDs) {
		for _, id := range list {
			s = s.Add(id)
		}
		return s
	}
	for _, tt := range []struct {
		s, t syntax.IDs
		want string
	}{
		{nil, nil, "[]"},
		{nil, set(1, 2), "[{1 2}]"},
		{set(1, 2), nil, "[{1 2}]"},
		{set(1, 2), set(3, 5), "[{1 3} {5 5}]"},
		{set(3, 5), set(1, 2), "[{1 3} {5 5}]"},
		{set(1, 5, 9), set(2, 3, 4, 7), "[{1 5} {7 7} {9 9}]"},
		{set(1, 2, 3, 4), set(2, 3), "[{1 4}]"},
		{set(1<<32 - 1), set(7, 1<<32-1), "[{7 7} {4294967295 4294967295}]"},
	} {
		if got := fmt.Sprint(append(syntax.IDs{}, tt.s.Union(tt.t)...)); got != tt.want {
			t.Errorf("%v and %v: %s, want %s", tt.s, tt.t, got, tt.want)
		}
	}
}
