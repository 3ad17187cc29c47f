package syntax

import (
	"strings"
	"testing"
)

// Faulty texts, with position and message of each error. Errors in the shapes of
// operations are in TestShapes, errors in tokens in TestBadTokens.
func TestErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		// declarations
		{"x", "1:1: bad declaration: wanted a declaration, found x; declarations begin with type, field, function, data, entry, thread or module"},
		{"struct S { int8 x; }", "1:1: bad declaration: wanted a declaration, found struct; did you mean type?"},
		{"funktion void f() { }", "1:1: bad declaration: wanted a declaration, found funktion; did you mean function?"},
		{"/* c */ type T { }", "1:1: bad declaration: wanted a declaration, found /; comments begin with //"},
		{"type T { } }", "1:12: bad declaration: wanted a declaration, found }; the brace closes nothing"},
		{"type T { };", "1:11: bad declaration: wanted a declaration, found ;"},
		{"[a:b]", "1:6: bad declaration: wanted a declaration, found end of file"},
		{"[a:b,] type T { }", "1:6: bad declaration: wanted another element, found ]; a list does not end with a comma"},
		{"[a] type T { }", "1:3: bad declaration: wanted :, found ]; metadata is written [KEY:VALUE, ...]"},
		{"[a:1] type T { }", "1:4: bad declaration: wanted a value of metadata, found 1"},
		{"[a:b] entry f;", "1:7: bad declaration: wanted a declaration that takes metadata, found entry; entry points take none"},

		// types
		{"type { }", "1:6: bad type: wanted the name of the type, found {"},
		{"type nop { }", "1:6: bad type: wanted the name of the type, found nop; nop is reserved, as a name it is written 'nop'"},
		{"type nan { }", "1:6: bad type: wanted the name of the type, found nan; nan is a literal, as a name it is written 'nan'"},
		{"type T align { }", "1:14: bad type T: wanted an alignment, found {"},
		{"type T align 4.0 { }", "1:14: bad type T: wanted an integer, found 4.0"},
		{"type T", "1:7: bad type T: wanted {, found end of file"},
		{"type T {", "1:9: bad type T: wanted }, found end of file"},
		{"type T { int8 x; }", "1:10: bad field: wanted field or }, found int8"},
		{"type T { feild int8 x; }", "1:10: bad field: wanted field or }, found feild; did you mean field?"},
		{"type T { field int8; }", "1:20: bad field: wanted the name of the field, found ;"},
		{"type T { field int8 x }", "1:23: bad field x: wanted ;, found }"},
		{"type T { field int8 x y; }", "1:23: bad field x: wanted ;, found y"},
		{"type T { field int8 nop; }", "1:21: bad field: wanted the name of the field, found nop; nop is reserved, as a name it is written 'nop'"},
		{"type T { field global int8 x; }", "1:16: bad field: wanted instance, static, thread or a type, found global; the word is static in a type, and global outside"},
		{"type T { field instance static int8 x; }", "1:32: bad field: wanted the name of the field, found int8; int8 is reserved, as a name it is written 'int8'"},
		{"type T { field static int8 x (m, y); }", "1:30: bad field x: wanted ;, found (; only global and thread fields outside types stand for others"},

		// what types are made of
		{"type T { field int8& x; }", "1:20: bad type: & follows the name of a structure only, and once"},
		{"type T { field U*& x; }", "1:18: bad type: & follows the name of a structure only, and once"},
		{"type T { field U[]& x; }", "1:19: bad type: & follows the name of a structure only, and once"},
		{"type T { field int8[ x; }", "1:22: bad field: wanted an element count or ], found x"},
		{"type T { field int8[4 x; }", "1:23: bad field: wanted ], found x"},
		{"type T { field int8{} x; }", "1:21: bad field: wanted an element count, found }; a static array has its number of elements, as in int32{8}"},
		{"type T { field int8{n} x; }", "1:21: bad field: wanted an element count, found n; a static array has its number of elements, as in int32{8}"},
		{"type T { field int8[1.0] x; }", "1:21: bad field: wanted an integer, found 1.0"},
		{"type T { field int8(int8,) x; }", "1:26: bad field: wanted another element, found ); a list does not end with a comma"},
		{"type T { field int8(int8 int8) x; }", "1:26: bad field: wanted , or ), found int8; int8 is reserved, as a name it is written 'int8'"},
		{"type T { field m/ x; }", "1:20: bad field: wanted the name of the field, found ;"},
		{"type T { field m/n/o x; }", "1:19: bad field: wanted the name of the field, found /"},
		{"type T { field m/int8 x; }", "1:18: bad field: wanted a type of module m, found int8; int8 is reserved, as a name it is written 'int8'"},
		{"type T { field void* x; }", "1:20: bad field: wanted (, found *; void is a result only; a pointer to a function without result is written void(...)"},
		{"type T { field 5 x; }", "1:16: bad field: wanted a type, found 5"},

		// fields
		{"field static int8 x;", "1:7: bad field: wanted global or thread, found static; fields of a structure stand in the braces of its type"},
		{"field global int8 x (m);", "1:23: bad field x: wanted ,, found ); a field that stands for another is written field global T NAME (MODULE, FIELD)"},
		{"field global int8 x (m, y, z);", "1:26: bad field x: wanted ), found ,"},
		{"field global int8 x = 5;", "1:21: bad field x: wanted ;, found ="},

		// data
		{"data d;", "1:7: bad data d: wanted (, found ;; data is written data NAME (BYTE, ...)"},
		{"data d (1, );", "1:12: bad data d: wanted another element, found ); a list does not end with a comma"},
		{"data d (x);", "1:9: bad data d: wanted a byte, found x"},
		{"data d (1 2);", "1:11: bad data d: wanted , or ), found 2"},
		{"data d (1)", "1:11: bad data d: wanted ;, found end of file"},

		// entry points
		{"entry;", "1:6: bad entry point: wanted a function, found ;"},
		{"thread f;", "1:8: bad entry point: wanted entry or exit, found f"},
		{"module enter f;", "1:8: bad entry point: wanted entry or exit, found enter; did you mean entry?"},
		{"entry exit f;", "1:7: bad entry point: wanted a function, found exit; exit is reserved, as a name it is written 'exit'"},
		{"entry f", "1:8: bad entry point: wanted ;, found end of file"},

		// functions
		{"function f() { }", "1:16: bad function: wanted an element count, found }; a function is written function RESULT NAME(PARAMETERS) { ... }"},
		{"function void f() ssa { }", "1:19: bad function f: wanted {, found ssa"},
		{"function void ssa f() { }", "1:15: bad function: wanted the name of the function, found ssa; ssa stands in front of the result type"},
		{"function ssa ssa void f() { }", "1:14: bad function: attribute ssa is there twice"},
		{"function void f { }", "1:17: bad function f: wanted (, found {; a function is written function RESULT NAME(PARAMETERS) { ... }"},
		{"function void f(int8 x) { }", "1:22: bad function f: wanted , or ), found x; parameters have no names, arg.pop fetches them"},
		{"function void f(void) { }", "1:21: bad function f: wanted (, found ); void is a result only; a pointer to a function without result is written void(...)"},
		{"function void f(int8,) { }", "1:22: bad function f: wanted another element, found ); a list does not end with a comma"},
		{"function void f();", "1:18: bad function f: wanted {, found ;; there are no declarations without a body, and none is needed"},
		{"function void f() cdecl stdcall { }", "1:25: bad function f: wanted {, found stdcall"},
		{"function cdecl void f() { }", "1:10: bad function: wanted the type of the result, or void, found cdecl; cdecl follows the parameters: T(...) cdecl"},
		{in("nop;"), "1:21: bad function f: wanted register, block or }, found nop; instructions stand in a block, as in block entry { ... }"},
		{in("r = copy s;"), "1:21: bad function f: wanted register, block or }, found r; instructions stand in a block, as in block entry { ... }"},
		{in("blok entry { }"), "1:21: bad function f: wanted register, block or }, found blok; did you mean block?"},
		{in("register int8 a, b;"), "1:36: bad register a: wanted ;, found ,; each register has a declaration of its own"},
		{in("register a;"), "1:31: bad register: wanted the name of the register, found ;"},
		{in("block { }"), "1:27: bad block: wanted the name of the block, found {"},
		{in("block nop { }"), "1:27: bad block: wanted the name of the block, found nop; nop is reserved, as a name it is written 'nop'"},
		{in("block b unwind { }"), "1:36: bad block b: wanted the name of the unwind block, found {"},
		{in("block b nop; }"), "1:29: bad block b: wanted {, found nop"},
		{"function void f() {", "1:20: bad function f: wanted }, found end of file"},
		{"function void f() { block b { nop;", "1:35: bad block b: wanted }, found end of file"},

		// instructions
		{body(";"), "1:35: bad instruction: wanted a mnemonic, found ;"},
		{body("volatile;"), "1:43: bad instruction: wanted a mnemonic, found ;"},
		{body("add a, b;"), "1:35: bad instruction: wanted a mnemonic, found add; did you mean ari.add?"},
		{body("r = mov a;"), "1:39: bad instruction: wanted a mnemonic, found mov; did you mean copy?"},
		{body("r = ari.ad a, b;"), "1:39: bad instruction: wanted a mnemonic, found ari.ad; did you mean ari.add?"},
		{body("r = load.i3 (1);"), "1:39: bad instruction: wanted a mnemonic, found load.i3; did you mean load.i8?"},
		{body("r = zzzz;"), "1:39: bad instruction: wanted a mnemonic, found zzzz"},
		{body("'nop';"), "1:35: bad instruction: wanted a mnemonic, found 'nop'"},
		{body("type = copy a;"), "1:35: bad instruction: wanted a mnemonic, found type; type is reserved, as a name it is written 'type'"},
		{body("entry = copy a;"), "1:35: bad instruction: wanted a mnemonic, found entry; entry is reserved, as a name it is written 'entry'"},
		{body("shl = copy a;"), "1:35: bad instruction: wanted a mnemonic, found shl; shl is reserved, as a name it is written 'shl'"},
		{body("r = copy"), "1:44: bad copy: wanted ;, found }; write r = copy a;"},
		{body("r = copy a"), "1:46: bad copy: wanted ;, found }; write r = copy a;"},
		{body("r = ari.add a b;"), "1:49: bad ari.add: wanted ;, found b; write r = ari.add a, b;"},
		{body("r = ari.add a, ;"), "1:50: bad ari.add: wanted a register, found ;; a list does not end with a comma"},
		{body("r = ari.add a, 5;"), "1:50: bad ari.add: wanted a register, found 5; a constant is loaded into a register first, as by load.i32 (1)"},
		{body("r = ari.add a, field;"), "1:50: bad ari.add: wanted a register, found field; field is reserved, as a name it is written 'field'"},
		{body("r = load.i32 5;"), "1:48: bad load.i32: wanted (, found 5; write r = load.i32 (LITERAL);"},
		{body("r = load.i32 (1, 2);"), "1:50: bad load.i32: wanted ), found ,; write r = load.i32 (LITERAL);"},
		{body("r = load.i32 (x);"), "1:49: bad load.i32: wanted a literal, found x"},
		{body("r = load.size int8;"), "1:49: bad load.size: wanted (, found int8; write r = load.size (TYPE);"},
		{body("jump b;"), "1:40: bad jump: wanted no sources, got 1; write jump (BLOCK);"},
		{body("jump.cond u (b);"), "1:49: bad jump.cond: wanted ,, found ); write jump.cond a (BLOCK, BLOCK);"},
		{body("jump (b, c);"), "1:42: bad jump: wanted ), found ,; write jump (BLOCK);"},
		{body("r = field.get s (T);"), "1:53: bad field.get: wanted :, found ); a member is written (TYPE:MEMBER)"},
		{body("r = field.get s (T&:f);"), "1:53: bad field.get: wanted :, found &; a member is written (TYPE:MEMBER)"},
		{body("leave (1);"), "1:41: bad leave: wanted ;, found (; write leave;"},
		{body("ffi (libc);"), "1:44: bad ffi: wanted ,, found ); write ffi (LIBRARY, SYMBOL);"},
		{body("r = load.i32 (1.);"), "1:49: bad literal 1.: digit expected after the point, as in 1.0"},
		{body("r = load.i32 (5abc);"), "1:50: unexpected abc directly after 5: white space or a delimiter wanted"},
		{body(`r = load.ui8a ("hi");`), "1:50: unexpected character \": there are no strings; load.ui8a and data take their bytes, and names with other characters stand in single quotes"},

		// what is not UTF-8 is reported, and the rest read
		{"type T { // \xff\nfield int8; }", "1:13: bad byte 0xff: the text is not UTF-8\n2:11: bad field: wanted the name of the field, found ;"},
		{"\xff\xfet\x00", "1:1: UTF-16 text: IAL is written in UTF-8"},
	}
	for _, tt := range tests {
		f, errs := parse(tt.src)
		var got []string
		for _, d := range errs.All() {
			got = append(got, strings.TrimPrefix(errs.Set().Position(d.Pos).String(), "t.ial:")+": "+d.Msg)
		}
		if text := strings.Join(got, "\n"); text != tt.want || !f.Bad {
			t.Errorf("%s:\n got %s\nwant %s", tt.src, text, tt.want)
		}
	}
}
