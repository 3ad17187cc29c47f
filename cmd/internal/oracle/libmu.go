package oracle

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/cmd/internal/player"
)

// Ways with Way.Builder: a client of libmu, in C, makes the calls of an IR builder that build a bundle, loads it and runs it on the
// engine (package player).

// played is the file that the client reads for a bundle.
func played(text string, w Way) (string, error) {
	p, err := load(text, Way{})
	if err != nil {
		return "", err
	}
	calls, err := player.File(w.Builder, text, p.IR)
	if err != nil {
		return "", &InvalidError{err.Error()}
	}
	return calls, nil
}

// client returns the client for a builder, which is made once, and with it the library.
func (l *Lab) client(b player.Builder) (string, error) {
	l.building.Lock()
	defer l.building.Unlock()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		return "", fmt.Errorf("the way builder needs the C compiler gcc: %w", err)
	}
	dir := filepath.Join(string(l.module), "tools")
	library := cmp.Or(l.Library, filepath.Join(dir, "libmu"))
	if err := once(filepath.Join(library, "rmu-ref"), func() error {
		lib := filepath.Join(library, muinstall.Lib, muinstall.LibraryName("libmu"))
		if err := said(exec.Command("go", "build", "-buildmode=c-shared", "-o", lib, "github.com/uvm2go/uvm2go/cmd/libmu")); err != nil {
			return err
		}
		return muinstall.Install(library, "", []string{cc})
	}); err != nil {
		return "", err
	}
	exe := filepath.Join(dir, fmt.Sprint("player-", b.Generation()))
	return exe, once(exe, func() error {
		text, err := player.Source(b)
		if err != nil {
			return err
		}
		source := exe + ".c"
		if err := save(source, text, 0o666); err != nil {
			return err
		}
		folder := "cbinding"
		if b == player.Later {
			folder = filepath.Join("rmu-ref", folder)
		}
		flags, err := exec.Command(filepath.Join(library, folder, "refimpl2-config"), "--istart", "--cflags", "--libs").Output()
		if err != nil {
			return err
		}
		return said(exec.Command(cc, append([]string{"-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-g", source, "-o", exe}, strings.Fields(string(flags))...)...))
	})
}

// clientStatus is the status of outcomes of programs that end with an error: a client chooses its own.
const clientStatus = player.Failed

// ofClient is the outcome of a program that the client has run. Of an error, clients learn the code.
func ofClient(o Outcome) Outcome {
	o.Out = player.Render(o.Out)
	if failure := player.Failure(o.Err); failure != "" {
		o.Err = failure
	}
	return o
}

// forClient is what an outcome of the interpreter should be for the client.
func forClient(o Outcome) Outcome {
	if m := reportedError.FindStringSubmatch(o.Err); m != nil && o.Status != 0 {
		o.Status, o.Err = clientStatus, cmp.Or(m[2], clientCodes[m[1]], "E_FAILED")
	}
	return o
}

var reportedError = regexp.MustCompile(`^uvm: (?:run-time error: (\w+)|(uncaught exception))`)

// clientCodes are the codes of errors that are not E_FAILED, as far as programs end with them.
var clientCodes = map[string]string{"DIV_BY_ZERO": "E_DIVZERO", "NULL_REF": "E_NULL", "NULL_FUNC": "E_NULL", "STACK_STATE": "E_STACK_STATE",
	"STACK_TYPES": "E_TYPE", "BAD_SIGNATURE": "E_TYPE", "UNHANDLED_TRAP": "E_UNHANDLED_TRAP", "UNDEFINED_FUNCTION": "E_UNHANDLED_TRAP",
	"STACK_OVERFLOW": "E_STACK_OVERFLOW", "OUT_OF_MEMORY": "E_OOM", "NO_RESOURCE": "E_OOM", "BOUNDS": "E_RANGE", "CURSOR": "E_CURSOR_OPEN"}
