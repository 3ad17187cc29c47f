package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// natives adds the flags that say how native symbols are resolved.
func (in *input) natives() {
	fs := in.set
	fs.Var(&in.libs, "lib", "native library `FILE`, static or shared, in which symbols are looked up (repeatable)")
	fs.BoolVar(&in.opt.NativeC, "native-c", false, "call the C library even for functions that are implemented in Go")
	fs.Var(&in.goNatives, "natives", "comma-separated native `symbols` that your own Go code registers")
	fs.IntVar(&in.opt.Callbacks, "callbacks", 0, "number of functions of one C signature that can be exposed at the same time at run time (default 16384)")
}

// checkLibs reports libraries that do not exist.
func (e *env) checkLibs(libs []string) int {
	for _, l := range libs {
		if err := libraryFile(l); err != nil {
			return e.errorf("-lib: %v", err)
		}
	}
	return statusOK
}

// checkC reports what a program needs from C if cgo is not available. inC says that a part of it is in C, or that it is for C.
func (e *env) checkC(p *transpile.Program, libs []string, inC bool) int {
	syms := p.CSymbols()
	if len(syms) == 0 && len(libs) == 0 && !inC || cgoEnabled() {
		return statusOK
	}
	if _, err := exec.LookPath("go"); err != nil {
		return e.errorf("%s", e.environmentFault(err, "", ""))
	}
	const hint = "build with CGO_ENABLED=1 and a C compiler"
	for _, s := range syms {
		fmt.Fprintf(e.stderr, "%snative symbol %q is not available without cgo (%s)\n", at(s), diag.Short(s.Name), hint)
	}
	switch {
	case len(syms) > 0:
	case len(libs) == 0:
		fmt.Fprintf(e.stderr, "uvm2go: -c and -shared take cgo (%s)\n", hint)
	default:
		fmt.Fprintf(e.stderr, "uvm2go: -lib %s takes cgo (%s)\n", libs[0], hint)
	}
	return statusInput
}

func at(s transpile.Symbol) string {
	if s.Pos == "" {
		return ""
	}
	return s.Pos + ": "
}

// cgoEnabled reports whether go build will use cgo.
func cgoEnabled() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	return err == nil && strings.TrimSpace(string(out)) == "1"
}

// plainName matches names of libraries that cgo accepts in a directive. It accepts some others, too.
var plainName = regexp.MustCompile(`^/[\w./+-]+\.(a|dylib|so(\.[\w.]+)?)$`)

// directFlags returns #cgo directives that link a program built on this machine with libraries where they are, and whether
// cgo accepts their names. If not, linkEnv passes them. But a change of the environment makes the go command
// compile everything again that needs cgo, Go's own runtime included, and a directive only the generated code.
func directFlags(libs []string) (flags []string, ok bool) {
	for _, l := range libs {
		abs, err := filepath.Abs(l)
		if err != nil || !plainName.MatchString(abs) {
			return nil, false
		}
		flags = append(flags, libFlags("", []string{abs})...)
	}
	return flags, true
}

// linkEnv returns the setting of the environment variable that passes the libraries to
// the C linker. It includes the folders where a shared library is found when the program starts.
func linkEnv(libs []string) (string, error) {
	flags := []string{os.Getenv("CGO_LDFLAGS")}
	if flags[0] == "" {
		flags[0] = "-O2 -g" // the go command's default, which the variable replaces
	}
	for _, l := range libs {
		abs, err := filepath.Abs(l)
		if err != nil {
			return "", err
		}
		flags = append(flags, quoteFlag(abs))
		if filepath.Ext(abs) != ".a" {
			flags = append(flags, quoteFlag("-Wl,-rpath,"+filepath.Dir(abs)))
		}
	}
	return "CGO_LDFLAGS=" + strings.Join(flags, " "), nil
}

// quoteFlag quotes a flag with the name of a library in the way that the go command splits flags. linkableName has
// refused names with quotes.
func quoteFlag(s string) string {
	if strings.ContainsFunc(s, unicode.IsSpace) {
		return "'" + s + "'"
	}
	return s
}

// undefined matches linkers' messages about a symbol that is not defined anywhere.
var undefined = regexp.MustCompile("undefined reference to [`']([^`']+)'|undefined symbol: (\\S+)|\"_([^\"]+)\", referenced from")

// threadVar matches linkers' messages about a thread-local variable, such as errno.
var threadVar = regexp.MustCompile(`(\S+): TLS (?:definition|reference) in .* mismatches non-TLS`)

// linkErrors prints the symbols of the bundle that the linker did not find or that have no
// address, and the libraries that it rejected. It returns statusOK if there were none.
func (e *env) linkErrors(p *transpile.Program, libs []string, text string) int {
	missing := map[string]bool{}
	for _, m := range undefined.FindAllStringSubmatch(text, -1) {
		missing[m[1]+m[2]+m[3]] = true
	}
	threads := map[string]bool{}
	for _, m := range threadVar.FindAllStringSubmatch(text, -1) {
		threads[m[1]] = true
	}
	status := statusOK
	for _, s := range p.CSymbols() {
		if threads[s.Name] {
			fmt.Fprintf(e.stderr, "%snative symbol %q is a variable of each thread's own, without an address of its own; "+
				"call a function that gives it, as __errno_location does\n", at(s), diag.Short(s.Name))
			status = statusInput
		}
		if missing[s.Name] {
			fmt.Fprintf(e.stderr, "%snative symbol %q is neither in the C library nor in a library of -lib\n", at(s), diag.Short(s.Name))
			status = statusInput
		}
	}
	for _, l := range libs {
		if abs, err := filepath.Abs(l); err == nil {
			if why := complaint(text, abs); why != "" {
				fmt.Fprintf(e.stderr, "uvm2go: the linker does not take library %s: %s\n", l, why)
				status = statusUsage
			}
		}
	}
	return status
}

// complaint finds a linker's message about a file: FILE: REASON, FILE:LINE: REASON, or a reason
// before the name of the file.
func complaint(text, file string) string {
	for line := range strings.Lines(text) {
		if _, why, ok := strings.Cut(line, file+":"); ok {
			return strings.TrimSpace(why)
		}
		if _, why, ok := strings.Cut(line, "skipping incompatible "+file+" "); ok {
			return "it is for another machine, " + strings.TrimSpace(why)
		}
	}
	return ""
}

// libFiles are the native libraries of a generated module, and the #cgo directives that link them.
type libFiles struct {
	files []gogen.File
	flags []string
}

// readLibs reads libraries that are to be copied into the folder of a generated module.
func readLibs(libs []string) (libFiles, error) {
	if len(libs) == 0 {
		return libFiles{}, nil
	}
	var list libFiles
	from := map[string]string{}
	add := func(name, lib string) error {
		if other := from[name]; other != "" && other != lib {
			return fmt.Errorf("libraries %s and %s have the same name", other, lib)
		}
		from[name] = lib
		b, err := os.ReadFile(lib)
		list.files = append(list.files, gogen.File{Name: name, Data: b})
		return err
	}
	flags := "LDFLAGS:"
	shared := false
	for _, l := range libs {
		name := filepath.Base(l)
		if from[name] == l {
			continue // named twice
		}
		if err := add(name, l); err != nil {
			return libFiles{}, err
		}
		// The go command accepts library files with only these endings.
		if short, _, ok := strings.Cut(name, ".so."); ok {
			name = short + ".so"
			if err := add(name, l); err != nil {
				return libFiles{}, err
			}
		}
		flags += " " + quoteFlag("${SRCDIR}/"+transpile.LibDir+"/"+name)
		shared = shared || filepath.Ext(name) != ".a"
	}
	if shared {
		flags += " -Wl,-rpath,${SRCDIR}/" + transpile.LibDir
	}
	list.flags = []string{flags}
	return list, nil
}

// libFlags returns #cgo directives that refer to libraries in their own folders. They are for a single
// file out, which has no copies of the libraries in its folder.
func libFlags(out string, libs []string) []string {
	var flags []string
	for _, l := range libs {
		l = fromSource(out, l)
		text := "LDFLAGS: " + quoteFlag(l)
		if strings.Contains(path.Base(l), ".so.") { // cgo accepts no file with that ending
			text = "LDFLAGS: " + quoteFlag("-L"+path.Dir(l)) + " " + quoteFlag("-l:"+path.Base(l))
		}
		if path.Ext(l) != ".a" {
			text += " " + quoteFlag("-Wl,-rpath,"+path.Dir(l))
		}
		flags = append(flags, text)
	}
	return flags
}

// fromSource returns the name of a library for a #cgo directive in the file out. A relative name on the
// command line stays relative, so that it is the same on every machine.
func fromSource(out, lib string) string {
	if filepath.IsAbs(lib) {
		return filepath.ToSlash(lib)
	}
	dir := filepath.Dir(out)
	if out == "" || out == "-" {
		dir = "."
	}
	rel, err := filepath.Rel(dir, lib)
	if err != nil { // the folder is absolute
		if abs, e := filepath.Abs(lib); e == nil {
			rel, err = filepath.Rel(dir, abs)
			if err != nil {
				return filepath.ToSlash(abs)
			}
		}
	}
	return "${SRCDIR}/" + filepath.ToSlash(rel)
}
