// Package notation describes how values are printed. The translator chooses the notations of a
// function's results, generated code has them in its tables, and runtime and interpreter print by
// them.
package notation

// A Notation says how a dialect writes values of a type. The zero value is the notation of Mu, that of
// the default trap handler (docs/language.md, "Programs").
type Notation struct {
	Unsigned bool     // an integer has no sign
	Prefix   string   // of a number
	Number   bool     // an address is a number
	Hex      bool     // an integer of 8 bits is two hexadecimal digits
	Filler   bool     // a field without words that is not shown: it only aligns
	Words    []string // for the integers from 0 on
	// Open, Between and Close are written around and between the parts of a struct, array or vector,
	// unless Open and Between are "".
	Open, Between, Close string
	// Parts are the notations of the fields of a struct, or the one of all elements of an array or
	// vector; nil if they all are zero.
	Parts []Notation
}

// Part is the notation of the i-th field, or with i 0 that of all elements. It must not be changed.
func (n *Notation) Part(i int) *Notation {
	if i < len(n.Parts) {
		return &n.Parts[i]
	}
	return &plain
}

var plain Notation
