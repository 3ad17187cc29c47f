package transpile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile makes data the content of a file. A symbolic link stays, and the file that it leads
// to gets the content, whether it exists or not. An existing file keeps its mode, owner and hard links.
//
// The content changes in one step where that is possible: not in a file with several hard
// links, one that belongs to somebody else, or in a folder that cannot be written. Devices and
// pipes are written to.
func ReplaceFile(name string, data []byte) error {
	path, err := linked(name)
	if err != nil {
		return err
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return swap(path, data, nil)
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return overwrite(path, data)
	case !single(st):
		return rewrite(path, data)
	}
	if err := swap(path, data, st); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return rewrite(path, data)
}

// maxLinks is the number of links that linked follows, as many as Linux.
const maxLinks = 40

// linked follows a name that is a symbolic link. What it leads to may not exist.
func linked(name string) (string, error) {
	for range maxLinks {
		st, err := os.Lstat(name)
		if err != nil || st.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// Not filepath.Join, which would remove ".." after a folder that is a link.
			to = filepath.Dir(name) + string(filepath.Separator) + to
		}
		name = to
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("too many symbolic links")}
}

// swap writes a new file and gives it the name of the old one, which old describes if it exists.
func swap(path string, data []byte, old fs.FileInfo) error {
	tmp := path + ".uvm2go-" + rand.Text()
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
}

// rewrite changes the content of an existing file. If that fails, it tries to restore the old one.
func rewrite(path string, data []byte) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return overwrite(path, data)
	}
	if err = overwrite(path, data); err != nil && !errors.Is(err, fs.ErrPermission) {
		overwrite(path, old)
	}
	return err
}

func overwrite(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
