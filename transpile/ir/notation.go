package ir

// A Notation says how a dialect writes values of a type where Mu's own way, that of the default trap
// handler (docs/language.md, "Programs"), says something else. The zero value is that way.
type Notation struct {
	Unsigned bool // an integer has no sign
	// Parts are the notations of the fields of a struct, or the one of all elements of an array or
	// vector; nil if they all are zero.
	Parts []Notation
}

// Part is the notation of the i-th field, or with i 0 of all elements.
func (n *Notation) Part(i int) *Notation {
	if i < len(n.Parts) {
		return &n.Parts[i]
	}
	return &Notation{}
}
