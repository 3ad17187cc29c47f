// Package num is the arithmetic that Go's operators do not give: integers of
// 65 to 128 bits, integers of widths between Go's, saturating conversions from
// floating point, conversions to floating point with a single rounding, and
// the floating-point remainder (mu-language 8.1 to 8.3).
//
// It is not needed for int<8>, int<16>, int<32> and int<64>: generated code
// uses Go's operators there. It does not check for division by zero, nor does
// it reduce shift counts: the caller does both, as mu-language 8.1 says.
//
// Invariants. An int<n> with n <= 64 is a uint64 whose bits from n on are
// clear, an int<n> with 65 <= n <= 128 a U128 likewise; functions that say so
// take or return sign-extended values instead. A width n is 1 to 64 for
// functions on uint64, 1 to 128 for those on U128; anything else is the
// caller's mistake and gives an unspecified value, never a panic.
//
// Everything that generated code calls in a hot loop is small enough to be
// inlined; a test holds the list.
package num
