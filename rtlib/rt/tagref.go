package rt

import "github.com/uvm2go/uvm2go/rtlib/internal/gc"

// The tagref64 operations (docs/language.md, "Tagged references").

// TagIsFP reports whether a tagref64 holds a double.
func TagIsFP(w uint64) bool { return gc.TagIsFP(w) }

// TagIsInt reports whether a tagref64 holds an int<52>.
func TagIsInt(w uint64) bool { return gc.TagIsInt(w) }

// TagIsRef reports whether a tagref64 holds a reference.
func TagIsRef(w uint64) bool { return gc.TagIsRef(w) }

// TagFromFP makes a tagref64 with a double.
func TagFromFP(f float64) uint64 { return gc.TagFromFP(f) }

// TagFromInt makes a tagref64 with an int<52>.
func TagFromInt(x uint64) uint64 { return gc.TagFromInt(x) }

// TagFromRef makes a tagref64 with a reference and a tag.
func TagFromRef(addr uintptr, tag uint8) uint64 { return gc.TagFromRef(addr, tag) }

// TagToFP is the double inside.
func TagToFP(w uint64) float64 { return gc.TagToFP(w) }

// TagToInt is the int<52> inside.
func TagToInt(w uint64) uint64 { return gc.TagToInt(w) }

// TagToRef is the reference inside.
func TagToRef(w uint64) uintptr { return gc.TagToRef(w) }

// TagToTag is the tag inside.
func TagToTag(w uint64) uint8 { return gc.TagToTag(w) }

// TagRoot is the reference inside a tagref64, or 0.
func TagRoot(w uint64) uintptr { return gc.TagRoot(w) }
