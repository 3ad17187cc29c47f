package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/uvm2go/uvm2go/transpile"
)

// Scripts are read, not run: a port runs the programs that their commands would run here, with the
// same flags, variables, arguments and input. Whether the behaviour is right is checked by the scripts
// themselves, which run on this machine.

// scripts returns the runs of programs in the scripts of a module; left counts those that are not tried,
// by reason. Runs that differ only in passes or the use of the interpreter are listed once.
func scripts(root string) (list []job, left map[string]int, err error) {
	paths, err := filepath.Glob(filepath.Join(root, "testscripts", "*.txtar"))
	if err != nil {
		return nil, nil, err
	}
	left = map[string]int{}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			return nil, nil, err
		}
		s := &script{files: map[string][]byte{}, vars: map[string]string{}, built: map[string]program{}, seen: map[string]bool{}, left: left}
		s.vars["UVM2GO_TESTDATA"] = filepath.Join(root, "cmd", "uvm2go", "testdata")
		s.vars["UVM2GO_EXAMPLES"] = filepath.Join(root, "examples")
		s.name = strings.TrimSuffix(filepath.Base(path), ".txtar")
		for _, f := range a.Files {
			s.files[f.Name] = f.Data
		}
		for line := range strings.Lines(string(a.Comment)) {
			s.line(line)
		}
		list = append(list, s.jobs...)
	}
	return list, left, nil
}

// A script is the state of a script while its lines are read.
type script struct {
	name   string
	files  map[string][]byte
	vars   map[string]string
	folder string             // in which commands run
	stdin  []byte             // for the next command
	built  map[string]program // by the names of executables
	seen   map[string]bool    // runs
	jobs   []job
	left   map[string]int
}

// line reads a line of a script.
func (s *script) line(text string) {
	words := s.words(text)
	for len(words) > 0 && strings.HasPrefix(words[0], "[") {
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "!" {
		words = words[1:]
	}
	if len(words) < 2 {
		return
	}
	switch words[0] {
	case "env":
		for _, w := range words[1:] {
			k, v, _ := strings.Cut(w, "=")
			s.vars[k] = v
		}
	case "cd":
		s.folder = path.Join(s.folder, words[1])
	case "stdin":
		s.stdin = s.files[path.Join(s.folder, words[1])]
	case "exec":
		s.exec(words[1:])
	case "status":
		s.exec(words[2:])
	}
}

// words splits a line into words like testscript: quoted text is taken literally, variables are
// replaced in the rest.
func (s *script) words(text string) (words []string) {
	var word strings.Builder
	begun, quoted := false, false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' && quoted && strings.HasPrefix(text[i+1:], "'"):
			word.WriteByte(c)
			i++
		case c == '\'':
			quoted, begun = !quoted, true
		case quoted:
			word.WriteByte(c)
		case c == '#' && !begun:
			end()
			return words
		case strings.IndexByte(" \t\r\n", c) >= 0:
			end()
		case c == '$':
			n := 1
			for i+n < len(text) && (text[i+n] == '_' || '0' <= text[i+n] && text[i+n] <= '9' || 'A' <= text[i+n]&^0x20 && text[i+n]&^0x20 <= 'Z') {
				n++
			}
			word.WriteString(s.vars[text[i+1:i+n]])
			begun = true
			i += n - 1
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	end()
	return words
}

// exec reads a command.
func (s *script) exec(words []string) {
	stdin := s.stdin
	s.stdin = nil
	if len(words) == 0 {
		return
	}
	switch name, ok := strings.CutPrefix(words[0], "./"); {
	case ok:
		if p, ok := s.built[path.Join(s.folder, name)]; ok {
			s.add(p, words[1:], nil, stdin)
		}
	case words[0] == "uvm2go" && len(words) > 1 && (words[1] == "run" || words[1] == "build"):
		var args []string
		if i := slices.Index(words, "--"); i >= 0 {
			words, args = words[:i], words[i+1:]
		}
		p, out, env, err := s.program(words[2:])
		switch {
		case errors.Is(err, errNoRun):
		case err != nil:
			s.left[err.Error()]++
		case words[1] == "build":
			s.built[path.Join(s.folder, out)] = p
		default:
			s.add(p, args, env, stdin)
		}
	}
}

// errNoRun means that a command tests wrong usage.
var errNoRun = errors.New("nothing to run")

// program reads the flags and files of a command. out is the file that it makes, env the variables that
// it sets for the program.
func (s *script) program(words []string) (p program, out string, env []string, err error) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	p.opt = transpile.Options{Optimize: 1, Lines: true}
	var hail, later []string
	for _, name := range []string{"interp", "O0", "O1", "verify"} {
		fs.Bool(name, false, "")
	}
	many := func(to *[]string) func(string) error {
		return func(v string) error { *to = append(*to, v); return nil }
	}
	trap, call, args := fs.String("trap", "", ""), fs.String("call", "", ""), fs.String("args", "", "")
	fs.StringVar(&p.opt.Entry, "entry", "", "")
	fs.StringVar(&p.opt.Dialect, "dialect", "", "")
	fs.BoolVar(&p.opt.Sanitize, "sanitize", false, "")
	fs.StringVar(&out, "o", "", "")
	fs.Int64("seed", 0, "")
	fs.Func("hail", "", many(&hail))
	fs.Func("later", "", many(&later))
	if err := fs.Parse(words); err != nil {
		return p, "", nil, errors.New("has flags that are about the command or C")
	}
	if *call != "" {
		p.opt.Call = *call
		if *args != "" {
			p.opt.CallArgs = strings.Split(*args, ",")
		}
	}
	if *trap != "" {
		env = append(env, "UVM_TRAP="+*trap)
	}
	for _, group := range []struct {
		names []string
		to    *[]transpile.Source
	}{{fs.Args(), &p.files}, {hail, &p.opt.Images}, {later, &p.opt.Later}} {
		for _, name := range group.names {
			text, ok := s.files[path.Join(s.folder, name)]
			if !ok {
				var err error
				if text, err = os.ReadFile(name); err != nil || !filepath.IsAbs(name) {
					return p, "", nil, errors.New("has files that the script makes")
				}
				name = filepath.Base(name)
			}
			*group.to = append(*group.to, transpile.Source{Name: name, Text: text})
		}
	}
	if len(p.files) == 0 {
		return p, "", nil, errNoRun
	}
	return p, out, env, nil
}

// add adds a run, with the variables that the script sets for programs.
func (s *script) add(p program, args, env []string, stdin []byte) {
	for _, k := range slices.Sorted(maps.Keys(s.vars)) {
		if v := s.vars[k]; v != "" && (strings.HasPrefix(k, "UVM_") || k == "UVMDEBUG" || k == "VALUE" || strings.HasSuffix(k, "NATIVE_TEST")) {
			env = append(env, k+"="+v)
		}
	}
	key := fmt.Sprintf("%s %q %q %q", p.key(), args, env, stdin)
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	name := s.name
	if len(s.jobs) > 0 {
		name += fmt.Sprint(" ", len(s.jobs)+1)
	}
	s.jobs = append(s.jobs, job{name: name, prog: p, args: args, env: env, stdin: stdin})
}
