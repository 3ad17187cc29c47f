package repl

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A kind of entry.
type kind int

const (
	definition kind = iota // one or several definitions, a bundle
	named                  // @name, alone or with arguments
	command                // :word
	unknown
)

// An entry is a unit of input that the session executes.
type entry struct {
	kind kind
	line int // of its first line, from 1
	text string
}

// splitter makes entries from lines. A definition ends before an empty line or the next entry if its brackets
// are closed; a definition that ends with the body of a function ends at the closing brace. A line that begins
// with a keyword of a definition or with a colon begins the next entry even if brackets are open, so that a
// superfluous bracket does not swallow all lines that follow.
//
// In other dialects than that of the prompt a definition ends before an empty line or a command.
type splitter struct {
	// isCall says, for another dialect than that of the prompt, whether a line is a name or a call; nil for that of the
	// prompt.
	isCall func(line string) bool

	line  int // number of lines seen
	from  int // line of the definition
	lines []string
	depth int  // number of open brackets
	body  bool // a brace has closed the body of a function, and nothing follows
	fn    bool // the newest keyword of a definition is .funcdef
}

// pending reports whether a definition has begun.
func (s *splitter) pending() bool { return len(s.lines) > 0 }

// add takes a line and returns the entries that it completes.
func (s *splitter) add(line string) []entry {
	s.line++
	var done []entry
	text := strings.TrimSpace(line)
	what := begins(text)
	if s.isCall != nil {
		what = s.beginsIn(text)
	}
	if s.pending() {
		closed := s.depth <= 0
		next := what == definition || what == command || closed && (what == named || text == "")
		if s.isCall != nil {
			next = what == command || text == ""
		}
		if next {
			done = s.end()
		} else {
			what = definition
		}
	}
	if text == "" && !s.pending() || strings.HasPrefix(text, "//") && !s.pending() {
		return done
	}
	if what != definition {
		return append(done, entry{what, s.line, text})
	}
	if !s.pending() {
		s.from = s.line
	}
	s.lines = append(s.lines, line)
	if s.isCall != nil {
		return done
	}
	s.scan(line)
	if s.body {
		done = append(done, s.end()...)
	}
	return done
}

// end returns the definition that has begun, complete or not.
func (s *splitter) end() []entry {
	if !s.pending() {
		return nil
	}
	e := entry{definition, s.from, strings.Join(s.lines, "\n")}
	*s = splitter{line: s.line, isCall: s.isCall}
	return []entry{e}
}

// drop forgets the definition that has begun. The line that was to continue it counts.
func (s *splitter) drop() { *s = splitter{line: s.line + 1, isCall: s.isCall} }

// begins returns the kind of the entry that a line begins, if it begins one.
func begins(text string) kind {
	letter := len(text) > 1 && (text[1]|0x20 >= 'a' && text[1]|0x20 <= 'z')
	switch {
	case letter && text[0] == '.':
		return definition
	case letter && text[0] == ':':
		return command
	case decl.IsGlobal(text):
		return named
	}
	return unknown
}

// beginsIn is begins for another dialect than that of the prompt.
func (s *splitter) beginsIn(text string) kind {
	switch {
	case begins(text) == command:
		return command
	case s.isCall(text):
		return named
	}
	return definition
}

var tokens = decl.NewDialect()

// scan counts the brackets of a line of a definition.
func (s *splitter) scan(line string) {
	sc := lex.NewScanner([]byte(line), tokens, false)
	for {
		switch t := sc.Next(); t.Kind {
		case lex.EOF:
			return
		case lex.Word:
			if w := line[t.Off:t.End]; w[0] == '.' {
				s.fn, s.body = w == ".funcdef", false
			}
		case '(', '{', '[', '<':
			s.depth++
		case ')', ']', '>':
			s.depth--
		case '}':
			s.depth--
			s.body = s.fn && s.depth <= 0
		}
	}
}
