package lex

import "testing"

func TestSpace(t *testing.T) {
	for _, c := range []struct {
		src       string
		pos, want int
	}{
		{"", 0, 0}, {"a", 0, 0}, {" \t\r\na", 0, 4}, {"a b", 1, 2}, {"// c\nx", 0, 5}, {"// c", 0, 4},
		{" // c\n // d\n/", 0, 12}, {"/ /", 0, 0}, {"x  ", 1, 3},
	} {
		if got := Space(c.src, c.pos); got != c.want {
			t.Errorf("Space(%q, %d) = %d, want %d", c.src, c.pos, got, c.want)
		}
	}
}

func TestIsName(t *testing.T) {
	for _, c := range []byte("azAZ09_.-") {
		if !IsName(c) {
			t.Errorf("%q is none", c)
		}
	}
	for _, c := range []byte("@%$+/ \n<{\x00\xff") {
		if IsName(c) {
			t.Errorf("%q is one", c)
		}
	}
}
