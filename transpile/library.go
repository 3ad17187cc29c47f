package transpile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/gogen"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Shared libraries for C (Options.Library). The program becomes a package whose exposed functions, after those of the bundles,
// are the functions that the library exports. Beside it there is a package main with a C function for each, which
// has its name, and calls the pointer of the exposed function.

// libraryPackage is the package name of the program of a library.
const libraryPackage = "program"

// A cFunction is a function that a library exports.
type cFunction struct {
	name   string // for C
	expose int    // its place among the exposed functions
	sig    ir.TypeID
}

// exportToC exposes the functions that C can call, and chooses the cells that it can see: those of Options.Export, or all with the name
// of a C identifier.
func (p *Program) exportToC() error {
	b := ir.NewBuilder(p.IR)
	add := func(f *ir.Function) {
		name := ir.Bare(f.Name)
		if f = p.forC(b, f); f != nil {
			p.exported = append(p.exported, cFunction{name, len(p.IR.Exposes), f.Sig})
			b.Expose(ir.GlobalName("uvm.library."+name), f, 0)
		}
	}
	if p.opts.Export == nil {
		for _, f := range slices.Clone(p.IR.Funcs) {
			if f.Current() != nil && f.Of == nil && f.CopyOf == nil && f.Attrs&ir.Internal == 0 && !reserved(ir.Bare(f.Name)) {
				add(f)
			}
		}
		for _, c := range p.IR.Globals {
			if !c.ThreadLocal && !reserved(ir.Bare(c.Name)) {
				p.exportCell(c)
			}
		}
	}
	for _, name := range p.opts.Export {
		cell, ok := p.Dialect.Find(p.IR, name).(*ir.Global)
		if ok && cell.ThreadLocal {
			return gogen.NewInputError("export: %s is a cell of each thread", name)
		}
		if ok && !reserved(ir.Bare(cell.Name)) {
			p.exportCell(cell)
			continue
		}
		f, err := p.function(name)
		if err != nil && !ok {
			return gogen.NewInputError("export: %v", err)
		}
		if ok || reserved(ir.Bare(f.Name)) {
			return gogen.NewInputError("export: %s cannot be the name of a C function or variable of a library", name)
		}
		n := len(p.exported)
		if add(f); len(p.exported) == n {
			return gogen.NewInputError("export: %s has a signature that C cannot express: %s", name, p.IR.Types.Structure(f.Sig, 1))
		}
	}
	_, err := b.Finish()
	return err
}

// exportCell exports a cell under the name that C has for it.
func (p *Program) exportCell(c *ir.Global) {
	if p.cells == nil {
		p.cells = map[*ir.Global]string{}
	}
	p.cells[c] = ir.Bare(c.Name)
}

// reserved reports whether a name cannot be that of a C function of a library: it is no identifier, or one that the runtime
// has or calls in C.
func reserved(name string) bool {
	ok := name != "" && !(name[0] >= '0' && name[0] <= '9') && !strings.HasPrefix(name, "__")
	for _, c := range name {
		ok = ok && (c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}
	_, native := clib.Table[name]
	return !ok || native || strings.HasPrefix(name, "uvm2go_") || strings.HasPrefix(name, "pthread_") || slices.Contains(called, name)
}

// called are symbols that the runtime of Go calls in C, and variables of C: in a library its calls would come to a function of the
// same name, and a host may take the library's variable for that of C.
var called = strings.Fields(`_exit abort calloc clearenv dladdr dlsym environ errno exit fprintf fputc free fwrite malloc mmap munmap nanosleep poll raise
	setegid setenv seteuid setgid setgroups setregid setresgid setresuid setreuid setuid sigaction sigaddset sigemptyset sigfillset
	sigismember signal snprintf stderr stdin stdout strerror syscall unsetenv vfprintf write`)

// forC is the function that C calls for f: f itself, or one that converts numbers of one bit; nil if C cannot call it.
func (p *Program) forC(b *ir.Builder, f *ir.Function) *ir.Function {
	t := p.IR.Types
	sig := t.At(f.Sig)
	if len(sig.Results) > 1 {
		return nil
	}
	bits := false
	wide := func(ids []ir.TypeID) (list []ir.TypeID) {
		for _, id := range ids {
			if t.Kind(id) == ir.KInt && t.At(id).Bits == 1 {
				id, bits = t.Int(8), true
			}
			list = append(list, id)
		}
		return list
	}
	params, results := wide(sig.Fields), wide(sig.Results)
	for _, id := range slices.Concat(params, results) {
		if cTypeOf(t, id) == "" {
			return nil
		}
	}
	if !bits {
		return f
	}
	g := b.Func(ir.GlobalName("uvm.library.bits."+ir.Bare(f.Name)), t.Sig(params, results))
	g.Attrs = ir.Internal | ir.Hidden
	body := b.Body(g, "v")
	var args []ir.ValueID
	for i, id := range sig.Fields {
		x := body.Param(body.Current(), i)
		if id != params[i] {
			x = body.Cmp(ir.OpNE, x, body.Int(params[i], 0))
		}
		args = append(args, x)
	}
	res := slices.Clone(body.Call(body.FuncRef(f), args...))
	if len(res) > 0 && sig.Results[0] != results[0] {
		res[0] = body.Conv(ir.OpZExt, res[0], results[0])
	}
	body.Ret(res...)
	return g
}

// cTypeOf is the C type of a parameter or result, "" if there is none.
func cTypeOf(t *ir.Types, id ir.TypeID) string {
	switch n := t.At(id); n.Kind {
	case ir.KInt:
		if n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64 {
			return fmt.Sprintf("int%d_t", n.Bits)
		}
	case ir.KFloat:
		return "float"
	case ir.KDouble:
		return "double"
	case ir.KUPtr, ir.KUFuncPtr:
		return "void *"
	}
	return ""
}

// cText is a name in a string of C.
func cText(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// LibraryDir is the folder of package main in the module of a library.
const LibraryDir = "library"

// IsLibrary reports whether the program is a shared library (Options.Library).
func (p *Program) IsLibrary() bool { return p.opts.Library }

// LibraryFiles are the files of package main, from which the library is built, in the module with a path; none for a program
// that is no library.
func (p *Program) LibraryFiles(module string) []gogen.File {
	if !p.opts.Library {
		return nil
	}
	const mark = "// Code generated by uvm2go. DO NOT EDIT.\n\n"
	main := mark + `package main

// #include <stdint.h>
import "C"

import (
	"github.com/uvm2go/uvm2go/rtlib/ffi/library"

	_ "` + module + `"
)

//export uvm2go_function
func uvm2go_function(i C.uint32_t) C.uintptr_t { return C.uintptr_t(library.Function(int(i))) }

//export uvm2go_cell_at
func uvm2go_cell_at(i C.uint32_t) C.uintptr_t { return C.uintptr_t(library.Cell(int(i))) }

func main() {}
`
	var c strings.Builder
	c.WriteString(mark + `#include <stdint.h>

// Functions of Go wait until Go has started.
extern uintptr_t uvm2go_function(uint32_t i);
extern uintptr_t uvm2go_cell_at(uint32_t i);

static const char *const cells[];

// uvm2go_cell is the address of a cell, given by its name without @; NULL if there is none.
__attribute__((visibility("default"))) void *uvm2go_cell(const char *name) {
	for (uint32_t i = 0; cells[i]; i++)
		if (!__builtin_strcmp(cells[i], name)) return (void *)uvm2go_cell_at(i);
	return 0;
}

// The C names of functions are numbers, so that they are no words of C or its headers. The symbols have the names.
#define TEXT(x) #x
#define PREFIX(x) TEXT(x)
#define SYMBOL(name) __asm__(PREFIX(__USER_LABEL_PREFIX__) name) __attribute__((visibility("default"), weak))

static uintptr_t functions[];

static inline uintptr_t function(uint32_t slot, uint32_t i) {
	uintptr_t f = __atomic_load_n(&functions[slot], __ATOMIC_ACQUIRE);
	if (!f) __atomic_store_n(&functions[slot], f = uvm2go_function(i), __ATOMIC_RELEASE);
	return f;
}
`)
	t := p.IR.Types
	for slot, f := range p.exported {
		sig := t.At(f.sig)
		result := "void "
		if len(sig.Results) > 0 {
			result = cTypeOf(t, sig.Results[0]) + " "
		}
		var types, params, args []string
		for i, id := range sig.Fields {
			ty, name := cTypeOf(t, id), fmt.Sprintf("a%d", i)
			types, params, args = append(types, ty), append(params, ty+" "+name), append(args, name)
		}
		list := func(l []string) string {
			if len(l) == 0 {
				return "void"
			}
			return strings.Join(l, ", ")
		}
		back := "return "
		if len(sig.Results) == 0 {
			back = ""
		}
		fmt.Fprintf(&c, "\n%sf%d(%s) SYMBOL(\"%s\");\n%[1]sf%[2]d(%[5]s) {\n\t%[6]s((%[1]s(*)(%[3]s))function(%[2]d, %[7]d))(%[8]s);\n}\n",
			result, slot, list(types), f.name, list(params), back, f.expose, strings.Join(args, ", "))
	}
	fmt.Fprintf(&c, "\nstatic uintptr_t functions[%d];\n\nstatic const char *const cells[] = {\n", max(len(p.exported), 1))
	for _, g := range p.IR.Globals {
		fmt.Fprintf(&c, "\t\"%s\",\n", cText(ir.Bare(g.Name)))
	}
	c.WriteString("\t0,\n};\n")
	return []gogen.File{{Name: LibraryDir + "/main.go", Data: []byte(main)}, {Name: LibraryDir + "/functions.c", Data: []byte(c.String())}}
}
