package live

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Config says how to run a program.
type Config struct {
	Origins  func(v *ir.Version) []*ir.Inlined // of copied instructions, for traces; may be nil
	Entry    *ir.Function                      // what it begins with
	Args     []*ir.Const                       // arguments of Entry, with Print
	Print    bool                              // print the results of Entry rather than make them the exit status
	Notation []ir.Notation                     // how
	TrapMode string                            // default of the trap handler: "", print or abort
	Names    []ir.EntityName                   // for look-up
	Sandbox  bool                              // smaller default limits
	// Missing says why a native symbol that neither the runtime nor the process has cannot be called; it continues the
	// sentence "calling it ...". nil means that the process does not call C.
	Missing func(name string) string
}

// Run runs a program to its end, and the process with it, as one that was built does. An error is a
// reason why it cannot begin. A native symbol that is missing is an error when it is called.
func Run(f *facts.Program, cfg Config) error {
	deferMissing(cfg.Missing)
	p := newProgram(f, cfg.Origins)
	if err := p.resolve(); err != nil {
		return err
	}
	entry, err := p.entry(cfg)
	if err != nil {
		return err
	}
	if f.Loads {
		p.describe()
	}
	p.later(cfg.Names)
	p.tell.Agreement, p.tell.Name, p.tell.TrapMode = core.Agreement, "main", cfg.TrapMode
	p.tell.Sandbox = cfg.Sandbox
	p.tell.Lists, p.tell.Types = p.lists, p.fresh
	for _, l := range p.lists {
		p.tell.MaxTransfer = max(p.tell.MaxTransfer, l.W, l.R)
	}
	for _, n := range cfg.Names {
		p.tell.Names = append(p.tell.Names, core.EntityName{ID: n.ID, Name: n.Name})
	}
	p.tell.Entry = entry
	p.tell.Hooks = p.hooks()
	if f.IR.Image != nil || p.initialised() {
		p.tell.Init = p.initialise
	}
	core.Main(&p.tell)
	return nil
}

// entry returns a function that calls the entry function and returns the exit status.
func (p *program) entry(cfg Config) (func(t *core.Ctx) int, error) {
	f := p.functions[cfg.Entry]
	if cfg.Print {
		types := p.vtypesOf(p.at(cfg.Entry.Sig).Results)
		return func(t *core.Ctx) int {
			x := core.X(t)
			var w, r int
			for _, a := range cfg.Args {
				k := p.constWords(a)
				for _, u := range k[regs.Root] {
					x.R[r] = uintptr(u)
					r++
				}
				for _, u := range k[regs.Plain] {
					x.W[w] = u
					w++
				}
			}
			f.rec.Enter(t)
			if t.Thrown == 0 && len(types) > 0 {
				core.PrintValues(t, types, cfg.Notation)
			}
			return 0
		}, nil
	}
	e, err := p.facts.IR.EntryOf(cfg.Entry)
	if err != nil {
		return nil, fmt.Errorf("entry: %w", err)
	}
	return func(t *core.Ctx) int {
		if e.Args != ir.KInvalid {
			argc, argv := core.Argv(t)
			x := core.X(t)
			x.W[0] = uint64(argc)
			if e.Args == ir.KIRef {
				x.R[0] = argv
			} else {
				x.W[1] = uint64(argv)
			}
		}
		f.rec.Enter(t)
		if t.Thrown != 0 || e.Status == ir.NoType {
			return 0
		}
		return int(uint8(core.X(t).W[0]))
	}, nil
}
