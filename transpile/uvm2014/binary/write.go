package binary

import (
	"encoding/binary"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// A Writer appends the pieces of a bundle. What the form cannot express is an error,
// the first of which stays.
type Writer struct {
	// At is the place in the source of what is being written, for the error.
	At  syntax.Off
	out []byte
	err error
	off syntax.Off // of err
}

// Bytes gives what has been written, or an error and its place in the source.
func (w *Writer) Bytes() ([]byte, syntax.Off, error) { return w.out, w.off, w.err }

// Fail says that something cannot be written.
func (w *Writer) Fail(format string, args ...any) {
	if w.err == nil {
		w.err, w.off = fmt.Errorf(format, args...), w.At
	}
}

func (w *Writer) u16(n int, what string) {
	if n > 0xffff {
		w.Fail("%s of %d: the binary form has at most 65535", what, n)
	}
	w.out = binary.LittleEndian.AppendUint16(w.out, uint16(n))
}

// ID writes an ID.
func (w *Writer) ID(id uint32) { w.out = binary.LittleEndian.AppendUint32(w.out, id) }

// IDs writes a list of IDs. what it is a list of is for errors.
func (w *Writer) IDs(what string, ids []uint32) {
	w.u16(len(ids), what)
	for _, id := range ids {
		w.ID(id)
	}
}

func (w *Writer) define(code byte, id uint32) {
	w.out = append(w.out, code)
	w.ID(id)
}

// Type begins the definition of a type: IDs of its parts must follow as its constructor
// wants them, see Len and Fields.
func (w *Writer) Type(id uint32, k syntax.TypeKind) {
	w.define(defType, id)
	w.out = append(w.out, byte(k))
}

// Width writes the width of an int.
func (w *Writer) Width(n uint64) { w.out = append(w.out, byte(n)) }

// Len writes the length of an array.
func (w *Writer) Len(n uint64) { w.out = binary.LittleEndian.AppendUint64(w.out, n) }

// Sig writes the definition of a signature.
func (w *Writer) Sig(id, ret uint32, params []uint32) {
	w.define(defSig, id)
	w.ID(ret)
	w.IDs("a list of parameters", params)
}

func (w *Writer) con(id, typ uint32, code byte) {
	w.define(defConst, id)
	w.ID(typ)
	w.out = append(w.out, code)
}

// Int writes the definition of an integer constant.
func (w *Writer) Int(id, typ uint32, v uint64) {
	w.con(id, typ, conInt)
	w.Len(v)
}

// FP writes the definition of a floating-point constant.
func (w *Writer) FP(id, typ uint32, bits uint64, double bool) {
	if double {
		w.con(id, typ, conDouble)
		w.Len(bits)
		return
	}
	w.con(id, typ, conFloat)
	w.ID(uint32(bits))
}

// Struct writes the definition of a struct constant.
func (w *Writer) Struct(id, typ uint32, elems []uint32) {
	w.con(id, typ, conStruct)
	w.IDs("a list of fields", elems)
}

// Null writes the definition of a NULL.
func (w *Writer) Null(id, typ uint32) { w.con(id, typ, conNull) }

// Global writes the definition of a cell.
func (w *Writer) Global(id, typ uint32) {
	w.define(defGlobal, id)
	w.ID(typ)
}

// FuncDecl writes a function declaration.
func (w *Writer) FuncDecl(id, sig uint32) {
	w.define(defFuncDecl, id)
	w.ID(sig)
}

// FuncDef begins a function definition: its blocks must follow.
func (w *Writer) FuncDef(id, sig uint32, params []uint32, blocks int) {
	w.define(defFuncDef, id)
	w.ID(sig)
	w.IDs("a list of parameters", params)
	w.ID(uint32(blocks))
}

// Block begins a block: its instructions must follow.
func (w *Writer) Block(id uint32, insts int) {
	w.ID(id)
	w.ID(uint32(insts))
}

// Name writes a name binding.
func (w *Writer) Name(id uint32, name string) {
	w.define(defName, id)
	w.u16(len(name), "a name with a length")
	w.out = append(w.out, name...)
}

// An Inst is an instruction with IDs for all that its tree has names and constructors
// for.
type Inst struct {
	ID                    uint32
	Op                    syntax.Op
	Type, Type2, Sig      uint32
	Imm                   uint64
	Args, Dests, Keep     []uint32
	CaseLabels, CaseValue []uint32
	Order, OrderFail      syntax.Order
	RMW                   syntax.RMW
	Intrinsic             string
}

// Inst writes an instruction.
func (w *Writer) Inst(in *Inst) {
	w.ID(in.ID)
	if in.Op.Code() == 0 {
		w.Fail("%s has no binary form", in.Op)
		return
	}
	w.out = append(w.out, in.Op.Code())
	form := in.Op.Form()
	nv, nd, norder := 0, 0, 0
	var args, keep bool
	for i := range len(form) {
		switch form[i] {
		case 'T', 'E':
			w.ID(in.Type)
		case 'U':
			w.ID(in.Type)
			w.ID(in.Type2)
		case 'F':
			w.ID(in.Type)
			w.u16(int(min(in.Imm, 1<<17)), "the index of a field")
		case 'S':
			w.ID(in.Sig)
		case 'v', 'c':
			w.ID(in.Args[nv])
			nv++
		case 'a':
			args = true
		case 'L':
			w.ID(in.Dests[nd])
			nd++
		case 's', 'p':
			w.u16(len(in.CaseLabels), "a list of cases")
			for k := range in.CaseLabels {
				a, b := in.CaseLabels[k], in.CaseValue[k]
				if form[i] == 's' {
					a, b = b, a
				}
				w.ID(a)
				w.ID(b)
			}
		case 'o', 'O':
			o := in.Order
			if norder++; norder == 2 {
				o = in.OrderFail
			}
			w.out = append(w.out, byte(max(o, syntax.NotAtomic)))
		case 'R':
			w.out = append(w.out, byte(in.RMW))
		case 'I':
			w.ID(uint32(in.Imm))
		case 'g':
			w.ID(intrinsicIDs[in.Intrinsic])
		case 'D':
			w.out = append(w.out, 0)
		case 'k', 'K':
			keep = in.Op != syntax.CCall
		}
	}
	if args {
		w.IDs("a list of arguments", in.Args[nv:])
	}
	if keep {
		w.IDs("a list of keep-alive variables", in.Keep)
	}
}
