//go:build plan9 || wasip1

package scripttest

import "testing"

// run runs no scripts: testscript does not build here.
func run(t *testing.T, _ string, _ []string, _ bool, _ map[string]string) {
	t.Helper()
	t.Skip("there is no testscript for this system")
}
