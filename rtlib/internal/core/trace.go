package core

import (
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Mu stack traces come from Go's: generated functions are recognized by their names, //line
// directives give the bundle's lines, and all other frames are left out. The frames of
// inlined calls are added; see FuncName.Inlined.
//
// An uncaught exception should be reported with the frames that existed when it was thrown
// (docs/language.md, "Exceptions"), but when it turns out to be uncaught they have returned.
// Recording them at each THROW costs about a microsecond, too much for programs that throw
// very often, so a thread records them only for its first throws. Later ones are reported
// with the function at the bottom of the stack.

const (
	traceDepth  = 100  // frames of a trace
	originDepth = 256  // Go frames recorded at a throw
	fullThrows  = 1000 // throws of a thread that are recorded
)

// origin is where the newest exception of a thread was thrown. The exception is Ctx.Weak: its
// memory may become another exception when it is dead.
type origin struct {
	valid bool
	null  bool // the exception is NULL

	overflow bool   // it is the NULL of an exhausted stack
	full     string // where a stack was last exhausted, in the form of errors; "" if none was
	count    int    // number of throws so far
	n        int
	pcs      [originDepth]uintptr
	live     []LivePlace // places of the origin in bodies that are not compiled
}

// Throw raises an exception: it sets t.Thrown and t.Exc and records the origin.
func Throw(t *Ctx, exc uintptr) {
	t.Thrown, t.Exc, t.Overflow = 1, exc, false
	noteOrigin(t, exc)
}

// Rethrow throws an exception that was caught. If it is the newest that was thrown on the
// thread, it keeps its origin.
func Rethrow(t *Ctx, exc uintptr) {
	t.Thrown, t.Exc, t.Overflow = 1, exc, false
	if o := &X(t).thrown; !o.of(t, exc) || o.overflow {
		noteOrigin(t, exc)
	}
}

// of reports whether o is the origin of an exception.
func (o *origin) of(t *Ctx, exc uintptr) bool {
	return o.valid && t.Weak == exc && o.null == (exc == 0)
}

// noteOrigin records the frames of the caller's caller as the origin of an exception.
func noteOrigin(t *Ctx, exc uintptr) {
	o := &X(t).thrown
	o.overflow = t.Overflow
	if o.valid = o.count < fullThrows; o.valid {
		o.count++
		o.null, t.Weak, o.n = exc == 0, exc, runtime.Callers(3, o.pcs[:])
		o.live = livePlaces(t, o.live[:0])
	}
}

// noteOverflow is gc.OnOverflow.
func noteOverflow(t *Ctx) {
	noteOrigin(t, 0)
	if o := &X(t).thrown; o.valid {
		frames, site := trace(o.pcs[:o.n], o.live)
		e := overflowed(thread.Of(t), frames, site)
		o.full = e.place()
	}
}

// overflowed makes the error of an exhausted stack, from the trace of the call that exhausted it.
func overflowed(s *thread.Stack, frames []Frame, site string) *Error {
	if len(frames) > 1 && site == "" && len(sitesAt(frames[0])) == 0 {
		frames = frames[1:] // the frame that could not be made
	}
	e := &Error{Kind: StackOverflow, Trace: frames, site: site, Detail: "the exception NULL that it raised was not caught"}
	e.locate(s)
	return e
}

// explainNull says where a stack of the thread was exhausted before, for reports of uses of NULL
// (docs/language.md, "Run-time errors"); "" if none was. Origins of NULL values are not tracked.
func explainNull(t *Ctx) string {
	if full := X(t).thrown.full; full != "" {
		return "the stack had overflowed" + full + ", which raises the exception NULL"
	}
	return ""
}

// originOf returns the frames where the exception of t was thrown, if they are known, else
// the bottom frame.
func originOf(t *Ctx) (frames []Frame, site string) {
	s := thread.Of(t)
	if o := &X(t).thrown; o.of(t, t.Exc) && o.overflow == t.Overflow {
		frames, site = trace(o.pcs[:o.n], o.live)
	}
	if len(frames) == 0 || len(frames) == 1 && frames[0].Func != bottomName(s) {
		if name := bottomName(s); name != "" {
			frames = append(frames, Frame{Func: name})
		}
	}
	return frames, site
}

// bottomName returns the name of the function at the bottom of a stack, "" for a stack of
// a Go caller.
func bottomName(s *thread.Stack) string {
	if f, ok := s.Entry.(*Func); ok {
		return f.Name
	}
	return ""
}

// callers returns the Go frames above the caller of its caller, and skip more.
func callers(skip int) []uintptr {
	pcs := make([]uintptr, 4*traceDepth) // a tail call is several Go frames
	return pcs[:runtime.Callers(skip+2, pcs)]
}

// trace picks the Mu frames from Go's, up to two more than are printed; live are those of bodies that
// are not compiled. If the newest frame is one of these, site is the name of its current instruction.
func trace(pcs []uintptr, live []LivePlace) (out []Frame, site string) {
	if len(pcs) == 0 {
		return nil, ""
	}
	for it := runtime.CallersFrames(pcs); ; {
		f, more := it.Next()
		if f.Function == thread.GuestFrame {
			return out, site // the next frames are those of the host program
		}
		if f.Function == Engine.Loop && Engine.Loop != "" {
			if len(out) == 0 && len(live) > 0 {
				site = Engine.Where(live[0])
			}
			out, live = liveFrames(out, live)
		} else if p, fn := funcOf(f.Function); fn != nil {
			out = append(out, p.framesAt(fn, f.File, f.Line)...)
		}
		if !more || len(out) > traceDepth+1 {
			return out[:min(len(out), traceDepth+2)], site
		}
	}
}

// funcOf finds the Go function with a name and its program, nil if the function was not made from a
// Mu function. Go's compiler puts the directory of the package before a relative name of a //line
// directive.
func funcOf(name string) (*Program, *FuncName) {
	p, rest := programOf(name)
	if p == nil {
		return nil, nil
	}
	names := p.FuncNames
	i := sort.Search(len(names), func(i int) bool { return names[i].Go >= rest })
	if i < len(names) && names[i].Go == rest {
		return p, &names[i]
	}
	return nil, nil
}

// framesAt are the frames at a position of a Go function, the innermost first.
func (p *Program) framesAt(fn *FuncName, file string, line int) []Frame {
	file = strings.TrimPrefix(file, p.at.dir)
	if fn.Lines != "" {
		file, line = fn.place(line)
	}
	return fn.frames(nil, p.Files, file, line)
}

// place is the position of a line of the generated file, by the table Lines.
func (fn *FuncName) place(line int) (file string, at int) {
	first, rest, _ := strings.Cut(fn.Lines, "\n")
	here, err := strconv.Atoi(first)
	for row := range strings.SplitSeq(strings.TrimSuffix(rest, "\n"), "\n") {
		f := strings.SplitN(row, " ", 3)
		if len(f) < 2 || err != nil {
			refuse(disagree("the table of lines of %s: %q", fn.Go, row))
		}
		var down, from int
		down, err = strconv.Atoi(f[0])
		if here += down; here > line || err != nil {
			continue
		}
		if from, err = strconv.Atoi(f[1]); err == nil {
			at = from
		}
		if len(f) > 2 {
			file = f[2]
		}
	}
	return file, at
}

// frames appends the Mu frames at a position in a Go function, of a program with these
// files.
func (fn *FuncName) frames(out []Frame, files []string, file string, line int) []Frame {
	file, number, nth, marked := lex.UnmarkFile(file)
	if file == lex.NoFile || file == "" { // a function without positions
		file, line = "", 0
	}
	if files == nil {
		files = []string{""} // no row knows where it comes from
	}
	column := fn.column(files, file, line, nth)
	if fn.Inlined == "" {
		return fn.own(out, file, line, column)
	}
	rows := fn.inlinedRows(files)
	if !marked {
		for i, r := range rows {
			if r.first <= line && line <= r.last && r.file == file {
				number = i + 1
				break
			}
		}
	}
	for 0 < number && number <= len(rows) {
		r := rows[number-1]
		if r.name != "-" {
			out = append(out, Frame{Func: r.name, File: file, Line: line, Column: column})
		}
		for r.call < 0 { // the frame below was replaced
			if r.below <= 0 || r.below > len(rows) {
				return out
			}
			r = rows[r.below-1]
		}
		file, line, column, number = r.callFile, r.call, r.column, r.below
	}
	return fn.own(out, file, line, column)
}

// own appends the frame of the function itself, if it is shown.
func (fn *FuncName) own(out []Frame, file string, line, column int) []Frame {
	if fn.Hidden {
		return out
	}
	return append(out, Frame{Func: fn.Func.Name, File: file, Line: line, Column: column})
}

// column is the n-th of the author's columns of a line, 0 if it is unknown.
func (fn *FuncName) column(files []string, file string, line, n int) int {
	if fn.Columns == "" || line == 0 {
		return 0
	}
	for row := range strings.SplitSeq(fn.Columns, "\n") {
		f := strings.Fields(row)
		row, ok := make([]int, len(f)), len(f) > 2
		for i := 0; ok && i < len(f); i++ {
			var err error
			row[i], err = strconv.Atoi(f[i])
			ok = err == nil
		}
		if !ok || uint(row[0]) >= uint(len(files)) {
			refuse(disagree("the table of columns: %q", strings.Join(f, " ")))
		}
		if row[1] == line && files[row[0]] == file && n+2 < len(row) {
			return row[n+2]
		}
	}
	return 0
}

// An inlinedRow is a row of FuncName.Inlined.
type inlinedRow struct {
	file         string
	first, last  int
	callFile     string
	call, column int
	below        int
	name         string
}

// inlinedTables has the rows that were asked for. A profile asks for the same ones thousands of times.
var inlinedTables sync.Map // *FuncName to []inlinedRow

// inlinedRows are the rows of the table Inlined.
func (fn *FuncName) inlinedRows(files []string) []inlinedRow {
	rows, ok := inlinedTables.Load(fn)
	if !ok {
		rows = inlinedRows(fn.Inlined, files)
		inlinedTables.Store(fn, rows)
	}
	return rows.([]inlinedRow)
}

func inlinedRows(text string, files []string) []inlinedRow {
	var rows []inlinedRow
	for line := range strings.SplitSeq(text, "\n") {
		var n [7]int
		f := strings.SplitN(line, " ", len(n)+1)
		ok := len(f) == len(n)+1
		for i := 0; ok && i < len(n); i++ {
			var err error
			n[i], err = strconv.Atoi(f[i])
			ok = err == nil
		}
		if !ok || uint(n[0]) >= uint(len(files)) || uint(n[3]) >= uint(len(files)) {
			refuse(disagree("the table of inlined bodies: %q", line))
		}
		rows = append(rows, inlinedRow{
			file: files[n[0]], first: n[1], last: n[2],
			callFile: files[n[3]], call: n[4], column: n[5], below: n[6], name: lex.FromLine(f[7]),
		})
	}
	return rows
}

// siteAt returns the name of the instruction at a frame, or of the function if there are
// several instructions or none on its line.
func siteAt(f Frame) string {
	if names := sitesAt(f); len(names) == 1 {
		name, _, _ := strings.Cut(names[0], "\t")
		return lex.FromLine(name)
	}
	return f.Called()
}

// Called returns the name of the frame's function in reports: in TVM with a %, in IAL with its module; Func if the
// dialect gives no other.
func (f Frame) Called() string {
	if f.Title != "" {
		return f.Title
	}
	for _, p := range packages {
		for _, g := range p.Funcs {
			if g.Title != "" && g.Name == f.Func {
				return g.Title
			}
		}
	}
	return f.Func
}

// placeName is the name of an instruction in reports: without the version of a function that has a
// title.
func placeName(name string) string {
	title, rest, longest := "", "", 0
	for _, p := range packages {
		for _, f := range p.Funcs {
			if after, ok := strings.CutPrefix(name, f.Name+".v."); ok && f.Title != "" && len(f.Name) > longest {
				title, rest, longest = f.Title, after, len(f.Name)
			}
		}
	}
	if title == "" {
		return name
	}
	return title + "." + rest
}

// nullAt is the text for an access through NULL at a frame, "" if it is not known.
func nullAt(f Frame) string {
	var texts []string
	for _, name := range sitesAt(f) {
		if _, text, ok := strings.Cut(name, "\t"); ok && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " or ")
}

// sitesAt returns the names of the instructions on the line of a frame that may fail.
func sitesAt(f Frame) []string {
	var names []string
	for _, p := range packages {
		names = p.sitesAt(f, names)
	}
	return names
}

// sitesAt appends those of one program.
func (p *Program) sitesAt(f Frame, names []string) []string {
	i := slices.IndexFunc(p.Funcs, func(g *Func) bool { return g.Name == f.Func })
	if i < 0 {
		return names
	}
	for line := range strings.SplitSeq(p.Funcs[i].Sites, "\n") {
		at, name, _ := strings.Cut(line, " ")
		number, column, known := strings.Cut(at, ":")
		n, err := strconv.Atoi(number)
		here := n == f.Line
		if known && err == nil {
			n, err = strconv.Atoi(column)
			here = here && (f.Column == 0 || n == f.Column)
		}
		if err != nil && line != "" {
			refuse(disagree("the table of instructions of %s: %q", f.Func, line))
		}
		if err == nil && here && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// maxCycle is the largest number of frames in one round of a recursion that is recognized as repeating.
const maxCycle = 8

// minFolded is the least number of repeating frames that are left out.
const minFolded = 4

// place is the position of the frame as the end of a line: " (FILE:LINE)", with a column if it is known, or nothing.
func (f Frame) place() string {
	switch {
	case f.Line == 0:
		return ""
	case f.Column == 0:
		return fmt.Sprintf(" (%s:%d)", lex.Visible(f.File), f.Line)
	}
	return fmt.Sprintf(" (%s:%d:%d)", lex.Visible(f.File), f.Line, f.Column)
}

// writeTrace prints frames, one per line.
func writeTrace(b *strings.Builder, frames []Frame) {
	cut := len(frames) > traceDepth
	frames = frames[:min(len(frames), traceDepth)]
	for i := 0; i < len(frames); {
		// The shortest cycle that repeats often enough here is printed once.
		length, times := 1, 0
		for n := 1; n <= maxCycle; n++ {
			if k := repeats(frames[i:], n); k >= 2 && k*n >= minFolded {
				length, times = n, k
				break
			}
		}
		for _, f := range frames[i : i+length] {
			fmt.Fprintf(b, "\t%s%s\n", lex.Visible(f.Called()), f.place())
		}
		if times > 0 && length == 1 {
			fmt.Fprintf(b, "\t(the same %d more times)\n", times)
		} else if times > 0 {
			fmt.Fprintf(b, "\t(the same %d frames %d more times)\n", length, times)
		}
		i += length * (times + 1)
	}
	if cut {
		b.WriteString("\t...\n")
	}
}

// repeats returns how often the first n frames are repeated directly after themselves.
func repeats(frames []Frame, n int) int {
	times := 0
	for i := n; i+n <= len(frames) && slices.Equal(frames[i:i+n], frames[:n]); i += n {
		times++
	}
	return times
}
