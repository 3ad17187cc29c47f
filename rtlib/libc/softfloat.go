package libc

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/num"
)

// The functions of a C compiler's runtime library for processors without floating point, as GCC documents them
// ("Routines for floating point emulation"). A dialect without arithmetic on floats, such as TVM, uses these functions;
// here each is the operation of the processor. GCC leaves results that are not representable open; here they are
// clamped to the range of the integer, and 0 for a NaN. For comparisons GCC defines only the sign of the result; here
// the result is -1, 0 or 1.
//
// Products are converted explicitly to their own type, so that Go never contracts them with a sum into one operation.

// choose is yes if a comparison is true, else no.
func choose(holds bool, yes, no int32) uint32 {
	if holds {
		return uint32(yes)
	}
	return uint32(no)
}

// order is -1, 0 or 1 as x is less than, equal to or greater than y, and 1 if either is a NaN.
func order[F float32 | float64](x, y F) uint32 {
	return choose(x == y, 0, int32(choose(x < y, -1, 1)))
}

// Addsf3 is __addsf3: x + y.
func Addsf3(x, y float32) float32 { return x + y }

// Subsf3 is __subsf3: x - y.
func Subsf3(x, y float32) float32 { return x - y }

// Mulsf3 is __mulsf3: x * y.
func Mulsf3(x, y float32) float32 { return float32(x * y) }

// Divsf3 is __divsf3: x / y.
func Divsf3(x, y float32) float32 { return x / y }

// Negsf2 is __negsf2: -x, with the sign of a NaN changed as well.
func Negsf2(x float32) float32 { return math.Float32frombits(math.Float32bits(x) ^ 1<<31) }

// Cmpsf2 is __cmpsf2: -1, 0 or 1 as x is less than, equal to or greater than y; 1 for a NaN.
func Cmpsf2(x, y float32) uint32 { return order(x, y) }

// Eqsf2 is __eqsf2: 0 if x equals y, else 1.
func Eqsf2(x, y float32) uint32 { return choose(x == y, 0, 1) }

// Nesf2 is __nesf2: 0 if x equals y, else 1.
func Nesf2(x, y float32) uint32 { return choose(x != y, 1, 0) }

// Gesf2 is __gesf2: 0 if x is greater than y or equals it, else -1.
func Gesf2(x, y float32) uint32 { return choose(x >= y, 0, -1) }

// Ltsf2 is __ltsf2: -1 if x is less than y, else 0.
func Ltsf2(x, y float32) uint32 { return choose(x < y, -1, 0) }

// Lesf2 is __lesf2: 0 if x is less than y or equals it, else 1.
func Lesf2(x, y float32) uint32 { return choose(x <= y, 0, 1) }

// Gtsf2 is __gtsf2: 1 if x is greater than y, else 0.
func Gtsf2(x, y float32) uint32 { return choose(x > y, 1, 0) }

// Unordsf2 is __unordsf2: 1 if x or y is a NaN, else 0.
func Unordsf2(x, y float32) uint32 { return choose(x != x || y != y, 1, 0) }

// Fixsfsi is __fixsfsi: x toward zero, signed.
func Fixsfsi(x float32) uint32 { return num.F32ToI32(x) }

// Fixunssfsi is __fixunssfsi: x toward zero, unsigned.
func Fixunssfsi(x float32) uint32 { return num.F32ToU32(x) }

// Floatsisf is __floatsisf: a signed integer.
func Floatsisf(x uint32) float32 { return num.S64ToF32(uint64(int64(int32(x)))) }

// Floatunsisf is __floatunsisf: an unsigned integer.
func Floatunsisf(x uint32) float32 { return num.U64ToF32(uint64(x)) }

// Fixsfdi is __fixsfdi: x toward zero, signed.
func Fixsfdi(x float32) uint64 { return num.F32ToI64(x) }

// Fixunssfdi is __fixunssfdi: x toward zero, unsigned.
func Fixunssfdi(x float32) uint64 { return num.F32ToU64(x) }

// Floatdisf is __floatdisf: a signed integer.
func Floatdisf(x uint64) float32 { return num.S64ToF32(x) }

// Floatundisf is __floatundisf: an unsigned integer.
func Floatundisf(x uint64) float32 { return num.U64ToF32(x) }

// Adddf3 is __adddf3: x + y.
func Adddf3(x, y float64) float64 { return x + y }

// Subdf3 is __subdf3: x - y.
func Subdf3(x, y float64) float64 { return x - y }

// Muldf3 is __muldf3: x * y.
func Muldf3(x, y float64) float64 { return float64(x * y) }

// Divdf3 is __divdf3: x / y.
func Divdf3(x, y float64) float64 { return x / y }

// Negdf2 is __negdf2: -x, with the sign of a NaN changed as well.
func Negdf2(x float64) float64 { return math.Float64frombits(math.Float64bits(x) ^ 1<<63) }

// Cmpdf2 is __cmpdf2: -1, 0 or 1 as x is less than, equal to or greater than y; 1 for a NaN.
func Cmpdf2(x, y float64) uint32 { return order(x, y) }

// Eqdf2 is __eqdf2: 0 if x equals y, else 1.
func Eqdf2(x, y float64) uint32 { return choose(x == y, 0, 1) }

// Nedf2 is __nedf2: 0 if x equals y, else 1.
func Nedf2(x, y float64) uint32 { return choose(x != y, 1, 0) }

// Gedf2 is __gedf2: 0 if x is greater than y or equals it, else -1.
func Gedf2(x, y float64) uint32 { return choose(x >= y, 0, -1) }

// Ltdf2 is __ltdf2: -1 if x is less than y, else 0.
func Ltdf2(x, y float64) uint32 { return choose(x < y, -1, 0) }

// Ledf2 is __ledf2: 0 if x is less than y or equals it, else 1.
func Ledf2(x, y float64) uint32 { return choose(x <= y, 0, 1) }

// Gtdf2 is __gtdf2: 1 if x is greater than y, else 0.
func Gtdf2(x, y float64) uint32 { return choose(x > y, 1, 0) }

// Unorddf2 is __unorddf2: 1 if x or y is a NaN, else 0.
func Unorddf2(x, y float64) uint32 { return choose(x != x || y != y, 1, 0) }

// Fixdfsi is __fixdfsi: x toward zero, signed.
func Fixdfsi(x float64) uint32 { return num.F64ToI32(x) }

// Fixunsdfsi is __fixunsdfsi: x toward zero, unsigned.
func Fixunsdfsi(x float64) uint32 { return num.F64ToU32(x) }

// Floatsidf is __floatsidf: a signed integer.
func Floatsidf(x uint32) float64 { return num.S64ToF64(uint64(int64(int32(x)))) }

// Floatunsidf is __floatunsidf: an unsigned integer.
func Floatunsidf(x uint32) float64 { return num.U64ToF64(uint64(x)) }

// Fixdfdi is __fixdfdi: x toward zero, signed.
func Fixdfdi(x float64) uint64 { return num.F64ToI64(x) }

// Fixunsdfdi is __fixunsdfdi: x toward zero, unsigned.
func Fixunsdfdi(x float64) uint64 { return num.F64ToU64(x) }

// Floatdidf is __floatdidf: a signed integer.
func Floatdidf(x uint64) float64 { return num.S64ToF64(x) }

// Floatundidf is __floatundidf: an unsigned integer.
func Floatundidf(x uint64) float64 { return num.U64ToF64(x) }

// Extendsfdf2 is __extendsfdf2: x as a double.
func Extendsfdf2(x float32) float64 { return float64(x) }

// Truncdfsf2 is __truncdfsf2: x as a float, rounded to nearest.
func Truncdfsf2(x float64) float32 { return float32(x) }
