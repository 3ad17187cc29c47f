// Package longtest is the switch of the tests that take minutes: go test ./... leaves them
// out, and
//
//	UVM2GO_LONG=1 go test -timeout 30m -run '^TestLong' ./...
//
// runs them. Their names begin with TestLong, so that this command repeats nothing
// else. See docs/testing.md.
package longtest

import (
	"os"
	"testing"
)

// Variable is the variable of the environment that switches long tests on.
const Variable = "UVM2GO_LONG"

// On reports whether long tests are wanted.
func On() bool { return os.Getenv(Variable) != "" }

// Only skips a test unless long tests are wanted. It is the first statement of each
// test whose name begins with TestLong.
func Only(tb testing.TB) {
	tb.Helper()
	if !On() {
		tb.Skip("takes long; " + Variable + "=1 runs it")
	}
}
