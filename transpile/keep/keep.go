// Package keep stores folders that take long to make in the user's cache folder, under
// keys that identify their complete content.
//
// The folders are in a folder of the package's own, [Folder], below the one that the
// user names. Nothing outside of it is changed, and in it only what carries the mark of
// this package (mark.go) is ever removed, so that a wrong name of a cache cannot cost
// anybody a file. Symbolic links are not followed out of the folder, and not taken for it.
//
// Several processes may use one root at once: a folder appears under its key only when
// it is complete. What a process that was killed has left goes with a later call.
package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folder is the name of the package's own folder below the root of a cache.
const Folder = "uvm2go-kept"

// recent is the time for which a folder is kept after its last use, however many there
// are: another process may still be about to use it.
const recent = time.Hour

// abandoned is the time after which an unfinished folder is taken for one of a process
// that was killed.
const abandoned = 24 * time.Hour

// Dir returns the folder root/Folder/key. If the folder does not exist, or lacks the file
// last, it is made: fill fills a temporary folder, which then gets the name. Then the
// least recently used folders are removed, except n of them and those used in the last
// hour. An error of fill is returned as it is; another file or folder under the key, or
// one that cannot be trusted in place of Folder, is an error and stays as it is.
func Dir(root, key, last string, n int, fill func(dir string) error) (string, error) {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", err
	}
	s, err := open(root)
	if err != nil {
		return "", err
	}
	defer s.Close()
	dir := filepath.Join(root, Folder, key)
	if s.complete(key, last) {
		now := time.Now()
		s.Chtimes(key, now, now)
		return dir, nil
	}
	if err := s.vacant(key); err != nil {
		return "", err
	}
	tmp, err := s.begin(key)
	if err != nil {
		return "", err
	}
	defer s.remove(tmp)
	if err := fill(filepath.Join(root, Folder, tmp)); err != nil {
		return "", err
	}
	if err := s.Rename(tmp, key); err != nil && !s.complete(key, last) {
		// It is not that another process was faster: there is an incomplete folder.
		if err := s.vacant(key); err != nil {
			return "", err
		}
		s.remove(key)
		if err := s.Rename(tmp, key); err != nil && !s.complete(key, last) {
			return "", err
		}
	}
	s.prune(n)
	return dir, nil
}

// Newest returns the folder that was used last of those that Dir has made under keys with a
// prefix, or "" if there is none.
func Newest(root, prefix, last string) string {
	s, err := open(root)
	if err != nil {
		return ""
	}
	defer s.Close()
	entries, err := fs.ReadDir(s.FS(), ".")
	if err != nil {
		return ""
	}
	newest := ""
	var when time.Time
	for _, e := range entries {
		key := e.Name()
		if !strings.HasPrefix(key, prefix) || !s.complete(key, last) {
			continue
		}
		if used, ok := s.used(key); ok && (newest == "" || used.After(when)) {
			newest, when = key, used
		}
	}
	if newest == "" {
		return ""
	}
	now := time.Now()
	s.Chtimes(newest, now, now)
	return filepath.Join(root, Folder, newest)
}

// A store is the package's own folder, opened. All work on it goes through the open
// folder, whatever its name is replaced by meanwhile.
type store struct{ *os.Root }

// open opens root/Folder, which it makes if necessary.
func open(root string) (store, error) {
	above, err := os.OpenRoot(root)
	if err != nil {
		return store{}, err
	}
	defer above.Close()
	name := filepath.Join(root, Folder)
	// Nobody else may write there: what is kept is executed later.
	err = above.Mkdir(Folder, 0o755)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return store{}, &fs.PathError{Op: "mkdir", Path: name, Err: errors.Unwrap(err)}
	}
	seen, err := above.Lstat(Folder)
	if err != nil {
		return store{}, err
	}
	if !seen.IsDir() {
		return store{}, fmt.Errorf("%s: this is no folder, and uvm2go keeps nothing through a link", name)
	}
	own, err := above.OpenRoot(Folder)
	if err != nil {
		return store{}, err
	}
	opened, err := own.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = fmt.Errorf("%s: it was replaced while it was opened", name)
	}
	var parent fs.FileInfo
	if err == nil {
		parent, err = above.Stat(".")
	}
	if err == nil && !trusted(opened, parent) {
		err = fmt.Errorf("%s: it belongs to another user", name)
	}
	if err != nil {
		own.Close()
		return store{}, err
	}
	return store{own}, nil
}

// complete reports whether a folder of this package has the file that is written last.
func (s store) complete(key, last string) bool {
	if !s.marked(key) {
		return false
	}
	_, err := s.Stat(filepath.Join(key, last))
	return err == nil
}

// vacant returns an error if a name is taken by something that is not the package's own.
func (s store) vacant(name string) error {
	if _, err := s.Lstat(name); err != nil || s.marked(name) {
		return nil
	}
	return fmt.Errorf("%s: uvm2go did not make this; it is left as it is", filepath.Join(s.Name(), name))
}
