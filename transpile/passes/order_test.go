package passes

import "testing"

func TestCheckOrder(t *testing.T) {
	a, b := pass{name: "a"}, pass{name: "b"}
	late := pass{name: "c", stage: bottomUp}
	for _, tt := range []struct {
		table []pass
		c     []constraint
		want  string
	}{
		{[]pass{a, b, a}, []constraint{{"a", "b", "x"}}, ""},
		{[]pass{b, a}, []constraint{{"a", "b", "it must"}}, "pass a must run before b: it must"},
		{[]pass{a}, []constraint{{"a", "b", "x"}}, "constraint a before b names a pass that is not in the table"},
		{[]pass{late, a}, nil, "pass a of an earlier stage follows a later stage"},
	} {
		got := ""
		if err := checkOrder(tt.table, tt.c); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestSettled: a pass with nothing to do is not run again before the body changes.
func TestSettled(t *testing.T) {
	u := &unit{}
	if u.settled("a") {
		t.Error("settled before it has run")
	}
	u.ran("a", 0)
	if !u.settled("a") || u.settled("b") {
		t.Error("not settled after a run without changes, or another is")
	}
	u.ran("b", 2)
	if u.settled("a") || u.settled("b") {
		t.Error("settled after changes")
	}
	u.finished = true
	u.ran("b", 1)
	if !u.settled("b") || u.finished {
		t.Error("not settled after a run that has left nothing")
	}
}
