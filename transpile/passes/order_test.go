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
