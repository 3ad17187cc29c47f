package diag

import (
	"bytes"
	"sort"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A naming is a comment
//
//	//name LOCAL NAME
//
// alone on a line: in the function that it stands in, what the text calls LOCAL from there on is called NAME in the author's
// own source. Both are one word, and NAME is printable. Other comments that begin like it are ordinary ones.
type naming struct {
	off         int
	local, name string
}

const namePrefix = "//name "

// Namings writes such comments into the text of a function: for each LOCAL the last NAME.
type Namings map[string]string

// Before is what comes before a text that defines a value called name, with its end of line, if anything must. name is "" if
// the author's own source does not name it; plain is then its name, in place of that of another value.
func (n Namings) Before(local, name, plain string) string {
	if name == "" && n[local] != "" {
		name = plain
	}
	if name == "" || n[local] == name || len(strings.Fields(local)) != 1 {
		return ""
	}
	n[local] = name
	return namePrefix + local + " " + name + "\n"
}

// namings finds the comments in a file whose lines are known.
func (f *File) namings() (list []naming) {
	if !f.text || !bytes.Contains(f.content, []byte(namePrefix)) {
		return nil
	}
	for i, at := range f.lines {
		line := bytes.TrimLeft(f.line(i+1), " \t")
		if !bytes.HasPrefix(line, []byte(namePrefix)) {
			continue
		}
		// Names are shown on terminals.
		if w := strings.Fields(string(line[len(namePrefix):])); len(w) == 2 && lex.Visible(w[1]) == w[1] {
			list = append(list, naming{int(at), w[0], w[1]})
		}
	}
	return list
}

// A localIn is a name in the text of a function, which is the part from one of File.starts to the next.
type localIn struct {
	part  int
	local string
}

// partAt is the number of the part of a file in which a place is.
func (f *File) partAt(off int) int {
	return sort.Search(len(f.starts), func(i int) bool { return int(f.starts[i]) > off })
}

// Called is what the author's own source calls the value that the text calls local and that is made at pos; "" if it does not
// say. starts finds the places where functions begin in the file, in order; it is called once.
func (s *Set) Called(pos Pos, local string, starts func() []uint32) string {
	f := s.File(pos.File)
	switch {
	case f == nil || local == "":
		return ""
	case f.called != nil:
		return f.called(int(pos.Off), local)
	}
	f.once.Do(f.index)
	if len(f.names) == 0 {
		return ""
	}
	f.bodies.Do(func() {
		f.starts = starts()
		f.namesOf = map[localIn][]naming{}
		for _, n := range f.names {
			key := localIn{f.partAt(n.off), n.local}
			f.namesOf[key] = append(f.namesOf[key], n)
		}
	})
	list := f.namesOf[localIn{f.partAt(int(pos.Off)), local}]
	i := sort.Search(len(list), func(i int) bool { return list[i].off > int(pos.Off) })
	if i == 0 {
		return ""
	}
	return list[i-1].name
}
