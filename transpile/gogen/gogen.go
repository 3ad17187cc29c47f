// Package gogen makes the files of a program: the functions that package lower makes of bodies,
// the tables that the runtime reads (types, functions, places where code may stop, the heap
// image, entities), entry points for Go and C, and the code that starts the program.
//
// Bodies and tables share repr.Program: bodies add the rows that they need, and this package
// makes the tables from these rows. All output is a tree of Go (gotree), which render prints;
// jennifer, which no other package uses, writes the head of each file. The output refers to the
// runtime by the names of its identifiers; this package does not import the runtime. The same
// input gives the same output, byte for byte.
package gogen

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/uvm2go/uvm2go/transpile/cover"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// Options select what is generated.
type Options struct {
	repr.Options
	// Runtime is the import path of rtlib, above the packages that generated code imports.
	Runtime string
	// Entry is the function that a program starts with. A package has none.
	Entry *ir.Function
	// Export lists the functions that get an exported Go wrapper;
	// nil means all whose signature Go can express. Ignored in package main.
	Export []*ir.Function
	// Call, if set, makes a program that calls this function, which has a body, with
	// CallArgs and prints the results, instead of Entry.
	Call     *ir.Function
	CallArgs []*ir.Const
	// CallResults are the notations of the results; missing ones are the zero Notation.
	CallResults []ir.Notation
	// CgoFlags are #cgo directives, without that word, for programs made for cgo.
	CgoFlags []string
	// Callbacks is the number of functions of a signature that can be exposed at the
	// same time at run time in programs made for cgo, 0 for a default.
	Callbacks int
	// Names are the entities of the program, for code that looks up names and IDs.
	Names []ir.EntityName
	// TrapMode is the default of the program's trap handler, "" for print.
	TrapMode string
	// Cover is what the program counts, nil for nothing.
	Cover *cover.Counting
	// SingleFile puts everything into one file, SingleName without ".go".
	SingleFile bool
	SingleName string
	// FileInsts is the number of instructions after which a new file begins;
	// 0 means a default.
	FileInsts int
}

// A File is one generated file, of Go except for the cells of a library (ccells.go).
type File struct {
	Name string
	Data []byte
}

// defaultFileInsts keeps files at a size that the Go compiler parses in
// parallel and that an editor opens.
const defaultFileInsts = 4000

// Generate makes the Go files of a verified program from its facts. The error is an InputError if
// no code can be made of the program.
func Generate(known *facts.Program, opt Options) ([]File, error) {
	if opt.FileInsts == 0 {
		opt.FileInsts = defaultFileInsts
	}
	for _, f := range opt.CgoFlags {
		if shown := outside(gotree.InFlags, f); shown != f {
			return nil, inputError("a #cgo directive cannot have characters that are not printable, or */: %s", shown)
		}
	}
	p := known.IR
	g := newGen(known, opt)
	// The running program knows where the symbols of a unit are: it is made for cgo or not.
	g.Cgo = opt.Libs || !opt.Unit && len(CSymbols(p, opt)) > 0
	g.Errno = g.readsErrno()
	g.NameAll()
	out := &output{gen: g, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	cur := &part{name: "code"}
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		if cur.insts > opt.FileInsts {
			out.add(cur)
			cur = &part{name: fmt.Sprintf("code%d", len(out.files)+1)}
		}
		decls, err := lower.Function(g.Program, f)
		if err != nil {
			return nil, err
		}
		cur.decls = append(cur.decls, decls...)
		if g.Funcs[f].Resume != "" {
			d, err := lower.Resumable(g.Program, f)
			if err != nil {
				return nil, err
			}
			cur.decls = append(cur.decls, d)
			cur.insts += len(v.Insts)
		}
		cur.insts += len(v.Insts)
	}
	if len(cur.decls) > 0 {
		out.add(cur)
	}
	tables, err := g.tables()
	if err != nil {
		return nil, err
	}
	for _, p := range tables {
		out.add(p)
	}
	return append(out.finish(), g.cCellFiles()...), nil
}

// part is the content of one file before rendering.
type part struct {
	name  string
	decls []gotree.Decl
	insts int
	// preamble is the C preamble of import "C".
	preamble string
	// tag is the file's build constraint.
	tag string
}

// gen is the state of one translation.
type gen struct {
	*repr.Program
	opt    Options
	hidden map[string][]int // of the program
	host   host
	// pointers are the signatures to which the bundles name pointers, see exposable.
	pointers map[ir.TypeID]bool
	slots    map[repr.Described]bool // see slotted
	inC      *cCells                 // see staticInC
}

func newGen(known *facts.Program, opt Options) *gen {
	return &gen{Program: repr.New(known, opt.Options), opt: opt, hidden: known.IR.Hidden(), slots: map[repr.Described]bool{}}
}

// output collects the files. Each part is printed as soon as it is complete, while the
// next parts are made, so that few trees are in memory at a time; only a single file is
// printed at the end.
type output struct {
	gen    *gen
	single *part // of everything, with SingleFile
	files  []*File
	group  sync.WaitGroup
	slots  chan struct{} // one for each processor
}

func (o *output) add(p *part) {
	if o.gen.opt.SingleFile {
		if o.single == nil {
			o.single = &part{name: o.gen.opt.SingleName}
		}
		if p.tag != "!cgo" {
			o.single.decls = append(o.single.decls, p.decls...)
			o.single.preamble += p.preamble
		}
		return
	}
	o.print(p)
}

func (o *output) print(p *part) {
	f := &File{Name: p.name + ".go"}
	o.files = append(o.files, f)
	o.slots <- struct{}{}
	o.group.Go(func() {
		f.Data = o.gen.render(p)
		<-o.slots
	})
}

// finish waits for the files.
func (o *output) finish() []File {
	if o.single != nil {
		o.print(o.single)
	}
	o.group.Wait()
	files := make([]File, len(o.files))
	for i, f := range o.files {
		files[i] = *f
	}
	return files
}
