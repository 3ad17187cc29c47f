package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/decl"

// OpOf finds the instruction of a mnemonic, NoOp if there is none.
func OpOf(word string) Op {
	if k := keywords.Find(word); isOp(k) {
		return Op(k)
	}
	return NoOp
}

// IsType reports whether a word is a type constructor.
func IsType(word string) bool { return decl.IsType(keywords.Find(word)) }

// IsFlag reports whether a word is a memory order, an operation of ATOMICRMW, or a flag such as PTR.
func IsFlag(word string) bool {
	k := keywords.Find(word)
	return isOrder(k) || kwRMW <= k && k < numKw || k == kwPtr || k == kwWeak
}

// Shape shows how instructions of op o are written.
func (o Op) Shape() string { return opShapes[o] }

// Keywords lists the words of the grammar that are no mnemonics.
func Keywords() (list []string) {
	for k, w := range keywordNames {
		if w != "" && !isOp(keyword(k)) {
			list = append(list, w)
		}
	}
	return list
}
