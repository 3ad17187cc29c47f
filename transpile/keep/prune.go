package keep

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// prune removes the least recently used folders, except n of them and the recent ones,
// and the temporary folders that were abandoned.
func (s store) prune(n int) {
	entries, err := fs.ReadDir(s.FS(), ".")
	if err != nil {
		return
	}
	type folder struct {
		name string
		used time.Time
	}
	var list []folder
	for _, e := range entries {
		used, ok := s.used(e.Name())
		switch {
		case !ok:
		case !temporary(e.Name()):
			if s.marked(e.Name()) {
				list = append(list, folder{e.Name(), used})
			}
		case time.Since(used) > abandoned:
			s.remove(e.Name())
		}
	}
	slices.SortFunc(list, func(a, b folder) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for len(list) > n && time.Since(list[0].used) > recent {
		// Another process may have begun to use it since.
		if used, ok := s.used(list[0].name); ok && time.Since(used) > recent {
			s.remove(list[0].name)
		}
		list = list[1:]
	}
}

// used returns when a folder was last used or, if it is temporary, changed.
func (s store) used(name string) (time.Time, bool) {
	st, err := s.Lstat(name)
	if err != nil || !st.IsDir() {
		return time.Time{}, false
	}
	return st.ModTime(), true
}

// remove removes a folder of this package, and nothing else. A complete folder first loses
// its name, so that nobody finds it half removed, and the mark goes last, so that the rest
// is known if the process is killed meanwhile.
func (s store) remove(name string) {
	if temporary(name) {
		s.Remove(name) // only if it is empty: then it needs no mark
	}
	if !s.marked(name) {
		return
	}
	if !temporary(name) {
		tmp := newName()
		if s.Rename(name, tmp) != nil {
			return
		}
		name = tmp
	}
	entries, err := fs.ReadDir(s.FS(), name)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Name() != markFile {
			if s.RemoveAll(filepath.Join(name, e.Name())) != nil {
				return
			}
		}
	}
	s.Remove(filepath.Join(name, markFile))
	s.Remove(name)
}
