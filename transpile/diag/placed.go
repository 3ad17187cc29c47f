package diag

import (
	"path/filepath"
	"strings"
)

// Placed writes the directives of a text that is made from files of a set, so that the places in the authors' own files
// are read back from it. A nil Placed writes none.
type Placed struct {
	set   *Set
	names map[string]string // of files, in the text
	last  Position          // of the last directive
}

// NewPlaced begins a text. It returns nil if no file of the set says what the author's own file is.
func NewPlaced(set *Set) *Placed {
	if set == nil || !set.HasAuthor() {
		return nil
	}
	return &Placed{set: set, names: map[string]string{}}
}

// HasAuthor reports whether a file of the set says what the author's own file is: it has directives, or was made with
// positions.
func (s *Set) HasAuthor() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, f := range s.files {
		if s.Places != Bundle && (f.places != nil || f.HasDirectives()) {
			return true
		}
	}
	return false
}

// Line returns the directive for a line of the text in which something from pos comes after lead bytes, not counting
// white space at the beginning of the line. indent is the usual white space there, and the result how much it must be
// instead. ok is false if the line cannot say its column: the thing must then begin a line. Places that are not
// the author's have no columns, and unknown ones count as the place before.
func (d *Placed) Line(pos Pos, lead, indent int) (directive string, space int, ok bool) {
	if d == nil {
		return "", indent, true
	}
	p := d.place(pos)
	if !p.IsValid() {
		if !d.last.IsValid() {
			return "", indent, true
		}
		p = d.last
		p.Col = 0
	}
	space = indent
	switch {
	case p.Col < 1:
	case p.Col <= lead:
		return "", indent, false
	default:
		space = min(indent, p.Col-1-lead)
		p.Col -= lead + space
	}
	return d.directive(p), space, true
}

// place is the place of pos, with the name that the file has in the text.
func (d *Placed) place(pos Pos) Position {
	p := d.set.Traced(pos)
	if p.IsValid() {
		p.File = d.named(p.File)
	}
	return p
}

// named is the name of a file in the text.
func (d *Placed) named(file string) string {
	name, ok := d.names[file]
	if !ok {
		name = d.set.named(file)
		d.names[file] = name
	}
	return name
}

// Rough is Line for a line that cannot say the column.
func (d *Placed) Rough(pos Pos) string {
	p := d.place(pos)
	p.Col = 0
	return d.directive(p)
}

func (d *Placed) directive(p Position) string {
	text := string(AppendDirective(nil, p, d.last.File))
	d.last = p
	return text
}

// Text puts directives in front of a line, with its end, in which something from pos comes after lead bytes. If its
// column wants it, or lead bytes are more than a line, the thing begins a line.
func (d *Placed) Text(pos Pos, lead, indent int, line string) string {
	if d == nil {
		return line
	}
	before := ""
	if strings.Contains(line[:lead], "\n") {
		before, line, lead = line[:lead]+"\n", line[lead:], 0
	}
	directive, space, ok := d.Line(pos, lead, indent)
	if !ok {
		before, line = line[:lead]+"\n", line[lead:]
		directive, space, _ = d.Line(pos, 0, indent)
	}
	if directive == "" {
		return before + line
	}
	return before + directive + strings.Repeat(" ", space) + line
}

// named is the name of a file in a text that is in Folder.
func (s *Set) named(file string) string {
	if s.Folder == "" || filepath.IsAbs(file) {
		return file
	}
	from, err := filepath.Abs(s.Folder)
	if err != nil {
		return file
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to)
	}
	return filepath.ToSlash(rel)
}

// Moved returns a text in which every line that begins with //line is a directive or a comment, for another folder:
// relative names of files in it are relative to that.
func Moved(name string, text []byte, folder string) []byte {
	s := NewSet()
	s.Folder = folder
	f, err := s.Add(name, text)
	if err != nil || !f.HasDirectives() {
		return text
	}
	placed := NewPlaced(s)
	var out []byte
	done := 0
	for _, d := range f.marks {
		at := int(f.lines[d.next-2])
		line := string(f.line(d.next - 1))
		rest, _ := trailingNumber(line)
		if d.exact {
			rest, _ = trailingNumber(rest)
		}
		if file := strings.TrimPrefix(rest, linePrefix); file == "" || filepath.IsAbs(file) {
			continue
		}
		out = append(append(out, text[done:at]...), linePrefix+placed.named(d.file)...)
		done = at + len(rest)
	}
	return append(out, text[done:]...)
}
