package interp

import "github.com/uvm2go/uvm2go/transpile/internal/clib"

// loader are the native functions with which programs look up others while they run. The only
// library is that of C, whose functions the interpreter has. They are not in the list of natives
// that need no C: built programs call the functions of C.
var loader = map[string]struct {
	row clib.Row
	do  func(*nativeCall) Value
}{
	"dlopen": {clib.Row{Sig: "p(pi)"}, func(*nativeCall) Value { return Value{} }},
	"dlsym":  {clib.Row{Sig: "p(pp)"}, dlsym},
}

func dlsym(c *nativeCall) Value {
	name := string(c.text(1))
	if natives[name] == nil {
		return Value{}
	}
	return Value{Lo: c.t.m.addresses.symbol(name)}
}
