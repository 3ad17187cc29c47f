package client

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/uvm2go/uvm2go/transpile/bundletest"
)

func TestFac(t *testing.T) {
	fac := bundletest.Build(t, "-strict", "fac.uir")
	cases := []bundletest.Case{
		{Args: []string{"a"}, Stdout: "trap fac.of n=1 fac=1\n"},
		{Args: []string{"a", "b", "c"}, Stdout: "trap fac.of n=3 fac=6\n"},
		{Name: "none", Status: 4, Stderr: `^uvm: run-time error: DIV_BY_ZERO at @main\.v1\.entry`},
	}
	fac.Run(t, cases...)
	fac.Stress(t, 1, cases...)
}

func TestCall(t *testing.T) {
	got := bundletest.Output(t, "run", "-interp", "-call", "@fac", "-args", "10", "fac.uir")
	if got != "3628800\n" {
		t.Errorf("@fac of 10 is %q", got)
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata",
		Setup: func(e *testscript.Env) error { return bundletest.Setup(e) },
	})
}
