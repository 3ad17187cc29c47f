package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
)

// Dimensions of the plot in pixels.
const (
	plotLabels = 150 // width of the names
	plotWidth  = 560 // width of the bars' area
	plotValues = 150 // width of the numbers at the right
	plotBar    = 12
	plotRow    = 20
	plotHead   = 70
	plotGroup  = 30
	plotFoot   = 20
)

// Colours of the plot.
const (
	colourLess = "#3b7dd8" // faster than the twin
	colourMore = "#d9772b" // slower
	colourC    = "#222222"
	colourGrid = "#d8d8d8"
)

// A bar is one row of the plot.
type bar struct {
	label   string
	heading bool
	value   spread  // ratio to Go
	c       float64 // ratio to C, NaN if there is none
}

// plot draws the ratios of the translated programs as horizontal bars that start
// at 1, on a logarithmic scale: to the left programs that are faster than hand-written
// Go, to the right slower ones. A line shows the spread of the rounds, a diamond the
// ratio to C. The same report always results in the same bytes.
func plot(r *Report, m metric) []byte {
	bars := plotBars(r, m)
	lo, hi := plotRange(bars)
	x := func(v float64) float64 {
		f := (math.Log2(v) - math.Log2(lo)) / (math.Log2(hi) - math.Log2(lo))
		return plotLabels + plotWidth*min(max(f, 0), 1)
	}
	height := plotHead + plotFoot
	for _, b := range bars {
		height += b.height()
	}
	width := plotLabels + plotWidth + plotValues

	var w bytes.Buffer
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&w, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	text := func(x, y float64, attrs, s string) {
		var e bytes.Buffer
		if err := xml.EscapeText(&e, []byte(s)); err != nil {
			return // writing to a buffer cannot fail
		}
		fmt.Fprintf(&w, `<text x="%.1f" y="%.1f"%s>%s</text>`+"\n", x, y, attrs, e.String())
	}
	text(10, 20, ` font-size="15" font-weight="bold"`, fmt.Sprintf("uvm2go: %s time relative to twins written by hand", m))
	text(10, 38, ` fill="#555555"`, fmt.Sprintf("%s, %s/%s, %d CPUs, %s sizes, median of %d runs; bar: to Go (less is faster), line: spread, diamond: to gcc -O2", r.Date, r.OS, r.Arch, r.CPUs, r.Size, r.Repeats))

	for v := lo; v <= hi*1.001; v *= 2 {
		colour := colourGrid
		if v == 1 {
			colour = "#888888"
		}
		fmt.Fprintf(&w, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/>`+"\n", x(v), plotHead-6, x(v), height-plotFoot, colour)
		text(x(v), plotHead-10, ` text-anchor="middle" fill="#555555"`, fmt.Sprintf("%g", v))
	}
	y := float64(plotHead)
	for _, b := range bars {
		y += float64(b.height())
		base := y - float64(plotRow-plotBar)/2 - 2
		if b.heading {
			text(10, base, ` font-weight="bold"`, b.label)
			continue
		}
		text(plotLabels-8, base, ` text-anchor="end"`, b.label)
		value := ""
		if v := b.value.median; !math.IsNaN(v) {
			left, right, colour := x(v), x(1), colourLess
			if v > 1 {
				left, right, colour = x(1), x(v), colourMore
			}
			mid := base - float64(plotBar)/2 + 2
			fmt.Fprintf(&w, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", left, mid-float64(plotBar)/2, max(right-left, 1), plotBar, colour)
			fmt.Fprintf(&w, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#000000" stroke-opacity="0.6"/>`+"\n", x(b.value.min), mid, x(b.value.max), mid)
			value = ratioText(v) + " Go"
		}
		if !math.IsNaN(b.c) {
			mid := base - float64(plotBar)/2 + 2
			fmt.Fprintf(&w, `<path d="M%.1f %.1f l4 4 l-4 4 l-4 -4 z" fill="%s"/>`+"\n", x(b.c), mid-4, colourC)
			if value != "" {
				value += "   "
			}
			value += ratioText(b.c) + " C"
		}
		text(plotLabels+plotWidth+10, base, "", value)
	}
	w.WriteString("</svg>\n")
	return w.Bytes()
}

func (b *bar) height() int {
	if b.heading {
		return plotGroup
	}
	return plotRow
}

// plotBars returns the rows, with a heading before each group.
func plotBars(r *Report, m metric) []bar {
	var bars []bar
	for _, g := range groups {
		if g == groupOverheads {
			continue
		}
		first := true
		for _, k := range r.kernels(g) {
			golang, ok1 := r.ratio(k, twinMu, twinGo, m)
			c, ok2 := r.ratio(k, twinMu, twinC, m)
			if !ok1 && !ok2 {
				continue
			}
			if first {
				bars = append(bars, bar{label: g, heading: true})
				first = false
			}
			bars = append(bars, bar{label: k, value: golang, c: c.median})
		}
	}
	return bars
}

// plotRange returns the powers of two around all ratios, within bounds that keep
// the plot readable; 1 is always inside.
func plotRange(bars []bar) (lo, hi float64) {
	lo, hi = 0.5, 2
	for _, b := range bars {
		for _, v := range []float64{b.value.median, b.c} {
			for v < lo && lo > 1.0/64 {
				lo /= 2
			}
			for v > hi && hi < 64 {
				hi *= 2
			}
		}
	}
	return lo, hi
}
