// Package muinstall lays out a folder with the library libmu, its headers, and what else clients of upstream implementations of Mu look
// for (docs/libmu.md, "The folder").
package muinstall

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
	"github.com/uvm2go/uvm2go/python"
)

// Lib is the folder of the library itself.
const Lib = "lib"

// LibraryName is the name of the library on this platform.
func LibraryName(base string) string {
	if runtime.GOOS == "darwin" {
		return base + ".dylib"
	}
	return base + ".so"
}

// Install lays out the folder dir, which has the library in Lib already. It calls the C compiler cc. The folder gets a copy of the
// command uvm2go, which makes files for the library; command is its file, "" for none.
func Install(dir, command string, cc []string) error {
	api, err := muapi.Read()
	if err != nil {
		return err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	i := &installer{api: api, dir: dir, cc: cc}
	i.refimpl2("cbinding", muapi.Refimpl2)
	i.refimpl2(filepath.Join("rmu-ref", "cbinding"), muapi.RMU)
	i.zebu()
	i.python()
	if command != "" {
		i.copy("bin/uvm2go", command)
	}
	return i.err
}

// An installer writes files below a folder until an error.
type installer struct {
	api *muapi.API
	dir string
	cc  []string
	err error
}

// refimpl2 makes a folder as of the reference implementation. Its library is a small one, which says the generation.
func (i *installer) refimpl2(folder string, g muapi.Generation) {
	i.write(filepath.Join(folder, "muapi.h"), i.api.Header(g), 0o666)
	i.write(filepath.Join(folder, "refimpl2-start.h"), i.api.Start(g), 0o666)
	i.write(filepath.Join(folder, "refimpl2-config"), configScript, 0o777)
	name := LibraryName("libmurefimpl2start")
	source := fmt.Sprintf(starter, g, int(g))
	i.write(filepath.Join(folder, "refimpl2-start.c"), source, 0o666)
	i.write(filepath.Join(filepath.Dir(folder), "tools", "runmu.sh"), runScript, 0o777)
	up := strings.Repeat("../", strings.Count(filepath.ToSlash(folder), "/")+1)
	i.compile(folder, name, up)
	i.pkgConfig(map[muapi.Generation]string{muapi.Refimpl2: "murefimpl2start", muapi.RMU: "murefimpl2start-rmu"}[g], folder, folder, "murefimpl2start", g)
}

// starter is the source of a library that makes VMs of one generation.
const starter = `// The functions that make a VM of generation %v; libmu has all others.
#include "refimpl2-start.h"

extern void *uvmmu_new(uint32_t generation, const char *function, const char *config);
extern void uvmmu_close(void *vm);

MuVM *mu_refimpl2_new(void) { return (MuVM *)uvmmu_new(%[2]d, "mu_refimpl2_new", NULL); }

MuVM *mu_refimpl2_new_ex(const char *gc_conf) { return (MuVM *)uvmmu_new(%[2]d, "mu_refimpl2_new_ex", gc_conf); }

void mu_refimpl2_close(MuVM *mvm) { uvmmu_close(mvm); }
`

// configScript prints flags for the C compiler.
const configScript = `#!/bin/sh
# Flags to compile and link a client of Mu. --istart: a client that makes the VM itself; --cflags, --libs: which flags.
dir=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
start= cflags= libs=
for a; do
	case $a in
	--istart) start=1 ;;
	--cflags) cflags=1 ;;
	--libs) libs=1 ;;
	*) echo "refimpl2-config: unknown option $a: want --istart, --cflags, --libs" >&2; exit 1 ;;
	esac
done
out=
if [ "$cflags" ]; then out="-I$dir"; fi
if [ "$libs" ] && [ "$start" ]; then
	case $(uname) in
	Linux) out="$out -Wl,--no-as-needed" ;;
	esac
	out="$out -L$dir -lmurefimpl2start -Wl,-rpath,$dir"
fi
echo $out
`

// runScript starts a boot image as the launcher of the reference implementation does. An image is an executable, which has no
// such options.
const runScript = `#!/bin/sh
# Runs a boot image: runmu.sh [--OPTION=VALUE]... FILE [ARG]...
while :; do
	case ${1-} in
	--*) shift ;;
	*) break ;;
	esac
done
if [ $# = 0 ]; then echo "runmu.sh: want a boot image" >&2; exit 1; fi
case $1 in
*/*) ;;
*) set -- "./$@" ;;
esac
exec "$@"
`

// compile makes the library of a folder from its source.
func (i *installer) compile(folder, name, up string) {
	if i.err != nil {
		return
	}
	here := "$ORIGIN/"
	args := append(i.cc[1:len(i.cc):len(i.cc)], "-shared", "-fPIC", "-O2", "-o", name, "refimpl2-start.c", "-L"+up+Lib, "-lmu")
	if runtime.GOOS == "darwin" {
		here = "@loader_path/"
		args = append(args, "-install_name", "@rpath/"+name)
	}
	cmd := exec.Command(i.cc[0], append(args, "-Wl,-rpath,"+here+up+Lib)...)
	cmd.Dir = filepath.Join(i.dir, folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		i.err = fmt.Errorf("%s: %v: %s", i.cc[0], err, strings.TrimSpace(string(out)))
	}
}

// zebu makes the folders as of Zebu.
func (i *installer) zebu() {
	include := filepath.Join("src", "vm", "api")
	i.write(filepath.Join(include, "muapi.h"), i.api.Header(muapi.Zebu), 0o666)
	i.write(filepath.Join(include, "mu-fastimpl.h"), i.api.Start(muapi.Zebu), 0o666)
	i.write(filepath.Join(include, "mu-implfast.h"), "#include \"mu-fastimpl.h\"\n", 0o666)
	name := LibraryName("libmu")
	for _, build := range []string{"debug", "release"} {
		i.link(filepath.Join("target", build, name), filepath.Join("..", "..", Lib, name))
	}
	i.pkgConfig("libmu", include, Lib, "mu", muapi.Zebu)
}

// pkgConfig writes a file for pkg-config.
func (i *installer) pkgConfig(name, include, lib, library string, g muapi.Generation) {
	text := fmt.Sprintf("prefix=${pcfiledir}/../..\nincludedir=${prefix}/%s\nlibdir=${prefix}/%s\n\nName: %s\nDescription: Mu, generation %v of its C API\nVersion: 1\nCflags: -I${includedir}\nLibs: -L${libdir} -l%s -Wl,-rpath,${libdir}\n",
		filepath.ToSlash(include), filepath.ToSlash(lib), name, g, library)
	i.write(filepath.Join(Lib, "pkgconfig", name+".pc"), text, 0o666)
}

// Python is the folder of the package in Python.
const Python = "python"

// python copies the package in Python.
func (i *installer) python() {
	names, err := fs.Glob(python.Files, "mu/*")
	if err != nil && i.err == nil {
		i.err = err
	}
	for _, name := range names {
		text, err := python.Files.ReadFile(name)
		if err != nil && i.err == nil {
			i.err = err
		}
		i.write(filepath.Join(Python, filepath.FromSlash(name)), string(text), 0o666)
	}
}

func (i *installer) write(name, text string, mode os.FileMode) {
	if i.err != nil {
		return
	}
	name = filepath.Join(i.dir, name)
	if i.err = os.MkdirAll(filepath.Dir(name), 0o777); i.err == nil {
		i.err = os.WriteFile(name, []byte(text), mode)
	}
}

// copy copies an executable.
func (i *installer) copy(name, from string) {
	if i.err != nil {
		return
	}
	data, err := os.ReadFile(from)
	if err != nil {
		i.err = err
		return
	}
	os.Remove(filepath.Join(i.dir, name)) // a process may have it in use
	i.write(name, string(data), 0o777)
}

// link makes a symbolic link, or replaces one.
func (i *installer) link(name, to string) {
	if i.err != nil {
		return
	}
	name = filepath.Join(i.dir, name)
	if i.err = os.MkdirAll(filepath.Dir(name), 0o777); i.err != nil {
		return
	}
	if old, err := os.Readlink(name); err == nil && old == to {
		return
	} else if err == nil {
		os.Remove(name)
	}
	i.err = os.Symlink(to, name)
}
