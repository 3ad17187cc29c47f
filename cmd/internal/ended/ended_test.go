package ended

import (
	"errors"
	"os/exec"
	"runtime"
	"testing"
)

func TestSignal(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("no signals end processes")
	}
	for script, want := range map[string]int{"exit 3": 0, "kill -9 $$": 9} {
		err := exec.Command("sh", "-c", script).Run()
		var x *exec.ExitError
		if !errors.As(err, &x) {
			t.Fatal(err)
		}
		if n, name := Signal(x.ProcessState); n != want || (name != "") != (want != 0) {
			t.Errorf("%s: got %d %q", script, n, name)
		}
	}
}
