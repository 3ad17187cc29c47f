package interp

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Traps and watchpoints (docs/language.md, "Traps and watchpoints"). Without a handler set
// by the program the default one acts (docs/language.md, "Programs").

// trapHandler is the handler that @uvm.meta.set_trap_handler has set.
type trapHandler struct {
	fn   *function
	data Value
}

// trapped is called when the top frame of the thread's stack has trapped.
func (t *thread) trapped(wpid uint32) action {
	m := t.m
	if m.handler.fn == nil {
		return t.defaultTrap()
	}
	if c, err := m.handler.fn.current(); err != nil {
		return m.abandon(err)
	} else if c == nil {
		return t.failf(undefinedFunction, "the trap handler %s has no definition", m.handler.fn.fn.Called())
	}
	hs, err := m.newStackFor(m.handler.fn)
	if err != nil {
		return m.abandon(err)
	}
	trappedStack := t.stack
	trappedStack.state = readyStack
	return t.bind(hs, &passing{vals: []Value{{ref: trappedStack}, {Lo: uint64(wpid)}, m.handler.data}})
}

// defaultTrap prints the line of the default trap handler (docs/language.md, "Programs") and
// resumes, if possible.
func (t *thread) defaultTrap() action {
	f := t.stack.top
	if f.kind == undefinedFrame {
		return t.failf(undefinedFunction, "%s has no definition", f.name())
	}
	in := &f.code.ins[f.pc]
	if t.m.cfg.TrapMode == TrapAbort {
		return t.fail(unhandledTrap, "")
	}
	var b strings.Builder
	b.WriteString("trap " + lex.Visible(f.code.v.TrapName(in.id)))
	for i, k := range in.src.Keep {
		v := &f.code.v.Values[k]
		name := t.m.prog.Called(f.code.v, k)
		if name == "" {
			name = ir.Bare(v.Name)
		}
		if name == "" {
			name = fmt.Sprintf("v%d", k)
		}
		b.WriteString(" " + lex.Visible(name) + "=" + t.m.format(v.Type, in.keep[i].get(f)))
	}
	b.WriteByte('\n')
	if _, err := t.m.cfg.Stdout.Write([]byte(b.String())); err != nil {
		return t.m.abandon(&OutputError{err})
	}
	if len(in.results) > 0 {
		return t.failf(unhandledTrap, "the trap wants results (%s)", t.m.typeList(in.waits))
	}
	return t.deliver(nil)
}

func (d *decoder) trap(in *ir.Inst) (step, error) {
	if err := d.results(in, in.Types...); err != nil {
		return nil, err
	}
	return func(t *thread, _ *frame) action { return t.trapped(0) }, nil
}

func (d *decoder) watchpoint(in *ir.Inst) (step, error) {
	if err := d.results(in, in.Types...); err != nil {
		return nil, err
	}
	disabled := d.edge(&in.Dests[0])
	d.cur.normal = d.edge(&in.Dests[1])
	if in.Has(ir.FlagWPExc) {
		d.cur.exc = d.edge(&in.Dests[2])
	}
	id := uint32(in.Imm)
	return func(t *thread, f *frame) action {
		if !t.m.watch[id] {
			return disabled.take(f, null)
		}
		return t.trapped(id)
	}, nil
}

func (d *decoder) wpBranch(in *ir.Inst) (step, error) {
	disabled, enabled, id := d.edge(&in.Dests[0]), d.edge(&in.Dests[1]), uint32(in.Imm)
	return func(t *thread, f *frame) action {
		if t.m.watch[id] {
			return enabled.take(f, null)
		}
		return disabled.take(f, null)
	}, nil
}

func (d *decoder) setWatchpoint(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, intKind); err != nil {
		return nil, err
	}
	x, on := d.operand(in.Args[0]), in.Op == ir.OpMetaEnableWatchpoint
	return func(t *thread, f *frame) action {
		t.m.watch[uint32(x.lo(f))] = on
		return next
	}, nil
}

func (d *decoder) setTrapHandler(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, funcKind, refKind); err != nil {
		return nil, err
	}
	fn, data := d.operand(in.Args[0]), d.operand(in.Args[1])
	return func(t *thread, f *frame) action {
		h, ok := fn.get(f).ref.(*function)
		if !ok {
			return t.fail(nullFunc, "the trap handler is NULL")
		}
		if !t.m.sameSignature(h.fn.Sig, t.m.handlerSig) {
			return t.failf(badSignature, "%s is no trap handler", h.fn.Called())
		}
		t.m.handler = trapHandler{h, data.get(f)}
		return next
	}, nil
}
