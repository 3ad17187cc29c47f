package longtest

import "testing"

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		exec    string
		n, want int
	}{{"", 20000, 20000}, {"", 1, 1}, {"qemu", 20000, 1250}, {"qemu", 3, 1}} {
		t.Setenv(ExecVariable, c.exec)
		if got := Rounds(c.n); got != c.want {
			t.Errorf("%s=%q: %d rounds instead of %d, want %d", ExecVariable, c.exec, got, c.n, c.want)
		}
	}
}

func TestHidesFaults(t *testing.T) {
	for _, c := range []struct {
		exec, arch string
		want       bool
	}{{"", "ppc64le", false}, {"qemu", "ppc64le", true}, {"qemu", "ppc64", true}, {"qemu", "arm", true}, {"qemu", "s390x", false}} {
		t.Setenv(ExecVariable, c.exec)
		if got := hidesFaults(c.arch); got != c.want {
			t.Errorf("%s=%q: %t on %s, want %t", ExecVariable, c.exec, got, c.arch, c.want)
		}
	}
}
