package ir

import "strings"

// Names of the representation begin with a mark: @ for what all of a program knows, % for what a block
// has. The marks are its own, whatever names look like in the source language: a reader that takes names
// without them, or with others, says in Function.Title what reports call a function. No other file of
// the packages that readers share looks at marks, but for the parser and the printer of the text.
const (
	globalMark = '@'
	localMark  = '%'
)

// GlobalName makes a global name.
func GlobalName(bare string) string { return string(globalMark) + bare }

// IsGlobal reports whether a name is global.
func IsGlobal(name string) bool { return name != "" && name[0] == globalMark }

// IsLocal reports whether a name is local.
func IsLocal(name string) bool { return name != "" && name[0] == localMark }

// Bare is a name without its mark.
func Bare(name string) string {
	if IsGlobal(name) || IsLocal(name) {
		return name[1:]
	}
	return name
}

// expand spells a local name out (docs/language.md, "Names").
func expand(parent, name string) string {
	if IsLocal(name) {
		return parent + "." + Bare(name)
	}
	return name
}

// LastPart is the last part of a global name that is made of several, without mark; of another name,
// all but the mark.
func LastPart(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && IsGlobal(name) {
		return name[i+1:]
	}
	return Bare(name)
}
