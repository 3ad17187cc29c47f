package textform

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// Neighbouring lines of the same group are aligned.
type group uint8

// The groups: lines that are not aligned, instructions with one result, and one
// group for each kind of definition.
const (
	noGroup group = iota
	results
	typedefs
	funcsigs
	consts
	globals
	funcdecls
	exposes
)

var groups = map[string]group{
	".typedef": typedefs, ".funcsig": funcsigs, ".const": consts, ".global": globals,
	".funcdecl": funcdecls, ".expose": exposes,
}

// align determines the group of the item's first line.
func (l *layout) align(ln *line) {
	it := l.item
	switch l.kind {
	case Definition:
		ln.group = groups[string(l.src[it[0].Off:it[0].End])]
	case Instruction:
		if len(it) > 2 && it[0].Kind == lex.Ident && it[1].Kind == '=' {
			ln.group = results
		}
	}
}

// stop notes the place before token i of the item if padding may go there: before
// the equals sign of an instruction; after the name of a definition, and for .const
// also before its equals sign.
func (l *layout) stop(i int) {
	ln := &l.lines[len(l.lines)-1]
	n := -1
	switch {
	case ln.group == noGroup:
	case ln.group == results && i == 1, ln.group != results && i == 2:
		n = 0
	case ln.group != results && i == 5 && l.item[i].Kind == '=':
		n = 1
	}
	if at := len(l.text) - ln.start; n >= 0 && at < 1<<15 {
		ln.stops[n] = uint16(at)
	}
}

// The greatest difference in the widths of aligned lines; where it is exceeded, a
// new run begins.
const (
	maxStretch        = 20
	maxCommentStretch = 40
)

// alignLines computes the padding of all lines, run by run.
func (l *Lines) alignLines() {
	l.runs(func(a, b *line) bool { return a.group != noGroup && a.group == b.group && a.stops[0] > 0 },
		func(run []line) {
			alignRun(run, maxStretch, func(ln *line) int { return int(ln.stops[0]) },
				func(ln *line, pad int) { ln.pads[0] = uint16(pad) })
			alignRun(run, maxStretch, func(ln *line) int {
				if ln.stops[1] == 0 {
					return -1
				}
				return int(ln.stops[1] + ln.pads[0])
			}, func(ln *line, pad int) { ln.pads[1] = uint16(pad) })
		})
	l.runs(func(a, b *line) bool {
		return a.comment.End > 0 && a.end > a.start && a.indent == b.indent && a.opens == b.opens
	},
		func(run []line) {
			alignRun(run, maxCommentStretch, func(ln *line) int {
				return int(ln.indent) + ln.end - ln.start + int(ln.pads[0]) + int(ln.pads[1])
			}, func(ln *line, pad int) { ln.commentPad = uint16(pad) })
		})
}

// runs calls f with each maximal stretch of lines without blank lines in which
// belongs is true for each line and the first line of the stretch.
func (l *Lines) runs(belongs func(a, first *line) bool, f func(run []line)) {
	for i := 0; i < len(l.lines); {
		j := i
		for j < len(l.lines) && belongs(&l.lines[j], &l.lines[i]) && (j == i || !l.lines[j].blank) {
			j++
		}
		if j > i+1 {
			f(l.lines[i:j])
		}
		i = max(j, i+1)
	}
}

// alignRun pads the lines of a run to the widest of them, in stretches whose
// widths differ by at most the limit. A negative width ends a stretch.
func alignRun(run []line, limit int, width func(*line) int, pad func(*line, int)) {
	for i := 0; i < len(run); {
		low, high := width(&run[i]), width(&run[i])
		j := i + 1
		for ; j < len(run) && low >= 0; j++ {
			w := width(&run[j])
			if w < 0 || max(high, w)-min(low, w) > limit {
				break
			}
			low, high = min(low, w), max(high, w)
		}
		for k := i; k < j && low >= 0; k++ {
			pad(&run[k], high-width(&run[k]))
		}
		i = j
	}
}
