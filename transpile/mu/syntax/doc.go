// Package syntax reads Mu text bundles of the 2016 edition, and of its variant for muc, into a syntax tree
// (docs/language.md, "Text", "Grammar" and "The form of muc").
//
// It checks only the grammar: it does not resolve or expand names, does not check types,
// and keeps the order of instructions in a block. The tree has every name with its
// position.
//
// The tree is compact, since bundles of tens of megabytes exist: names are
// interned symbols of four bytes with an offset of four, all instructions share
// one node, and lists are slices of common slabs, which must not be
// appended to. Literals keep offsets into the source, which therefore must
// outlive the tree.
//
// Invariants: in a tree without errors every name that the grammar requires is
// present; offsets grow in the order of the source.
package syntax
