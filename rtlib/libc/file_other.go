//go:build windows || plan9

package libc

import (
	"io"
	"os"
	"sync"
)

// On this system descriptors are numbers of files of package os.
var files = struct {
	sync.Mutex
	open []*os.File
}{open: []*os.File{os.Stdin, os.Stdout, os.Stderr}}

func file(fd int32) (*os.File, error) {
	files.Lock()
	defer files.Unlock()
	if fd < 0 || int(fd) >= len(files.open) || files.open[fd] == nil {
		return nil, os.ErrInvalid
	}
	return files.open[fd], nil
}

func sysWrite(fd int32, b []byte) (int, error) {
	f, err := file(fd)
	if err != nil {
		return 0, err
	}
	return f.Write(b)
}

func sysRead(fd int32, b []byte) (int, error) {
	f, err := file(fd)
	if err != nil {
		return 0, err
	}
	n, err := f.Read(b)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// Flags of open in Windows' C, fcntl.h.
const (
	flagWrite  = 0x1
	flagRdwr   = 0x2
	flagAppend = 0x8
	flagCreat  = 0x100
	flagTrunc  = 0x200
	flagExcl   = 0x400
)

func sysOpen(path string, flags int32, mode uint32) (int, error) {
	how := os.O_RDONLY
	for _, f := range []struct {
		c  int32
		os int
	}{
		{flagWrite, os.O_WRONLY}, {flagRdwr, os.O_RDWR}, {flagAppend, os.O_APPEND},
		{flagCreat, os.O_CREATE}, {flagTrunc, os.O_TRUNC}, {flagExcl, os.O_EXCL},
	} {
		if flags&f.c != 0 {
			how |= f.os
		}
	}
	f, err := os.OpenFile(path, how, os.FileMode(mode&0o777))
	if err != nil {
		return 0, err
	}
	files.Lock()
	defer files.Unlock()
	for fd, used := range files.open {
		if used == nil {
			files.open[fd] = f
			return fd, nil
		}
	}
	files.open = append(files.open, f)
	return len(files.open) - 1, nil
}

func sysClose(fd int32) error {
	f, err := file(fd)
	if err != nil {
		return err
	}
	files.Lock()
	files.open[fd] = nil
	files.Unlock()
	return f.Close()
}

func sysUnlink(path string) error { return os.Remove(path) }

func sysSeek(fd int32, offset int64, whence int32) (int64, error) {
	f, err := file(fd)
	if err != nil {
		return 0, err
	}
	return f.Seek(offset, int(whence))
}
