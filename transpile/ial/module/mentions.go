package module

import "github.com/uvm2go/uvm2go/transpile/diag"

// A Mention is a place where a program names a type: the type of a field, result, parameter or
// register, or in the operand of an instruction. The parts of the type have no Mention of
// their own.
type Mention struct {
	Type *Type
	Pos  diag.Pos
	In   *Module
}

// Mentions calls f for each place where the program names a type, in order of the text.
// Void results are left out.
func (p *Program) Mentions(f func(Mention)) {
	for _, m := range p.Modules {
		for _, s := range m.Structs {
			for _, x := range s.Members {
				f(Mention{x.Type, x.Pos, m})
			}
		}
		for _, x := range m.Fields {
			f(Mention{x.Type, x.Pos, m})
		}
		for _, fn := range m.Functions {
			fn.mentions(f)
		}
	}
}

func (fn *Function) mentions(f func(Mention)) {
	if fn.Result.Kind != Void {
		f(Mention{fn.Result, fn.Pos, fn.Module})
	}
	for i := range fn.Params {
		f(Mention{fn.Params[i].Type, fn.Params[i].Pos, fn.Module})
	}
	for _, r := range fn.Registers {
		f(Mention{r.Type, r.Pos, fn.Module})
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if in.Row().Operand == OperandType {
				f(Mention{in.Type, in.OperandPos[0], fn.Module})
			}
		}
	}
}

// Parts calls f for the parts of a type: elements, results, parameters. The members of a
// structure are not among them.
func (t *Type) Parts(f func(*Type)) {
	if t.Elem != nil {
		f(t.Elem)
	}
	for _, p := range t.Params {
		f(p)
	}
}
