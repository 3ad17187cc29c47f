package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A part is what diff compares at once: a function, or the definitions.
type part struct {
	name, text string
	body       *ir.Version // nil for the definitions
}

// A side is one of the programs that are compared.
type side struct {
	title string
	p     *transpile.Program
	parts []part
}

// diffFlags are the flags of diff alone.
type diffFlags struct {
	levels            [2]int
	level             string
	goCode, names     bool
	list, stat, asObj bool
	only, disable     list
}

func (d *diffFlags) declare(in *input) {
	fs := in.set
	fs.StringVar(&d.level, "O", "", "`levels` 0 or 1 of both sides, such as 0,1")
	fs.BoolVar(&d.goCode, "go", false, "compare the Go functions instead of the representation")
	fs.BoolVar(&d.names, "names", false, "other names of values and blocks are a difference, too")
	fs.BoolVar(&d.list, "l", false, "only list what differs")
	fs.BoolVar(&d.stat, "stat", false, "print a table: blocks, instructions, calls and allocations of what differs, before and after")
	fs.BoolVar(&d.asObj, "json", false, "print what differs, each a JSON object on a line")
	d.only = list{comma: true}
	fs.Var(&d.only, "passes", "run only these `passes`, as for dump; with one bundle on the second side only, and none on the first")
}

// check checks the flags and reads the levels.
func (d *diffFlags) check(in *input, files []string) error {
	switch {
	case len(files) == 1 && d.level == "" && in.disable.vals == nil && d.only.vals == nil:
		return errors.New("want two bundles, got 1; with one, say in what the sides differ: -O 0,1, -disable PASS or -passes PASS")
	case len(files) != 1 && len(files) != 2:
		return fmt.Errorf("want two bundles, got %d", len(files))
	case len(files) == 2 && files[0] == "-" && files[1] == "-":
		return errors.New("only one of the bundles can be standard input")
	case d.stat && d.goCode:
		return errors.New("-stat and -go exclude each other: the table is about the representation")
	case d.names && d.goCode:
		return errors.New("-names and -go exclude each other: in Go, names always count")
	case d.stat && d.list:
		return errors.New("-stat and -l exclude each other: the table is a list")
	case d.level != "" && (in.o0 || in.o1):
		return errors.New("-O and -O0 or -O1 exclude each other")
	}
	d.disable = in.disable
	d.levels = [2]int{in.opt.Optimize, in.opt.Optimize}
	if d.level == "" {
		return nil
	}
	first, second, two := strings.Cut(d.level, ",")
	if !two {
		second = first
	}
	for i, l := range []string{first, second} {
		if l != "0" && l != "1" {
			return fmt.Errorf("-O %s: want two levels, 0 or 1, such as 0,1", d.level)
		}
		d.levels[i] = int(l[0] - '0')
	}
	return nil
}

// side makes the flags of one of the sides. The sides of one bundle differ in the level and the passes.
func (d *diffFlags) side(in *input, i int, one bool) (s *input, title string, err error) {
	c := *in
	c.noC = true
	c.opt.Optimize = d.levels[i]
	if d.goCode {
		c.opt.Package = "bundle" // package main would need an entry function
		c.opt.Lines = false
	}
	var settings []string
	if d.level != "" {
		settings = append(settings, fmt.Sprintf("-O%d", d.levels[i]))
	}
	only := d.only.vals
	if c.disable = d.disable; one && i == 0 {
		if c.disable.vals = nil; only != nil {
			only = []string{""}
		}
	}
	if c.opt.DisablePasses = c.disable.vals; c.disable.vals != nil {
		settings = append(settings, "-disable "+c.disable.String())
	}
	if only != nil {
		settings = append(settings, fmt.Sprintf("-passes %q", strings.Join(only, ",")))
	}
	return &c, strings.ReplaceAll(strings.Join(settings, " "), `"`, "'"), c.selectPasses(only)
}

func runDiff(e *env, args []string) int {
	in := e.flags("diff")
	in.program()
	var d diffFlags
	d.declare(in)
	files, status, done := e.parse(in, "diff [flags] BUNDLE BUNDLE, or: uvm2go diff -O 0,1 BUNDLE", args)
	if done {
		return status
	}
	if err := d.check(in, files); err != nil {
		return e.errorf("diff: %v", err)
	}
	var sides [2]side
	var kept []transpile.Source // of a bundle that is on both sides
	one := len(files) == 1
	for i := range sides {
		f := files[min(i, len(files)-1)]
		own, settings, err := d.side(in, i, one)
		if err != nil {
			return e.errorf("diff: %v", err)
		}
		sides[i].title = strings.TrimSpace(f + " " + settings)
		if i == 0 || !one {
			if kept, status = e.sources(own, []string{f}); status != statusOK {
				return statusUsage
			}
		}
		if one && i == 0 {
			in = own // with what belongs to an archive
		} else if one {
			e.print = func(*diag.List) error { return nil } // the warnings are those of the first side
		}
		p, _ := e.loadSources(own, kept)
		if p == nil {
			return statusUsage
		}
		sides[i].p = p
		if err := e.parts(&sides[i], d.goCode); err != nil {
			return e.errorf("diff: %s: %v", sides[i].title, err)
		}
		e.idle(p)
	}
	list := d.compare(sides)
	if err := d.write(e.stdout, sides, list); err != nil {
		return e.errorf("diff: %v", err)
	}
	if len(list) > 0 {
		return statusInput
	}
	return statusOK
}

// parts lists what diff compares of a program: its definitions, and the functions with bodies in their order.
func (e *env) parts(s *side, goCode bool) error {
	var code map[string]string
	var err error
	p := s.p
	definitions := part{name: "the definitions", text: dump.PlainDefinitions(p.IR)}
	if goCode {
		code, err = goFunctions(p)
	} else {
		err = e.optimized(p, nil)
	}
	s.parts = []part{definitions}
	for _, f := range p.IR.Funcs {
		if v := f.Current(); v != nil {
			s.parts = append(s.parts, part{f.Name, code[v.Name], v})
		}
	}
	return err
}

// A change is a part that differs. The sides that have it are not nil.
type change struct {
	name   string
	sides  [2]*part
	first  string // the texts to compare
	second string
}

// compare lists the differences, in the order of the first side, and then what only the second side has.
func (d *diffFlags) compare(sides [2]side) []change {
	second := map[string]*part{}
	for i := range sides[1].parts {
		second[sides[1].parts[i].name] = &sides[1].parts[i]
	}
	var list []change
	add := func(name string, a, b *part) {
		c := change{name: name, sides: [2]*part{a, b}}
		c.first, c.second = d.texts(sides, a, b)
		if a == nil || b == nil || c.first != c.second {
			list = append(list, c)
		}
	}
	for i := range sides[0].parts {
		a := &sides[0].parts[i]
		add(a.name, a, second[a.name])
		delete(second, a.name)
	}
	for i := range sides[1].parts {
		if b := &sides[1].parts[i]; second[b.name] == b {
			add(b.name, nil, b)
		}
	}
	return list
}

// texts makes the texts of a part, of which one may be nil.
func (d *diffFlags) texts(sides [2]side, a, b *part) (first, second string) {
	plain := func(i int, p *part) string {
		switch {
		case p == nil:
			return ""
		case p.body == nil || d.goCode:
			return p.text
		}
		return dump.Plain(sides[i].p.IR, p.body)
	}
	if d.names || d.goCode || a == nil || b == nil || a.body == nil {
		return plain(0, a), plain(1, b)
	}
	return dump.Same(sides[0].p.IR, a.body, sides[1].p.IR, b.body)
}

// unified is the difference of the texts, with the names of the files.
func (c *change) unified(sides [2]side) []byte {
	_, changes, _ := bytes.Cut(diff.Diff(sides[0].title+" "+c.name, []byte(c.first), sides[1].title+" "+c.name, []byte(c.second)), []byte("\n"))
	return changes
}

// what says how a part differs.
func (c *change) what(sides [2]side) string {
	switch {
	case c.sides[1] == nil:
		return "is only in " + sides[0].title
	case c.sides[0] == nil:
		return "is only in " + sides[1].title
	case c.sides[0].body == nil:
		return "differ"
	}
	return "differs"
}

// sizes are the sizes on both sides.
func (c *change) sizes() (s [2]dump.Size) {
	for i, p := range c.sides {
		if p != nil {
			s[i] = dump.SizeOf(p.body)
		}
	}
	return s
}

func (d *diffFlags) write(w io.Writer, sides [2]side, list []change) error {
	switch {
	case d.asObj:
		return d.writeJSON(w, sides, list)
	case d.stat:
		return writeStat(w, sides, list)
	}
	for _, c := range list {
		var err error
		if d.list {
			_, err = fmt.Fprintf(w, "%s %s\n", c.name, c.what(sides))
		} else {
			_, err = w.Write(c.unified(sides))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes the differences as objects.
func (d *diffFlags) writeJSON(w io.Writer, sides [2]side, list []change) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, c := range list {
		o := struct {
			Name   string     `json:"name,omitempty"` // none for the definitions
			Change string     `json:"change"`
			Before *dump.Size `json:"before,omitempty"`
			After  *dump.Size `json:"after,omitempty"`
			Diff   string     `json:"diff,omitempty"`
		}{Change: "differs"}
		sizes := c.sizes()
		for i, p := range c.sides {
			switch {
			case p == nil:
				o.Change = [...]string{"added", "removed"}[i]
			case p.body == nil:
			default:
				o.Name = c.name
				if size := &sizes[i]; d.goCode {
				} else if i == 0 {
					o.Before = size
				} else {
					o.After = size
				}
			}
		}
		if !d.list && !d.stat {
			o.Diff = string(c.unified(sides))
		}
		if err := out.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// writeStat writes the table of the functions that differ, and of all together.
func writeStat(w io.Writer, sides [2]side, list []change) error {
	if len(list) == 0 {
		return nil
	}
	var table bytes.Buffer
	out := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	row := func(name string, s [2]dump.Size, what string) {
		fmt.Fprint(out, name)
		for _, n := range [][2]int{{s[0].Blocks, s[1].Blocks}, {s[0].Instructions, s[1].Instructions}, {s[0].Calls, s[1].Calls}, {s[0].Allocations, s[1].Allocations}} {
			fmt.Fprintf(out, "\t%d", n[0])
			if n[0] != n[1] {
				fmt.Fprintf(out, " -> %d", n[1])
			}
		}
		fmt.Fprintf(out, "\t%s\n", what)
	}
	fmt.Fprintln(out, "function\tblocks\tinstructions\tcalls\tallocations\t")
	for _, c := range list {
		what := c.what(sides)
		if what == "differs" {
			what = ""
		}
		if c.sides[0] != nil && c.sides[0].body == nil {
			fmt.Fprintf(out, "%s\t\t\t\t\t%s\n", c.name, what)
			continue
		}
		row(c.name, c.sizes(), what)
	}
	var all [2]dump.Size
	for i, s := range sides {
		for _, p := range s.parts {
			all[i] = all[i].Plus(dump.SizeOf(p.body))
		}
	}
	row("all functions", all, "")
	out.Flush()
	for line := range strings.Lines(table.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}
