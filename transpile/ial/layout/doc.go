// Package layout computes the sizes, alignments and offsets of IAL values in memory
// (docs/ial.md, "Layout"), for both word sizes at once: numbers are those of
// transpile/layout.
//
// It also says which types are too large (Limits) and which references would be at
// offsets where the collector does not look for them (Aligned). It does not know the
// headers of managed objects, which the translator adds.
//
// Its input is a program without errors of assembly: no structure contains itself.
package layout
