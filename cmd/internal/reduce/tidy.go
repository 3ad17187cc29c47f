package reduce

import (
	"regexp"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

var globalName = regexp.MustCompile(`@[A-Za-z0-9_.-]+`)

// tidied returns a bundle in Mu text without unreachable blocks and unused definitions, in the
// plain form of syntax.Fprint. What @main and the other files need is used, and with all what any function, cell or exposed
// function needs.
func (r *reducer) tidied(text string, all bool) string {
	files := diag.NewSet()
	f, err := files.Add("bundle", []byte(text))
	if err != nil {
		return text
	}
	b := syntax.Parse(f, syntax.NewSymbols(), diag.NewList(files), 0)
	if b.Bad {
		return text
	}
	for _, d := range b.Defs {
		if fd, ok := d.(*syntax.FuncDef); ok {
			dropUnreachable(fd)
		}
	}
	// Print each definition separately to find the names in it.
	type def struct {
		name string
		text string
	}
	var defs []def
	index := map[string]int{}
	list := b.Defs
	for i := range list {
		b.Defs = list[i : i+1]
		var s strings.Builder
		if syntax.Fprint(&s, b) != nil {
			return text
		}
		_, n := list[i].Head()
		name := b.Spelling(n)
		index[name] = i
		defs = append(defs, def{name, s.String()})
	}
	used := make([]bool, len(defs))
	var mark func(string)
	mark = func(name string) {
		i, ok := index[name]
		if !ok || used[i] {
			return
		}
		used[i] = true
		for _, n := range globalName.FindAllString(defs[i].text, -1) {
			mark(n)
		}
	}
	mark("@main")
	for i, f := range r.files {
		if i != r.at {
			for _, n := range globalName.FindAllString(string(f.Text), -1) {
				mark(n)
			}
		}
	}
	for i, d := range list {
		switch d.(type) {
		case *syntax.FuncDef, *syntax.GlobalDef, *syntax.ExposeDef:
			if all {
				mark(defs[i].name)
			}
		}
	}
	var out strings.Builder
	for i, d := range defs {
		if used[i] {
			out.WriteString(d.text)
		}
	}
	return out.String()
}

// dropUnreachable drops the blocks of a function that cannot be reached.
func dropUnreachable(f *syntax.FuncDef) {
	index := map[syntax.Sym]int{}
	for i := range f.Blocks {
		index[f.Blocks[i].Name.Sym] = i
	}
	seen := make([]bool, len(f.Blocks))
	var visit func(int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for k := range f.Blocks[i].Insts {
			for _, d := range f.Blocks[i].Insts[k].Dests {
				if j, ok := index[d.Block.Sym]; ok {
					visit(j)
				}
			}
		}
	}
	if len(f.Blocks) > 0 {
		visit(0)
	}
	var keep []syntax.Block
	for i, b := range f.Blocks {
		if seen[i] {
			keep = append(keep, b)
		}
	}
	f.Blocks = keep
}
