// Package repl is the prompt of uvm2go repl (docs/commands.md, "repl"): it reads definitions, calls and
// commands, executes them on the engine for live code, and prints the results.
//
// split.go splits the input into entries, dialect.go is about definitions in other dialects than Mu text, edit.go reads lines
// that a person edits at a terminal. Package rtlib/mu loads each definition as a separate bundle and calls functions; the
// runtime prints traps. There is only one session in a process, because there is only
// one VM. An error in an entry ends the entry, and an error in a thread ends the thread, but neither ends
// the session.
package repl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/dialect"
)

// A Source is a bundle that is loaded before the first entry.
type Source struct {
	Name string
	Text []byte
}

// Session holds the input and output of a session.
type Session struct {
	In        io.Reader
	Name      string // of In, in messages
	Out, Errs io.Writer
	Prompt    bool // a person types the input

	// Dialect is that of definitions, nil for that of the prompt: Mu text.
	Dialect *dialect.Dialect

	vm    *mu.VM
	ctx   *mu.Ctx
	split splitter
}

// Run loads the bundles and executes entries until the end of the input or :quit. loaded is false if a
// bundle has errors. Run has then printed them and read no input.
func (s *Session) Run(bundles []Source) (loaded bool, err error) {
	s.Errs = &shared{to: s.Errs}
	if s.vm, err = live.New(mu.Config{ThreadFailed: s.threadFailed}); err != nil {
		return false, err
	}
	s.ctx = s.vm.NewContext()
	defer s.end()
	for _, b := range bundles {
		if !s.load(b.Name, 1, string(b.Text)) {
			return false, nil
		}
	}
	return true, s.read()
}

// end ends the session as a program ends: the hooks of the bundles run.
func (s *Session) end() {
	if err := s.ctx.Close(); err != nil {
		fmt.Fprintln(s.Errs, "uvm:", message(err))
		return
	}
	if err := rtlib.Finish(); err != nil {
		fmt.Fprintln(s.Errs, "uvm:", message(err))
	}
}

// shared is a writer that failing threads use as well.
type shared struct {
	mu sync.Mutex
	to io.Writer // guarded by mu
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(b)
}

// read executes the entries.
func (s *Session) read() error {
	next := s.plainLines()
	if e := newEditor(s.In, s.Out, s.vm.Names); s.Prompt && e != nil {
		next = e.line
	}
	s.speak(s.Dialect)
	split := &s.split
	for {
		prompt := "> "
		if split.pending() {
			prompt = ". "
		}
		line, err := next(prompt)
		if err == errCanceled {
			split.drop()
			continue
		}
		var entries []entry
		if line != "" || err == nil {
			entries = split.add(line)
		}
		if err != nil {
			entries = append(entries, split.end()...)
		}
		for _, e := range entries {
			if !s.do(e) {
				return nil
			}
		}
		if err == io.EOF {
			if s.Prompt {
				io.WriteString(s.Out, "\n")
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// plainLines returns a function that reads a line as it is.
func (s *Session) plainLines() func(prompt string) (string, error) {
	in := bufio.NewReader(s.In)
	return func(prompt string) (string, error) {
		if s.Prompt {
			io.WriteString(s.Out, prompt)
		}
		line, err := in.ReadString('\n')
		return strings.TrimRight(line, "\r\n"), err
	}
}

// do executes an entry; it returns false if the entry ends the session. Handles made in the context are deleted afterwards.
func (s *Session) do(e entry) bool {
	scope := s.ctx.OpenScope()
	defer scope.Close()
	switch e.kind {
	case definition:
		s.load(s.textName(), e.line, e.text)
	case named:
		name, args, given := s.cutCall(e.text)
		if given {
			s.call(e.line, name, args)
		} else {
			s.show(e.line, name)
		}
	case command:
		return s.command(e)
	default:
		s.fault(e.line, "want a definition, @name, @name(ARGUMENTS) or a command (:help lists them)")
	}
	return true
}

// fault prints an error in an entry.
func (s *Session) fault(line int, format string, args ...any) {
	fmt.Fprintf(s.Errs, "%s:%d: %s\n", s.Name, line, fmt.Sprintf(format, args...))
}

// load loads a text that begins at a line of a file, and reports whether it succeeded.
func (s *Session) load(name string, line int, text string) bool {
	// Because of the empty lines, positions, also those in traces, are positions in the file.
	ended := s.interruptible()
	err := s.ctx.LoadBundleNamed(name, strings.Repeat("\n", line-1)+text)
	ended()
	if err == nil {
		return true
	}
	msg := message(err)
	msg = strings.TrimPrefix(strings.TrimPrefix(msg, "load_bundle: "), "load_hail: ")
	if name == s.textName() {
		msg, name = strings.ReplaceAll(msg, name+":", s.Name+":"), s.Name
	}
	for m := range strings.SplitSeq(msg, "\n\t") {
		if !strings.HasPrefix(m, name+":") && !strings.HasPrefix(m, name+"!") {
			m = fmt.Sprintf("%s:%d: %s", name, line, m)
		}
		fmt.Fprintln(s.Errs, m)
	}
	return false
}

// message returns the text of an error without its code.
func message(err error) string {
	var e *mu.Error
	if errors.As(err, &e) {
		return e.Msg
	}
	return err.Error()
}

// cutCall splits @name, @name(ARGUMENTS) or @name ARGUMENT... into its parts. ARGUMENTS are separated by commas.
func cutCall(text string) (name, args string, given bool) {
	text, _, _ = strings.Cut(text, "//")
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, "( \t")
	if i < 0 {
		return text, "", false
	}
	name, args = text[:i], strings.TrimSpace(text[i:])
	if strings.HasPrefix(args, "(") && strings.HasSuffix(args, ")") {
		return name, args[1 : len(args)-1], true
	}
	return name, strings.Join(words(args), ","), true
}

// words splits a text at white space and commas outside of brackets.
func words(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(c rune) bool {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		return depth == 0 && strings.ContainsRune(" \t,", c)
	})
}

// call calls a function and prints its results.
func (s *Session) call(line int, name, text string) {
	f, err := s.ctx.FuncNamed(name)
	if err != nil {
		if ent, e := s.lookup(name); e == nil {
			s.fault(line, "%s is a %s, not a function", name, ent.Kind)
			return
		}
		s.fault(line, "%s", message(err))
		return
	}
	vals, err := s.ctx.Literals(f, text)
	if err != nil {
		s.fault(line, "%s", message(err))
		return
	}
	args := make([]any, len(vals))
	for i, v := range vals {
		args[i] = v
	}
	ended := s.interruptible()
	results, err := s.ctx.Call(f, args...)
	ended()
	if err != nil {
		s.failed(line, err)
		return
	}
	for _, v := range results {
		fmt.Fprintln(s.Out, v)
	}
}

// interruptible lets Ctrl-C end the call that is about to run, or the hooks of what is loaded, if a person types the input, until ended is called. The
// call may be in C, where nothing can end it; another Ctrl-C ends the process.
func (s *Session) interruptible() (ended func()) {
	if !s.Prompt {
		return func() {}
	}
	signals, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
		case <-over:
			return
		}
		for s.ctx.Interrupt(); ; s.ctx.Interrupt() { // again, because the call may not have begun
			select {
			case <-time.After(10 * time.Millisecond):
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(over)
	}
}

// failed prints the error of a call, with the trace if there is one.
func (s *Session) failed(line int, err error) {
	if !s.traced(err) {
		s.fault(line, "%s", message(err))
	}
}

// threadFailed prints the error that ended a thread.
func (s *Session) threadFailed(err error) {
	if !s.traced(err) {
		fmt.Fprintf(s.Errs, "uvm: %s\n", message(err))
	}
}

// traced prints an error that has a trace.
func (s *Session) traced(err error) bool {
	var e interface{ Report() string }
	if errors.As(err, &e) {
		fmt.Fprintf(s.Errs, "uvm: %s", e.Report())
	}
	return e != nil
}

// lookup returns the entity with a name.
func (s *Session) lookup(name string) (mu.Entity, error) {
	id, err := s.vm.ID(name)
	if err != nil {
		return mu.Entity{}, err
	}
	return s.vm.Lookup(id)
}

// show prints the kind, type and value of a name.
func (s *Session) show(line int, name string) {
	e, err := s.lookup(name)
	if err != nil {
		s.fault(line, "%s", message(err))
		return
	}
	text := fmt.Sprintf("%s: %s", name, e.Kind)
	var v mu.Value
	switch e.Kind {
	case mu.KindInternal:
	case mu.KindConst:
		text += " " + e.Type.String()
		v, err = s.ctx.ConstNamed(name)
	case mu.KindGlobal:
		text += " " + e.Type.String()
		var at mu.IRef
		if at, err = s.ctx.GlobalNamed(name); err == nil {
			v, err = s.ctx.Load(mu.NotAtomic, at)
		}
	default:
		text += " " + e.Type.Structure()
	}
	if v != nil && err == nil {
		text += fmt.Sprintf(" = %s", v)
	}
	fmt.Fprintln(s.Out, text)
}

// help is the text that :help prints.
const help = `.typedef, .funcsig, .const, .global, .funcdecl, .funcdef, .expose
                   define; an empty line ends a definition, and the closing
                   brace a .funcdef
@name(1, 2.5)      call a function and print its results; or: @name 1 2.5
@name              show kind, type and value
:names [PREFIX]    list the names that begin so
:type @name        spell out a type, or the type of something
:load FILE         load a bundle
:dialect [NAME]    take definitions in another dialect, each of which ends
                   before an empty line; or show which that is
:gc                collect garbage
:help              show this
:quit              end, as does the end of the input
`

// command executes a command; it returns false if the command ends the session.
func (s *Session) command(e entry) bool {
	word, arg, _ := strings.Cut(e.text, " ")
	arg = strings.TrimSpace(arg)
	switch word {
	case ":help":
		io.WriteString(s.Out, help)
	case ":names":
		for _, n := range s.vm.Names(arg) {
			fmt.Fprintln(s.Out, n)
		}
	case ":type":
		s.showType(e.line, arg)
	case ":load":
		text, err := os.ReadFile(arg)
		if err != nil {
			s.fault(e.line, "%v", err)
			break
		}
		s.load(arg, 1, string(text))
	case ":dialect":
		s.choose(e.line, arg)
	case ":gc":
		if err := s.ctx.Collect(); err != nil {
			s.failed(e.line, err)
		}
	case ":quit":
		return false
	default:
		s.fault(e.line, "unknown command %s%s (:help lists them)", word, lex.DidYouMean(word, commands))
	}
	return true
}

// showType prints the type of a name; for values and cells, also the name of the type.
func (s *Session) showType(line int, name string) {
	e, err := s.lookup(name)
	switch {
	case err != nil:
		s.fault(line, "%s", message(err))
	case e.Kind == mu.KindInternal:
		s.fault(line, "%s is %s and has no type here", name, e.Kind)
	case (e.Kind == mu.KindConst || e.Kind == mu.KindGlobal) && e.Type.String() != e.Type.Structure():
		fmt.Fprintf(s.Out, "%s = %s\n", e.Type, e.Type.Structure())
	default:
		fmt.Fprintln(s.Out, e.Type.Structure())
	}
}
