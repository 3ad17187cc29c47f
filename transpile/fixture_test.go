package transpile_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

// A user's module has the runtime and nothing that only our tests use.
func TestModuleWithoutFixtures(t *testing.T) {
	dir := t.TempDir()
	if err := transpile.WriteModule(dir, "example.com/m", nil, uvm2go.Runtime); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		files++
		for _, bad := range []string{"_test.go", "fixture", "testdata", ".uir"} {
			if strings.Contains(name, bad) {
				t.Errorf("%s is in the module", name)
			}
		}
		return err
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}
