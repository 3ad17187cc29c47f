// What the C and the Go part of the library share: the structs that clients hold, and the table of the values of a context.
#ifndef UVM_LIBMU_H
#define UVM_LIBMU_H

#include <stdint.h>

// The generations of the API, as in cmd/internal/muapi.
enum { UVM_REFIMPL2, UVM_RMU, UVM_ZEBU, UVM_GENERATIONS };

// Slots of the structs in the generation that has most.
enum { UVM_VM_SLOTS = 6, UVM_CTX_SLOTS = 175, UVM_BUILDER_SLOTS = 80 };

// A function pointer of any type.
typedef void (*uvm_fn)(void);

enum { UVM_TYPES = 4096 }; // types that C knows in a VM

// uvm_field is a field of a struct.
typedef struct uvm_field {
	uint64_t offset;
	uint32_t type;
} uvm_field;

enum { UVM_FIELD = sizeof(uvm_field) };

// uvm_type is what C knows about a type of memory. Types have numbers in the VM.
typedef struct uvm_type {
	uint32_t kind;   // of slots with a value from memory of this type, if it consists of numbers and pointers without padding bits; else 0
	uint32_t fields; // of a struct or the fixed part of a hybrid
	uint64_t size;
	uint64_t len, stride; // of an array or vector
	uint32_t elem;        // of an array, vector or variable part
	uint32_t hybrid;
	uvm_field field[];
} uvm_type;

// uvm_vm is a MuVM. It is never freed, so that a call after its end is an error.
typedef struct uvm_vm {
	void *header;
	uvm_fn fn[UVM_VM_SLOTS];
	uint32_t generation;
	uint32_t number; // of the VM in Go
	uint32_t closed;
	uint32_t nothing;       // number of the type void, plus 1; 0 if it is not known yet
	uint64_t pointers[256]; // pointer types that were used: ID in the high half, kind of a uvm_slot in the low one; by ID
	uint64_t refs[256];     // the same of types of refs and irefs
	uvm_type *types[UVM_TYPES];
} uvm_vm;

// Kinds of values in a uvm_slot, in the high 8 bits of kind. The low 24 bits are the length of an int, and the number of a pointer type.
// References are in Go (UVM_GO), and others in the same object or cell may be beside them: UVM_IREF and UVM_REF, with the number
// of the type that they refer to, and UVM_TAG, a tagref64. UVM_PARTS is a struct, array or vector without references, with the
// number of its type.
enum { UVM_FREE, UVM_INT, UVM_FLOAT, UVM_DOUBLE, UVM_UPTR, UVM_UFP, UVM_GO, UVM_NODE, UVM_IREF, UVM_REF, UVM_TAG, UVM_PARTS };

// uvm_slot is a place for a value. Values of one word that are no references are in value, and so are the addresses of references;
// of a node it is the number of its bundle and its own; of others value is the number in Go.
// Of UVM_PARTS it is the address of memory with the value, laid out as in the VM. Of a free slot it is the next free one.
typedef struct uvm_slot {
	uint64_t value;
	uint32_t life; // how often the slot was taken, times 2, plus 1 while it is
	uint32_t kind;
} uvm_slot;

// The lowest bit of kind, of a value in Go: it has a uvm_place.
enum { UVM_PLACE = 1 };

// uvm_place is what C knows about a ref, iref or tagref64 in Go that is not NULL.
typedef struct uvm_place {
	uint64_t at;     // the address, or the word of a tagref64
	uint64_t begin, end; // what C may access there; the value in Go keeps the object. Empty if that is not known
	uint32_t what;   // UVM_IREF, UVM_REF, UVM_TAG
	uint32_t type;   // the number of the type that it refers to
	uint32_t uses;   // slots that need it: its own, and those of references beside it
} uvm_place;

// A handle is the number of the context, the life of the slot without its lowest bit, and the index of the slot.
enum { UVM_INDEX_BITS = 28, UVM_LIFE_BITS = 20 };
#define UVM_NONE 0xffffffffu // no slot

_Static_assert(sizeof(void *) == 8, "libmu is for 64-bit platforms: handles have 63 bits");

// What a context is doing. It is accessing while C reads or writes the memory of the VM, for which a VM that is closed waits.
enum { UVM_IDLE, UVM_BUSY, UVM_CLOSED, UVM_ACCESSING };

// uvm_ctx is a MuCtx.
typedef struct uvm_ctx {
	void *header;
	uvm_fn fn[UVM_CTX_SLOTS];
	uint32_t state;  // atomic
	uint32_t number; // of the context in Go
	uvm_vm *vm;
	uint64_t prefix; // the high bits of its handles
	uvm_slot *slots;
	uint32_t *beside; // by slot, of references that are not in Go: the number of one that is
	uint32_t used, room;       // slots that were ever taken; slots that there is memory for
	uint32_t first, last;      // the list of free slots, which is used from the end that was freed first
	uint32_t *dead;            // numbers of values in Go whose slots were freed
	uint32_t ndead, room_dead;
	uvm_place *places; // by numbers of values in Go
	uint32_t room_places;
	struct uvm_ctx *next; // in the list of closed contexts
} uvm_ctx;

// uvm_builder is a MuIRBuilder.
typedef struct uvm_builder {
	void *header;
	uvm_fn fn[UVM_BUILDER_SLOTS];
	uint32_t number; // of the builder in Go
	uint32_t closed;
	uvm_vm *vm;
} uvm_builder;

// The functions of the structs, by generation and slot, from 0.
extern const uvm_fn uvm_vm_fns[UVM_GENERATIONS][UVM_VM_SLOTS];
extern const uvm_fn uvm_ctx_fns[UVM_GENERATIONS][UVM_CTX_SLOTS];
extern const uvm_fn uvm_builder_fns[UVM_GENERATIONS][UVM_BUILDER_SLOTS];

uvm_vm *uvm_new_vm(uint32_t generation, uint32_t number);
uvm_ctx *uvm_new_ctx(uvm_vm *vm, uint32_t number); // NULL if there is no memory
void uvm_end_ctx(uvm_ctx *ctx);                    // which must be closed
uint32_t uvm_grow(uvm_ctx *ctx);                   // makes room for slots; 0 if there is none
uint32_t uvm_grow_places(uvm_ctx *ctx, uint32_t number); // makes room for a place
uvm_builder *uvm_new_builder(uvm_vm *vm, uint32_t number);

// uvm_fail says that a function has failed: the thread takes the error (mu_take_errors), or it is reported.
void uvm_fail(uvm_vm *vm, const char *function, const char *why);
// uvm_take gives an error to the thread; 0 if the thread does not take errors.
uint32_t uvm_take(const char *function, const char *why);
// uvm_report reports an error: one line on standard error, then the error number or the end of the process. vm is NULL if it is not known.
void uvm_report(uvm_vm *vm, const char *function, const char *why);
// uvm_counts notes that there is a VM whose clients read the error number.
void uvm_counts(void);

// The names of the generations.
extern const char *const uvm_generations[UVM_GENERATIONS];

// uvm_trap has what a trap handler returns. Each place is 8 bytes wide: some clients store 4 bytes, others 8.
typedef struct uvm_trap {
	uint64_t result, stack, values, nvalues, freer, freerdata, exception;
} uvm_trap;

// uvm_call_handler calls a trap handler, uvm_call_freer a MuValuesFreer.
void uvm_call_handler(uintptr_t handler, uvm_ctx *ctx, uintptr_t thread, uintptr_t stack, uint32_t wpid, uvm_trap *out, uintptr_t userdata);
void uvm_call_freer(uintptr_t freer, uintptr_t values, uintptr_t data);

// uvm_library is the file name of the library, "" if it is not known.
const char *uvm_library(void);

// uvm_be_global makes the symbols of the library known to all that is loaded later; NULL, or why that is impossible.
const char *uvm_be_global(void);

#endif
