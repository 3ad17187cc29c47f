package syntax

// IsOp reports whether a word is a mnemonic, of today or of old bundles.
func IsOp(word string) bool { return isOp(keywords.Find(word)) }

// IsType reports whether a word is a type constructor.
func IsType(word string) bool { return isType(keywords.Find(word)) }

// IsFlag reports whether a word is a memory order or an operation of ATOMICRMW.
func IsFlag(word string) bool {
	k := keywords.Find(word)
	return isOrder(k) || kwRMW <= k && k < kwType
}

// Keywords lists the words of the grammar that are no mnemonics, without those of old bundles.
func Keywords() (list []string) {
	for k, w := range keywordNames {
		if w != "" && !isOp(keyword(k)) && !isOld(keyword(k)) {
			list = append(list, w)
		}
	}
	return list
}
