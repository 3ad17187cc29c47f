package ial

import (
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Functions that are native symbols. Functions of the C and mathematics libraries that
// the runtime implements without C are resolved when the program is translated. Others
// are looked up at the first call, by dlopen and dlsym.

// cLibraries and mathLibraries are the names of libraries that are part of every process.
var (
	cLibraries    = []string{"libc", "c", "libc.so", "msvcrt"}
	mathLibraries = []string{"libm", "m"}
)

// foreign makes the body of a function that is a native symbol.
func (t *translator) foreign(f *module.Function) {
	b := t.newBody(f, t.funcs[f])
	typ, in := f.Type(&t.src.Types), f.Blocks[0].Instrs[0]
	b.Pos = in.Pos
	id := t.types.Of(ir.KUFuncPtr, t.types.nativeSig(typ))
	_, known := clib.Table[in.Symbol]
	common := slices.Contains(cLibraries, in.Module) || slices.Contains(mathLibraries, in.Module)
	var sym ir.ValueID
	if known && common {
		sym = b.Const(t.b.ExternConst(id, in.Symbol))
	} else {
		sym = b.ptrcast(b.lookup(in, common), id)
	}
	b.forwardTo(typ, func(args []ir.ValueID) []ir.ValueID {
		r := b.CCall(sym, b.toNatives(args, typ)...)
		if len(r) > 0 {
			r = []ir.ValueID{b.fromNative(r[0], f.Result)}
		}
		return r
	})
}

// lookup gives the address of a symbol. A cell has the address after the first call.
func (b *body) lookup(in *module.Instr, common bool) ir.ValueID {
	word := b.types.word
	cell := b.GlobalRef(b.BodyBuilder.Global(b.fresh("@symbol"), word))
	known := b.Load(cell, ir.Acquire)
	missing, found := b.fork(b.Cmp(ir.OpEQ, known, b.Int(word, 0)))
	join := b.Block("%found", word)
	b.At(found)
	b.Branch(join, known)
	b.end()
	b.At(missing)
	library := b.Int(word, 0) // the process itself
	if !common {
		library = b.library(in.Module)
	}
	addr := b.loader("dlsym", library, b.text(in.Symbol))
	if slices.Contains(mathLibraries, in.Module) {
		addr = b.otherwise(addr, func() ir.ValueID { return b.loader("dlsym", b.library("libm.so.6"), b.text(in.Symbol)) })
	}
	b.require(b.Cmp(ir.OpNE, addr, b.Int(word, 0)), b.trap(ir.FailNative, "symbol "+in.Symbol+" not found in "+in.Module))
	b.Store(cell, addr, ir.Release)
	b.Branch(join, addr)
	b.end()
	b.s.Seal(join)
	b.At(join)
	return b.Param(join, 0)
}

// library opens a library by the names that it may have.
func (b *body) library(name string) ir.ValueID {
	names := []string{name, "lib" + name + ".so", "lib" + name + ".dylib", name + ".dll"}
	if !strings.Contains(name, "/") {
		names = append([]string{"./" + name}, names...)
	}
	const lazy = 1 // RTLD_LAZY
	open := func(name string) ir.ValueID {
		return b.loader("dlopen", b.text(name), b.Int(b.Types.Int(32), lazy))
	}
	h := open(names[0])
	for _, n := range names[1:] {
		h = b.otherwise(h, func() ir.ValueID { return open(n) })
	}
	b.require(b.Cmp(ir.OpNE, h, b.Int(b.types.word, 0)), b.trap(ir.FailNative, "library "+name+" not found"))
	return h
}

// otherwise is v, or another value if v is 0.
func (b *body) otherwise(v ir.ValueID, other func() ir.ValueID) ir.ValueID {
	none, some := b.fork(b.Cmp(ir.OpEQ, v, b.Int(b.types.word, 0)))
	join := b.Block("%tried", b.types.word)
	b.At(some)
	b.Branch(join, v)
	b.end()
	b.At(none)
	b.Branch(join, other())
	b.end()
	b.s.Seal(join)
	b.At(join)
	return b.Param(join, 0)
}

// loader calls a function of the dynamic linker.
func (b *body) loader(name string, args ...ir.ValueID) ir.ValueID {
	params := make([]ir.TypeID, len(args))
	for i, a := range args {
		params[i] = b.TypeOf(a)
	}
	id := b.Types.Of(ir.KUFuncPtr, b.Types.Sig(params, []ir.TypeID{b.types.word}))
	return b.CCall(b.Const(b.ExternConst(id, name)), args...)[0]
}

// text is the address of a string for C.
func (b *body) text(s string) ir.ValueID {
	key := "text " + s
	g := b.images[key]
	if g == nil {
		c := b.Bytes(s + "\x00")
		g = b.BodyBuilder.Global(b.fresh("@text"), c.Type)
		g.Init, g.ReadOnly = c, true
		b.images[key] = g
	}
	return b.address(b.GlobalRef(g))
}
