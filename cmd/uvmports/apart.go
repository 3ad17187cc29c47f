package main

import "strings"

// apart returns the reason if a program is known to behave differently on a port than on linux/amd64, and
// "" otherwise; docs/ports.md explains the reasons. A name without number stands for all runs of a script.
func apart(known map[string]string, program string) string {
	if why := known[program]; why != "" {
		return why
	}
	name, _, _ := strings.Cut(program, " ")
	return known[name]
}

// everywhere are programs that may differ on any port.
var everywhere = map[string]string{
	"ial_mci_platform": "prints what the port is",
	"ir_addresses 4":   "on some ports the executable lies at the address that it reads",
}

// narrowPrograms may differ on ports whose addresses have 32 bits.
var narrowPrograms = map[string]string{
	"const_scalars":    "prints pointers",
	"conv_ptr_ref":     "casts pointers to integers",
	"ial_fields":       "prints sizes of structs with pointers",
	"ial_limits":       "has words of 64 bits",
	"ial_mci_atomics":  "computes with words",
	"ial_pointers":     "computes with words",
	"ial_values":       "prints sizes of structs with pointers",
	"ir_word_loops":    "computes with words",
	"ir_words":         "computes with words",
	"mem_pointers":     "prints pointers",
	"native_errno_all": "fills struct timespec with words of 64 bits",
	"thread_limits 5":  "frames of one stack may take less",
	"tvm_base":         "prints sizes of structs with pointers",
	"tvm_bitcast":      "computes with words",
	"tvm_call 8":       "prints words",
	"tvm_cmp":          "computes with words",
	"tvm_int_wide":     "divides by an iptr of more than 32 bits",
	"tvm_layout":       "prints sizes of pointers",
	"tvm_limits":       "has an iptr of more than 32 bits",
	"tvm_memory":       "computes with words",
	"tvm_numbers":      "prints words",
	"tvm_shifts":       "computes with words",

	"examples/tvm/cmemory/cmemory.tvm": "prints sizes of structs with pointers",
	"examples/tvm/generic/generic.tvm": "prints sizes of structs with pointers",
}

// parts is the reason of programs that depend on the order of bytes.
const parts = "reads parts of a number"

// bigPrograms may differ on big-endian ports: on linux/mips, not on linux/mipsle.
var bigPrograms = map[string]string{
	"examples/tvm/values/values.tvm": parts,

	"ial_pointers":   parts,
	"ir_addresses":   "asks for the order of bytes",
	"ir_memory":      parts,
	"native_sort":    parts,
	"tvm_byte_order": parts,
	"tvm_call":       parts,
	"tvm_exists":     parts,
	"tvm_generic":    parts,
	"tvm_globals":    parts,
	"tvm_layout":     parts,
	"tvm_memory":     parts,
	"tvm_phantom":    parts,
	"tvm_phi":        parts,
	"tvm_run":        parts,
	"tvm_unions":     parts,
	"tvm_upref":      parts,

	"native_errno_all": "writes text as numbers",
	"native_served":    "writes text as numbers",
	"native_variadic":  "writes text as numbers",
}

// strictPrograms may differ on ports whose processor traps on unaligned addresses.
var strictPrograms = map[string]string{
	"ir_layout": "has numbers at addresses that the processor does not access",
}

// wasmPrograms may differ on wasm.
var wasmPrograms = map[string]string{
	"native_errno":     "wasip1 has numbers of its own",
	"native_errno_all": "wasip1 has numbers of its own",
	"thread_limits 5":  "frames of one stack may take less",
}
