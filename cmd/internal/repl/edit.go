package repl

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// errCanceled is the error of a line that was dropped with Ctrl-C.
var errCanceled = errors.New("canceled")

// editor reads lines that a person edits at a terminal: with cursor keys, a history, and names completed by Tab.
type editor struct {
	term *term.Terminal
	keys *keys
	raw  func() (restore func(), err error) // has the terminal pass each key on
}

// newEditor returns an editor if both files are terminals that can be edited at, and otherwise nil. names returns the
// names that begin with a prefix.
func newEditor(in io.Reader, out io.Writer, names func(prefix string) []string) *editor {
	from, ok := in.(*os.File)
	to, isFile := out.(*os.File)
	if !ok || !isFile || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(from.Fd())) || !term.IsTerminal(int(to.Fd())) {
		return nil
	}
	e := editorOf(from, to, names)
	e.raw = func() (func(), error) {
		state, err := term.MakeRaw(int(from.Fd()))
		if err != nil {
			return nil, err
		}
		if width, height, err := term.GetSize(int(to.Fd())); err == nil && width > 0 && height > 0 {
			e.term.SetSize(width, height)
		}
		return func() { term.Restore(int(from.Fd()), state) }, nil
	}
	return e
}

// editorOf returns an editor of a terminal that passes each key on.
func editorOf(in io.Reader, out io.Writer, names func(prefix string) []string) *editor {
	e := &editor{keys: &keys{from: in}, raw: func() (func(), error) { return func() {}, nil }}
	e.term = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{e.keys, out}, "")
	e.term.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		start := wordStart(line[:pos])
		word, found := complete(line[start:pos], names)
		if word == line[start:pos] && len(found) > 1 {
			e.term.Write([]byte(strings.Join(found, "  ") + "\n"))
		}
		return line[:start] + word + line[pos:], start + len(word), true
	}
	return e
}

// line reads a line. The terminal is as it was before while entries are executed, which may read and write there.
func (e *editor) line(prompt string) (string, error) {
	restore, err := e.raw()
	if err != nil {
		return "", err
	}
	defer restore()
	e.term.SetPrompt(prompt)
	text, err := e.term.ReadLine()
	if e.keys.canceled {
		e.keys.canceled = false
		return "", errCanceled
	}
	return text, err
}

// keys passes on what a person types, one line at a time. Ctrl-C, which package term takes for the end of the input,
// empties the line and ends it.
type keys struct {
	from     io.Reader
	chunks   []chunk
	canceled bool // the last line was
}

// chunk is input up to the end of a line, or all there is.
type chunk struct {
	text     []byte
	canceled bool // by Ctrl-C at its end
}

const (
	ctrlC = 0x03
	// Ctrl-E goes to the end of a line, Ctrl-U removes what is before the cursor.
	emptied = "\x05\x15\r"
)

func (k *keys) Read(p []byte) (int, error) {
	for len(k.chunks) == 0 {
		var buf [256]byte
		n, err := k.from.Read(buf[:])
		k.add(buf[:n])
		if n == 0 && err != nil {
			return 0, err
		}
	}
	c := &k.chunks[0]
	n := copy(p, c.text)
	if c.text = c.text[n:]; len(c.text) == 0 {
		k.canceled = c.canceled
		k.chunks = k.chunks[1:]
	}
	return n, nil
}

// add makes chunks.
func (k *keys) add(typed []byte) {
	for len(typed) > 0 {
		i := slices.IndexFunc(typed, func(b byte) bool { return b == '\r' || b == ctrlC })
		switch {
		case i < 0:
			k.chunks = append(k.chunks, chunk{text: slices.Clone(typed)})
			return
		case typed[i] == ctrlC:
			k.chunks = append(k.chunks, chunk{append(slices.Clone(typed[:i]), emptied...), true})
		default:
			k.chunks = append(k.chunks, chunk{text: slices.Clone(typed[:i+1])})
		}
		typed = typed[i+1:]
	}
}

// wordStart returns where the last word of a text starts.
func wordStart(text string) int {
	return 1 + strings.LastIndexAny(text, " \t()[]{}<>,")
}

// commands are those of Session.command, and keywords those of definitions.
var (
	commands = []string{":gc", ":help", ":load", ":names", ":quit", ":type"}
	keywords = []string{".const", ".expose", ".funcdecl", ".funcdef", ".funcsig", ".global", ".typedef"}
)

// complete returns a word with all that those that begin with it have in common, and these words.
func complete(word string, names func(prefix string) []string) (string, []string) {
	var found []string
	switch {
	case strings.HasPrefix(word, ":"):
		found = withPrefix(commands, word)
	case strings.HasPrefix(word, "."):
		found = withPrefix(keywords, word)
	case word != "":
		found = names(word)
	}
	if len(found) == 0 {
		return word, nil
	}
	common := found[0]
	for _, f := range found {
		for !strings.HasPrefix(f, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return common, found
}

func withPrefix(words []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, prefix) })
}
