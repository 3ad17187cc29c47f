// Package gogen prints a program as Go source.
//
// It is the only package that knows what Go code for a bundle looks like. The
// layout of each function body comes from package lower; what is made here is a
// tree, see package gotree, which also prints it. The output names things of the
// runtime by its identifiers; the runtime itself is not imported.
//
// # Conventions of the output
//
//   - Every Mu function is a Go function whose first parameter t is the context
//     of the Mu stack it runs on. Values are as the table in types.go says;
//     references are uintptr, never Go pointers.
//   - A function that throws sets t.Thrown and returns zero values; callers
//     test it. No Go panic is on that path.
//   - A function that can recurse, or has references live across a safepoint,
//     pushes a frame on the shadow stack at t.SP: fp is its address.
//   - Nothing depends on the machine that the translator runs on. Offsets that
//     depend on the word size are constant expressions over rt.Is64.
//   - The text is the same for the same input, to the byte.
package gogen

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Options select what is generated.
type Options struct {
	// Package is the name of the Go package; "main" makes a program.
	Package string
	// Runtime is the import path of rtlib.
	Runtime string
	// Lines adds //line directives with the positions of the bundles.
	Lines bool
	// Entry is the function that a program starts with, with its '@'.
	Entry string
	// Export lists the functions (with '@') that get an exported Go wrapper;
	// nil means all whose signature Go can express. Ignored in package main.
	Export []string
	// Call, if set, makes a program that calls this function with the literals of
	// CallArgs (dialect.ParseValue) and prints the results, instead of Entry.
	Call     string
	CallArgs []*ir.Const
	// NativeC makes the program for cgo if it uses any native symbol, and calls
	// C also for functions that Go serves as well.
	NativeC bool
	// Libs says that there are libraries to resolve symbols in, which takes cgo.
	Libs bool
	// CgoFlags are #cgo directives, without that word, for programs made for cgo.
	CgoFlags []string
	// GoNatives are symbols that Go code of a client registers.
	GoNatives []string
	// Callbacks is how many functions of a signature can be exposed at run time
	// at once in programs made for cgo, 0 for a default.
	Callbacks int
	// Sanitize adds the checks that the reference leaves undefined.
	Sanitize bool
	// Introspect makes a program that tells a client about its entities.
	Introspect bool
	// Bodies are those that can stop and go on, for stacks without a goroutine, see package resume.
	Bodies map[*ir.Function]*ir.Version
	// Origins, if not nil, says which instructions of a body are copies, and of
	// what, by InstID; the list may be shorter. See inlined.go.
	Origins func(*ir.Version) []*ir.Inlined
	// Names are the entities of the program, for code that looks up names and IDs.
	Names []EntityName
	// TrapMode is the default of the program's trap handler, "" for print.
	TrapMode string
	// SingleFile puts everything into one file, SingleName without ".go".
	SingleFile bool
	SingleName string
	// FileInsts is the number of instructions after which a new file begins;
	// 0 means a default.
	FileInsts int
}

// A File is one generated Go file.
type File struct {
	Name string
	Data []byte
}

// defaultFileInsts keeps files at a size that the Go compiler parses in
// parallel and that an editor opens.
const defaultFileInsts = 4000

// Generate translates a verified program of which the facts are known.
func Generate(known *facts.Program, opt Options) ([]File, error) {
	if opt.FileInsts == 0 {
		opt.FileInsts = defaultFileInsts
	}
	p := known.IR
	g := newGen(known, opt)
	syms := CSymbols(p, opt)
	g.cgo = len(syms) > 0 || opt.Libs
	g.errno = g.readsErrno()
	g.nameAll()
	g.nameBodies()
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
		decls, err := g.function(f, v)
		if err != nil {
			return nil, err
		}
		cur.decls = append(cur.decls, decls...)
		if g.info[f].resume != "" {
			d, err := g.resumable(f, v)
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
	return out.finish(), nil
}

// part is the content of one file before rendering.
type part struct {
	name  string
	decls []gotree.Decl
	insts int
	// preamble is that of import "C".
	preamble string
	// tag is the file's build constraint.
	tag string
}

// gen is the state of one translation.
type gen struct {
	*facts.Program
	p   *ir.Program
	opt Options
	lay *layout.Table
	names

	info   map[*ir.Function]*funcInfo
	hidden map[string][]int // of p
	host   host
	// pointers are the signatures to which the bundles name pointers, see exposable.
	pointers map[ir.TypeID]bool
	typeTables
	natives
	bundles
	cgo        bool // made for cgo
	frameSites []expr
	errno      bool   // something may read errno
	steps      []expr // steps of resumable bodies
	// sites are those of traps and swaps, in order of emission.
	sites []expr
	watch map[uint32]int
	// maxTransfer is the longest value list handed to the runtime.
	maxTransfer int
}

func newGen(known *facts.Program, opt Options) *gen {
	p := known.IR
	g := &gen{Program: known, p: p, opt: opt, lay: layout.New(p.Types), hidden: p.Hidden(), info: map[*ir.Function]*funcInfo{}, watch: map[uint32]int{}}
	g.names.init()
	g.typeTables.init()
	g.natives.init()
	g.bundles.init()
	g.maxTransfer = 32
	return g
}

// output collects the files. Each part is printed as soon as it is complete, beside
// the making of the next ones, so that few are held as trees; only a single file is
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
