package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/archive"
)

// deps holds the libraries that archives name.
type deps struct {
	found   []string // files
	missing []string // messages
}

// cLibrary matches the parts of the C library. Every program that needs C is linked with them anyway.
var cLibrary = regexp.MustCompile(`^lib(c|m|dl|pthread|rt|util)\.so(\.[0-9]+)*$`)

// find looks for the libraries of an archive: it takes paths as they are and looks for bare names where the dynamic linker does.
func (d *deps) find(a *archive.Archive) {
	var search *libSearch
	for _, name := range a.Libs {
		if filepath.Base(name) != name {
			if err := libraryFile(name); err != nil {
				d.missing = append(d.missing, fmt.Sprintf("%s: library %q: %v", a.Info, name, err))
			} else {
				d.found = append(d.found, name)
			}
			continue
		}
		if cLibrary.MatchString(name) {
			continue
		}
		if search == nil {
			search = newLibSearch()
		}
		if file := search.find(name); file != "" {
			d.found = append(d.found, file)
		} else {
			d.missing = append(d.missing, fmt.Sprintf("%s: library %q not found in %s", a.Info, name, search))
		}
	}
}

// libraryFile returns an error if a file is not a library, or if its name cannot be given to a linker.
func libraryFile(name string) error {
	st, err := os.Stat(name)
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a file", name)
	}
	if err != nil {
		return err
	}
	return linkableName(name)
}

// linkableName returns an error if the full name of a file has characters that mean something else where names of
// libraries go: in the settings of the go command, in #cgo directives, which are in a comment of Go, and in
// lists of options of a linker.
func linkableName(name string) error {
	abs, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if !utf8.ValidString(abs) {
		return fmt.Errorf("%q: a linker cannot be given this name, because it is not UTF-8; rename the file", abs)
	}
	for _, r := range filepath.ToSlash(abs) {
		if unicode.IsControl(r) || strings.ContainsRune("\"'`\\,;$*", r) {
			return fmt.Errorf("%q: a linker cannot be given this name, because it has %q; use a link with another name, or rename the file or folder", abs, r)
		}
	}
	return nil
}

// linked returns the libraries that a program is linked with: those of -lib and, if the program
// needs C at all, those of archives.
func (in *input) linked(p *transpile.Program) []string {
	if len(in.opt.Libs) == 0 && len(p.CSymbols()) == 0 {
		return nil
	}
	return slices.Concat(in.opt.Libs, in.deps.found)
}

// A libSearch finds shared libraries by name in the order of the dynamic linker.
type libSearch struct {
	dirs    []string
	machine elf.Machine // 0 where libraries are not ELF
	bits    elf.Class
	cc      string // the C compiler, which can tell where libraries for other machines are
}

// machines lists the ports with ELF files on which C libraries can be linked.
var machines = map[string]struct {
	machine elf.Machine
	class   elf.Class
}{
	"amd64": {elf.EM_X86_64, elf.ELFCLASS64}, "386": {elf.EM_386, elf.ELFCLASS32},
	"arm64": {elf.EM_AARCH64, elf.ELFCLASS64}, "arm": {elf.EM_ARM, elf.ELFCLASS32},
	"riscv64": {elf.EM_RISCV, elf.ELFCLASS64}, "s390x": {elf.EM_S390, elf.ELFCLASS64},
	"ppc64": {elf.EM_PPC64, elf.ELFCLASS64}, "ppc64le": {elf.EM_PPC64, elf.ELFCLASS64},
	"mips": {elf.EM_MIPS, elf.ELFCLASS32}, "mipsle": {elf.EM_MIPS, elf.ELFCLASS32},
	"mips64": {elf.EM_MIPS, elf.ELFCLASS64}, "mips64le": {elf.EM_MIPS, elf.ELFCLASS64},
	"loong64": {elf.EM_LOONGARCH, elf.ELFCLASS64},
}

// newLibSearch returns the search for the target system.
func newLibSearch() *libSearch {
	out, err := exec.Command("go", "env", "GOOS", "GOARCH", "CC").Output()
	env := strings.Split(string(out)+"\n\n\n", "\n")
	if err != nil { // without Go, programs can only run on this machine
		env = []string{runtime.GOOS, runtime.GOARCH, os.Getenv("CC")}
	}
	s := &libSearch{cc: env[2]}
	list := func(variable string) { s.dirs = append(s.dirs, filepath.SplitList(os.Getenv(variable))...) }
	switch env[0] {
	case "windows":
		list("PATH")
	case "darwin", "ios":
		list("DYLD_LIBRARY_PATH")
		s.dirs = append(s.dirs, "/usr/local/lib", "/usr/lib", "/opt/homebrew/lib")
	default:
		m := machines[env[1]]
		s.machine, s.bits = m.machine, m.class
		list("LD_LIBRARY_PATH")
		s.configured("/etc/ld.so.conf", 0)
		s.musl()
		s.dirs = append(s.dirs, "/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib")
	}
	return s
}

// configured adds the folders from a configuration file of the dynamic linker and from the files that it includes.
func (s *libSearch) configured(file string, depth int) {
	text, err := os.ReadFile(file)
	if err != nil || depth > 8 {
		return
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		include, ok := strings.CutPrefix(line, "include ")
		switch {
		case ok:
			pattern := strings.TrimSpace(include)
			if !filepath.IsAbs(pattern) {
				pattern = filepath.Join(filepath.Dir(file), pattern)
			}
			more, _ := filepath.Glob(pattern)
			for _, f := range more {
				s.configured(f, depth+1)
			}
		case filepath.IsAbs(line):
			s.dirs = append(s.dirs, line)
		}
	}
}

// musl adds the folders that musl's linker is configured for.
func (s *libSearch) musl() {
	files, _ := filepath.Glob("/etc/ld-musl-*.path")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		s.dirs = append(s.dirs, strings.FieldsFunc(string(text), func(r rune) bool { return r == ':' || r == '\n' })...)
	}
}

// find returns the file of a library, or "" if there is none.
func (s *libSearch) find(name string) string {
	for _, dir := range s.dirs {
		if file := filepath.Join(dir, name); dir != "" && s.fits(file) {
			return file
		}
	}
	if cc := strings.Fields(s.cc); len(cc) > 0 && s.machine != 0 {
		out, err := exec.Command(cc[0], append(cc[1:], "-print-file-name="+name)...).Output()
		if file := strings.TrimSpace(string(out)); err == nil && filepath.IsAbs(file) && s.fits(file) {
			return file
		}
	}
	return ""
}

// fits reports whether a file is a library for the target machine.
func (s *libSearch) fits(file string) bool {
	if libraryFile(file) != nil {
		return false
	}
	if s.machine == 0 {
		return true
	}
	f, err := elf.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Type == elf.ET_DYN && f.Machine == s.machine && f.Class == s.bits
}

// String returns the list of the folders.
func (s *libSearch) String() string { return strings.Join(s.dirs, string(filepath.ListSeparator)) }
