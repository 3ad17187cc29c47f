package diag

import (
	"bytes"
	"sort"
	"strings"
)

// A naming is a comment
//
//	//name LOCAL NAME
//
// alone on a line: in the function that it stands in, what the text calls LOCAL from there on is called NAME in the author's
// own source. Both are one word. Other comments that begin like it are ordinary ones.
type naming struct {
	off         int
	local, name string
}

const namePrefix = "//name "

// Naming is such a comment, as a line.
func Naming(local, name string) string { return namePrefix + local + " " + name + "\n" }

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
		if w := strings.Fields(string(line[len(namePrefix):])); len(w) == 2 {
			list = append(list, naming{int(at), w[0], w[1]})
		}
	}
	return list
}

// Names reports whether a file of the set says what values are called in the author's own source.
func (s *Set) Names() bool {
	if s == nil {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, f := range s.files {
		if f.called != nil || f.named() {
			return true
		}
	}
	return false
}

func (f *File) named() bool {
	f.once.Do(f.index)
	return len(f.names) > 0
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
	case !f.named():
		return ""
	}
	f.bodies.Do(func() { f.starts = starts() })
	from := 0
	if i := sort.Search(len(f.starts), func(i int) bool { return f.starts[i] > pos.Off }); i > 0 {
		from = int(f.starts[i-1])
	}
	for i := sort.Search(len(f.names), func(i int) bool { return f.names[i].off > int(pos.Off) }) - 1; i >= 0 && f.names[i].off > from; i-- {
		if f.names[i].local == local {
			return f.names[i].name
		}
	}
	return ""
}
