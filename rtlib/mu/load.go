package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Define gives a function the body of another one with the same signature: the next call enters it,
// and so does a call that is repeated after a trap (docs/language.md, "Definitions"). It works for
// functions that the bundles declare and do not define, or that a later bundle defines, and may be
// repeated. Existing frames do not change.
func (c *Ctx) Define(f, body FuncRef) error {
	to, err := c.function(f)
	if err != nil {
		return err
	}
	from, err := c.function(body)
	if err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { core.Define(t, to.Func, from.Func); return nil })
}

// LoadBundle loads a bundle that was translated with the package (-later): its entities get
// names and IDs, and calls enter its versions of functions from then on. The bundle is
// given by the name of its file, without folder, or by its text. It is an error, without
// effect, if there is no such bundle (DynCode), if it is already loaded (Conflict), or if it
// uses entities of another bundle that is not loaded (BadBundle).
func (c *Ctx) LoadBundle(name string) error {
	return c.load(func(t *core.Ctx) { core.LoadBundle(t, name) })
}

// LoadBundleText loads a bundle given as text (docs/client.md, "Loading text"). It may be the text
// of a bundle that was translated with the package, which is loaded as by LoadBundle, or declare
// new types, signatures, constants, cells, functions and exposed functions, which may use all
// visible entities. The new entities are visible from then on; functions trap when they are called,
// until a handler or Define gives them a body. If there is an error, nothing is added; the error
// has all errors of the text, with line and column, and its code is that of the first: ParseFailed,
// BadBundle, Conflict for a name that exists, DynCode for a function with a body.
func (c *Ctx) LoadBundleText(text string) error {
	return c.load(func(t *core.Ctx) { core.LoadText(t, "", text) })
}

// LoadBundleNamed is LoadBundleText with a name of the text for errors and traces: that of a file, or another name
// that the client shows to its users. As on the command line, the ending of the name determines the dialect, if it is
// the ending of a dialect's files. The text may be a .mu archive (docs/hail.md, "Archives"); then its parts are named
// NAME!MEMBER.
func (c *Ctx) LoadBundleNamed(name, text string) error {
	return c.load(func(t *core.Ctx) { core.LoadText(t, name, text) })
}

func init() {
	core.Engine.VMFor = func(client any) *core.VM { return client.(*Ctx).vm.core }
	core.Engine.LoadFor = func(client any, f func(t *core.Ctx)) error { return client.(*Ctx).load(f) }
}

// load loads something, which may run hooks that Interrupt can end.
func (c *Ctx) load(f func(t *core.Ctx)) error {
	return c.do(func(t *core.Ctx) error {
		defer c.running.begin(t).end()
		f(t)
		return nil
	})
}

// LoadHAIL runs a HAIL script (docs/hail.md): it makes objects, and stores into them and
// into global cells. A script with a syntax error (ParseFailed) has no effect; another
// error (BadHAIL) ends the script at its place, after the effects before it.
func (c *Ctx) LoadHAIL(text string) error {
	return c.do(func(t *core.Ctx) error { core.LoadHAIL(t, text); return nil })
}
