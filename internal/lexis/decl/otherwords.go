package decl

// OtherWords are words of other languages for operations, and what is suggested instead in text of both generations: if
// there are several, the operation on integers with a sign. The type argument may then show that another one fits.
var OtherWords = map[string]string{
	"DIV": "SDIV", "REM": "SREM", "MOD": "SREM",
	"LT": "SLT", "LE": "SLE", "GT": "SGT", "GE": "SGE", "LTE": "SLE", "GTE": "SGE",
	"NEQ": "NE", "SHR": "ASHR",
}
