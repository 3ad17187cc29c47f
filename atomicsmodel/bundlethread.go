package atomicsmodel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A threadWriter writes the statements of a thread.
type threadWriter struct {
	*writer
	k, i        int      // the test and the thread
	letter      string   // of the names of blocks
	regs        []string // assigned so far
	conditional map[string]bool
	blocks      int // made so far, besides the first
	temps       int
}

func (b *threadWriter) temp() string {
	b.temps++
	return "%tmp." + strconv.Itoa(b.temps)
}

// pause writes a delay before statement j.
func (b *threadWriter) pause(j int) {
	base, all, m, x := b.temp(), b.temp(), b.temp(), b.temp()
	b.f("    %s = MUL <@i> %%n %s", base, b.c("i", int64(b.o.Batch)))
	b.f("    %s = ADD <@i> %s %%i", all, base)
	b.f("    %s = MUL <@i> %s %s", m, all, b.c("i", mixed(golden)|1))
	b.f("    %s = ADD <@i> %s %s", x, m, b.c("i", mixed(aboutPause, uint64(b.i), uint64(j), b.o.Seed)))
	b.f("    CALL <@pause.sig> @pause (%s)", x)
}

// args returns the arguments for the next block: the registers assigned so far.
func (b *threadWriter) args(extra string) string {
	s := "%i %n %w"
	for _, r := range b.regs {
		s += " " + reg(r)
	}
	return s + extra
}

// block begins a block whose parameters match the result of args.
func (b *threadWriter) block(n int, extra ...string) {
	s := "<@i> %i <@i> %n <@i> %w"
	for _, r := range slices.Concat(b.regs, extra) {
		s += " <@t> " + reg(r)
	}
	b.f("  %%%s%d(%s):", b.letter, n, s)
}

func (b *threadWriter) stmt(s *Stmt) error {
	for _, a := range s.Args {
		if a.Reg == "" && (a.N < 0 || a.N >= other) && s.Op != OpFence {
			return fmt.Errorf("the value %d", a.N)
		}
		if b.conditional[a.Reg] {
			return fmt.Errorf("%s may have no value", a.Reg)
		}
	}
	if len(s.If) == 0 {
		if err := b.access(s); err != nil {
			return err
		}
		b.regs = append(b.regs, s.results()...)
		return nil
	}
	all := ""
	for _, c := range s.If {
		if c.Value < 0 || c.Value >= other || c.Not && b.conditional[c.Name] {
			return fmt.Errorf("the condition %v", c)
		}
		op := "EQ"
		if c.Not {
			op = "NE"
		}
		v := b.temp()
		b.f("    %s = %s <@t> %s %s", v, op, reg(c.Name), b.c("t", c.Value))
		if all != "" {
			both := b.temp()
			b.f("    %s = AND <@i1> %s %s", both, all, v)
			v = both
		}
		all = v
	}
	then, join := b.blocks+1, b.blocks+2
	b.blocks += 2
	without, with := "", ""
	for _, r := range s.results() {
		b.conditional[r] = true
		without, with = without+" "+b.c("t", -1), with+" "+reg(r)
	}
	b.f("    BRANCH2 %s %%%s%d(%s) %%%[2]s%[5]d(%[6]s)", all, b.letter, then, b.args(""), join, b.args(without))
	b.block(then)
	if err := b.access(s); err != nil {
		return err
	}
	b.f("    BRANCH %%%s%d(%s)", b.letter, join, b.args(with))
	b.block(join, s.results()...)
	b.regs = append(b.regs, s.results()...)
	return nil
}

// reg names the variable of a register.
func reg(name string) string { return "%r." + name }

// operand names a value, a register or a constant.
func (b *threadWriter) operand(o Operand) string {
	if o.Reg != "" {
		return reg(o.Reg)
	}
	return b.c("t", o.N)
}

// access writes the instruction of a statement.
func (b *threadWriter) access(s *Stmt) error {
	switch {
	case s.Op == OpFence:
		b.f("    FENCE %s", s.Order.Mu())
		return nil
	case s.Op == OpKill:
		b.f("    %s = COMMINST @uvm.kill_dependency <@t> (%s)", reg(s.Reg), reg(s.Args[0].Reg))
		return nil
	case s.Op > OpCasWeak:
		return fmt.Errorf("the operation %s", s.Op)
	}
	// A dependency goes through the address: a zero computed from the register is added.
	index := b.index(b.temp(), "%i")
	for _, d := range s.Dep {
		zero, wide, sum := b.temp(), b.temp(), b.temp()
		b.f("    %s = XOR <@t> %s %s", zero, reg(d), reg(d))
		if b.o.Bits < 64 {
			b.f("    %s = ZEXT <@t @i> %s", wide, zero)
		} else {
			wide = zero
		}
		// @t and @i are one type if both have 64 bits.
		b.f("    %s = ADD <@i> %s %s", sum, index, wide)
		index = sum
	}
	p := b.temp()
	b.f("    %s = GETELEMIREF <@lines @i> %s %s", p, cells(b.k, s.Names[0]), index)
	result := reg(s.Reg)
	if s.Reg == "" && s.Op != OpStore {
		result = b.temp()
	}
	switch s.Op {
	case OpLoad:
		b.f("    %s = LOAD %s <@t> %s", result, s.Order.Mu(), p)
	case OpStore:
		b.f("    STORE %s <@t> %s %s", s.Order.Mu(), p, b.operand(s.Args[0]))
	case OpCas, OpCasWeak:
		weak, stored := "", b.temp()
		if s.Op == OpCasWeak {
			weak = "WEAK "
		}
		b.f("    (%s %s) = CMPXCHG %s%s %s <@t> %s %s %s", result, stored, weak, s.Order.Mu(), s.Fail.Mu(), p,
			b.operand(s.Args[0]), b.operand(s.Args[1]))
		if s.Flag != "" {
			b.f("    %s = ZEXT <@i1 @t> %s", reg(s.Flag), stored)
		}
	default:
		b.f("    %s = ATOMICRMW %s %s <@t> %s %s", result, s.Order.Mu(), strings.ToUpper(s.Op.String()), p, b.operand(s.Args[0]))
	}
	return nil
}
