// Package layout computes the sizes, alignments and offsets of IAL values in memory
// (docs/ial.md, "Layout"), for both word sizes at once: numbers are those of
// transpile/layout.
//
// It also says which types are too large (Limits) and where references would lie at
// places where the collector does not look for them (Aligned). It knows nothing of the
// headers of managed objects, which are the translator's.
//
// Its input is a program without faults of assembly: no structure contains itself.
package layout
