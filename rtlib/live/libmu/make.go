package libmu

/*
#include "libmu.h"
*/
import "C"

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Files that are made from the state of a VM. The library writes an image (live.WriteImage), and the command uvm2go makes
// an executable or a library of it.

func (c *client) makeBootImage(whitelist []mu.ID, entry mu.FuncRef, stack mu.StackRef, local mu.Ref, symFields []mu.IRef, symbols []string,
	relocFields []mu.IRef, relocs []string, output string) error {
	im := live.Image{ThreadLocal: local, Only: whitelist}
	library := filepath.Ext(output) == ".so" || filepath.Ext(output) == ".dylib"
	switch none := entry == (mu.FuncRef{}); {
	case stack != (mu.StackRef{}) && !none:
		return fail(mu.BadArg, "primordial_func and primordial_stack exclude each other")
	case stack != (mu.StackRef{}) && !library:
		if err := c.entryStack(&im, stack); err != nil {
			return named(err, "primordial_stack")
		}
	case none && !library:
		return fail(mu.BadArg, "primordial_func and primordial_stack are NULL")
	}
	switch {
	case output == "":
		return fail(mu.BadArg, "output_file is empty")
	case entry != (mu.FuncRef{}) && !library:
		var err error
		if im.Entry, err = c.mu.FuncID(entry); err != nil {
			return named(err, "primordial_func")
		}
	}
	for i, f := range relocFields {
		im.Relocs = append(im.Relocs, live.Reloc{Field: f, Symbol: relocs[i]})
	}
	for i, f := range symFields {
		im.Symbols = append(im.Symbols, live.Symbol{Place: f, Name: symbols[i]})
	}
	m := making{c: c, image: im, output: output}
	if library {
		m.flags = append(m.flags, "-shared")
	}
	return m.do()
}

// entryStack makes an image begin with the functions of a stack whose frames have not begun.
func (c *client) entryStack(im *live.Image, stack mu.StackRef) error {
	cur, err := c.mu.NewCursor(stack)
	if err != nil {
		return err
	}
	defer c.mu.Delete(cur)
	defer c.mu.CloseCursor(cur)
	for {
		inst, err := c.mu.CurInst(cur)
		if err != nil {
			return err
		}
		id, err := c.mu.CurFunc(cur)
		switch {
		case err != nil:
			return err
		case id == 0 || inst != 0:
			return fail(mu.DynCode, "a stack that has begun cannot be in an image: want one that new_stack has made")
		case im.Entry == 0:
			im.Entry = id
		default:
			im.Then = append(im.Then, id)
		}
		var e *mu.Error
		if err := c.mu.NextFrame(cur); errors.As(err, &e) && e.Code == mu.Bottom {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (v *vm) compileToSharedlib(name string, sources []string) error {
	if name == "" {
		return fail(mu.BadArg, "lib_name is empty")
	}
	c := v.mu.NewContext()
	defer c.Close()
	m := making{c: &client{mu: c, vm: v}, output: name, flags: []string{"-shared"}}
	for _, s := range sources {
		m.flags = append(m.flags, "-c", s)
	}
	return m.do()
}

// A making makes a file.
type making struct {
	c      *client
	image  live.Image
	output string
	flags  []string // of uvm2go build
}

func (m *making) do() error {
	conf := m.c.vm.conf
	out, err := filepath.Abs(m.output)
	if !filepath.IsAbs(m.output) {
		out, err = filepath.Abs(filepath.Join(conf.made.dir, m.output))
	}
	if err != nil {
		return fail(mu.BadArg, "%v", err)
	}
	libs, err := conf.libraries()
	if err != nil {
		return err
	}
	for _, l := range libs {
		m.flags = append(m.flags, "-lib", l)
	}
	command, err := findCommand()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return fail(mu.BadArg, "%v", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".libmu-") // beside the file, which is then only renamed
	if err != nil {
		return fail(mu.BadArg, "%v", err)
	}
	defer os.RemoveAll(dir)
	image := filepath.Join(dir, "image")
	f, err := os.OpenFile(image, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return fail(mu.DynCode, "%v", err)
	}
	shared := slices.Contains(m.flags, "-shared")
	built := true
	if _, err := exec.LookPath("go"); err != nil {
		if shared {
			return fail(mu.DynCode, "a library takes the Go toolchain: there is no command go in PATH")
		}
		built = false
		// The command is the interpreter of the file, with which the system starts it.
		if !startsFiles(command) {
			return fail(mu.DynCode, "without the Go toolchain the file would begin with the path of the command, and systems start none with %q: move it", command)
		}
		flags, _ := json.Marshal(m.flags)
		fmt.Fprintf(f, "#!%s image\n//flags %s\n", command, flags)
	}
	err = live.WriteImage(m.c.mu, f, m.image)
	if e := f.Close(); err == nil && e != nil {
		err = fail(mu.DynCode, "%v", e)
	}
	if err != nil {
		return err
	}
	made := image
	if built {
		made = filepath.Join(dir, filepath.Base(out)+".made")
		// Through a pipe, so that names of files in positions stay as they are: in a file they are relative to its folder.
		cmd := exec.Command(command, slices.Concat([]string{"build"}, m.flags, []string{"-o", made, "-"})...)
		in, err := os.Open(image)
		if err != nil {
			return fail(mu.DynCode, "%v", err)
		}
		defer in.Close()
		cmd.Stdin = in
		if said, err := cmd.CombinedOutput(); err != nil {
			return fail(mu.DynCode, "%s build: %v: %s", command, err, strings.TrimSpace(string(said)))
		}
	}
	if err := os.Rename(made, out); err != nil {
		return fail(mu.BadArg, "%v", err)
	}
	return nil
}

// For hot code that is compiled, if the library was made with -tier2.
func init() {
	live.HostUnits(func() error {
		if why := C.uvm_be_global(); why != nil {
			return fail(mu.DynCode, "the symbols of the library cannot be made known to plugins: %s", C.GoString(why))
		}
		return nil
	}, findCommand)
}

// startsFiles reports whether systems take a path in the first line of a file: it is not long, and has no blanks.
func startsFiles(path string) bool {
	return len(path) <= 120 && !strings.ContainsFunc(path, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

// findCommand finds the command uvm2go: that of the folder of the library, or one in PATH.
func findCommand() (string, error) {
	lib := C.GoString(C.uvm_library())
	if lib, err := filepath.EvalSymlinks(lib); err == nil {
		if c, err := exec.LookPath(filepath.Join(filepath.Dir(lib), "..", "bin", "uvm2go")); err == nil {
			return filepath.Abs(c)
		}
	}
	c, err := exec.LookPath("uvm2go")
	if err != nil {
		return "", fail(mu.DynCode, "the command uvm2go, which makes files, is neither in PATH nor in the folder bin beside that of %s", lib)
	}
	return filepath.Abs(c)
}

// always are libraries that every program is linked with.
var always = []string{"c", "m", "dl", "pthread", "rt", "util"}

// libraries finds the files of the libraries that programs are linked with.
func (c *config) libraries() (files []string, err error) {
	for _, l := range slices.Concat(c.libs, c.made.libs) {
		if slices.Contains(always, l) {
			continue
		}
		file, err := c.library(l)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func (c *config) library(name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	folders := slices.Concat(c.made.libPaths, filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), usual)
	for _, dir := range folders {
		for _, file := range []string{name, "lib" + name + ".so", "lib" + name + ".dylib", "lib" + name + ".a"} {
			at := filepath.Join(dir, file)
			if st, err := os.Stat(at); err == nil && st.Mode().IsRegular() {
				return at, nil
			}
		}
	}
	return "", fail(mu.BadArg, "library %s is in none of the folders %s", name, strings.Join(folders, ", "))
}

// usual are folders of libraries.
var usual = func() []string {
	list := []string{"/usr/local/lib", "/lib64", "/usr/lib64", "/lib", "/usr/lib"}
	more, _ := filepath.Glob("/usr/lib/*-linux-*")
	return append(list, more...)
}()
