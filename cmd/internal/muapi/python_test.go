package muapi

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPythonFresh checks that the generated module of the package in Python is that of the table.
func TestPythonFresh(t *testing.T) {
	got, err := os.ReadFile("../../../python/mu/_api.py")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != read(t).Python() {
		t.Error("python/mu/_api.py is stale: go generate .")
	}
}

// TestPython compares some lines of the module with the API.
func TestPython(t *testing.T) {
	text := read(t).Python()
	for _, want := range []string{
		// Parameters: a handle, one that may be absent, arrays with one length and with a shared one, names of keywords of
		// Python; results: a handle, a truth value, a text.
		"    def new_thread_nor(self, stack, threadlocal=None, vals=()):\n",
		`self._f.new_thread_nor(self._p, self._handle(stack, MuStackRefValue, "stack"), None if threadlocal is None else self._handle(threadlocal, MuRefValue, "threadlocal"), vals, vals._length_)`,
		"    def handle_from_uint64s(self, nums, len=64):\n",
		"    def new_bb(self, id, nor_param_ids, nor_param_types, exc_param_id=None, insts=()):\n",
		`        self._equal("cases", cases, "dests", dests)` + "\n",
		"    def new_newthread(self, id, result_id, stack, threadlocal, new_stack_clause, exc_clause=None):\n",
		"        return r != 0\n",
		"        return r.decode()\n",
		// Numbers.
		"MU_ORD_SEQ_CST = 0x06\n",
		`MU_CI_UVM_NATIVE_EXPOSE = Opcode("MU_CI_UVM_NATIVE_EXPOSE", 0x242, 0x243, 0x243)` + "\n",
		`MU_CI_UVM_IRBUILDER_NEW_BUNDLE = Opcode("MU_CI_UVM_IRBUILDER_NEW_BUNDLE", 0x300, None, None)` + "\n",
		// Types.
		"class MuStructValue(MuSeqValue):\n",
		"class MuFCRefValue(MuGenRefValue, Cursor):\n",
		`        ("new_ir_builder", (0, 88, 88), PTR, ()),` + "\n",
		`        ("handle_from_float", (15, 15, 15), PTR, (FLOAT,)),` + "\n",
		`    ("mu_take_errors", PTR, ()),` + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
	// Parameters must not hide what methods use.
	for _, m := range regexp.MustCompile(`(?m)^    def (\w+)\((.*)\):$`).FindAllStringSubmatch(text, -1) {
		for param := range strings.SplitSeq(m[2], ", ") {
			switch name, _, _ := strings.Cut(param, "="); name {
			case "integer", "errors", "count", "r":
				t.Errorf("%s has a parameter %s", m[1], name)
			}
		}
	}
}
