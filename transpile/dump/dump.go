// Package dump shows the representation to people: as text, as a picture of the control
// flow (DOT or SVG), and as an HTML page that shows texts of each function side by side.
// The command uvm2go dump uses it (docs/commands.md, "dump").
//
// It does not choose the content: package ir prints the text, and the caller runs the
// passes and provides their snapshots. It works on broken programs, because dumps are
// needed then. Its output depends only on the program, to the byte, and does not refer
// to other files.
package dump

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Form is a format of dumps.
type Form uint8

// The forms.
const (
	Text Form = iota // the text form of package ir
	DOT              // control flow, for Graphviz
	SVG              // control flow, drawn
)

// Options say what to dump.
type Options struct {
	Form Form
	// Func is the name of the function or version to show, "" for all.
	Func string
}

// Dump writes a program, or one of its functions.
func Dump(w io.Writer, p *ir.Program, opt Options) error {
	if opt.Form == Text && opt.Func == "" {
		return ir.Print(w, p)
	}
	vs, err := Select(p, opt.Func)
	if err != nil {
		return err
	}
	return Versions(w, p, vs, opt.Form)
}

// Versions writes some versions of a program, or snapshots of them.
func Versions(w io.Writer, p *ir.Program, vs []*ir.Version, form Form) error {
	switch form {
	case DOT:
		return writeDOT(w, p, vs)
	case SVG:
		return writeSVG(w, p, vs)
	}
	for i, v := range vs {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := ir.PrintVersion(w, p, v); err != nil {
			return err
		}
	}
	return nil
}

// Select returns the versions of the function called name, or the version called
// name, in order; all versions of the program if name is empty. It returns an error if
// there is none.
func Select(p *ir.Program, name string) ([]*ir.Version, error) {
	var vs []*ir.Version
	if p == nil {
		return nil, fmt.Errorf("no program")
	}
	known := false
	for _, f := range p.Funcs {
		if f == nil {
			continue
		}
		known = known || f.Name == name
		for _, v := range f.Versions {
			if v != nil && (name == "" || f.Name == name || v.Name == name) {
				vs = append(vs, v)
			}
		}
	}
	switch {
	case len(vs) > 0 || name == "":
		return vs, nil
	case known:
		return nil, fmt.Errorf("%s is declared but never defined", name)
	}
	return nil, fmt.Errorf("unknown function %s", name)
}

// edge is one destination of a terminator.
type edge struct {
	from, to ir.BlockID
	label    string
	exc      bool
}

// edges returns the edges from a block to blocks that exist.
func edges(p *ir.Program, v *ir.Version, b ir.BlockID) (out []edge) {
	in := term(v, b)
	if in == nil {
		return nil
	}
	for k := range in.Dests {
		to := in.Dests[k].Block
		if to < 0 || int(to) >= len(v.Blocks) {
			continue
		}
		e := edge{from: b, to: to}
		e.label, e.exc = label(p, v, in, k)
		out = append(out, e)
	}
	return out
}

// term is the last instruction of a block, nil if there is none.
func term(v *ir.Version, b ir.BlockID) *ir.Inst {
	l := v.Blocks[b].Insts
	if len(l) == 0 {
		return nil
	}
	id := l[len(l)-1]
	if id <= 0 || int(id) >= len(v.Insts) {
		return nil
	}
	return &v.Insts[id]
}

// label says in which case destination k is taken.
func label(p *ir.Program, v *ir.Version, in *ir.Inst, k int) (string, bool) {
	switch {
	case in.Has(ir.FlagExc):
		return [...]string{"", "exc"}[min(k, 1)], k == 1
	case in.Op == ir.OpBranch2:
		return [...]string{"true", "false"}[min(k, 1)], false
	case in.Op == ir.OpSwitch && k == 0:
		return "default", false
	case in.Op == ir.OpSwitch && k < len(in.Args):
		return ir.ValueString(p, v, in.Args[k]), false
	case in.Op == ir.OpWatchpoint || in.Op == ir.OpWPBranch:
		return [...]string{"disabled", "enabled", "exc"}[min(k, 2)], k == 2
	}
	return "", false
}

// lines are the lines of a block: its head, then its instructions.
func lines(p *ir.Program, v *ir.Version, b ir.BlockID) []string {
	blk := &v.Blocks[b]
	params := make([]string, len(blk.Params))
	for i, x := range blk.Params {
		params[i] = ir.ValueString(p, v, x)
	}
	head := ir.BlockString(v, b) + "(" + strings.Join(params, " ") + ")"
	if blk.Exc != 0 {
		head += " [" + ir.ValueString(p, v, blk.Exc) + "]"
	}
	out := []string{head}
	for _, id := range blk.Insts {
		out = append(out, ir.InstString(p, v, id))
	}
	return out
}

// maxLine is the number of characters of an instruction that pictures show.
const maxLine = 100

func cut(s string) string {
	if r := []rune(s); len(r) > maxLine {
		return string(r[:maxLine-1]) + "…"
	}
	return s
}

func writeDOT(w io.Writer, p *ir.Program, vs []*ir.Version) error {
	out := bufio.NewWriter(w)
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	fmt.Fprintf(out, "digraph program {\n\tnode [shape=box, fontname=monospace];\n")
	for n, v := range vs {
		fmt.Fprintf(out, "\tsubgraph cluster_%d {\n\t\tlabel=\"%s\";\n", n, quote.Replace(v.Name))
		for b := range v.Blocks {
			if v.Blocks[b].Dead {
				continue
			}
			fmt.Fprintf(out, "\t\tb%d_%d [label=\"", n, b)
			for _, l := range lines(p, v, ir.BlockID(b)) {
				fmt.Fprintf(out, "%s\\l", quote.Replace(cut(l)))
			}
			fmt.Fprintf(out, "\"];\n")
		}
		for b := range v.Blocks {
			if v.Blocks[b].Dead {
				continue
			}
			for _, e := range edges(p, v, ir.BlockID(b)) {
				style := ""
				if e.exc {
					style = ", style=dashed"
				}
				fmt.Fprintf(out, "\t\tb%d_%d -> b%d_%d [label=\"%s\"%s];\n", n, e.from, n, e.to, quote.Replace(e.label), style)
			}
		}
		fmt.Fprintf(out, "\t}\n")
	}
	fmt.Fprintf(out, "}\n")
	return out.Flush()
}
