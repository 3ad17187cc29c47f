package interp

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"reflect"
	"strconv"
)

// Files and standard streams. Nothing is buffered.

var fileNatives = map[string]func(c *nativeCall) Value{
	"write": func(c *nativeCall) Value {
		b := c.bytes(c.addr(1), c.addr(2))
		return c.output(c.int(0), b)
	},
	"read": read,
	"open": open,
	"close": func(c *nativeCall) Value {
		files := c.t.m.openFiles()
		f, ok := files[c.int(0)]
		if !ok {
			c.fail(errBadFile)
			return word64(-1)
		}
		delete(files, c.int(0))
		if f.file != nil {
			return c.status(f.file.Close())
		}
		return null
	},
	"lseek": func(c *nativeCall) Value {
		f, ok := c.t.m.openFiles()[c.int(0)]
		switch {
		case !ok:
			c.fail(errBadFile)
			return word64(-1)
		case f.file == nil:
			c.fail(errPipe)
			return word64(-1)
		case c.int(2) < 0 || c.int(2) > 2:
			c.fail(errInvalid)
			return word64(-1)
		}
		at, err := f.file.Seek(c.int(1), int(c.int(2)))
		if err != nil {
			return c.status(err)
		}
		return word64(at)
	},
	"unlink": func(c *nativeCall) Value {
		name := string(c.text(0))
		if c.bad.kind != noError {
			return null
		}
		if st, err := os.Lstat(name); err == nil && st.IsDir() {
			c.fail(errIsFolder)
			return word64(-1)
		}
		return c.status(os.Remove(name))
	},
	"puts": func(c *nativeCall) Value { return c.output(1, append(c.text(0)[:len(c.text(0)):len(c.text(0))], '\n')) },
	"putchar": func(c *nativeCall) Value {
		if c.output(1, []byte{byte(c.addr(0))}) == word64(-1) {
			return word64(-1)
		}
		return Value{Lo: c.addr(0) & 0xff}
	},
	"printf":   func(c *nativeCall) Value { return c.print(1, 0) },
	"dprintf":  func(c *nativeCall) Value { return c.print(c.int(0), 1) },
	"sprintf":  func(c *nativeCall) Value { return c.printTo(math.MaxInt32, 1) },
	"snprintf": func(c *nativeCall) Value { return c.printTo(c.addr(1), 2) },
	"fflush":   func(c *nativeCall) Value { return null },
	"uvmPrintInt64": func(c *nativeCall) Value {
		return c.output(1, append(strconv.AppendInt(nil, c.int(0), 10), '\n'))
	},
	"uvmPrintPtr": func(c *nativeCall) Value {
		return c.output(1, append(strconv.AppendUint([]byte("0x"), c.addr(0), 16), '\n'))
	},
	"uvmPrintDouble": func(c *nativeCall) Value {
		return c.output(1, append(strconv.AppendFloat(nil, c.args[0].AsFloat64(), 'g', -1, 64), '\n'))
	},
	"uvmPrintStr": func(c *nativeCall) Value { return c.output(1, append(c.text(0)[:len(c.text(0)):len(c.text(0))], '\n')) },
}

const errIsFolder = 21

// An openFile is an open file descriptor: of a file or, if that is nil, of a standard stream.
type openFile struct {
	file *os.File
	in   io.Reader
	out  io.Writer
}

// openFiles are the open files by descriptor.
func (m *machine) openFiles() map[int64]openFile {
	if m.files == nil {
		m.files = map[int64]openFile{0: {in: m.cfg.Stdin}, 1: {out: m.cfg.Stdout}, 2: {out: m.cfg.Stderr}}
	}
	return m.files
}

// closeFiles closes what the program has left open.
func (m *machine) closeFiles() {
	for _, f := range m.files {
		if f.file != nil {
			f.file.Close()
		}
	}
}

func getpid(c *nativeCall) Value { return word64(os.Getpid()) }

// print writes the text that format, argument i, makes.
func (c *nativeCall) print(fd int64, i int) Value {
	s := c.format(i)
	if s == nil {
		return word64(-1)
	}
	return c.output(fd, s)
}

// printTo stores that text where the first argument points, cut to room bytes.
func (c *nativeCall) printTo(room uint64, i int) Value {
	s := c.format(i)
	if s == nil {
		return word64(-1)
	}
	if room > 0 {
		c.place(c.addr(0), s[:min(uint64(len(s)), room-1)], 1)
	}
	return word64(len(s))
}

// output writes to a file descriptor and returns the number of bytes.
func (c *nativeCall) output(fd int64, b []byte) Value {
	if c.bad.kind != noError {
		return null
	}
	f := c.t.m.openFiles()[fd]
	var w io.Writer = f.out
	if f.file != nil {
		w = f.file
	}
	if w == nil {
		c.fail(errBadFile)
		return word64(-1)
	}
	n, err := w.Write(b)
	if err != nil {
		return c.status(err)
	}
	return word64(n)
}

func read(c *nativeCall) Value {
	b := c.bytes(c.addr(1), c.addr(2))
	if c.bad.kind != noError {
		return null
	}
	f := c.t.m.openFiles()[c.int(0)]
	r := f.in
	if f.file != nil {
		r = f.file
	}
	if r == nil {
		c.fail(errBadFile)
		return word64(-1)
	}
	n, err := r.Read(b)
	if err != nil && err != io.EOF {
		return c.status(err)
	}
	return word64(n)
}

// open is open, with the flags of this system's C.
func open(c *nativeCall) Value {
	name := string(c.text(0))
	if c.bad.kind != noError {
		return null
	}
	f, err := os.OpenFile(name, int(c.int(1)), fs.FileMode(c.addr(2)&0o777))
	if err != nil {
		return c.status(err)
	}
	files := c.t.m.openFiles()
	fd := int64(0)
	for ; ; fd++ {
		if _, used := files[fd]; !used {
			break
		}
	}
	files[fd] = openFile{file: f}
	return word64(fd)
}

// status is 0, or for an error -1, with errno set.
func (c *nativeCall) status(err error) Value {
	if err == nil {
		return null
	}
	c.fail(errorNumber(err))
	return word64(-1)
}

// errorNumber is the errno of an error of package os: the number of the system on Unix, elsewhere the Unix number
// for the error.
func errorNumber(err error) int64 {
	for _, e := range []struct {
		is     error
		number int64
	}{{fs.ErrNotExist, errNoEntry}, {fs.ErrExist, errExist}, {fs.ErrPermission, errAccess}, {fs.ErrClosed, errBadFile}} {
		if errors.Is(err, e.is) && !systemNumber(err, nil) {
			return e.number
		}
	}
	number := int64(errIO)
	systemNumber(err, &number)
	return number
}

// systemNumber stores the number that a Unix system gave an error, and reports whether there is one.
func systemNumber(err error, number *int64) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if v := reflect.ValueOf(err); v.Kind() == reflect.Uintptr && os.PathSeparator == '/' {
			if number != nil {
				*number = int64(v.Uint())
			}
			return true
		}
	}
	return false
}
