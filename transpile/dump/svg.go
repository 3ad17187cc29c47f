package dump

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"sort"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// How a version is laid out:
//
//  1. A depth-first search from the entry finds the back edges.
//  2. Without those, the rank of a block is the length of the longest path to it;
//     unreachable blocks are below all others.
//  3. In two sweeps down and up, the blocks of a rank are ordered by the mean
//     place of their neighbours in the rank before.
//  4. Ranks are centred rows. Forward edges are curves between the boxes; back
//     edges are on the right, each in its own lane.

// Sizes in pixels.
const (
	charWidth  = 7.3
	lineHeight = 16
	padding    = 8
	gapX       = 36
	gapY       = 48
	laneWidth  = 14
	margin     = 20
	titleSize  = 30
)

type box struct {
	id         ir.BlockID
	text       []string
	x, y, w, h float64
	rank       int
	place      float64
}

// A picture is the layout of one version.
type picture struct {
	v     *ir.Version
	boxes []*box // by BlockID; nil for dead blocks
	edges []edge
	back  []bool // by edge
	ranks [][]*box
	w, h  float64
}

func layout(p *ir.Program, v *ir.Version) *picture {
	g := &picture{v: v, boxes: make([]*box, len(v.Blocks))}
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		x := &box{id: ir.BlockID(b), rank: -1}
		chars := 0
		for _, l := range lines(p, v, x.id) {
			l = cut(l)
			chars = max(chars, len([]rune(l)))
			x.text = append(x.text, l)
		}
		x.w, x.h = float64(chars)*charWidth+2*padding, float64(len(x.text))*lineHeight+2*padding
		g.boxes[b] = x
	}
	for b := range v.Blocks {
		if g.boxes[b] == nil {
			continue
		}
		for _, e := range edges(p, v, ir.BlockID(b)) {
			if g.boxes[e.to] != nil {
				g.edges = append(g.edges, e)
			}
		}
	}
	g.rank()
	g.order()
	g.place()
	return g
}

// rank finds the back edges, and the longest paths along the others.
func (g *picture) rank() {
	out := make([][]int, len(g.boxes))
	for i, e := range g.edges {
		out[e.from] = append(out[e.from], i)
	}
	g.back = make([]bool, len(g.edges))
	const (
		open = 1
		done = 2
	)
	type frame struct {
		b    ir.BlockID
		next int
	}
	state := make([]uint8, len(g.boxes))
	last := -1
	for root := range g.boxes {
		if g.boxes[root] == nil || state[root] != 0 {
			continue
		}
		var post []ir.BlockID
		work := []frame{{ir.BlockID(root), 0}}
		state[root] = open
		for len(work) > 0 {
			f := &work[len(work)-1]
			if f.next == len(out[f.b]) {
				state[f.b] = done
				post = append(post, f.b)
				work = work[:len(work)-1]
				continue
			}
			i := out[f.b][f.next]
			f.next++
			switch to := g.edges[i].to; state[to] {
			case 0:
				state[to] = open
				work = append(work, frame{to, 0})
			case open:
				g.back[i] = true
			case done:
				// Of an unreachable part into one laid out before.
				g.back[i] = g.boxes[to].rank >= 0
			}
		}
		first := last + 1
		for i := len(post) - 1; i >= 0; i-- {
			b := g.boxes[post[i]]
			b.rank = max(b.rank, first)
			last = max(last, b.rank)
			for _, k := range out[post[i]] {
				if to := g.boxes[g.edges[k].to]; !g.back[k] {
					to.rank = max(to.rank, b.rank+1)
				}
			}
		}
	}
	g.ranks = make([][]*box, last+1)
	for _, b := range g.boxes {
		if b != nil {
			g.ranks[b.rank] = append(g.ranks[b.rank], b)
		}
	}
}

// order sorts the blocks of each rank by the places of their neighbours.
func (g *picture) order() {
	up, down := make([][]*box, len(g.boxes)), make([][]*box, len(g.boxes))
	for i, e := range g.edges {
		if !g.back[i] {
			up[e.to] = append(up[e.to], g.boxes[e.from])
			down[e.from] = append(down[e.from], g.boxes[e.to])
		}
	}
	number := func(row []*box) {
		for i, b := range row {
			b.place = (float64(i) + 0.5) / float64(len(row))
		}
	}
	for _, row := range g.ranks {
		number(row)
	}
	sweep := func(row []*box, near [][]*box) {
		want := make(map[*box]float64, len(row))
		for _, b := range row {
			want[b] = b.place
			if l := near[b.id]; len(l) > 0 {
				sum := 0.0
				for _, n := range l {
					sum += n.place
				}
				want[b] = sum / float64(len(l))
			}
		}
		sort.SliceStable(row, func(i, j int) bool { return want[row[i]] < want[row[j]] })
		number(row)
	}
	for range 2 {
		for _, row := range g.ranks {
			sweep(row, up)
		}
		for i := len(g.ranks) - 1; i >= 0; i-- {
			sweep(g.ranks[i], down)
		}
	}
}

func (g *picture) place() {
	widest := 0.0
	widths := make([]float64, len(g.ranks))
	for i, row := range g.ranks {
		widths[i] = -gapX
		for _, b := range row {
			widths[i] += b.w + gapX
		}
		widest = max(widest, widths[i])
	}
	y := float64(titleSize)
	for i, row := range g.ranks {
		x, h := margin+(widest-widths[i])/2, 0.0
		for _, b := range row {
			b.x, b.y = x, y
			x += b.w + gapX
			h = max(h, b.h)
		}
		y += h + gapY
	}
	lanes := 0
	for _, back := range g.back {
		if back {
			lanes++
		}
	}
	g.w, g.h = 2*margin+widest+float64(lanes+1)*laneWidth, y
}

// draw writes the picture, moved down by dy.
func (g *picture) draw(w *bufio.Writer, dy float64) {
	fmt.Fprintf(w, "<g transform=\"translate(0 %.0f)\">\n<text class=\"t\" x=\"%d\" y=\"20\">%s</text>\n", dy, margin, html.EscapeString(g.v.Name))
	lane := 0
	nth := make([]int, len(g.boxes)) // edges drawn so far, by source
	count := make([]int, len(g.boxes))
	for _, e := range g.edges {
		count[e.from]++
	}
	for i, e := range g.edges {
		a, b := g.boxes[e.from], g.boxes[e.to]
		nth[e.from]++
		x1 := a.x + a.w*float64(nth[e.from])/float64(count[e.from]+1)
		y1 := a.y + a.h
		class := "e"
		if e.exc {
			class = "e x"
		}
		lx, ly := x1+4, y1+13
		if g.back[i] {
			lane++
			x2, y2 := b.x+b.w, b.y+lineHeight/2
			side := g.w - margin - float64(lane)*laneWidth
			fmt.Fprintf(w, "<path class=\"%s\" d=\"M%.1f %.1f V%.1f H%.1f V%.1f H%.1f\"/>\n", class, x1, y1, y1+gapY/3, side, y2, x2)
		} else {
			x2, y2 := b.x+b.w/2, b.y
			mid := (y2 - y1) / 2
			fmt.Fprintf(w, "<path class=\"%s\" d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", class, x1, y1, x1, y1+mid, x2, y2-mid, x2, y2)
		}
		if e.label != "" {
			fmt.Fprintf(w, "<text class=\"l\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", lx, ly, html.EscapeString(cut(e.label)))
		}
	}
	for _, b := range g.boxes {
		if b == nil {
			continue
		}
		fmt.Fprintf(w, "<rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", b.x, b.y, b.w, b.h)
		for i, l := range b.text {
			class := "i"
			if i == 0 {
				class = "i h"
			}
			fmt.Fprintf(w, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, b.x+padding, b.y+padding+float64(i)*lineHeight+12, html.EscapeString(l))
		}
	}
	w.WriteString("</g>\n")
}

const svgStyle = `<style>
text { font: 12px monospace; white-space: pre; fill: #222 }
.t { font: bold 14px monospace } .h { font-weight: bold } .l { font-size: 11px; fill: #a33 }
.b { fill: #fbfbf8; stroke: #555 } .e { fill: none; stroke: #357; marker-end: url(#a) } .x { stroke-dasharray: 5 3; stroke: #a33 }
</style>
<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#357"/></marker></defs>
`

func writeSVG(w io.Writer, p *ir.Program, vs []*ir.Version) error {
	var pics []*picture
	width, height := 2.0*margin, float64(margin)
	for _, v := range vs {
		g := layout(p, v)
		pics = append(pics, g)
		width = max(width, g.w)
		height += g.h
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n", width, height, width, height)
	out.WriteString(svgStyle)
	y := 0.0
	for _, g := range pics {
		g.draw(out, y)
		y += g.h
	}
	out.WriteString("</svg>\n")
	return out.Flush()
}
