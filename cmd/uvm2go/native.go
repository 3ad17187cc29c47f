package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
)

// natives adds the flags that say how native symbols are resolved.
func (in *input) natives() {
	fs := in.set
	fs.Var(&in.libs, "lib", "native library `FILE`, static or shared, to resolve symbols in (repeatable)")
	fs.BoolVar(&in.opt.NativeC, "native-c", false, "call the C library even for functions that Go serves as well")
	fs.Var(&in.goNatives, "natives", "comma-separated native `symbols` that Go code of yours registers")
	fs.IntVar(&in.opt.Callbacks, "callbacks", 0, "functions of one C signature that can be exposed at run time at once (default 16384)")
}

// checkLibs reports libraries that are not there.
func (e *env) checkLibs(libs []string) int {
	for _, l := range libs {
		st, err := os.Stat(l)
		if err == nil && !st.Mode().IsRegular() {
			err = fmt.Errorf("%s: not a file", l)
		}
		if err != nil {
			return e.errorf("-lib: %v", err)
		}
	}
	return statusOK
}

// checkC reports what a program needs of C where there is no cgo.
func (e *env) checkC(p *transpile.Program, libs []string) int {
	syms := p.CSymbols()
	if len(syms) == 0 && len(libs) == 0 || cgoEnabled() {
		return statusOK
	}
	const hint = "build with CGO_ENABLED=1 and a C compiler"
	for _, s := range syms {
		fmt.Fprintf(e.stderr, "%snative symbol %q is not available without cgo (%s)\n", at(s), s.Name, hint)
	}
	if len(syms) == 0 {
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

// linkEnv is the environment variable that gives the C linker the libraries. A
// shared one must be found again when the program starts.
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

// quoteFlag quotes as the go command splits.
func quoteFlag(s string) string {
	switch {
	case !strings.ContainsAny(s, " \t'\""):
		return s
	case !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	return `"` + s + `"`
}

// undefined matches what linkers say about a symbol that is nowhere.
var undefined = regexp.MustCompile("undefined reference to [`']([^`']+)'|undefined symbol: (\\S+)|\"_([^\"]+)\", referenced from")

// threadVar matches what they say about a variable that each OS thread has one of, such as errno.
var threadVar = regexp.MustCompile(`(\S+): TLS (?:definition|reference) in .* mismatches non-TLS`)

// linkErrors prints the symbols of the bundle that the linker did not find, or that have no
// address. It reports whether there were any.
func (e *env) linkErrors(p *transpile.Program, text string) bool {
	missing := map[string]bool{}
	for _, m := range undefined.FindAllStringSubmatch(text, -1) {
		missing[m[1]+m[2]+m[3]] = true
	}
	threads := map[string]bool{}
	for _, m := range threadVar.FindAllStringSubmatch(text, -1) {
		threads[m[1]] = true
	}
	found := false
	for _, s := range p.CSymbols() {
		if threads[s.Name] {
			fmt.Fprintf(e.stderr, "%snative symbol %q is a variable of each thread's own, without an address of its own; "+
				"call a function that gives it, as __errno_location does\n", at(s), s.Name)
			found = true
		}
		if missing[s.Name] {
			fmt.Fprintf(e.stderr, "%snative symbol %q is neither in the C library nor in a library of -lib\n", at(s), s.Name)
			found = true
		}
	}
	return found
}

// copyLibs puts the libraries beside a generated module and returns the #cgo
// directive that links them there.
func copyLibs(dir string, libs []string) ([]string, error) {
	if len(libs) == 0 {
		return nil, nil
	}
	sub := filepath.Join(dir, "lib")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		return nil, err
	}
	flags := "LDFLAGS:"
	shared := false
	for _, l := range libs {
		name := filepath.Base(l)
		if err := copyFile(filepath.Join(sub, name), l); err != nil {
			return nil, err
		}
		// The go command takes library files by these endings only.
		if short, _, ok := strings.Cut(name, ".so."); ok {
			name = short + ".so"
			if err := copyFile(filepath.Join(sub, name), l); err != nil {
				return nil, err
			}
		}
		flags += " ${SRCDIR}/lib/" + name
		shared = shared || filepath.Ext(name) != ".a"
	}
	if shared {
		flags += " -Wl,-rpath,${SRCDIR}/lib"
	}
	return []string{flags}, nil
}

// libFlags is the #cgo directive for libraries where they are, for a single file
// that has none beside it.
func libFlags(libs []string) []string {
	var flags []string
	for _, l := range libs {
		if !filepath.IsAbs(l) {
			l = "${SRCDIR}/" + filepath.ToSlash(l)
		}
		flags = append(flags, "LDFLAGS: "+quoteFlag(l))
	}
	return flags
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	return replaceFile(to, b)
}
