package live

import (
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	muir "github.com/uvm2go/uvm2go/transpile/mu"
)

// New starts a VM and returns it, as mu.New does, in a program that needs no translated
// package: bundles are loaded (mu.Ctx.LoadBundleText) and run at once, on the engine. If translated packages
// are linked, the first VM is theirs: bundles that are loaded there can use what these define. Each further VM has its own
// names, threads and settings (docs/client.md, "Several VMs"), until it is closed.
func New(cfg mu.Config) (*mu.VM, error) {
	start()
	return mu.New(cfg)
}

// start tells the runtime of a program without code, unless there is another.
var start = sync.OnceFunc(func() {
	if core.HasPackages() {
		return
	}
	files := diag.NewSet()
	p, ok := muir.Load(files, nil, muir.Options{}, diag.NewList(files))
	if !ok {
		panic("live: the empty program has errors")
	}
	q := newProgram(facts.Of(p, facts.Options{Open: true, Introspect: true}), nil)
	q.describe()
	q.tell.Agreement, q.tell.Name = core.Agreement, "live"
	q.tell.Lists, q.tell.Types = q.lists, q.fresh
	for _, n := range p.EntityNames() {
		q.tell.Names = append(q.tell.Names, core.EntityName{ID: n.ID, Name: n.Name})
	}
	core.Start(&q.tell)
})

// Load loads a program that a front end has made, with an ir.Builder for instance, as LoadBundleText loads text. It
// may declare what the running program has under the same name, of the same type, and then uses that. It must
// not be used afterwards. The errors are those of LoadBundleText.
func Load(c *mu.Ctx, p *ir.Program) error {
	return core.Engine.LoadFor(c, func(t *core.Ctx) { load(t, programInput{p}) })
}

// load loads a bundle.
func load(t *core.Ctx, in input) {
	core.LoadLive(t, func() (*core.LiveBundle, string, error) { return read(t, in) })
}
