package syntax

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// errorTests have a source and all messages of Parse about it. A source that does
// not begin with a dot or a comment is put into a function, its first line being
// line 3; then want leaves out the consequences of that.
var errorTests = []struct{ name, src, want string }{
	// Lexis.
	{"octal", ".const @c <@i> = 08\n.const @d <@i> = 09", `
t.uir:1:18: bad integer 08: a leading 0 means octal, which has no digits 8 and 9
t.uir:2:18: bad integer 09: a leading 0 means octal, which has no digits 8 and 9`},
	{"hex prefix", ".const @c <@i> = 0X1F", `
t.uir:1:18: bad integer 0X1F: the hexadecimal prefix is 0x`},
	{"no fraction", ".const @c <@d> = 1d", `
t.uir:1:18: bad floating-point literal 1d: it needs a fraction, as in 1.0d or 1.0e5f`},
	{"no suffix", ".const @c <@d> = 1.5", `
t.uir:1:18: bad floating-point literal 1.5: it ends with f or d, as in 1.5f or 1.0e-5d`},
	{"glued", ".const @c <@i> = 5.const @d <@i> = 6", `
t.uir:1:19: unexpected .const directly behind 5: white space wanted`},
	{"glued type", ".typedef @a = array<@i 10x>", `
t.uir:1:26: unexpected x directly behind 10: white space wanted`},
	{"open string", ".const @c <@p> = EXTERN \"write\n.typedef @v = 5", `
t.uir:1:25: bad string: no closing quote on the line
t.uir:2:15: bad .typedef @v: wanted a type constructor such as int<32>, found 5; write .typedef @name = int<64>`},
	{"non-ASCII", ".typedef @é = void", `
t.uir:1:10: bad name @é: a name has letters, digits, _, . and -`},
	{"non-ASCII in a comment", "// é\xff\x00\n.typedef @v = void", ``},
	{"NUL", ".typedef @v = \x00void", `
t.uir:1:15: unexpected NUL byte`},
	{"second byte order mark", ".typedef @v = void\n\xef\xbb\xbf.typedef @v = void", `
t.uir:2:1: unexpected byte order mark: it may stand at the beginning of the file only`},
	{"byte order mark and error", "\xef\xbb\xbf.typedef @v = 5", `
t.uir:1:18: bad .typedef @v: wanted a type constructor such as int<32>, found 5; write .typedef @name = int<64>`},
	{"CRLF", ".typedef @v = void\r\n\r\n.typedef @v = 5\r\n", `
t.uir:3:15: bad .typedef @v: wanted a type constructor such as int<32>, found 5; write .typedef @name = int<64>`},
	{"sigil", ".typedef @ = void", `
t.uir:1:10: bad name: @ stands alone`},

	// Other languages.
	{"words for names", ".typedef i8 = int<8>\n.const @c <i8> = 5\n.const @d <@i8> = true", `
t.uir:1:10: bad .typedef: wanted a global name, found i8; names begin with @ or %: write @i8
t.uir:2:12: bad .const @c: wanted the name of a type, found i8; names begin with @ or %: write @i8
t.uir:3:19: bad .const @d: wanted a literal, {...}, NULL or EXTERN, found true; write 1`},
	{"words for types", ".typedef @i = i64\n.typedef @j = uint8_t\n.typedef @b = bool\n.typedef @f = func<@s>", `
t.uir:1:15: bad .typedef @i: wanted a type constructor such as int<32>, found i64; write int<64>
t.uir:2:15: bad .typedef @j: wanted a type constructor such as int<32>, found uint8_t; write int<8>
t.uir:3:15: bad .typedef @b: wanted a type constructor such as int<32>, found bool; write int<1>
t.uir:4:15: bad .typedef @f: wanted a type constructor such as int<32>, found func; write funcref<@signature>`},
	{"signature written out", ".typedef @f = funcref<(@i) -> ()>", `
t.uir:1:23: bad .typedef @f: wanted the name of a signature, found (; a signature is not written out here: define it with .funcsig and use its name`},
	{"initial value", ".global @g <@i> = 5", `
t.uir:1:17: wanted a definition such as .typedef, found =; a global cell begins as zero and NULL: code or a HAIL script sets it`},
	{"text", ".const @c <@i> = \"x\"", `
t.uir:1:18: bad .const @c: wanted a literal, {...}, NULL or EXTERN, found "x"; a native symbol is written EXTERN "x", text as a list of constants`},
	{"words for values", "x = ADD <@i> %a %b\n%x = ADD <@i> a %b\nCALL <@s> f (%a)\nCALL <@s> @f (a)\nBRANCH exit()\nRET x", `
t.uir:3:1: unknown instruction x; names begin with @ or %: write %x
t.uir:4:15: bad ADD: wanted operand 1 of 2, found a; names begin with @ or %: write %a
t.uir:5:11: bad CALL: wanted the function to call, found f; names begin with @ or %: write @f
t.uir:6:15: bad CALL: wanted an argument or ), found a; names begin with @ or %: write %a
t.uir:7:8: bad BRANCH: wanted a destination such as %block(), found exit; names begin with @ or %: write %exit
t.uir:8:5: bad RET: wanted a value or (, found x; names begin with @ or %: write %x`},
	{"words for blocks", "RET ()\nexit:\nRET ()\nloop(<@i> %x):\nRET ()", `
t.uir:4:1: unknown instruction exit; a block is named %exit():
t.uir:6:1: unknown instruction loop; a block is named %loop():`},
	{"copies", "%x = %y\n%x = 5", `
t.uir:3:6: bad instruction: wanted the instruction's keyword, found %y; there is no instruction that copies: use %y itself
t.uir:4:6: bad instruction: wanted the instruction's keyword, found 5; define the constant with .const`},
	{"colon and equals sign", "RET ()\n%x := ADD <@i> %a %b", `
t.uir:4:4: bad block %x: wanted (, found :; results are named with = alone`},
	{"type of a result", "%x <@i> = ADD <@i> %a %b", `
t.uir:3:1: wanted an instruction or a block, found %x; the types of results are not written: %x = ...`},
	{"type of RET", "RET <@i> %x\n", `
t.uir:3:5: bad RET: wanted a value or (, found <; RET takes no type: write RET %value`},

	// Definitions.
	{"trailing text", ".typedef @v = void\n}", `
t.uir:2:1: wanted a definition such as .typedef, found }`},
	{"trailing text on the line", ".typedef @v = void void\n.typedef @w = 5", `
t.uir:1:20: wanted a definition such as .typedef, found void
t.uir:2:15: bad .typedef @w: wanted a type constructor such as int<32>, found 5; write .typedef @name = int<64>`},
	{"unknown definition", ".typedf @v = void\n.module @x\n.typedef @w = void", `
t.uir:1:1: unknown definition .typedf; did you mean .typedef?
t.uir:2:1: unknown definition .module; the definitions are .typedef, .funcsig, .const, .global, .funcdecl, .funcdef and .expose`},
	{"no dot", "// c\ntypedef @v = void", `
t.uir:2:1: wanted a definition such as .typedef, found typedef; did you mean .typedef?`},
	{"local name", ".typedef %v = void", `
t.uir:1:10: bad .typedef: wanted a global name, found %v; the name must be global, with @`},
	{"no name", ".typedef = void", `
t.uir:1:10: bad .typedef: wanted a global name, found =; write .typedef @name = int<64>`},
	{"alias", ".typedef @a = @b", `
t.uir:1:15: bad .typedef @a: wanted a type constructor such as int<32>, found @b; a type cannot be defined as another name of a type`},
	{"misspelt constructor", ".typedef @a = strct<@b>", `
t.uir:1:15: bad .typedef @a: wanted a type constructor such as int<32>, found strct; did you mean struct?`},
	{"constructor in capitals", ".typedef @a = INT<8>", `
t.uir:1:15: bad .typedef @a: wanted a type constructor such as int<32>, found INT; did you mean int?`},
	{"inline type", ".typedef @a = ref<int<8>>", `
t.uir:1:19: bad .typedef @a: wanted the name of a type, found int; a type is not written out here: define it with .typedef and use its name`},
	{"no fields", ".typedef @a = struct<>\n.typedef @b = hybrid<>", `
t.uir:1:22: bad .typedef @a: wanted the name of a type, found >; struct needs at least one
t.uir:2:22: bad .typedef @b: wanted the name of a type, found >; hybrid needs at least one`},
	{"no length", ".typedef @a = array<@i>", `
t.uir:1:23: bad .typedef @a: wanted the length, found >; write array<@type 10>`},
	{"no width", ".typedef @a = int", `
t.uir:1:18: bad .typedef @a: wanted <, found end of file; write int<64>
	.typedef @a begins at t.uir:1:1`},
	{"width is a name", ".typedef @a = int<@n>", `
t.uir:1:19: bad .typedef @a: wanted the number of bits, found @n; write int<64>`},
	{"signature without arrow", ".funcsig @s = (@a) (@b)", `
t.uir:1:20: bad .funcsig @s: wanted ->, found (; write .funcsig @name = (@type @type) -> (@type)`},
	{"signature with one name", ".funcsig @s = (@a) -> @b", `
t.uir:1:23: bad .funcsig @s: wanted (, found @b; write .funcsig @name = (@type @type) -> (@type)`},
	{"open signature", ".funcsig @s = (@a @b\n.typedef @v = void", `
t.uir:2:1: bad .funcsig @s: wanted the name of a type or ), found .typedef; write .funcsig @name = (@type @type) -> (@type)
	.funcsig @s begins at t.uir:1:1`},
	{"constant without type", ".const @c = 5", `
t.uir:1:11: bad .const @c: wanted <, found =; write .const @name <@type> = 42`},
	{"constant of a constant", ".const @c <@i> = @d", `
t.uir:1:18: bad .const @c: wanted a literal, {...}, NULL or EXTERN, found @d; a constant cannot be defined as another name of a constant`},
	{"misspelt NULL", ".const @c <@i> = null", `
t.uir:1:18: bad .const @c: wanted a literal, {...}, NULL or EXTERN, found null; did you mean NULL?`},
	{"list of literals", ".const @c <@i> = {1 2}", `
t.uir:1:19: bad .const @c: wanted the name of a constant or }, found 1; elements are names: define each constant with .const`},
	{"EXTERN of a word", ".const @c <@i> = EXTERN write", `
t.uir:1:25: bad .const @c: wanted the symbol's name in quotes, found write; write EXTERN "symbol"`},
	{"bits of a name", ".const @c <@i> = bitsf(@x)", `
t.uir:1:24: bad .const @c: wanted the bit pattern, an integer, found @x; write bitsf(0x7f800000)`},
	{"old .expose", ".expose @a = @f < DEFAULT > @c\n.typedef @v = 5", `
t.uir:1:17: bad .expose @a: wanted a flag, found <; write .expose @name = @function #DEFAULT @cookie
t.uir:2:15: bad .typedef @v: wanted a type constructor such as int<32>, found 5; write .typedef @name = int<64>`},
	{"global without type", ".global @g", `
t.uir:1:11: bad .global @g: wanted <, found end of file; write .global @name <@type>
	.global @g begins at t.uir:1:1`},

	// Functions and blocks.
	{"no VERSION", ".funcdef @f <@s> {\n%a():\nRETT\n}", `
t.uir:1:13: bad .funcdef @f: wanted VERSION, found <; write .funcdef @name VERSION %v1 <@signature> { ... }
t.uir:3:1: unknown instruction RETT; did you mean RET?`},
	{"misspelt VERSION", ".funcdef @f VERSON %v <@s> {\n%a():\nRET ()\n}\n.typedef @w = 5", `
t.uir:1:13: bad .funcdef @f: wanted VERSION, found VERSON; did you mean VERSION?
t.uir:5:15: bad .typedef @w: wanted a type constructor such as int<32>, found 5; write .typedef @name = int<64>`},
	{"no body", ".funcdef @f VERSION %v <@s>\n.typedef @w = void", `
t.uir:2:1: bad .funcdef @f: wanted {, found .typedef; write .funcdef @name VERSION %v1 <@signature> { ... }
	.funcdef @f begins at t.uir:1:1`},
	{"empty body", ".funcdef @f VERSION %v <@s> { }", `
t.uir:1:31: bad .funcdef @f: wanted a block, found }`},
	{"no closing brace", ".funcdef @f VERSION %v <@s> {\n%a():\nRET ()\n.typedef @v = void", `
t.uir:4:1: bad .funcdef @f: wanted } at the end of the function, found .typedef
	.funcdef @f begins at t.uir:1:1`},
	{"end of file", ".funcdef @f VERSION %v <@s> {\n%a():\nRET", `
t.uir:3:4: bad RET: wanted a value or (, found end of file; to return nothing, write RET ()
	RET begins at t.uir:3:1`},
	{"end of file between instructions", ".funcdef @f VERSION %v <@s> {\n%a():\nRET ()", `
t.uir:3:7: bad .funcdef @f: wanted } at the end of the function, found end of file
	.funcdef @f begins at t.uir:1:1`},
	{"no label", ".funcdef @f VERSION %v <@s> {\nRET ()\n}", `
t.uir:2:1: bad .funcdef @f: wanted a block such as %entry():, found RET
	.funcdef @f begins at t.uir:1:1`},
	{"empty block", ".funcdef @f VERSION %v <@s> {\n%a():\n%b():\nRET ()\n%c():\n}", `
t.uir:3:1: bad block %a: wanted an instruction, found %b
	block %a begins at t.uir:2:1
t.uir:6:1: bad block %c: wanted an instruction, found }
	block %c begins at t.uir:5:1`},
	{"label without parentheses", "RET ()\n%b:\nRET ()", `
t.uir:4:3: bad block %b: wanted (, found :; write %b():`},
	{"label without colon", "RET ()\n%b()\nRET ()", `
t.uir:5:1: bad block %b: wanted :, found RET; write %name(<@type> %parameter):
	block %b begins at t.uir:4:1`},
	{"label without colon on one line", "RET ()\n%b() RET ()\nTRAPP <>", `
t.uir:4:6: bad block %b: wanted :, found RET; write %name(<@type> %parameter):
t.uir:5:1: unknown instruction TRAPP; did you mean TRAP?`},
	{"parameter without type", "RET ()\n%b(%x %y):\nRET ()", `
t.uir:4:4: bad block %b: wanted < of a parameter or ), found %x; a parameter is written <type> name`},
	{"parameter without name", "RET ()\n%b(<@i> <@j> %y):\nRET ()", `
t.uir:4:9: bad block %b: wanted the name of the parameter, found <; write %name(<@type> %parameter):`},
	{"exception parameter with type", "RET ()\n%b() [<@r> %e]:\nRET ()", `
t.uir:4:7: bad block %b: wanted the name of the exception parameter, found <; write %name(<@type> %parameter):`},

	// Instructions.
	{"misspelt instruction", "BRNACH %b()\n%r = AD <@i> %x %y\nRET ()", `
t.uir:3:1: unknown instruction BRNACH; did you mean BRANCH?
t.uir:4:6: unknown instruction AD; did you mean ADD?`},
	{"instruction in small letters", "%r = [%n] add <@i> %x %y\nRET ()", `
t.uir:3:11: unknown instruction add; did you mean ADD?`},
	{"unknown instruction", "FROBNICATE %b()\nRET ()", `
t.uir:3:1: unknown instruction FROBNICATE`},
	{"no instruction", "%r =\nRET ()\n%r = %x\nRET ()", `
t.uir:5:6: bad instruction: wanted the instruction's keyword, found %x; there is no instruction that copies: use %x itself`},
	{"missing operand", "%r = ADD <@i> %x\n%q = ADD <@i>\nRET ()", `
t.uir:4:1: bad ADD: wanted operand 2 of 2, found %q; write %r = ADD <@type> %a %b
	ADD begins at t.uir:3:1
t.uir:5:1: bad ADD: wanted operand 1 of 2, found RET; write %r = ADD <@type> %a %b
	ADD begins at t.uir:4:1`},
	{"missing operand before a block", "THROW\n%b(<@i> %x):\nTHROW\n%c():\nRET ()", `
t.uir:4:1: bad THROW: wanted an operand, found %b; write THROW %ref
	THROW begins at t.uir:3:1
t.uir:6:1: bad THROW: wanted an operand, found %c; write THROW %ref
	THROW begins at t.uir:5:1`},
	{"too many operands", "%r = ADD <@i> %x %y %z\nRET ()", `
t.uir:3:21: unexpected %z after ADD`},
	{"inline literal", "%r = ADD <@i> %x 1\n%r = ADD <@i> 1.0d %x\nCALL <@s> @f (NULL)\nRET 0", `
t.uir:3:18: bad ADD: wanted operand 2 of 2, found 1; operands are names: define the constant with .const
t.uir:4:15: bad ADD: wanted operand 1 of 2, found 1.0d; operands are names: define the constant with .const
t.uir:5:15: bad CALL: wanted an argument or ), found NULL; operands are names: define the constant with .const
t.uir:6:5: bad RET: wanted a value or (, found 0; operands are names: define the constant with .const`},
	{"operands in parentheses", "%r = ADD <@i> (%x %y)\nRET ()", `
t.uir:3:15: bad ADD: wanted operand 1 of 2, found (; the operands are written without parentheses`},
	{"no type argument", "%r = ADD %x %y\nRET ()", `
t.uir:3:10: bad ADD: wanted <, found %x; write %r = ADD <@type> %a %b`},
	{"too many type arguments", "%r = ADD <@i @j> %x %y\n%r = TRUNC <@i> %x\n%r = TRUNC <@i @j @k> %x\nRET ()", `
t.uir:3:14: bad ADD: wanted >, found @j; ADD takes 1 type argument
t.uir:4:15: bad TRUNC: wanted the name of a type, found >; write %r = TRUNC <@from @to> %a
t.uir:5:19: bad TRUNC: wanted >, found @k; TRUNC takes 2 type arguments`},
	{"local type", "%r = ADD <%i> %x %y\nRET ()", `
t.uir:3:11: bad ADD: wanted the name of a type, found %i; the name must be global, with @`},
	{"EXC where there is none", "%r = EQ <@i> %x %y EXC(%a() %b())\nRET ()", `
t.uir:3:20: EQ takes no EXC clause; leave it out`},
	{"KEEPALIVE where there is none", "%r = ADD <@i> %x %y\n  KEEPALIVE(%x)\nRET ()", `
t.uir:4:3: ADD takes no KEEPALIVE clause; leave it out`},
	{"EXC behind KEEPALIVE", "CALL <@s> %f () KEEPALIVE(%x) EXC(%a() %b())\nRET ()", `
t.uir:3:31: bad CALL: EXC must stand once, before KEEPALIVE`},
	{"misspelt clause", "CALL <@s> %f () KEEP_ALIVE(%x)\nRET ()", `
t.uir:3:17: unexpected KEEP_ALIVE after CALL; did you mean KEEPALIVE?`},
	{"EXC with one destination", "CALL <@s> %f () EXC(%a())\nRET ()", `
t.uir:3:25: bad CALL: wanted a destination such as %block(), found ); write EXC(%normal() %exceptional())`},
	{"EXC with three destinations", "CALL <@s> %f () EXC(%a() %b() %c())\nRET ()", `
t.uir:3:31: bad CALL: wanted ), found %c; write EXC(%normal() %exceptional())`},
	{"destination without parentheses", "BRANCH %b\nBRANCH2 %c %a %b()\n%b():\nRET ()", `
t.uir:3:8: bad BRANCH: destination %b has no argument list; write %b()
t.uir:4:12: bad BRANCH2: destination %a has no argument list; write %a()`},
	{"too many destinations", "BRANCH2 %c %a() %b() %d()\nRET ()", `
t.uir:3:22: unexpected %d after BRANCH2`},
	{"bare RET", "RET\n%b():\nRET\n}", `
t.uir:4:1: bad RET: wanted a value or (, found %b; to return nothing, write RET ()
	RET begins at t.uir:3:1
t.uir:6:1: bad RET: wanted a value or (, found }; to return nothing, write RET ()
	RET begins at t.uir:5:1
t.uir:7:1: wanted a definition such as .typedef, found }`},
	{"RET of several", "RET %x %y", `
t.uir:3:8: unexpected %y after RET; several values are written in parentheses`},
	{"CALL without arguments", "CALL <@s> %f\nRET ()", `
t.uir:4:1: bad CALL: wanted (, found RET; write %r = CALL <@signature> @function (%a %b)
	CALL begins at t.uir:3:1`},
	{"open argument list", "CALL <@s> %f (%x %y\n%r = ADD <@i> %x %y\nCALL <@s> %f (%x\nRET ()", `
t.uir:4:1: bad CALL: wanted an argument or ), found %r; write %r = CALL <@signature> @function (%a %b)
	CALL begins at t.uir:3:1
t.uir:6:1: bad CALL: wanted an argument or ), found RET; write %r = CALL <@signature> @function (%a %b)
	CALL begins at t.uir:5:1`},
	{"CALL without callee", "CALL <@s> (%x)\nRET ()", `
t.uir:3:11: bad CALL: wanted the function to call, found (; write %r = CALL <@signature> @function (%a %b)`},
	{"arguments that are results", "(%x %y)\nRET ()", `
t.uir:4:1: bad instruction: wanted =, found RET; a list in parentheses begins an instruction only if it names its results
	instruction begins at t.uir:3:1`},
	{"order first", "%r = ATOMICRMW ADD PTR <@i> %x %y\nRET ()", `
t.uir:3:16: bad ATOMICRMW: wanted a memory order, found ADD; the order comes before the operation, as in ATOMICRMW PTR SEQ_CST ADD`},
	{"PTR late", "%r = ATOMICRMW SEQ_CST PTR ADD <@i> %x %y\n%r = LOAD SEQ_CST PTR <@i> %x\n%r = GETIREF PTR <@i> %x\nRET ()", `
t.uir:3:24: bad ATOMICRMW: wanted an operation such as XCHG or ADD, found PTR; PTR comes directly behind ATOMICRMW
t.uir:4:19: bad LOAD: wanted <, found PTR; PTR comes directly behind LOAD
t.uir:5:14: bad GETIREF: wanted <, found PTR; GETIREF has no PTR form`},
	{"misspelt order", "%r = LOAD SEQCST <@i> %x\nFENCE ACQREL\n%r = ATOMICRMW RELAXED INC <@i> %x %y\nRET ()", `
t.uir:3:11: bad LOAD: wanted <, found SEQCST; did you mean SEQ_CST?
t.uir:4:7: bad FENCE: wanted a memory order, found ACQREL; did you mean ACQ_REL?
t.uir:5:24: bad ATOMICRMW: wanted an operation such as XCHG or ADD, found INC; write %old = ATOMICRMW SEQ_CST ADD <@type> %iref %value`},
	{"CMPXCHG with one order", "(%r %s) = CMPXCHG SEQ_CST <@i> %x %y %z\nRET ()", `
t.uir:3:27: bad CMPXCHG: wanted a memory order, found <; write (%old %done) = CMPXCHG SEQ_CST SEQ_CST <@type> %iref %expected %desired`},
	{"field by name", "%r = GETFIELDIREF <@s @n> %x\nRET ()", `
t.uir:3:23: bad GETFIELDIREF: wanted the number of a field, found @n; write %r = GETFIELDIREF <@struct 0> %iref`},
	{"TRAP without list", "TRAP\nRET ()", `
t.uir:4:1: bad TRAP: wanted <, found RET; write [%name] TRAP <> KEEPALIVE(%a %b)
	TRAP begins at t.uir:3:1`},
	{"watchpoint without number", "WATCHPOINT <> %a() %b()\nWPBRANCH %a() %b()\nRET ()", `
t.uir:3:12: bad WATCHPOINT: wanted the number of the watchpoint, found <; write [%name] WATCHPOINT 1 <> %disabled() %enabled() KEEPALIVE(%a %b)
t.uir:4:10: bad WPBRANCH: wanted the number of the watchpoint, found %a; write WPBRANCH 1 %disabled() %enabled()`},
	{"CCALL without flag", "CCALL <@p @s> %f ()\nRET ()", `
t.uir:3:7: bad CCALL: wanted a flag such as #DEFAULT, found <; write %r = CCALL #DEFAULT <@ufuncptr @signature> %function (%a %b)`},
	{"SWAPSTACK without clauses", "SWAPSTACK %s PASS_VALUES <> ()\nSWAPSTACK %s RETWITH <> THROW_EXC %e\nSWAPSTACK %s KILL_OLD\nRET ()", `
t.uir:3:14: bad SWAPSTACK: wanted RET_WITH or KILL_OLD, found PASS_VALUES; write %r = SWAPSTACK %stack RET_WITH <@type> PASS_VALUES <@type> (%a)
t.uir:4:14: bad SWAPSTACK: wanted RET_WITH or KILL_OLD, found RETWITH; did you mean RET_WITH?
t.uir:6:1: bad SWAPSTACK: wanted PASS_VALUES or THROW_EXC, found RET; write %r = SWAPSTACK %stack RET_WITH <@type> PASS_VALUES <@type> (%a)
	SWAPSTACK begins at t.uir:5:1`},
	{"common instruction without parentheses", "%s = COMMINST @uvm.new_stack <[@s]> @f\nRET ()", `
t.uir:3:37: unexpected @f after COMMINST; arguments are written in parentheses`},
	{"lists out of order", "COMMINST @c (%x) <@t>\nRET ()", `
t.uir:3:18: unexpected < after COMMINST`},
	{"flag list", "COMMINST @c [#A %x] (%y)\nRET ()", `
t.uir:3:17: bad COMMINST: wanted a flag or ], found %x; write %r = COMMINST @uvm.name [#FLAG] <@type> <[@signature]> (%a %b)`},
	{"stray character", "%r = ADD <@i> %x %y;\n%r = ADD <@i> %x, %y\n;\nRET ()", `
t.uir:3:20: unexpected ; directly behind %y: comments begin with //, and lines end without a mark
t.uir:4:17: unexpected , directly behind %x: white space alone separates names
t.uir:5:1: unexpected character ;: comments begin with //, and lines end without a mark`},
	{"stray words", "%r = ADD <@i> 1\nEXC (%a() %b())\nx y z\n\"\n{ RET () }\nRETT", `
t.uir:3:15: bad ADD: wanted operand 1 of 2, found 1; operands are names: define the constant with .const
t.uir:5:1: unknown instruction x
t.uir:6:1: bad string: no closing quote on the line
t.uir:8:1: unknown instruction RETT; did you mean RET?`},
	{"stray name", "%r\nRET ()", `
t.uir:3:1: wanted an instruction or a block, found %r`},
	{"switch cases", `SWITCH <@i> %x %d() {
  1 %a()
  @c2 %b
  @c3
  @c4 %b(%x
  @c5 %c(2)
  @c6 %c()
}
RETT ()`, `
t.uir:4:3: bad SWITCH: wanted a case or }, found 1; operands are names: define the constant with .const
	SWITCH begins at t.uir:3:1
t.uir:5:7: bad SWITCH: destination %b has no argument list; write %b()
t.uir:7:3: bad SWITCH: wanted a destination such as %block(), found @c4; write SWITCH <@type> %value %default() { @constant %block() }
	SWITCH begins at t.uir:3:1
t.uir:8:9: bad SWITCH: wanted an argument or ), found (; write SWITCH <@type> %value %default() { @constant %block() }
t.uir:11:1: unknown instruction RETT; did you mean RET?`},
	{"open switch", "SWITCH <@i> %x %d() {\n  @c %a()\n%b():\nRETT ()", `
t.uir:5:1: bad SWITCH: wanted a case or }, found %b; write SWITCH <@type> %value %default() { @constant %block() }
	SWITCH begins at t.uir:3:1
t.uir:6:1: unknown instruction RETT; did you mean RET?`},
	{"fault in the head of a switch", "SWITCH %x %d() {\n  @c %a()\n}\nRETT ()", `
t.uir:3:8: bad SWITCH: wanted <, found %x; write SWITCH <@type> %value %default() { @constant %block() }
t.uir:6:1: unknown instruction RETT; did you mean RET?`},
	{"fault and continuation lines", "%r = CALL <s> %f\n  (%x %y)\n  EXC(%a(%r)\n      %b(%x))\nRETT ()", `
t.uir:3:12: bad CALL: wanted the name of a signature, found s; names begin with @ or %: write @s
t.uir:7:1: unknown instruction RETT; did you mean RET?`},
	{"two faults on a line", "%r = ADD <@i> 1 %q = SUB <@i> 2", `
t.uir:3:15: bad ADD: wanted operand 1 of 2, found 1; operands are names: define the constant with .const
t.uir:3:31: bad SUB: wanted operand 1 of 2, found 2; operands are names: define the constant with .const`},
}

func TestErrors(t *testing.T) {
	for _, tt := range errorTests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			src := tt.src
			if src[0] != '.' && src[0] != '/' && src[0] != 0xef {
				src = inBlock(src)
			}
			_, got := parse(t, src)
			want := strings.TrimPrefix(tt.want, "\n")
			if want != "" {
				want += "\n"
			}
			if got != want {
				t.Errorf("%s\n got:\n%s\nwant:\n%s", src, got, want)
			}
		})
	}
}

// TestTooManyErrors checks that Parse gives up on a file of another kind.
func TestTooManyErrors(t *testing.T) {
	set := diag.NewSet()
	f, err := set.Add("t.uir", []byte(".funcdef @f VERSION %v <@s> {\n%a():\n"+strings.Repeat("x y\n", 10_000+5)))
	if err != nil {
		t.Fatal(err)
	}
	errs := diag.NewList(set)
	Parse(f, NewSymbols(), errs, 0)
	all := errs.All()
	if len(all) != 10_000+1 {
		t.Fatalf("got %d errors", len(all))
	}
	want := "t.uir:10003:1: too many syntax errors, the rest of the file was not read"
	if got := errs.Format(all[len(all)-1]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var buf bytes.Buffer
	errs.Print(&buf)
	if !strings.HasSuffix(buf.String(), "\ntoo many errors (9991 more)\n") {
		t.Errorf("got %s", &buf)
	}
}
