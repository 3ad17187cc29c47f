package player

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes/remake"
)

// first is the number of the first name in a file.
const first = 0x10000

// nulls are the kinds of references that the client compares with NULL, and their types.
var nulls = map[ir.Kind]string{ir.KRef: "ref<@player.void>", ir.KIRef: "iref<@player.void>", ir.KFuncRef: "funcref<@player.sig>",
	ir.KThreadRef: "threadref", ir.KStackRef: "stackref", ir.KFrameCursorRef: "framecursorref"}

// letters are the kinds of types in files. The letter of an int is followed by its length; structs, arrays and vectors are the types of
// all their parts in brackets.
var letters = map[ir.Kind]string{ir.KInt: "i", ir.KFloat: "f", ir.KDouble: "d", ir.KUPtr: "p", ir.KUFuncPtr: "q", ir.KTagRef64: "t", ir.KFuncRef: "F",
	ir.KRef: "r", ir.KIRef: "I", ir.KThreadRef: "H", ir.KStackRef: "S", ir.KFrameCursorRef: "C"}

// File is the file of a program: of its text in Mu IR and of what the text means, without passes. An error that wraps remake.ErrUnspeakable means that calls cannot build it.
func File(b Builder, text string, prog *ir.Program) (string, error) {
	f := &file{prog: prog, wide: map[uint32]bool{}, traps: map[string][]trap{}}
	if err := f.findTraps(); err != nil {
		return "", err
	}
	more, err := f.more()
	if err != nil {
		return "", err
	}
	calls, err := f.calls(text + more)
	if err != nil {
		return "", err
	}
	shown, err := f.identify(calls)
	if err != nil {
		return "", err
	}
	w, err := newWriter(b)
	if err != nil {
		return "", err
	}
	w.number(len(f.names))
	if b == Earlier {
		list, err := remake.Earlier(calls, f.nameOf)
		if err != nil {
			return "", err
		}
		w.earlier(list, shown)
	} else {
		w.later(f.names, calls)
	}
	w.WriteByte('\n')
	w.number(len(shown))
	for _, t := range shown {
		w.trap(t)
	}
	return w.String(), nil
}

// HasCalls reports whether a builder has calls for all that is in a text.
func HasCalls(b Builder, text string) bool {
	f := &file{}
	calls, err := f.calls(text)
	if err == nil && b == Earlier {
		_, err = remake.Earlier(calls, f.nameOf)
	}
	return !errors.Is(err, remake.ErrUnspeakable)
}

// calls are those of the later builder for a text.
func (f *file) calls(text string) ([]remake.Call, error) {
	return remake.Calls([]byte(text), true, func(name string) uint32 {
		f.names = append(f.names, name)
		return first + uint32(len(f.names)) - 1
	})
}

// nameOf is the name of an ID.
func (f *file) nameOf(id uint32) string {
	if id < first {
		return ""
	}
	return f.names[id-first]
}

// A file is one that is being made.
type file struct {
	prog  *ir.Program
	wide  map[uint32]bool   // lengths of ints that have more than 64 bits
	traps map[string][]trap // by function, in the order of the text
	names []string          // of the IDs from first on
}

// A trap is a TRAP or WATCHPOINT.
type trap struct {
	id      uint32
	name    string // as it is shown if the instruction has none, else ""
	results int
	vars    []variable
}

// A variable is one that a trap keeps alive.
type variable struct{ name, typ string }

// more are the definitions that the client needs beside those of the program: a function that calls the entry function, stores its
// result and ends the thread; and types and constants.
func (f *file) more() (string, error) {
	if f.prog.Main == nil {
		return "", errors.New("there is no function @main")
	}
	entry, err := f.prog.EntryOf(f.prog.Main)
	if err != nil {
		return "", err
	}
	if entry.Args == ir.KIRef {
		return "", errors.New("the client cannot make the arguments of @main")
	}
	args, result, store := "", "", ""
	if entry.Args == ir.KUPtr {
		args = "%n %v"
	}
	if entry.Status != ir.NoType {
		result, store = "%r = ", "STORE <@player.status.type> @player.status %r"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `
.typedef @player.i8 = int<8> .typedef @player.i32 = int<32> .typedef @player.void = void
.typedef @player.B = uptr<@player.i8> .typedef @player.argv = uptr<@player.B>
.typedef @player.status.type = int<%d> .global @player.status <@player.status.type>
.funcsig @player.sig = (@player.i32 @player.argv) -> ()
.funcdef @player.main VERSION %%v <@player.sig> {
  %%e(<@player.i32> %%n <@player.argv> %%v): %sCALL <%s> %s (%s) %s COMMINST @uvm.thread_exit
}
`, f.statusBits(entry), result, f.prog.Types.At(f.prog.Main.Sig).Name, f.prog.Main.Name, args, store)
	for _, k := range slices.Sorted(maps.Keys(nulls)) {
		fmt.Fprintf(&b, ".typedef @player.%v = %s .const @player.null.%[1]v <@player.%[1]v> = NULL\n", k, nulls[k])
	}
	for _, bits := range slices.Sorted(maps.Keys(f.wide)) {
		fmt.Fprintf(&b, ".typedef @player.int.%d = int<%[1]d>\n", bits)
	}
	return b.String(), nil
}

// statusBits is the length of the int that the entry function returns.
func (f *file) statusBits(e *ir.Entry) uint32 {
	if e.Status == ir.NoType {
		return 8
	}
	return f.prog.Types.At(e.Status).Bits
}

// findTraps finds the traps of the program.
func (f *file) findTraps() error {
	for _, fn := range f.prog.Funcs {
		v := fn.Current()
		if v == nil {
			continue
		}
		for i := range v.Insts {
			in := &v.Insts[i]
			if in.Op != ir.OpTrap && in.Op != ir.OpWatchpoint {
				continue
			}
			t := trap{results: len(in.Results)}
			if v.InstName(ir.InstID(i)) == "" {
				t.name = v.TrapName(ir.InstID(i))
			}
			for _, k := range in.Keep {
				ty, err := f.typ(v.Values[k].Type)
				if err != nil {
					return fmt.Errorf("%s: %w", v.TrapName(ir.InstID(i)), err)
				}
				t.vars = append(t.vars, variable{ir.Bare(v.Values[k].Name), ty})
			}
			f.traps[fn.Name] = append(f.traps[fn.Name], t)
		}
	}
	return nil
}

// identify finds the IDs of the traps: the calls make those of a function in the order of the text, and then its version.
func (f *file) identify(calls []remake.Call) (all []trap, err error) {
	var ids []uint32
	for _, c := range calls {
		switch c.Row.Name {
		case "new_trap", "new_watchpoint":
			ids = append(ids, c.Args[0].ID)
		case "new_func_ver":
			name := f.names[c.Args[1].ID-first]
			traps := f.traps[name]
			if len(traps) != len(ids) {
				return nil, fmt.Errorf("%s has %d traps, and calls make %d", name, len(traps), len(ids))
			}
			for i, t := range traps {
				t.id = ids[i]
				if (t.name == "") != (f.names[t.id-first] != "") {
					return nil, fmt.Errorf("a trap of %s has the name %q in calls", name, f.names[t.id-first])
				}
				all = append(all, t)
			}
			ids = nil
		}
	}
	return all, nil
}

// typ is a type of a file.
func (f *file) typ(id ir.TypeID) (string, error) {
	t := f.prog.Types.At(id)
	if l := letters[t.Kind]; t.Kind != ir.KInt && l != "" {
		return l, nil
	}
	parts, open, end := []ir.TypeID(nil), "[", "]"
	switch t.Kind {
	case ir.KInt:
		if t.Bits > 64 {
			f.wide[t.Bits] = true
		}
		return letters[ir.KInt] + strconv.Itoa(int(t.Bits)), nil
	case ir.KStruct:
		parts, open, end = t.Fields, "{", "}"
	case ir.KArray, ir.KVector:
		parts = slices.Repeat([]ir.TypeID{t.Elem}, int(t.Len))
	default:
		return "", fmt.Errorf("the client cannot show values of %s", f.prog.Types.Text(id))
	}
	for _, p := range parts {
		s, err := f.typ(p)
		if err != nil {
			return "", err
		}
		open += s
	}
	return open + end, nil
}
