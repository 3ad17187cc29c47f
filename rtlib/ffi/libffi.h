// Declarations that libffi.c and the Go code of this package share.

#include <stddef.h>
#include <stdint.h>

// How libffi describes a type: a struct has a list of the types of its fields that ends with NULL.
typedef struct uvm_type {
	size_t size;
	unsigned short alignment, type;
	struct uvm_type **elements;
} uvm_type;

// Where a scalar is: in which parameter, and at which offset in it.
typedef struct {
	uint32_t param, offset;
	uint8_t letter; // of the description of the signature
} uvm_part;

// Where the C function of a thunk finds an argument that is a scalar.
typedef struct {
	uint16_t at;   // which of the registers that it has saved, or uvm_stacked plus the number of the word on the stack
	uint8_t shift; // 64 less the bits of the scalar
} uvm_source;

// Registers for arguments by the ABI of System V for x86-64, and where the others begin.
enum { uvm_ints = 6, uvm_floats = 8, uvm_stacked = uvm_ints + uvm_floats };

// What the closures of a signature have in common.
typedef struct {
	void *cif;
	void (*enter)(uint32_t sig, int32_t slot, uint64_t *words); // generated code calls back into the runtime
	uint32_t sig;     // the runtime's number of the signature
	uint32_t in, out; // scalars of the parameters and of the result
	uint32_t words;   // the larger of these numbers, at least 1
	int32_t widened;  // the result is an integer of at most the size of a register
	uvm_part *parts;  // of the parameters, then of the result
	uvm_source *from; // of the parameters, if all are scalars on a machine with thunks; or 0
} uvm_closures;

typedef struct {
	const uvm_closures *of;
	int32_t slot;
} uvm_closure;

// The address of dlopen comes from the program: linkers warn of dlopen in static programs, most of which do not need it.
int uvm_open_libffi(uintptr_t dlopen);
uintptr_t uvm_libffi_call(void);
uvm_type *uvm_scalar(int letter);
uvm_type *uvm_struct(uvm_type **fields);
void *uvm_prepare(unsigned n, uvm_type *result, uvm_type **params);
// Thunks are function pointers that were compiled. They take less time than those that libffi makes.
int uvm_has_thunks(void);
uintptr_t uvm_make_thunk(const uvm_closures *of, int32_t slot); // 0 if there is none left
uintptr_t uvm_make_closure(const uvm_closures *of, int32_t slot);
// The address of a symbol, first in the libraries that were added; 0 if there is none. version is null for any.
uintptr_t uvm_find_symbol(const char *name, const char *version);
int uvm_add_library(void *library); // false if there are too many
