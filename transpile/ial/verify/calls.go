package verify

import "github.com/uvm2go/uvm2go/transpile/ial/module"

// calls is V18 to V20 and V24 to V27: calls, their callees, and the arguments before
// them.
func (c *checker) calls() {
	var pushed []*module.Instr
	c.each(func(b *module.Block, i int, in *module.Instr) {
		if i == 0 {
			pushed = pushed[:0]
		}
		var next *module.Instr
		if i+1 < len(b.Instrs) {
			next = b.Instrs[i+1]
		}
		switch {
		case in.Op == module.ArgPush:
			// After this fault the push still counts for the next call.
			if next == nil || next.Op != module.ArgPush && !isCall(next.Op) {
				c.fault(18, in.Pos, "want arg.push or a call directly after it")
			}
			pushed = append(pushed, in)
		case isCall(in.Op):
			if sig := c.callee(in); sig != nil {
				c.arguments(b, in, sig, pushed)
			}
			c.tail(in, next)
			pushed = pushed[:0]
		}
	})
}

func isCall(op module.Op) bool {
	switch op {
	case module.Call, module.CallTail, module.CallIndirect, module.Invoke, module.InvokeTail, module.InvokeIndirect:
		return true
	}
	return false
}

// callee is V25. It returns the type of the callee, nil if it is not a function.
func (c *checker) callee(in *module.Instr) *module.Type {
	var sig *module.Type
	pos, name := in.Pos, ""
	if in.Func != nil {
		sig, pos, name = c.pointer(in.Func), in.OperandPos[0], c.name(in.Func)
	} else {
		r := in.Src[0]
		sig, pos, name = r.Type, in.SrcPos[0], reg(r)
		if !isFunc(sig) {
			c.fault(25, pos, "%s is %s, want a function pointer", name, c.spell(sig))
			return nil
		}
	}
	void, call := sig.Elem.Kind == module.Void, in.Row().Target
	switch {
	case call && void:
		c.fault(25, pos, "%s returns nothing; use %s", name, counterpart[in.Op])
	case !call && !void:
		c.fault(25, pos, "%s returns %s; use %s", name, c.spell(sig.Elem), counterpart[in.Op])
	case call && in.Target.Type != sig.Elem:
		c.fault(25, in.TargetPos, "%s is %s, want %s, the result of %s", reg(in.Target), c.spell(in.Target.Type), c.spell(sig.Elem), name)
	}
	return sig
}

// counterpart maps a call operation for functions with a result to the one for functions
// without, and the reverse.
var counterpart = map[module.Op]module.Op{
	module.Call: module.Invoke, module.CallTail: module.InvokeTail, module.CallIndirect: module.InvokeIndirect,
	module.Invoke: module.Call, module.InvokeTail: module.CallTail, module.InvokeIndirect: module.CallIndirect,
}

// arguments is V19 and V20: the pushed arguments fit the parameters.
func (c *checker) arguments(b *module.Block, in *module.Instr, sig *module.Type, pushed []*module.Instr) {
	if len(pushed) != len(sig.Params) {
		c.fault(19, in.Pos, "%s wants %s, but arg.push gives it %d", c.called(in), count(len(sig.Params), "argument"), len(pushed))
		return
	}
	for i, push := range pushed {
		if got, want := push.Src[0].Type, sig.Params[i]; got != want {
			c.at(b, push)
			c.fault(20, push.SrcPos[0], "%s is %s, want %s, parameter %d of %s", reg(push.Src[0]), c.spell(got), c.spell(want), i+1, c.called(in))
		}
	}
	c.at(b, in)
}

// called is the name of the callee.
func (c *checker) called(in *module.Instr) string {
	if in.Func != nil {
		return c.name(in.Func)
	}
	return reg(in.Src[0])
}

// tail is V24, V26 and V27: where tail calls may be, and what follows them.
func (c *checker) tail(in, next *module.Instr) {
	if in.Op != module.CallTail && in.Op != module.InvokeTail {
		return
	}
	if c.f.Conv != module.Standard {
		c.fault(24, in.Pos, "the function is %s; only functions of standard calling convention make tail calls", c.f.Conv)
	}
	switch {
	case in.Op == module.CallTail && (next == nil || next.Op != module.Return || next.Src[0] != in.Target):
		c.fault(26, in.Pos, "want return %s directly after it", reg(in.Target))
	case in.Op == module.InvokeTail && (next == nil || next.Op != module.Leave):
		c.fault(27, in.Pos, "want leave directly after it")
	}
}
