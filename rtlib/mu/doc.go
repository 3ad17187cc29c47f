// Package mu is the client API (docs/client.md, "The client API"): how a Go program controls Mu
// code, that of translated packages, which must be made with -introspect or -live, and code
// that is loaded at run time.
//
// A process has one VM, which all its translated packages share; without such packages, package
// rtlib/live starts it. A Ctx holds values for the client: handles of the types below, each an
// immutable Mu value that lives until it is deleted, its Scope ends or the context closes. A
// context is used by one goroutine at a time. Calls accept and return plain Go numbers without
// a handle.
//
//	vm, err := mu.Open()
//	ctx := vm.NewContext()
//	defer ctx.Close()
//	gcd, err := ctx.FuncNamed("@gcd")
//	d, err := mu.Call1[int64](ctx, gcd, 12, 18)
//
// Functions that can fail return an *Error, whose Code is that of Mu's client API, or an
// *Exception for an exception that leaves a called function:
//
//	if errors.Is(err, mu.StackState) ...
//
// Misuse always returns an error and never corrupts the heap; the client is responsible for
// the memory that an iref points to.
//
// LoadBundle loads bundles that were translated with the package (-later). LoadBundleText loads
// any text with declarations and, if the engine for live code is linked, with functions
// (docs/client.md, "Code that arrives at run time"). Functions that are declared but not
// defined trap when they are called, and a handler can load their code, or Define them. There
// is no IR builder: package rtlib/live loads programs made with ir.Builder.
//
// docs/client.md lists the functions of Mu's client API with their counterparts in this package.
package mu
