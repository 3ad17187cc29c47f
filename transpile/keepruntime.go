package transpile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/uvm2go/uvm2go/transpile/keep"
)

// KeepRuntime keeps the runtime's sources, as a module, in the folder root (package keep), and returns their folder
// for Module.Kept. Modules that share it are written faster than with a copy each, and the go command need not
// index the runtime again. n is the number of folders that stay in root.
func KeepRuntime(root string, n int, runtime fs.FS) (string, error) {
	key, err := runtimeKey(runtime)
	if err != nil {
		return "", err
	}
	dir, err := keep.Dir(root, key, filepath.Join(runtimeDir, goMod), n, func(dir string) error {
		w := &writer{dir: dir}
		if err := (&Module{Runtime: runtime, Live: true}).planRuntime(w); err != nil {
			return err
		}
		return w.write()
	})
	return filepath.Join(dir, runtimeDir), err
}

// runtimeKey identifies sources by their content.
func runtimeKey(runtime fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(runtime, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(runtime, name)
		fmt.Fprintf(h, "%q %d\n", name, len(text))
		h.Write(text)
		return err
	})
	return "runtime-" + hex.EncodeToString(h.Sum(nil)[:16]), err
}
