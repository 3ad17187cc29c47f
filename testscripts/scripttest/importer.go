package scripttest

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Importer imports the packages of the runtime and all that they need, as the go command has compiled them. The importer of
// sources would check them, and of Go's library what they need, once more.
func Importer(tb testing.TB, fset *token.FileSet) types.Importer {
	tb.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "github.com/uvm2go/uvm2go/rtlib/...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		tb.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("the runtime needs no package %s", path)
		}
		return os.Open(files[path])
	})
}
