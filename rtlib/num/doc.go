// Package num implements the arithmetic that Go's operators lack: integers of 65 to 128
// bits, integers of widths between Go's, saturating conversions from floating point,
// conversions to floating point with a single rounding, and the floating-point
// remainder (docs/language.md, "Numbers"); also the accesses to integers of more than 64 bits in
// memory.
//
// For int<8>, int<16>, int<32> and int<64> generated code uses Go's operators
// instead. The package does not check for division by zero and does not reduce shift
// counts: the caller does both.
//
// Invariants. An int<n> with n <= 64 is a uint64 whose bits from n on are clear; an int<n>
// with 65 <= n <= 128 is a U128, likewise. Functions that say so take or return
// sign-extended values instead. A width n is 1 to 64 for functions on uint64, 1 to 128 for
// those on U128. For any other width the result is unspecified, but there is no
// panic.
//
// Everything that generated code calls in a hot loop is small enough to be inlined; a test has
// the list.
package num
