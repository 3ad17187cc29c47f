package main

import "strings"

// apart says why a program is known to do something else on a port than on linux/amd64, "" if it is
// not; docs/ports.md has the whole story. The name of a program may go on with a number.
func apart(known map[string]string, program string) string {
	name, _, _ := strings.Cut(program, " ")
	return known[name]
}

// narrowPrograms differ where addresses have 32 bits.
var narrowPrograms = map[string]string{
	"const_scalars":    "prints pointers",
	"conv_ptr_ref":     "casts pointers to integers",
	"ir_word_loops":    "computes with words",
	"ir_words":         "computes with words",
	"mem_pointers":     "prints pointers",
	"native_errno_all": "fills struct timespec with words of 64 bits",
	"tvm_limits":       "has an iptr of more than 32 bits",

	"examples/tvm/cmemory/cmemory.tvm": "prints sizes of structs with pointers",
	"examples/tvm/generic/generic.tvm": "prints sizes of structs with pointers",
}

// bigPrograms differ where the highest byte of a number comes first.
var bigPrograms = map[string]string{
	"examples/tvm/values/values.tvm": "reads single bytes of a number",
}

// noNull is the reason of programs that access memory through NULL, where no memory is protected.
const noNull = "nothing protects the memory at NULL"

// wasmPrograms differ on wasm.
var wasmPrograms = map[string]string{
	"error_overflow_null": noNull,
	"ial_null":            noNull,
	"ir_addresses":        noNull,
	"line_directives":     noNull,
	"old_alloc_errors":    noNull,
	"native_errno":        "wasip1 has numbers of its own",
	"call_deep_recursion": "the stack of the host is smaller",
	"native_errno_all":    "wasip1 has numbers of its own",
	"tvm_limits":          "the stack of the host is smaller",
}
