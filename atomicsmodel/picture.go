package atomicsmodel

import (
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A picture of an execution: a column for each thread, a row for each of its events, the initial stores above, and
// an arrow for each relation. The layout is simple enough to need no library: events have fixed places, and arrows between
// the same places bend by different amounts.

// relationStyles lists the relations that pictures show, with their colours.
var relationStyles = []struct{ name, colour, meaning string }{
	{"sb", "#888888", "sequenced before"},
	{"rf", "#2e8b57", "a load reads from a store"},
	{"mo", "#1f6fd0", "order of stores"},
	{"fr", "#d0342c", "a store comes after what a load reads"},
	{"sw", "#8a3ffc", "synchronises with"},
	{"dep", "#c77700", "depends on"},
	{"S", "#b5179e", "order of SEQ_CST events"},
}

// Sizes in the picture, in pixels.
const (
	boxHeight  = 30
	rowHeight  = 74
	columnGap  = 90
	charWidth  = 7.9
	legendLine = 18
)

// SVG draws the execution. A cycle, such as that of a Refusal, is drawn with thick lines; nil for none.
func (x *Execution) SVG(cycle []Step) string {
	p := &picture{x: x, cycle: map[[2]int]string{}}
	for i, s := range cycle {
		p.cycle[[2]int{s.Number, cycle[(i+1)%len(cycle)].Number}] = s.Arrow
	}
	p.place()
	p.arrows()
	return p.text()
}

type picture struct {
	x             *Execution
	cycle         map[[2]int]string
	left, top     []float64 // by event, of its box
	width         []float64 // by event
	right, bottom float64
	body          strings.Builder
	drawn         map[[2]int]int // how many arrows lead from one event to another
}

// label is the text in the box of an event: without the name of its thread, which stands above the column.
func (p *picture) label(e int) string {
	s := p.x.Events[e]
	if t := p.x.Thread[e]; t >= 0 {
		s = strings.TrimPrefix(strings.TrimPrefix(s, p.x.Names[t]+":"), " ")
	}
	s = strings.Replace(s, "  read ", " → ", 1)
	if i := strings.Index(s, "  stored "); i >= 0 && !strings.Contains(s, "→") {
		s = s[:i] // the statement says what it stores, unless it reads as well
	}
	return s
}

// place chooses the places of the events.
func (p *picture) place() {
	n := len(p.x.Events)
	p.left, p.top, p.width = make([]float64, n), make([]float64, n), make([]float64, n)
	columns := make([]float64, len(p.x.Names)) // widths
	for e := range n {
		p.width[e] = max(70, charWidth*float64(len([]rune(p.label(e))))+16)
		if t := p.x.Thread[e]; t >= 0 {
			columns[t] = max(columns[t], p.width[e])
		}
	}
	starts := make([]float64, len(columns))
	at := 60.0
	for t, w := range columns {
		starts[t] = at
		at += w + columnGap
	}
	rows := make([]int, len(columns))
	initial := 60.0
	p.bottom = 0
	for e := range n {
		t := p.x.Thread[e]
		if t < 0 {
			p.left[e], p.top[e] = initial, 14
			initial += p.width[e] + 30
			continue
		}
		p.left[e] = starts[t] + (columns[t]-p.width[e])/2
		p.top[e] = 110 + float64(rows[t])*rowHeight
		rows[t]++
		p.bottom = max(p.bottom, p.top[e]+boxHeight)
	}
	p.right = max(at-columnGap, initial) + 60
	for t, name := range p.x.Names {
		fmt.Fprintf(&p.body, "<text class=\"thread\" x=\"%.0f\" y=\"94\">%s</text>\n", starts[t]+columns[t]/2, escaped(name))
	}
}

// arrows draws the relations.
func (p *picture) arrows() {
	x := p.x
	p.drawn = map[[2]int]int{}
	last := map[int]int{} // by thread
	for e, t := range x.Thread {
		if t < 0 {
			continue
		}
		if before, ok := last[t]; ok {
			p.arrow("sb", before, e)
		}
		last[t] = e
	}
	for _, d := range x.Dep {
		p.arrow("dep", d[0], d[1])
	}
	for _, r := range x.RF {
		p.arrow("rf", r[1], r[0])
	}
	for _, order := range x.MO {
		for i, a := range order {
			if i+1 == len(order) {
				break
			}
			next := order[i+1]
			p.arrow("mo", a, next)
			for _, r := range x.RF {
				if r[1] == a && r[0] != next {
					p.arrow("fr", r[0], next)
				}
			}
		}
	}
	for _, s := range x.SW {
		p.arrow("sw", s[0], s[1])
	}
	for i := range x.S {
		if i > 0 {
			p.arrow("S", x.S[i-1], x.S[i])
		}
	}
	for _, ends := range slices.SortedFunc(maps.Keys(p.cycle), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		if kind := p.cycle[ends]; kind != "" { // such as hb, or mo between stores that are not neighbours
			p.arrow(kind, ends[0], ends[1])
		}
	}
}

// arrow draws an arrow. One that was drawn before is left out.
func (p *picture) arrow(kind string, a, b int) {
	key := [2]int{a, b}
	class := kind
	if p.cycle[key] == kind {
		class += " cycle"
		delete(p.cycle, key)
	}
	// Arrows between the same events lie on either side of the line in turn, whichever way they lead.
	n := p.drawn[key] + p.drawn[[2]int{b, a}]
	p.drawn[key]++
	bend := 14 + 22*float64((n+1)/2)
	if (n%2 == 1) != (a > b) {
		bend = -bend
	}
	if kind == "sb" {
		bend = 0
	}
	ax, ay := p.left[a]+p.width[a]/2, p.top[a]+boxHeight/2
	bx, by := p.left[b]+p.width[b]/2, p.top[b]+boxHeight/2
	dx, dy := bx-ax, by-ay
	length := math.Max(1, math.Hypot(dx, dy))
	// The control point lies beside the middle of the line.
	cx, cy := (ax+bx)/2-dy/length*bend*2, (ay+by)/2+dx/length*bend*2
	sx, sy := p.edge(a, cx, cy)
	ex, ey := p.edge(b, cx, cy)
	fmt.Fprintf(&p.body, "<path class=\"%s\" marker-end=\"url(#%s)\" d=\"M%.1f %.1f Q%.1f %.1f %.1f %.1f\"><title>%s: %s → %s</title></path>\n",
		class, kind, sx, sy, cx, cy, ex, ey, kind, escaped(p.x.Events[a]), escaped(p.x.Events[b]))
	fmt.Fprintf(&p.body, "<text class=\"%s name\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", kind, (sx+2*cx+ex)/4, (sy+2*cy+ey)/4-3, kind)
}

// edge is the place where the line from the middle of a box to a point leaves the box.
func (p *picture) edge(e int, x, y float64) (float64, float64) {
	mx, my := p.left[e]+p.width[e]/2, p.top[e]+boxHeight/2
	dx, dy := x-mx, y-my
	scale := math.Inf(1)
	if dx != 0 {
		scale = math.Min(scale, p.width[e]/2/math.Abs(dx))
	}
	if dy != 0 {
		scale = math.Min(scale, boxHeight/2/math.Abs(dy))
	}
	if math.IsInf(scale, 1) {
		return mx, my
	}
	return mx + dx*scale, my + dy*scale
}

// text writes the picture with its boxes and a legend of the relations that occur.
func (p *picture) text() string {
	var b, defs strings.Builder
	body := p.body.String()
	y := p.bottom + 40
	var legend strings.Builder
	for _, s := range append(relationStyles, struct{ name, colour, meaning string }{"hb", "#444444", "happens before"}) {
		fmt.Fprintf(&defs, ".%[1]s{stroke:%[2]s;fill:none}text.%[1]s{fill:%[2]s;stroke:none}", s.name, s.colour)
		if !strings.Contains(body, "url(#"+s.name+")") {
			continue
		}
		fmt.Fprintf(&legend, "<path class=\"%s\" marker-end=\"url(#%s)\" d=\"M60 %.0f H100\"/><text class=\"legend\" x=\"112\" y=\"%.0f\">%s: %s</text>\n",
			s.name, s.name, y, y+4, s.name, s.meaning)
		y += legendLine
	}
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n", p.right, y+10, p.right, y+10)
	b.WriteString("<style>text{font:13px ui-monospace,monospace;fill:#222}path{stroke-width:1.4}path.cycle{stroke-width:4}rect{fill:#fff;stroke:#999}" +
		".box{text-anchor:middle}.thread{text-anchor:middle;font-weight:bold}.legend{font-size:12px}" + defs.String() + "text.name{stroke:#fff;stroke-width:3px;paint-order:stroke}" +
		"@media(prefers-color-scheme:dark){text{fill:#ddd}rect{fill:#1e1e1e;stroke:#777}.hb{stroke:#aaa}text.hb{fill:#aaa}text.name{stroke:#1e1e1e}}</style>\n<defs>")
	for _, s := range append(relationStyles, struct{ name, colour, meaning string }{"hb", "#444444", ""}) {
		fmt.Fprintf(&b, "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"%s\" stroke=\"none\"/></marker>", s.name, s.colour)
	}
	b.WriteString("</defs>\n" + body)
	for e := range p.x.Events {
		fmt.Fprintf(&b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"5\"/><text class=\"box\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			p.left[e], p.top[e], p.width[e], boxHeight, p.left[e]+p.width[e]/2, p.top[e]+20, escaped(p.label(e)))
	}
	b.WriteString(legend.String() + "</svg>\n")
	return b.String()
}

func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s))
	return b.String()
}
