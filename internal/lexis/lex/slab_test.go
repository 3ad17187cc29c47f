package lex

import (
	"slices"
	"testing"
)

// TestSlabPush hands out lists in several ways: none reaches into another, and they have no room after them.
func TestSlabPush(t *testing.T) {
	var s Slab[int]
	var lists [][]int
	for n := range 200 {
		var l []int
		for i := range n {
			l = s.Push(l)
			l[i] = -1
			l = s.Push(l[:i]) // in the place of one that was dropped
			if l[i] != 0 {
				t.Fatalf("element %d of %d: %d", i, n, l[i])
			}
			l[i] = 1000*n + i
		}
		lists = append(lists, s.Cut(l))
	}
	for n, l := range lists {
		if len(l) != n || cap(l) != n || (l == nil) != (n == 0) {
			t.Fatalf("list %d has %d elements, room for %d", n, len(l), cap(l))
		}
		for i, x := range l {
			if x != 1000*n+i {
				t.Errorf("element %d of list %d is %d", i, n, x)
			}
		}
	}

	s = Slab[int]{}
	s.Fit(10)
	a, b := s.Make(7), s.Copy([]int{1, 2, 3})
	if len(s.free) != 0 || len(s.last) != 10 {
		t.Errorf("%d of %d elements are left, want 0 of 10", len(s.free), len(s.last))
	}
	if a = append(a, 5); !slices.Equal(b, []int{1, 2, 3}) {
		t.Errorf("a list was changed by what was appended to the one before: %v", b)
	}
	s.Fit(2 * maxSlab)
	if len(s.last) != 10 {
		t.Errorf("Fit has made room for %d elements", len(s.last))
	}
}
