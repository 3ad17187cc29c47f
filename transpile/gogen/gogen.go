// Package gogen prints a program as Go source.
//
// It is the only package that knows what Go code for a bundle looks like. The
// layout of each function body comes from package lower; statements are built
// with jennifer, whose leaves here are mostly whole lines of text, because most
// instructions are one line of Go, and package tidy lays out their text. The
// output names things of the runtime by its identifiers; the runtime itself is
// not imported.
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
	"bytes"
	"fmt"
	"go/format"
	"path"
	"runtime"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gogen/tidy"
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
		code, err := g.function(f, v)
		if err != nil {
			return nil, err
		}
		cur.code = append(cur.code, code...)
		if g.info[f].resume != "" {
			if code, err = g.resumable(f, v); err != nil {
				return nil, err
			}
			cur.code = append(cur.code, code...)
			cur.insts += len(v.Insts)
		}
		cur.insts += len(v.Insts)
	}
	if len(cur.code) > 0 {
		out.add(cur)
	}
	tables, err := g.tables()
	if err != nil {
		return nil, err
	}
	for _, p := range tables {
		out.add(p)
	}
	return out.finish()
}

// part is the content of one file before rendering.
type part struct {
	name  string
	code  []jen.Code
	insts int
	// text, if not nil, is the finished file instead of code.
	text []byte
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
	errno      bool // something may read errno
	frameSites []string
	steps      []string // steps of resumable bodies
	// onceSites numbers the sites of traps and swaps, in order of emission.
	sites []string
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

// output collects the files. Each part is rendered as soon as it is complete, beside
// the making of the next ones, so that few are held as trees of code; only a
// single file is rendered at the end.
type output struct {
	gen    *gen
	single *part // of everything, with SingleFile
	files  []*file
	group  sync.WaitGroup
	slots  chan struct{} // one for each processor
}

// file is a File that is being rendered.
type file struct {
	File
	err error
}

func (o *output) add(p *part) {
	if o.gen.opt.SingleFile {
		if o.single == nil {
			o.single = &part{name: o.gen.opt.SingleName}
		}
		if p.tag != "!cgo" {
			o.single.code = append(o.single.code, p.code...)
			o.single.preamble += p.preamble
		}
		return
	}
	o.render(p)
}

func (o *output) render(p *part) {
	f := &file{File: File{Name: p.name + ".go", Data: p.text}}
	o.files = append(o.files, f)
	if p.text != nil {
		return
	}
	o.slots <- struct{}{}
	o.group.Go(func() {
		f.Data, f.err = o.gen.renderFile(p)
		<-o.slots
	})
}

// finish waits for the files.
func (o *output) finish() ([]File, error) {
	if o.single != nil {
		o.render(o.single)
	}
	o.group.Wait()
	files := make([]File, len(o.files))
	for i, f := range o.files {
		if f.err != nil {
			return nil, f.err
		}
		files[i] = f.File
	}
	return files, nil
}

const resetMark = "//line uvm2go_reset:1"

func (g *gen) renderFile(p *part) ([]byte, error) {
	f := jen.NewFile(g.opt.Package)
	f.NoFormat = true
	f.HeaderComment("Code generated by uvm2go. DO NOT EDIT.")
	if p.tag != "" {
		f.HeaderComment("//go:build " + p.tag)
	}
	for _, c := range p.code {
		f.Add(c)
	}
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("internal error: %s: %w", p.name, err)
	}
	src, ok := tidy.Format(b.Bytes())
	if !ok {
		var err error
		if src, err = format.Source(b.Bytes()); err != nil {
			return nil, fmt.Errorf("internal error: generated Go does not parse: %s", firstLines(err.Error(), 12))
		}
	}
	return resetLines(g.imports(exempt(src), p.preamble), p.name+".go"), nil
}

// imports adds the import declaration. The text says which packages it uses;
// no local identifier equals a package name (see names.go).
func (g *gen) imports(src []byte, preamble string) []byte {
	var use []string
	for _, p := range []struct{ name, path string }{
		{"math", "math"}, {"unsafe", "unsafe"}, {"", ""},
		{"rt", g.opt.Runtime}, {"atomics", g.opt.Runtime + "/atomics"}, {"native", g.opt.Runtime + "/native"},
		{"num", g.opt.Runtime + "/num"}, {"ffi", g.opt.Runtime + "/ffi"},
	} {
		switch {
		case p.name == "":
			if len(use) > 0 {
				use = append(use, "")
			}
		case usesPackage(src, p.name):
			if path.Base(p.path) == p.name {
				use = append(use, fmt.Sprintf("\t%q", p.path))
			} else {
				use = append(use, fmt.Sprintf("\t%s %q", p.name, p.path))
			}
		}
	}
	if len(use) == 0 {
		return src
	}
	c := ""
	if preamble != "" {
		c = "\n/*\n" + preamble + "*/\nimport \"C\"\n"
	}
	if use[len(use)-1] == "" {
		use = use[:len(use)-1]
	}
	clause := []byte("package " + g.opt.Package + "\n")
	at := bytes.Index(src, clause) + len(clause)
	decl := c + "\nimport (\n" + strings.Join(use, "\n") + "\n)\n"
	return append(src[:at:at], append([]byte(decl), src[at:]...)...)
}

// usesPackage reports whether the text selects from a package.
func usesPackage(src []byte, name string) bool {
	key := []byte(name + ".")
	for i := 0; ; {
		k := bytes.Index(src[i:], key)
		if k < 0 {
			return false
		}
		i += k
		if next := i + len(key); next < len(src) && src[next] >= 'A' && src[next] <= 'Z' && (i == 0 || !identByte(src[i-1])) {
			return true
		}
		i += len(key)
	}
}

func identByte(c byte) bool {
	// '@' and '"' begin names and texts of the bundle.
	return c == '_' || c == '.' || c == '@' || c == '"' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func firstLines(s string, n int) string {
	l := strings.SplitN(s, "\n", n+1)
	if len(l) > n {
		l = l[:n]
	}
	return strings.Join(l, "\n")
}

// resetLines finishes the line directives. An instruction may take several
// lines of Go, all of which are the instruction's line in the bundle: the
// directive is repeated before each that can fail or call. The directives that
// end a stretch of bundle lines are made to point at the file's own next line.
func resetLines(src []byte, name string) []byte {
	if !bytes.Contains(src, []byte(resetMark)) {
		return src
	}
	var out bytes.Buffer
	out.Grow(len(src) + len(src)/4)
	line := 0 // lines written
	put := func(l []byte) {
		out.Write(l)
		line++
	}
	var directive []byte
	first := false // the directive has just been written
	for len(src) > 0 {
		i := bytes.IndexByte(src, '\n')
		if i < 0 {
			i = len(src) - 1
		}
		l := src[:i+1]
		src = src[i+1:]
		switch {
		case bytes.HasPrefix(l, []byte("//line ")):
			if string(bytes.TrimSpace(l)) == resetMark {
				directive = nil
				put(fmt.Appendf(nil, "//line %s:%d\n", path.Base(name), line+2))
				continue
			}
			if directive == nil || !bytes.Equal(directive, l) || !first {
				put(l)
			}
			directive, first = l, true
			continue
		case directive != nil && !first && bytes.IndexByte(l, '(') >= 0:
			put(directive)
		}
		put(l)
		first = false
	}
	return out.Bytes()
}

// raw is a line or expression of Go text.
func raw(format string, args ...any) *jen.Statement {
	if len(args) == 0 {
		return jen.Id(format)
	}
	return jen.Id(fmt.Sprintf(format, args...))
}
