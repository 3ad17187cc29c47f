package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Define gives a function the body of another one of the same signature: the next call enters it,
// and so does one that is tried again after it trapped (docs/language.md, "Definitions"). It works
// for functions that the bundles declare and do not define, or that a later bundle defines, and may
// be done again. Frames that exist go on as they are.
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

// LoadBundle loads a bundle that was translated with the package, by -later: what it
// defines gets names and IDs, and calls enter its versions of functions from then on. The
// bundle is given by the name of its file, without folder, or by its text. It is an error
// if there is none (DynCode), it is loaded already (Conflict), or it uses something of
// another that is not (BadBundle); nothing has changed then.
func (c *Ctx) LoadBundle(name string) error {
	return c.do(func(t *core.Ctx) error { core.LoadBundle(t, name); return nil })
}

// LoadBundleText loads a bundle given as text (docs/client.md, "Loading text"). It may be the text
// of a bundle that was translated with the package, which is loaded as by LoadBundle, or declare
// types, signatures, constants, cells, functions and exposed functions of its own, using everything
// that is visible. What it declares is visible from then on; its functions trap when they are
// called, until a handler or Define gives them a body. On an error nothing is added; all errors of
// the text are in it, with line and column, and the code is that of the first: ParseFailed,
// BadBundle, Conflict for a name that exists, DynCode for a function with a body.
func (c *Ctx) LoadBundleText(text string) error {
	return c.do(func(t *core.Ctx) error { core.LoadText(t, "", text); return nil })
}

// LoadBundleNamed is LoadBundleText with the name that errors and traces have for the text: of a file, or
// whatever the client shows its users. The ending of the name, if it is one of files of a dialect, tells the dialect,
// as on the command line. What is loaded may be a .mu archive (docs/hail.md, "Archives"); then its parts have
// names NAME!MEMBER.
func (c *Ctx) LoadBundleNamed(name, text string) error {
	return c.do(func(t *core.Ctx) error { core.LoadText(t, name, text); return nil })
}

// LoadHAIL runs a HAIL script (docs/hail.md): it makes objects, and stores into them and
// into global cells. A script with a syntax error (ParseFailed) does nothing; another
// error (BadHAIL) ends it where it is.
func (c *Ctx) LoadHAIL(text string) error {
	return c.do(func(t *core.Ctx) error { core.LoadHAIL(t, text); return nil })
}
