// Package keep stores folders that take long to make in the user's cache folder, under
// keys that identify their complete content.
//
// Several processes may use one root at once: a folder appears under its key only when
// it is complete.
package keep

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// recent is the time for which a folder is kept after its last use, however many there
// are: another process may still be about to use it.
const recent = time.Hour

// Dir returns the folder root/key. If the folder does not exist, or lacks the file last,
// it is made: fill fills a temporary folder, which then gets the name. Then the least
// recently used folders are removed, except n of them and those used in the last hour.
// An error of fill is returned as it is.
func Dir(root, key, last string, n int, fill func(dir string) error) (string, error) {
	dir := filepath.Join(root, key)
	if complete(dir, last) {
		now := time.Now()
		os.Chtimes(dir, now, now)
		return dir, nil
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(root, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil && !complete(dir, last) {
		// It is not that another process was faster: there is an incomplete folder.
		os.RemoveAll(dir)
		if err := os.Rename(tmp, dir); err != nil {
			return "", err
		}
	}
	prune(root, n)
	return dir, nil
}

func complete(dir, last string) bool {
	_, err := os.Stat(filepath.Join(dir, last))
	return err == nil
}

// prune removes the least recently used folders, except n of them and the recent ones.
func prune(root string, n int) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	type folder struct {
		name string
		used time.Time
	}
	var list []folder
	for _, e := range entries {
		if st, err := e.Info(); err == nil {
			list = append(list, folder{e.Name(), st.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b folder) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for len(list) > n && time.Since(list[0].used) > recent {
		os.RemoveAll(filepath.Join(root, list[0].name))
		list = list[1:]
	}
}
