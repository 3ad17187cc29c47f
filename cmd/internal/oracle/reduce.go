package oracle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/reduce"
	"github.com/uvm2go/uvm2go/transpile"
)

// Shrink makes a bundle smaller that differs in a way. It returns the difference
// that the smaller bundle shows, or "" if the bundle does not differ.
func (l *Lab) Shrink(text string, w Way, log io.Writer) (small, what string, err error) {
	interp := Ways()[0]
	interp.Sanitize = w.Sanitize
	ways := []Way{interp, w}
	if w.Interp && w.Split == 0 || strings.HasPrefix(w.Name, "go build") {
		ways = append([]Way{Ways()[0]}, Ways()[1:3]...)
	}
	c := &comparison{lab: l, ways: ways}
	c.want = c.compare(text)
	if c.want.class == "" {
		return text, "", c.want.err
	}
	last := c.want
	ctx, stop := context.WithTimeout(context.Background(), ShrinkTime)
	defer stop()
	files := reduce.Reduce(ctx, []transpile.Source{{Name: fileOf(text), Text: []byte(text)}}, reduce.Options{Log: log,
		Keep: func(_ context.Context, _ int, files []transpile.Source) bool {
			v := c.compare(string(files[0].Text))
			if v.class != c.want.class {
				return false
			}
			last = v
			return true
		}})
	return string(files[0].Text), last.what, nil
}

// ShrinkTime is the longest time that a reduction may take.
var ShrinkTime = 6 * time.Minute

// A verdict tells how a bundle differs.
type verdict struct {
	class  string // the kind of difference: not built, killed, other status, other output; "" for none
	status int    // the interpreter's
	what   string
	err    error
}

// A comparison runs bundles in a way and in the interpreter. After the first, the interpreter must end each with the same
// status.
type comparison struct {
	lab  *Lab
	ways []Way // the interpreter's first
	want verdict
}

// compare runs a bundle.
func (c *comparison) compare(text string) verdict {
	if _, err := load(text, Way{}); err != nil {
		return verdict{err: err}
	}
	want, err := c.lab.interpret(Exe{way: c.ways[0], text: text}, nil)
	if err != nil || want.Status == Killed || c.want.class != "" && want.Status != c.want.status {
		return verdict{err: err}
	}
	exes, err := c.lab.Build(text, c.ways[1:])
	var bad *BuildError
	if errors.As(err, &bad) {
		return verdict{class: "build " + buildClass(bad.Text), status: want.Status, what: bad.Error()}
	}
	if err != nil {
		return verdict{err: err}
	}
	defer Remove(exes)
	for _, e := range exes {
		got, err := c.lab.Run(e)
		if err != nil {
			return verdict{err: err}
		}
		if d := e.way.differs(want, got); d != "" {
			return verdict{class: class(want, got), status: want.Status, what: e.way.Name + ": " + d}
		}
	}
	return verdict{}
}

// class returns a text that is different for differences with different causes.
func class(want, got Outcome) string {
	switch {
	case got.Status == Killed:
		return "killed"
	case want.Status != got.Status:
		return fmt.Sprint("status ", got.Status)
	}
	return "output"
}

// buildClass returns the message of a failed build without names.
func buildClass(s string) string {
	for _, k := range []string{"declared and not used", "panics", "internal error", "undefined", "cannot use", "jumps", "overflows",
		"truncated", "mismatched", "redeclared", "missing return", "invalid operation", "label"} {
		if strings.Contains(s, k) {
			return k
		}
	}
	return ""
}
