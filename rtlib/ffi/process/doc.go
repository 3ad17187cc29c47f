// Package process lets a process call C that was not made for it: one that runs bundles on the engine for live code
// without code that the translator has made (the command's run -live). Use switches that on, Open adds libraries.
//
// program_gen.h has the C code that the translator puts into every program made for cgo which may get code at run time;
// calls and function pointers are made by libffi. Without cgo Use only says what is missing. Programs that the translator
// has made do not link this package: they have that C code themselves.
package process

//go:generate go run ../../../cmd/internal/enginec
