package libc

import "sync"

// Flags say how a native may be called.
type Flags uint8

const (
	// Pure functions access only the memory that is passed to them and errno, and never
	// block.
	Pure Flags = 1 << iota
	// Exact functions return the result that C defines, to the bit (for comparisons C
	// defines only the sign), so that programs with cgo may call them instead of C.
	Exact
	// Blocks marks functions that may take long: during the call the caller must count
	// as stopped for collections.
	Blocks
	// Exits marks functions that do not return.
	Exits
	// Calls marks functions that call function pointers, through SetCall's function. They are
	// called only through At or Lookup, and the caller must not count as stopped during the call.
	Calls
	// Own marks functions that are not in C libraries.
	Own
	// Waits marks functions that the runtime can end while they wait, if the caller passes its Errno.
	Waits
)

// A Row describes the implementation of a native symbol.
type Row struct {
	C  string // the symbol
	Go string // the function of this package
	// Sig is the C signature in machine classes, result first:
	//
	//	v void   b h i l  integers of 8, 16, 32, 64 bits
	//	f float  d double  p pointer
	//
	// size_t and long are l. Parameters after a | are optional and 0 if missing;
	// * stands for further arguments, passed as words, integers with any extension
	// and the bits of doubles. A leading e says that the Go function takes an
	// Errno first.
	Sig   string
	Flags Flags

	fn any // the function itself
}

// Table lists the implemented symbols. The translator has a copy, which a test compares.
var Table = []Row{
	{"memcpy", "Memcpy", "p(ppl)", Pure | Exact, Memcpy},
	{"memmove", "Memmove", "p(ppl)", Pure | Exact, Memmove},
	{"memset", "Memset", "p(pil)", Pure | Exact, Memset},
	{"memcmp", "Memcmp", "i(ppl)", Pure | Exact, Memcmp},
	{"memchr", "Memchr", "p(pil)", Pure | Exact, Memchr},
	{"strlen", "Strlen", "l(p)", Pure | Exact, Strlen},
	{"strnlen", "Strnlen", "l(pl)", Pure | Exact, Strnlen},
	{"strcmp", "Strcmp", "i(pp)", Pure | Exact, Strcmp},
	{"strncmp", "Strncmp", "i(ppl)", Pure | Exact, Strncmp},
	{"strcpy", "Strcpy", "p(pp)", Pure | Exact, Strcpy},
	{"strncpy", "Strncpy", "p(ppl)", Pure | Exact, Strncpy},
	{"strcat", "Strcat", "p(pp)", Pure | Exact, Strcat},
	{"strncat", "Strncat", "p(ppl)", Pure | Exact, Strncat},
	{"strchr", "Strchr", "p(pi)", Pure | Exact, Strchr},
	{"strrchr", "Strrchr", "p(pi)", Pure | Exact, Strrchr},
	{"strstr", "Strstr", "p(pp)", Pure | Exact, Strstr},
	{"strdup", "Strdup", "ep(p)", 0, Strdup},

	{"sqrt", "Sqrt", "ed(d)", Pure | Exact, Sqrt},
	{"fabs", "Fabs", "d(d)", Pure | Exact, Fabs},
	{"floor", "Floor", "d(d)", Pure | Exact, Floor},
	{"ceil", "Ceil", "d(d)", Pure | Exact, Ceil},
	{"trunc", "Trunc", "d(d)", Pure | Exact, Trunc},
	{"round", "Round", "d(d)", Pure | Exact, Round},
	{"rint", "Rint", "d(d)", Pure, Rint},
	{"nearbyint", "Rint", "d(d)", Pure, Rint},
	{"fmod", "Fmod", "ed(dd)", Pure | Exact, Fmod},
	{"ldexp", "Ldexp", "ed(di)", Pure | Exact, Ldexp},
	{"scalbn", "Ldexp", "ed(di)", Pure | Exact, Ldexp},
	{"copysign", "Copysign", "d(dd)", Pure | Exact, Copysign},
	{"fmax", "Fmax", "d(dd)", Pure, Fmax},
	{"fmin", "Fmin", "d(dd)", Pure, Fmin},
	{"sqrtf", "Sqrtf", "ef(f)", Pure | Exact, Sqrtf},
	{"fabsf", "Fabsf", "f(f)", Pure | Exact, Fabsf},
	{"floorf", "Floorf", "f(f)", Pure | Exact, Floorf},
	{"ceilf", "Ceilf", "f(f)", Pure | Exact, Ceilf},
	{"truncf", "Truncf", "f(f)", Pure | Exact, Truncf},
	{"roundf", "Roundf", "f(f)", Pure | Exact, Roundf},
	{"fmodf", "Fmodf", "ef(ff)", Pure | Exact, Fmodf},
	{"sin", "Sin", "ed(d)", Pure, Sin},
	{"cos", "Cos", "ed(d)", Pure, Cos},
	{"tan", "Tan", "ed(d)", Pure, Tan},
	{"asin", "Asin", "ed(d)", Pure, Asin},
	{"acos", "Acos", "ed(d)", Pure, Acos},
	{"atan", "Atan", "d(d)", Pure, Atan},
	{"atan2", "Atan2", "ed(dd)", Pure, Atan2},
	{"sinh", "Sinh", "ed(d)", Pure, Sinh},
	{"cosh", "Cosh", "ed(d)", Pure, Cosh},
	{"tanh", "Tanh", "d(d)", Pure, Tanh},
	{"exp", "Exp", "ed(d)", Pure, Exp},
	{"exp2", "Exp2", "ed(d)", Pure, Exp2},
	{"expm1", "Expm1", "ed(d)", Pure, Expm1},
	{"log", "Log", "ed(d)", Pure, Log},
	{"log2", "Log2", "ed(d)", Pure, Log2},
	{"log10", "Log10", "ed(d)", Pure, Log10},
	{"log1p", "Log1p", "ed(d)", Pure, Log1p},
	{"pow", "Pow", "ed(dd)", Pure, Pow},
	{"hypot", "Hypot", "ed(dd)", Pure, Hypot},
	{"cbrt", "Cbrt", "d(d)", Pure, Cbrt},
	{"sinf", "Sinf", "ef(f)", Pure, Sinf},
	{"cosf", "Cosf", "ef(f)", Pure, Cosf},
	{"tanf", "Tanf", "ef(f)", Pure, Tanf},
	{"expf", "Expf", "ef(f)", Pure, Expf},
	{"logf", "Logf", "ef(f)", Pure, Logf},
	{"powf", "Powf", "ef(ff)", Pure, Powf},
	{"asinf", "Asinf", "ef(f)", Pure, Asinf},
	{"acosf", "Acosf", "ef(f)", Pure, Acosf},
	{"sinhf", "Sinhf", "ef(f)", Pure, Sinhf},
	{"coshf", "Coshf", "ef(f)", Pure, Coshf},
	{"exp2f", "Exp2f", "ef(f)", Pure, Exp2f},
	{"expm1f", "Expm1f", "ef(f)", Pure, Expm1f},
	{"log2f", "Log2f", "ef(f)", Pure, Log2f},
	{"log10f", "Log10f", "ef(f)", Pure, Log10f},
	{"log1pf", "Log1pf", "ef(f)", Pure, Log1pf},
	{"atanf", "Atanf", "f(f)", Pure, Atanf},
	{"tanhf", "Tanhf", "f(f)", Pure, Tanhf},
	{"cbrtf", "Cbrtf", "f(f)", Pure, Cbrtf},
	{"rintf", "Rintf", "f(f)", Pure, Rintf},
	{"nearbyintf", "Rintf", "f(f)", Pure, Rintf},
	{"fmaxf", "Fmaxf", "f(ff)", Pure, Fmaxf},
	{"fminf", "Fminf", "f(ff)", Pure, Fminf},
	{"copysignf", "Copysignf", "f(ff)", Pure | Exact, Copysignf},
	{"atan2f", "Atan2f", "ef(ff)", Pure, Atan2f},
	{"hypotf", "Hypotf", "ef(ff)", Pure, Hypotf},
	{"ldexpf", "Ldexpf", "ef(fi)", Pure | Exact, Ldexpf},
	{"scalbnf", "Ldexpf", "ef(fi)", Pure | Exact, Ldexpf},

	{"__addsf3", "Addsf3", "f(ff)", Pure | Exact | Own, Addsf3},
	{"__subsf3", "Subsf3", "f(ff)", Pure | Exact | Own, Subsf3},
	{"__mulsf3", "Mulsf3", "f(ff)", Pure | Exact | Own, Mulsf3},
	{"__divsf3", "Divsf3", "f(ff)", Pure | Exact | Own, Divsf3},
	{"__negsf2", "Negsf2", "f(f)", Pure | Exact | Own, Negsf2},
	{"__cmpsf2", "Cmpsf2", "i(ff)", Pure | Exact | Own, Cmpsf2},
	{"__eqsf2", "Eqsf2", "i(ff)", Pure | Exact | Own, Eqsf2},
	{"__nesf2", "Nesf2", "i(ff)", Pure | Exact | Own, Nesf2},
	{"__gesf2", "Gesf2", "i(ff)", Pure | Exact | Own, Gesf2},
	{"__ltsf2", "Ltsf2", "i(ff)", Pure | Exact | Own, Ltsf2},
	{"__lesf2", "Lesf2", "i(ff)", Pure | Exact | Own, Lesf2},
	{"__gtsf2", "Gtsf2", "i(ff)", Pure | Exact | Own, Gtsf2},
	{"__unordsf2", "Unordsf2", "i(ff)", Pure | Exact | Own, Unordsf2},
	{"__fixsfsi", "Fixsfsi", "i(f)", Pure | Exact | Own, Fixsfsi},
	{"__fixunssfsi", "Fixunssfsi", "i(f)", Pure | Exact | Own, Fixunssfsi},
	{"__floatsisf", "Floatsisf", "f(i)", Pure | Exact | Own, Floatsisf},
	{"__floatunsisf", "Floatunsisf", "f(i)", Pure | Exact | Own, Floatunsisf},
	{"__fixsfdi", "Fixsfdi", "l(f)", Pure | Exact | Own, Fixsfdi},
	{"__fixunssfdi", "Fixunssfdi", "l(f)", Pure | Exact | Own, Fixunssfdi},
	{"__floatdisf", "Floatdisf", "f(l)", Pure | Exact | Own, Floatdisf},
	{"__floatundisf", "Floatundisf", "f(l)", Pure | Exact | Own, Floatundisf},
	{"__adddf3", "Adddf3", "d(dd)", Pure | Exact | Own, Adddf3},
	{"__subdf3", "Subdf3", "d(dd)", Pure | Exact | Own, Subdf3},
	{"__muldf3", "Muldf3", "d(dd)", Pure | Exact | Own, Muldf3},
	{"__divdf3", "Divdf3", "d(dd)", Pure | Exact | Own, Divdf3},
	{"__negdf2", "Negdf2", "d(d)", Pure | Exact | Own, Negdf2},
	{"__cmpdf2", "Cmpdf2", "i(dd)", Pure | Exact | Own, Cmpdf2},
	{"__eqdf2", "Eqdf2", "i(dd)", Pure | Exact | Own, Eqdf2},
	{"__nedf2", "Nedf2", "i(dd)", Pure | Exact | Own, Nedf2},
	{"__gedf2", "Gedf2", "i(dd)", Pure | Exact | Own, Gedf2},
	{"__ltdf2", "Ltdf2", "i(dd)", Pure | Exact | Own, Ltdf2},
	{"__ledf2", "Ledf2", "i(dd)", Pure | Exact | Own, Ledf2},
	{"__gtdf2", "Gtdf2", "i(dd)", Pure | Exact | Own, Gtdf2},
	{"__unorddf2", "Unorddf2", "i(dd)", Pure | Exact | Own, Unorddf2},
	{"__fixdfsi", "Fixdfsi", "i(d)", Pure | Exact | Own, Fixdfsi},
	{"__fixunsdfsi", "Fixunsdfsi", "i(d)", Pure | Exact | Own, Fixunsdfsi},
	{"__floatsidf", "Floatsidf", "d(i)", Pure | Exact | Own, Floatsidf},
	{"__floatunsidf", "Floatunsidf", "d(i)", Pure | Exact | Own, Floatunsidf},
	{"__fixdfdi", "Fixdfdi", "l(d)", Pure | Exact | Own, Fixdfdi},
	{"__fixunsdfdi", "Fixunsdfdi", "l(d)", Pure | Exact | Own, Fixunsdfdi},
	{"__floatdidf", "Floatdidf", "d(l)", Pure | Exact | Own, Floatdidf},
	{"__floatundidf", "Floatundidf", "d(l)", Pure | Exact | Own, Floatundidf},
	{"__extendsfdf2", "Extendsfdf2", "d(f)", Pure | Exact | Own, Extendsfdf2},
	{"__truncdfsf2", "Truncdfsf2", "f(d)", Pure | Exact | Own, Truncdfsf2},

	{"abs", "Abs", "i(i)", Pure | Exact, Abs},
	{"labs", "Labs", "l(l)", Pure | Exact, Labs},
	{"llabs", "Labs", "l(l)", Pure | Exact, Labs},
	{"atoi", "Atoi", "ei(p)", Pure, Atoi},
	{"atol", "Atol", "el(p)", Pure, Atol},
	{"atoll", "Atol", "el(p)", Pure, Atol},
	{"atof", "Atof", "ed(p)", Pure, Atof},
	{"strtol", "Strtol", "el(ppi)", 0, Strtol},
	{"strtoll", "Strtol", "el(ppi)", 0, Strtol},
	{"strtoul", "Strtoul", "el(ppi)", 0, Strtoul},
	{"strtoull", "Strtoul", "el(ppi)", 0, Strtoul},
	{"strtod", "Strtod", "ed(pp)", 0, Strtod},
	{"isupper", "Isupper", "i(i)", Pure, Isupper},
	{"islower", "Islower", "i(i)", Pure, Islower},
	{"isalpha", "Isalpha", "i(i)", Pure, Isalpha},
	{"isdigit", "Isdigit", "i(i)", Pure, Isdigit},
	{"isxdigit", "Isxdigit", "i(i)", Pure, Isxdigit},
	{"isalnum", "Isalnum", "i(i)", Pure, Isalnum},
	{"isspace", "Isspace", "i(i)", Pure, Isspace},
	{"isprint", "Isprint", "i(i)", Pure, Isprint},
	{"toupper", "Toupper", "i(i)", Pure, Toupper},
	{"tolower", "Tolower", "i(i)", Pure, Tolower},
	{"rand", "Rand", "i()", 0, Rand},
	{"srand", "Srand", "v(i)", 0, Srand},

	{"qsort", "Qsort", "ev(pllp)", Calls, Qsort},
	{"bsearch", "Bsearch", "ep(ppllp)", Calls, Bsearch},

	{"malloc", "Malloc", "ep(l)", 0, Malloc},
	{"calloc", "Calloc", "ep(ll)", 0, Calloc},
	{"realloc", "Realloc", "ep(pl)", 0, Realloc},
	{"free", "Free", "v(p)", 0, Free},
	{"malloc_usable_size", "UsableSize", "l(p)", 0, UsableSize},

	{"write", "Write", "el(ipl)", Blocks, Write},
	{"read", "Read", "el(ipl)", Blocks | Waits, Read},
	{"open", "Open", "ei(pi|i)", Blocks, Open},
	{"close", "Close", "ei(i)", Blocks, Close},
	{"lseek", "Lseek", "el(ili)", 0, Lseek},
	{"unlink", "Unlink", "ei(p)", Blocks, Unlink},
	{"puts", "Puts", "ei(p)", Blocks, Puts},
	{"putchar", "Putchar", "ei(i)", Blocks, Putchar},
	{"printf", "Printf", "ei(p*)", Blocks, Printf},
	{"dprintf", "Dprintf", "ei(ip*)", Blocks, Dprintf},
	{"sprintf", "Sprintf", "ei(pp*)", 0, Sprintf},
	{"snprintf", "Snprintf", "ei(plp*)", 0, Snprintf},
	{"fflush", "Fflush", "i(p)", 0, Fflush},

	{"exit", "Exit", "v(i)", Exits, Exit},
	{"_exit", "Exit", "v(i)", Exits, Exit},
	{"_Exit", "Exit", "v(i)", Exits, Exit},
	{"abort", "Abort", "v()", Exits, Abort},
	{"getenv", "Getenv", "p(p)", 0, Getenv},
	{"uvmRegistered", "Registered", "p(p)", Own, Registered},
	{"getpid", "Getpid", "i()", 0, Getpid},
	{"sched_yield", "SchedYield", "i()", Blocks, SchedYield},
	{"__errno_location", "ErrnoLocation", "ep()", Own, ErrnoLocation},
	{"__error", "ErrnoLocation", "ep()", Own, ErrnoLocation},
	{"_errno", "ErrnoLocation", "ep()", Own, ErrnoLocation},

	{"time", "Time", "l(p)", 0, Time},
	{"clock", "Clock", "l()", 0, Clock},
	{"gettimeofday", "Gettimeofday", "i(pp)", 0, Gettimeofday},
	{"clock_gettime", "ClockGettime", "ei(ip)", 0, ClockGettime},
	{"nanosleep", "Nanosleep", "ei(pp)", Blocks | Waits, Nanosleep},
	{"usleep", "Usleep", "ei(i)", Blocks | Waits, Usleep},
	{"sleep", "Sleep", "ei(i)", Blocks | Waits, Sleep},

	{"uvmPrintInt64", "PrintInt64", "ev(l)", Blocks | Own, PrintInt64},
	{"uvmPrintPtr", "PrintPtr", "ev(l)", Blocks | Own, PrintPtr},
	{"uvmPrintDouble", "PrintDouble", "ev(d)", Blocks | Own, PrintDouble},
	{"uvmPrintStr", "PrintStr", "ev(p)", Blocks | Own, PrintStr},
	{"c_increase", "Increase", "i(i)", Pure | Own, Increase},
	{"uvmPin", "Pin", "i(i)", Own, Pin},
	{"inspectStack", "InspectStack", "v(ll)", Pure | Own, InspectStack},
}

// rows is Table by symbol.
var rows = sync.OnceValue(func() map[string]*Row {
	m := map[string]*Row{}
	for i := range Table {
		m[Table[i].C] = &Table[i]
	}
	return m
})
