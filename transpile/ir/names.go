package ir

import "strings"

// Names of the representation begin with a mark: @ for global names, % for names in a body. The
// marks do not depend on the source language: a reader whose names have no marks, or others, sets
// Function.Title to the name of a function in reports. Apart from the parser and the printer of the
// text, no other file of the packages that readers share looks at marks.
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

// IsDescription reports whether what stands in place of a name is none, but says what has no name, as "block 2".
// Readers of bundles whose parts need no names use descriptions. They have no mark, so no name is one of them.
func IsDescription(name string) bool { return name != "" && !IsGlobal(name) && !IsLocal(name) }

// oneWord is a name without its mark, or a description with dashes between its words, for output in which a space
// ends a name.
func oneWord(name string) string {
	if IsDescription(name) {
		return strings.ReplaceAll(name, " ", "-")
	}
	return Bare(name)
}

// FullName spells a local name out (docs/language.md, "Names"), and a description of something in the parent.
func FullName(parent, name string) string {
	switch {
	case IsLocal(name):
		return parent + "." + Bare(name)
	case IsDescription(name):
		return name + " of " + parent
	}
	return name
}

// LastPart is the part of a global name after its last dot. For other names, and for global ones
// without a dot, it is the name without its mark.
func LastPart(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && IsGlobal(name) {
		return name[i+1:]
	}
	return Bare(name)
}
