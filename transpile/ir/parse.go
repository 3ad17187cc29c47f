package ir

import (
	"math"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Parse reads the text form that Print writes; see there. It adds the text to
// files under the given name; positions in the program are positions in this file.
// Errors in all lines are returned as one *diag.List. A program that Parse accepts
// need not be correct: package verify checks that.
//
// Order of work:
//
//  1. The text is split into lines of tokens.
//  2. Definitions are entered, without looking into them.
//  3. Lines of types become one graph, which is made canonical.
//  4. Types of cells, functions and constants, then values of constants.
//  5. Versions: blocks and parameters first, then instructions. The image.
func Parse(files *diag.Set, name string, src []byte) (*Program, error) {
	if files == nil {
		files = diag.NewSet()
	}
	f, err := files.Add(name, src)
	if err != nil {
		return nil, err
	}
	return ParseFile(files, f)
}

// ParseFile is Parse of a file that is in the set.
func ParseFile(files *diag.Set, f *diag.File) (*Program, error) {
	r := &reader{
		prog: NewProgram(), file: f, diags: diag.NewList(files),
		types: map[string]TypeID{}, operands: map[string]*Const{}, literals: map[literalKey]*Const{},
	}
	r.prog.Files = files
	r.prog.TypePos = map[TypeID]diag.Pos{}
	r.t = r.prog.Types
	r.program(splitLines(string(f.Content())))
	return r.prog, r.diags.Err()
}

// A reader is the state of one Parse.
type reader struct {
	prog  *Program
	t     *Types
	file  *diag.File
	diags *diag.List

	types    map[string]TypeID // by name with '@' or label with '#'; Raw numbers while the graph is made
	nodes    []Node            // of the graph, while it is made
	nodePos  []diag.Pos        // their positions
	graph    bool
	operands map[string]*Const // named constants, cells, functions and exposed functions, as operands
	literals map[literalKey]*Const

	line []token // what is left of the line being read
	end  int     // offset of its end
	bad  bool    // it has an error
	deep int
}

// DefaultMain is the main function of a text that names none.
const DefaultMain = "@main"

func (r *reader) program(lines []line) {
	r.declare(lines)
	r.defineTypes(lines)
	r.defineVars(lines)
	for i := 0; i < len(lines); i++ {
		switch lines[i].word() {
		case "version":
			n := i + 1
			for n < len(lines) && !lines[n].is("}") {
				n++
			}
			r.version(lines[i], lines[i+1:n])
			if i = n; n == len(lines) {
				r.errorf(len(r.file.Content()), "version without }")
			}
		case "image":
			r.start(lines[i])
			r.expect("image")
			r.done()
			if r.prog.Image == nil {
				r.prog.Image = &Image{}
			}
		case "object", "init":
			r.start(lines[i])
			if r.prog.Image == nil {
				r.prog.Image = &Image{}
			}
			r.imageLine()
			r.done()
		case "hook":
			r.start(lines[i])
			r.hook()
			r.done()
		case "main":
			r.start(lines[i])
			r.expect("main")
			if r.prog.Main != nil {
				r.fail("a program has one main function")
			}
			r.prog.Main = r.function()
			r.done()
		case "program", "word", "later", "type", "const", "global", "func", "expose":
		default:
			r.start(lines[i])
			r.fail("unexpected %s", r.shown())
		}
	}
	if r.prog.Main == nil {
		r.prog.Main, _ = r.prog.Find(DefaultMain).(*Function)
	}
}

// errorf reports an error at an offset.
func (r *reader) errorf(off int, format string, args ...any) {
	r.diags.Errorf(r.file.Pos(off), format, args...)
}

// start begins to read a line.
func (r *reader) start(l line) { r.line, r.end, r.bad, r.deep = l.toks, l.end, false, 0 }

// fail reports the first error of a line and skips the rest.
func (r *reader) fail(format string, args ...any) {
	if !r.bad {
		r.errorf(r.off(), format, args...)
	}
	r.bad, r.line = true, nil
}

func (r *reader) off() int {
	if len(r.line) > 0 {
		return r.line[0].off
	}
	return r.end
}

func (r *reader) pos() diag.Pos { return r.file.Pos(r.off()) }

func (r *reader) shown() string {
	if len(r.line) == 0 {
		return "end of line"
	}
	return r.line[0].text
}

// peek reports whether the next token is s.
func (r *reader) peek(s string) bool { return len(r.line) > 0 && r.line[0].text == s }

// accept takes the next token if it is s.
func (r *reader) accept(s string) bool {
	if r.peek(s) {
		r.line = r.line[1:]
		return true
	}
	return false
}

func (r *reader) expect(s string) {
	if !r.accept(s) {
		r.fail("want %s, got %s", s, r.shown())
	}
}

// done expects the end of the line, and reports whether the line has no error.
func (r *reader) done() bool {
	if len(r.line) > 0 {
		r.fail("want end of line, got %s", r.shown())
	}
	return !r.bad
}

// kind takes the next token, which must begin with sigil, 0 for numbers and words. what
// names the token in the error.
func (r *reader) kind(sigil byte, what string) string {
	if len(r.line) == 0 || r.line[0].sigil != sigil {
		r.fail("want %s, got %s", what, r.shown())
		return ""
	}
	s := r.line[0].text
	r.line = r.line[1:]
	return s
}

func (r *reader) word(what string) string { return r.kind(0, what) }

// name takes a global name.
func (r *reader) name() string {
	s := r.kind('@', "a name with @")
	if strings.HasPrefix(s, `@"`) {
		u, err := strconv.Unquote(s[1:])
		if err != nil {
			r.fail("bad name %s", s)
		}
		return u
	}
	return s
}

func (r *reader) number(what string) uint64 {
	s := r.word(what)
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil && !r.bad {
		r.fail("bad %s %s", what, s)
	}
	return n
}

// id takes an entity id, if there is one.
func (r *reader) id() (id uint32, ok bool) {
	if !r.accept("!") {
		return 0, false
	}
	n := r.number("entity id")
	if n > math.MaxUint32 {
		r.fail("bad entity id %d", n)
	}
	return uint32(n), true
}
