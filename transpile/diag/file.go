package diag

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A FileID is the number of a file in a Set, from 1. 0 means no file.
type FileID uint32

// A Pos is a place in a file of a Set: eight bytes, comparable, without
// pointers. The zero Pos means that the place is not known.
type Pos struct {
	File FileID
	Off  uint32 // byte offset from 0
}

// IsValid reports whether p is a known place.
func (p Pos) IsValid() bool { return p.File != 0 }

// Compare orders positions by file, then by offset; unknown places come first.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.File < q.File:
		return -1
	case p.File > q.File:
		return 1
	case p.Off < q.Off:
		return -1
	case p.Off > q.Off:
		return 1
	}
	return 0
}

// A Position is a Pos in a form for people. Lines and columns count from 1,
// columns in bytes. Line is 0 if the place is not known.
type Position struct {
	File string
	Line int
	Col  int
}

// IsValid reports whether the position is a known place.
func (p Position) IsValid() bool { return p.Line > 0 }

// String returns FILE:LINE:COL, or the parts that are known.
func (p Position) String() string {
	if !p.IsValid() {
		if p.File == "" {
			return "-"
		}
		return lex.Visible(p.File)
	}
	if p.Col == 0 { // not known
		return fmt.Sprintf("%s:%d", lex.Visible(p.File), p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", lex.Visible(p.File), p.Line, p.Col)
}

// MaxFileSize is the largest size of a file in bytes: positions in larger files
// cannot be represented.
const MaxFileSize = 1<<31 - 1

// A File is one input: its name as the user gave it and its bytes, which must not be
// changed. The index of its lines is made at its first use.
type File struct {
	name    string
	id      FileID
	set     *Set
	content []byte
	text    bool
	places  func(off int) Position             // of a file without bytes, else nil
	called  func(off int, local string) string // of such a file, or nil: see Set.Called

	once  sync.Once
	lines []uint32       // offset of each line's first byte; set under once
	marks []directive    // set under once
	wrong []misdirection // set under once
	names []naming       // set under once

	bodies  sync.Once
	starts  []uint32             // where functions begin, set under bodies
	namesOf map[localIn][]naming // names, set under bodies
}

// Name returns the file's name as the user wrote it.
func (f *File) Name() string { return f.name }

// ID returns the file's number in its Set.
func (f *File) ID() FileID { return f.id }

// Set returns the set that the file is in.
func (f *File) Set() *Set { return f.set }

// Content returns the file's bytes. The caller must not change them.
func (f *File) Content() []byte { return f.content }

// Pos returns the place at a byte offset. Offsets beyond the end stand for the end.
func (f *File) Pos(off int) Pos {
	return Pos{File: f.id, Off: uint32(min(max(off, 0), len(f.content)))}
}

// Position turns a byte offset into line and column, of another file if a //line
// directive says so and Set.Places heeds it. A binary file is a single line 1.
func (f *File) Position(off int) Position {
	p, _ := f.Author(off)
	return p
}

// Author is Position, and reports whether the place is one in the author's own file: a directive says so, or the
// bundle was made without text.
func (f *File) Author(off int) (p Position, ok bool) {
	p = f.Physical(off)
	if f.places != nil {
		return p, p.IsValid()
	}
	if f.set.Places == Bundle {
		return p, false
	}
	return f.presented(p)
}

// Physical is Position in the file itself, without its directives.
func (f *File) Physical(off int) Position {
	if f.places != nil {
		return f.places(off)
	}
	f.once.Do(f.index)
	off = min(max(off, 0), len(f.content))
	i := sort.Search(len(f.lines), func(i int) bool { return int(f.lines[i]) > off }) - 1
	return Position{File: f.name, Line: i + 1, Col: off - int(f.lines[i]) + 1}
}

// Binary reports whether the file has no lines.
func (f *File) Binary() bool { return !f.text && f.places == nil }

// HasColumn reports whether Author's column is one in the author's file, and not only in the bundle.
func (f *File) HasColumn(off int) bool {
	if f.places != nil {
		return f.places(off).Col > 0
	}
	return f.Exact(off)
}

// Lines returns the number of lines, including a last one without newline.
func (f *File) Lines() int {
	f.once.Do(f.index)
	return len(f.lines)
}

// index finds lines and directives.
func (f *File) index() {
	f.findLines()
	f.marks, f.wrong = f.directives()
	f.names = f.namings()
}

// findLines finds the line starts. A line ends at a newline, at a carriage return
// followed by a newline, or at a carriage return alone.
func (f *File) findLines() {
	if !f.text {
		f.lines = []uint32{0}
		return
	}
	lines := make([]uint32, 1, bytes.Count(f.content, []byte{'\n'})+1)
	if bytes.IndexByte(f.content, '\r') < 0 {
		for i := 0; ; {
			n := bytes.IndexByte(f.content[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			lines = append(lines, uint32(i))
		}
	} else {
		for i, c := range f.content {
			if c == '\n' || c == '\r' && (i+1 == len(f.content) || f.content[i+1] != '\n') {
				lines = append(lines, uint32(i+1))
			}
		}
	}
	f.lines = lines
}

// Places says which places are shown where directives give places in the author's own files.
type Places uint8

// The choices of places.
const (
	Both   Places = iota // the author's; diagnostics add that in the bundle
	Author               // only the author's
	Bundle               // only those in the bundle: directives have no effect
)

// PlaceNames are the names of the choices.
var PlaceNames = [...]string{Both: "both", Author: "author", Bundle: "bundle"}

// ParsePlaces finds a choice of places by its name.
func ParsePlaces(name string) (Places, error) {
	i := slices.Index(PlaceNames[:], name)
	if i < 0 {
		return Both, fmt.Errorf("want %s%s", strings.Join(PlaceNames[:], ", "), lex.DidYouMean(name, PlaceNames[:]))
	}
	return Places(i), nil
}

// A Set has the files of one run, so that positions in different bundles differ.
// Its methods may be called from several goroutines.
type Set struct {
	Places Places // must not change after a file is added
	Folder string // of texts that are made from the files; "" is the current one

	mu    sync.RWMutex
	files []*File // guarded by mu; the file numbered n is at n-1
}

// NewSet makes an empty set.
func NewSet() *Set { return new(Set) }

// Add adds a text file to the set. The set keeps content, which must not be changed
// afterwards. It returns an error for files larger than MaxFileSize.
func (s *Set) Add(name string, content []byte) (*File, error) {
	return s.add(name, content, true)
}

// AddBinary adds a binary file to the set; it has no lines, so its positions are
// NAME:1:OFFSET+1.
func (s *Set) AddBinary(name string, content []byte) (*File, error) {
	return s.add(name, content, false)
}

func (s *Set) add(name string, content []byte, text bool) (*File, error) {
	if len(content) > MaxFileSize {
		return nil, fmt.Errorf("%s: file of %d bytes is too large, the limit is %d", name, len(content), MaxFileSize)
	}
	return s.enter(&File{name: name, content: content, text: text}), nil
}

// AddMade adds what stands for a file where a bundle was made without text: its offsets are numbers of parts of the
// bundle, whose positions places returns. A part that has none has the zero Position. called, if not nil, is Called for its parts.
func (s *Set) AddMade(places func(off int) Position, called func(off int, local string) string) *File {
	return s.enter(&File{places: places, called: called})
}

// enter gives a file its number.
func (s *Set) enter(f *File) *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.id, f.set = FileID(len(s.files)+1), s
	s.files = append(s.files, f)
	return f
}

// File returns the file of a position, nil if there is none.
func (s *Set) File(id FileID) *File {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if id == 0 || int(id) > len(s.files) {
		return nil
	}
	return s.files[id-1]
}

// Position turns a Pos into the form for people, an unknown Pos into the zero
// Position.
func (s *Set) Position(p Pos) Position {
	f := s.File(p.File)
	if f == nil {
		return Position{}
	}
	return f.Position(int(p.Off))
}

// Author is Position, and reports whether the place is one in the author's own file (File.Author).
func (s *Set) Author(p Pos) (Position, bool) {
	f := s.File(p.File)
	if f == nil {
		return Position{}, false
	}
	return f.Author(int(p.Off))
}

// Traced is Position for traces: the column is 0 unless it is one that the author's own file has, because a directive gives
// it or the bundle was made without text.
func (s *Set) Traced(p Pos) Position {
	f := s.File(p.File)
	if f == nil {
		return Position{}
	}
	at, author := f.Author(int(p.Off))
	if !author || f.places == nil && !f.Exact(int(p.Off)) {
		at.Col = 0
	}
	return at
}

// Beside returns the place in the bundle that diagnostics show beside p, if there is another one.
func (s *Set) Beside(p Pos) (Position, bool) {
	f := s.File(p.File)
	if f == nil || f.places != nil || s.Places != Both {
		return Position{}, false
	}
	if _, ok := f.Author(int(p.Off)); !ok {
		return Position{}, false
	}
	return f.Physical(int(p.Off)), true
}
