// Package ial translates IAL, the assembly language of MCI, to the representation of
// package ir. Package syntax parses, assemble resolves names, verify checks; this package
// makes bodies from a verified module.Program, and has the entry for the registry
// (Dialect).
//
// It is not a checker: every program that the verifier accepts has a translation, except for
// the few that Load names (raw machine code, references where the collector cannot find them).
//
// # Order of work
//
//  1. Facts about the whole program are collected: which types can hold values of others,
//     so that accesses through them are checked (facts.go).
//  2. Types, cells of fields, blocks of data and functions are made (types.go, program.go).
//  3. Bodies are translated one after the other (body.go). Registers become variables of
//     package ssabuild, or stack cells if they must be in memory. The translation of an
//     instruction is a row of the table in inst.go; the functions are grouped by subject.
//  4. Intrinsic functions that are used get bodies (mci.go).
//  5. Entry points become hooks of the program (entry.go).
//
// # Invariants
//
//   - A native word is an int<64> in registers, extended according to its type, so that code
//     can compare it, divide it and use it as a count directly.
//   - Checks are instructions of the representation: passes remove those that cannot fail.
package ial
