package core

import "errors"

// BuildIR executes an instruction of the IR builder (docs/language.md, "The IR builder"), given by its opcode. Its
// operands and its result are in X(t).
func BuildIR(t *Ctx, opcode uint32) {
	if Engine.Build == nil {
		Fail(t, DynCode, "", "the IR builder needs the engine for live code, which the program is not linked with")
	}
	if code, err := Engine.Build(t, opcode); err != nil {
		must(t, &misuse{kindOfLoading(code), code, err.Error()})
	}
}

// NewBytes makes a @uvm.meta.bytes; it returns 0 if the heap is exhausted. It may collect.
func NewBytes(t *Ctx, text string) uintptr { return newBytes(t, text) }

// ReadBytes returns the text in a @uvm.meta.bytes, which is not NULL.
func ReadBytes(ref uintptr) (string, error) {
	text, m := readBytes(ref)
	if m != nil {
		return "", errors.New(m.detail)
	}
	return text, nil
}
