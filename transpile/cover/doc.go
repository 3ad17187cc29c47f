// Package cover makes programs count how often the lines of their bundles run, or of the author's own files, where
// directives //line name these.
//
// Instrument adds a counter to each block of a body, before passes copy or remove blocks, so that counts are those of
// the source: a copy of a block counts with the original's counter. The counters are elements of one cell, and are
// advanced by ordinary operations, so passes and back ends know nothing of them.
//
// A Unit is what Go's tools call a block: consecutive lines, or parts of a line, with one counter. When the program ends
// the runtime (rtlib/internal/core/cover.go) writes files in the format of go build -cover, which go tool covdata reads.
// They name no Go code: each file of source stands for a package of this name.
//
//	units.go       which lines have which counter
//	instrument.go  the instructions that count
//	meta.go        the file of the units
package cover
