package main

import "github.com/uvm2go/uvm2go/transpile/front"

// An exception is an object with a string. A throw in the try itself needs none.

// A handler is where exceptions of a try go.
type handler struct {
	caught *front.Block // those of calls
	catch  *front.Block // all, with the string in
	exc    front.Var
}

// result is the result of the call made last, nothing if t is nil. In a try an exception of the call goes to the
// handler. The call is then the end of its block.
func (f *function) result(r []front.Value, t *Type) (v front.Value) {
	if f.handler == nil {
		if t != nil {
			v = r[0]
		}
		return v
	}
	next := f.body.Block("next")
	f.k.Exc(front.To(next, r...), front.To(f.handler.caught))
	if t != nil {
		v = next.Param("", f.typeOf(t))
	}
	f.k = next
	return v
}

// throw throws a string, or goes to the handler of the try that it is in.
func (f *function) throw(pos front.Pos, v front.Value) {
	f.at(pos)
	if h := f.handler; h != nil {
		f.k.Set(h.exc, v)
		f.k.Branch(h.catch)
	} else {
		exc := f.k.New(f.exc)
		f.store(f.strRef, f.k.Field(front.Managed, f.exc, 0, f.k.GetIRef(f.exc, exc)), v)
		f.k.Throw(exc)
	}
	f.k = nil
}

func (f *function) tryStmt(s TryStmt) {
	h := &handler{f.body.Block("caught"), f.body.Block("catch"), f.body.Var(s.Catch.Name, f.strRef)}
	outer := f.handler
	f.handler = h
	f.block(s.Body)
	end := f.k
	f.handler = outer

	f.at(s.Catch.Pos)
	f.k = h.caught
	f.catch(h)

	f.k = h.catch
	f.define(s.Catch, f.k.Get(h.exc))
	f.block(s.Then)
	f.join(end, f.k)
}

// catch takes the string out of an exception. NULL comes from the call of a function for which the stack has no room.
func (f *function) catch(h *handler) {
	exc := f.k.Exception("")
	overflow, thrown := f.body.Block("overflow"), f.body.Block("thrown")
	null := f.k.Cmp(front.EQ, f.anyRef, exc, f.p.NullConst("", f.anyRef))
	object := f.k.Conv(front.RefCast, f.anyRef, f.excRef, exc)
	f.k.Branch2(null, front.To(overflow), front.To(thrown, object))

	f.k = overflow
	f.k.Set(h.exc, f.text("stack overflow"))
	f.k.Branch(h.catch)

	f.k = thrown
	object = thrown.Param("", f.excRef)
	f.k.Set(h.exc, f.load(f.strRef, f.k.Field(front.Managed, f.exc, 0, f.k.GetIRef(f.exc, object))))
	f.k.Branch(h.catch)
}
