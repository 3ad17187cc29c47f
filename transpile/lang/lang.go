// Package lang is what editors need to know about the text of a dialect, beyond what its reader
// says: where names are defined and used, how the text is divided, and what its operations do.
//
// It has no dialect: package langs has the list. It is apart from package dialect so that programs
// which load bundles while they run are not linked with it.
//
// An Index is made for any text, also for one with errors, and says nothing about errors. It is
// never wrong about where a token is, but where the text is broken a name may be taken for one of
// another kind.
package lang

import (
	"cmp"
	"slices"
	"sort"
)

// A Language describes the text of a dialect to editors.
type Language struct {
	// Index finds the names in a text. module is the name of the module that the file belongs to,
	// for dialects that have modules.
	Index func(src []byte, module string) *Index
	// Operations lists the operations, in the order of the documentation.
	Operations func() []Operation
	// Keywords lists the other words of the grammar that an editor offers.
	Keywords func() []string
	// Rename spells a new name as it must be written in place of an old one, which is as in the
	// text. The second result is false if there is no such name.
	Rename func(old, name string) (string, bool)
	// Sigils are the characters that begin names, after which an editor offers some.
	Sigils string
}

// An Operation is a word of the language that instructions or terms begin with.
type Operation struct {
	Name string
	Form string // how an instruction with it is written
	Doc  string
}

// A Kind is a kind of named things.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota
	Type
	Signature
	Constant
	Cell // a global variable
	Function
	Version
	Block
	Parameter
	Value // of an instruction, or a register
	Member
	Data
	Module
	Other
)

var kindNames = [...]string{"name", "type", "signature", "constant", "global cell", "function", "version", "block",
	"parameter", "value", "member", "data block", "module", "definition"}

// String returns the kind as messages call it.
func (k Kind) String() string { return kindNames[k] }

// Global is the scope of names that all texts of a program share.
const Global = -1

// A Name is one occurrence of a name: the bytes [Off, End) of the text. Two names in a text mean the
// same thing if they have the same Key and Scope, names in different texts if they also are Global.
type Name struct {
	Off, End uint32
	Scope    int32 // the item in which the name is known, or Global
	Kind     Kind
	Def      bool // it is defined here; Decl says that another text may do so as well
	Decl     bool
	Key      string
}

// An Item is a definition or a part of one: what an outline shows.
type Item struct {
	Kind     Kind
	Name     string // as the outline shows it
	NameOff  uint32
	NameEnd  uint32
	Off, End uint32
	Parent   int32 // the item that it is part of, or Global
}

// A Class is a class of tokens that are no names.
type Class uint8

// The classes.
const (
	Keyword Class = iota
	Op
	Number
	String
	Comment
	TypeWord // a word for a type
	FlagWord // a flag, or a memory order
)

// A Word is a token that is no name.
type Word struct {
	Off, End uint32
	Class    Class
}

// An Index has all names and words of a text, each list by offset, and its items in the order of
// their beginnings.
type Index struct {
	Names []Name
	Words []Word
	Items []Item
	// Possible, if not nil, has the keys of the global names that the text may have: what its names mean is not known,
	// and Names and Items are empty.
	Possible map[string]bool

	defs map[place]int32 // the first definition of each name
}

// A place is where a name is looked up.
type place struct {
	scope int32
	key   string
}

// NameAt finds the name at an offset, or that ends there. It returns its number in Names, -1 if there is none.
func (x *Index) NameAt(off int) int {
	i := sort.Search(len(x.Names), func(i int) bool { return int(x.Names[i].End) >= off })
	if i < len(x.Names) && int(x.Names[i].End) == off && i+1 < len(x.Names) && int(x.Names[i+1].Off) == off {
		i++
	}
	if i < len(x.Names) && int(x.Names[i].Off) <= off {
		return i
	}
	return -1
}

// WordAt finds the word at an offset, or that ends there, nil if there is none.
func (x *Index) WordAt(off int) *Word {
	i := sort.Search(len(x.Words), func(i int) bool { return int(x.Words[i].End) >= off })
	if i < len(x.Words) && int(x.Words[i].Off) <= off {
		return &x.Words[i]
	}
	return nil
}

// TokenAt returns the token that begins at an offset. ok is false if none does.
func (x *Index) TokenAt(off int) (end int, ok bool) {
	if i, found := slices.BinarySearchFunc(x.Names, uint32(off), func(n Name, o uint32) int { return cmp.Compare(n.Off, o) }); found {
		return int(x.Names[i].End), true
	}
	if i, found := slices.BinarySearchFunc(x.Words, uint32(off), func(w Word, o uint32) int { return cmp.Compare(w.Off, o) }); found {
		return int(x.Words[i].End), true
	}
	return 0, false
}

// ItemAt finds the innermost item around an offset, or Global.
func (x *Index) ItemAt(off int) int32 {
	i := sort.Search(len(x.Items), func(i int) bool { return int(x.Items[i].Off) > off }) - 1
	for i >= 0 && int(x.Items[i].End) < off {
		i = int(x.Items[i].Parent)
	}
	return int32(i)
}

// Within reports whether an item is another one or a part of it. Everything is within Global.
func (x *Index) Within(item, outer int32) bool {
	for item != outer && item != Global {
		item = x.Items[item].Parent
	}
	return item == outer
}

// Definition returns the number in Names of the first definition of a name, -1 if this text has none.
func (x *Index) Definition(scope int32, key string) int {
	if i, ok := x.defs[place{scope, key}]; ok {
		return int(i)
	}
	return -1
}

// Missing lists the global names that the text uses and does not define, and those that it only declares, each once.
func (x *Index) Missing() (used, declared []string) {
	seen := map[string]bool{}
	for i := range x.Names {
		n := &x.Names[i]
		if n.Scope != Global || seen[n.Key] {
			continue
		}
		switch d := x.Definition(Global, n.Key); {
		case d < 0:
			used = append(used, n.Key)
		case x.Names[d].Decl:
			declared = append(declared, n.Key)
		}
		seen[n.Key] = true
	}
	return used, declared
}

// Defines reports whether the text defines a global name, and does not only declare it.
func (x *Index) Defines(key string) bool {
	d := x.Definition(Global, key)
	return d >= 0 && !x.Names[d].Decl
}
