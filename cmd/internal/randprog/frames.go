package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// GenerateFrames makes a program about frames: small functions call each other on a stack of their own and swap
// back to the main stack now and then. There the program looks at the frames with a cursor, pops some of them,
// pushes others, and swaps to the stack again, with a value or an exception. The checksum has all that it sees.
func GenerateFrames(seed int64, prefix string) Program { return generateFrames(seed, prefix, true) }

// GenerateFramesSplit is GenerateFrames for programs that are split: they do not look at the numbers of instructions, and know
// functions by their places in the text, because IDs depend on how a program is split.
func GenerateFramesSplit(seed int64, prefix string) Program {
	return generateFrames(seed, prefix, false)
}

func generateFrames(seed int64, prefix string, ids bool) Program {
	f := &frameProg{r: rand.New(rand.NewSource(seed)), p: prefix, ids: ids}
	f.program()
	return Program{Seed: seed, Prefix: prefix, Text: fmt.Sprintf("// seed %d\n", seed) + f.b.String(), Run: prefix + "run", Kind: Frames}
}

// frameProg is a program under construction. Every function has the signature (int<64>) -> (int<64>), and every
// block the parameters %x, %y and %o, of which the last is the reference to an object.
type frameProg struct {
	r    *rand.Rand
	b    strings.Builder
	p    string // prefix
	n    int    // functions
	ids  bool   // the checksum has IDs
	next int    // number of the next block of the function
}

// textf adds text, in which every $ stands for the prefix.
func (f *frameProg) textf(format string, args ...any) {
	fmt.Fprintf(&f.b, strings.ReplaceAll(format, "$", f.p)+"\n", args...)
}

func (f *frameProg) program() {
	f.n = 4 + f.r.Intn(5)
	f.textf(`.typedef $i64 = int<64>
.typedef $i32 = int<32>
.typedef $void = void
.typedef $R = ref<$i64>
.typedef $stk = stackref
.typedef $refvoid = ref<$void>
.typedef $cur = framecursorref
.typedef $int1 = int<1>
.funcsig $one = ($i64) -> ($i64)
.funcsig $action = ($i64) -> ()
.funcsig $run.sig = () -> ()
.funcsig $obj = ($i64) -> ($R)
.global $me <$stk>
.global $done <$i64>
.global $sum <$i64>
.global $rnd <$i64>
.global $top.id <$i32>
.global $swaps <$i64>`)
	for i := range 64 {
		f.textf(".const $c%d <$i64> = %d", i, i)
	}
	f.textf(`.const $mul <$i64> = 6364136223846793005
.const $add <$i64> = 1442695040888963407
.const $31 <$i64> = 31
.const $i32.0 <$i32> = 0`)
	for i := range f.n {
		f.function(i)
	}
	f.see()
	f.textf(`.funcdef $stop VERSION %%v1 <$one> {
  %%e(<$i64> %%x):
    %%s = LOAD <$stk> $me
    %%r = SWAPSTACK %%s RET_WITH <$i64> PASS_VALUES <$i64> (%%x) KEEPALIVE(%%x)
    %%y = ADD <$i64> %%r $c1
    RET %%y
}
.funcdef $top VERSION %%v1 <$action> {
  %%e(<$i64> %%x):
    %%r = CALL <$one> $f0 (%%x) EXC(%%ok(%%r) %%bad(%%x))
  %%bad(<$i64> %%x) [%%e]:
    %%o = REFCAST <$refvoid $R> %%e
    %%i = GETIREF <$i64> %%o
    %%v = LOAD <$i64> %%i
    BRANCH %%ok(%%v)
  %%ok(<$i64> %%r):
    STORE <$i64> $done $c1
    %%s = LOAD <$stk> $me
    SWAPSTACK %%s KILL_OLD PASS_VALUES <$i64> (%%r)
}
.funcdef $object VERSION %%v1 <$obj> {
  %%e(<$i64> %%x):
    %%o = NEW <$i64>
    %%i = GETIREF <$i64> %%o
    STORE <$i64> %%i %%x
    RET %%o
}
.funcdef $mix VERSION %%v1 <$action> {
  %%e(<$i64> %%x):
    %%s = LOAD <$i64> $sum
    %%t = MUL <$i64> %%s $31
    %%u = ADD <$i64> %%t %%x
    STORE <$i64> $sum %%u
    RET ()
}
.funcdef $random VERSION %%v1 <$one> {
  %%e(<$i64> %%n):
    %%s = LOAD <$i64> $rnd
    %%t = MUL <$i64> %%s $mul
    %%u = ADD <$i64> %%t $add
    STORE <$i64> $rnd %%u
    %%h = LSHR <$i64> %%u $c33
    %%r = UREM <$i64> %%h %%n
    RET %%r
}
.funcdef $run VERSION %%v1 <$run.sig> {
  %%e():
    %%s = COMMINST @uvm.current_stack ()
    STORE <$stk> $me %%s
    STORE <$i64> $rnd $c%d
    CALL <$run.sig> $note ()
    BRANCH %%turn($c0)
  %%turn(<$i64> %%i):
    %%go = SLT <$i64> %%i $c24
    BRANCH2 %%go %%begin(%%i) %%end()
  %%begin(<$i64> %%i):
    STORE <$i64> $done $c0
    STORE <$i64> $swaps $c0
    %%s = COMMINST @uvm.new_stack <[$action]> ($top)
    %%c = COMMINST @uvm.meta.new_cursor (%%s)
    %%id = COMMINST @uvm.meta.cur_func (%%c)
    STORE <$i32> $top.id %%id
    COMMINST @uvm.meta.close_cursor (%%c)
    BRANCH %%pass(%%i %%s %%i)
  %%pass(<$i64> %%i <$stk> %%s <$i64> %%v):
    %%w = SWAPSTACK %%s RET_WITH <$i64> PASS_VALUES <$i64> (%%v) EXC(%%back(%%i %%s %%w) %%lost(%%i))
  %%lost(<$i64> %%i):
    BRANCH %%after(%%i)
  %%back(<$i64> %%i <$stk> %%s <$i64> %%w):
    CALL <$action> $mix (%%w)
    %%d = LOAD <$i64> $done
    %%more = EQ <$i64> %%d $c0
    BRANCH2 %%more %%look(%%i %%s %%w) %%after(%%i)
  %%look(<$i64> %%i <$stk> %%s <$i64> %%w):
    %%n = LOAD <$i64> $swaps
    %%n1 = ADD <$i64> %%n $c1
    STORE <$i64> $swaps %%n1
    %%most = SLT <$i64> %%n $c40
    BRANCH2 %%most %%open(%%i %%s %%w) %%kill(%%i %%s)
  %%kill(<$i64> %%i <$stk> %%s):
    COMMINST @uvm.kill_stack (%%s)
    BRANCH %%after(%%i)
  %%open(<$i64> %%i <$stk> %%s <$i64> %%w):
    %%c = COMMINST @uvm.meta.new_cursor (%%s)
    %%k = CALL <$one> $random ($c6)
    BRANCH %%walk(%%i %%s %%w %%c %%k)
  %%walk(<$i64> %%i <$stk> %%s <$i64> %%w <$cur> %%c <$i64> %%k):
    %%id = COMMINST @uvm.meta.cur_func (%%c)
    %%top = LOAD <$i32> $top.id
    %%a = SUB <$i32> %%id %%top
    CALL <$see.sig> $see (%%c %%id)
    %%bottom = EQ <$i32> %%a $i32.0
    %%zero = EQ <$i64> %%k $c0
    BRANCH2 %%bottom %%at(%%i %%s %%w %%c) %%notyet(%%i %%s %%w %%c %%k %%zero)
  %%notyet(<$i64> %%i <$stk> %%s <$i64> %%w <$cur> %%c <$i64> %%k <$int1> %%zero):
    BRANCH2 %%zero %%at(%%i %%s %%w %%c) %%down(%%i %%s %%w %%c %%k)
  %%down(<$i64> %%i <$stk> %%s <$i64> %%w <$cur> %%c <$i64> %%k):
    COMMINST @uvm.meta.next_frame (%%c)
    %%k1 = SUB <$i64> %%k $c1
    BRANCH %%walk(%%i %%s %%w %%c %%k1)
  %%at(<$i64> %%i <$stk> %%s <$i64> %%w <$cur> %%c):
    COMMINST @uvm.meta.pop_frames_to (%%c)
    COMMINST @uvm.meta.close_cursor (%%c)
    %%what = CALL <$one> $random ($c8)
    SWITCH <$i64> %%what %%pass(%%i %%s %%w) { $c0 %%push(%%i %%s %%w) $c1 %%push2(%%i %%s %%w) $c2 %%throw(%%i %%s %%w) }
  %%push2(<$i64> %%i <$stk> %%s <$i64> %%w):
    COMMINST @uvm.meta.push_frame <[$one]> (%%s $f%d)
    BRANCH %%push(%%i %%s %%w)
  %%push(<$i64> %%i <$stk> %%s <$i64> %%w):
    COMMINST @uvm.meta.push_frame <[$one]> (%%s $f%d)
    BRANCH %%pass(%%i %%s %%w)
  %%throw(<$i64> %%i <$stk> %%s <$i64> %%w):
    %%o = CALL <$obj> $object (%%w)
    %%v = SWAPSTACK %%s RET_WITH <$i64> THROW_EXC %%o EXC(%%back(%%i %%s %%v) %%lost(%%i))
  %%after(<$i64> %%i):
    %%i1 = ADD <$i64> %%i $c1
    BRANCH %%turn(%%i1)
  %%end():
    %%sum = LOAD <$i64> $sum
    [%%end] TRAP <> KEEPALIVE(%%sum)
    RET ()
}`, 1+f.r.Intn(60), 1+f.r.Intn(f.n-1), 1+f.r.Intn(f.n-1))
}

// see makes the function that adds to the checksum what a cursor shows, and the one that prepares it.
func (f *frameProg) see() {
	f.textf(".funcsig $see.sig = ($cur $i32) -> ()\n.typedef $list = array <$i32 16>\n.global $ids <$list>")
	if f.ids {
		f.textf(`.funcdef $note VERSION %%v1 <$run.sig> {
  %%e():
    RET ()
}
.funcdef $see VERSION %%v1 <$see.sig> {
  %%e(<$cur> %%c <$i32> %%id):
    %%inst = COMMINST @uvm.meta.cur_inst (%%c)
    %%ver = COMMINST @uvm.meta.cur_func_ver (%%c)
    %%top = LOAD <$i32> $top.id
    %%a = SUB <$i32> %%id %%top
    %%b = SUB <$i32> %%inst %%ver
    %%a64 = ZEXT <$i32 $i64> %%a
    %%b64 = ZEXT <$i32 $i64> %%b
    CALL <$action> $mix (%%a64)
    CALL <$action> $mix (%%b64)
    RET ()
}`)
		return
	}
	f.textf(".funcdef $note VERSION %%v1 <$run.sig> {\n  %%e():")
	for i := range f.n {
		f.textf(`    %%s%d = COMMINST @uvm.new_stack <[$one]> ($f%d)
    %%c%d = COMMINST @uvm.meta.new_cursor (%%s%d)
    %%d%d = COMMINST @uvm.meta.cur_func (%%c%d)
    COMMINST @uvm.meta.close_cursor (%%c%d)
    COMMINST @uvm.kill_stack (%%s%d)
    %%p%d = GETELEMIREF <$list $i64> $ids $c%d
    STORE <$i32> %%p%d %%d%d`, i, i, i, i, i, i, i, i, i, i, i, i)
	}
	f.textf(`    RET ()
}
.funcdef $see VERSION %%v1 <$see.sig> {
  %%e(<$cur> %%c <$i32> %%id):
    BRANCH %%look($c0 %%id)
  %%look(<$i64> %%i <$i32> %%id):
    %%p = GETELEMIREF <$list $i64> $ids %%i
    %%x = LOAD <$i32> %%p
    %%is = EQ <$i32> %%x %%id
    BRANCH2 %%is %%found(%%i) %%next(%%i %%id)
  %%next(<$i64> %%i <$i32> %%id):
    %%j = ADD <$i64> %%i $c1
    %%more = SLT <$i64> %%j $c16
    BRANCH2 %%more %%look(%%j %%id) %%found($c63)
  %%found(<$i64> %%i):
    CALL <$action> $mix (%%i)
    RET ()
}`)
}

// frameParams are those of all blocks.
const frameParams = "<$i64> %%x <$i64> %%y <$R> %%o"

// function makes function i, which calls itself and those with greater numbers.
func (f *frameProg) function(i int) {
	f.textf(".funcdef $f%d VERSION %%v1 <$one> {\n  %%e(<$i64> %%x):\n    %%o = CALL <$obj> $object (%%x)\n    BRANCH %%b0(%%x %%x %%o)", i)
	f.next = 0
	for range 1 + f.r.Intn(5) {
		f.statement(i)
	}
	if i < f.n-1 && f.r.Intn(3) > 0 {
		f.call(i, i+1)
	}
	f.begin()
	f.textf("    %%i = GETIREF <$i64> %%o\n    %%v = LOAD <$i64> %%i\n    %%z = ADD <$i64> %%v %%y\n    RET %%z\n}")
}

// begin begins the next block.
func (f *frameProg) begin() {
	f.textf("  %%b%d("+frameParams+"):", f.next)
	f.next++
}

// end ends a block: the next one gets y and o.
func (f *frameProg) end(y, o string) { f.textf("    BRANCH %%b%d(%%x %%%s %%%s)", f.next, y, o) }

func (f *frameProg) statement(i int) {
	switch f.r.Intn(9) {
	case 0:
		f.begin()
		f.textf("    %%z = %s <$i64> %%y $c%d", []string{"ADD", "MUL", "XOR", "SUB"}[f.r.Intn(4)], f.r.Intn(64))
		f.end("z", "o")
	case 1:
		f.begin()
		f.textf("    %%n = CALL <$obj> $object (%%y)")
		f.end("y", "n")
	case 2:
		f.begin()
		f.textf("    %%i = GETIREF <$i64> %%o\n    %%v = LOAD <$i64> %%i\n    %%z = XOR <$i64> %%v %%y")
		f.end("z", "o")
	case 3: // returns early
		f.begin()
		f.textf("    %%a = AND <$i64> %%y $c7\n    %%c = EQ <$i64> %%a $c%d\n    BRANCH2 %%c %%r%d(%%y) %%b%d(%%x %%y %%o)\n  %%r%d(<$i64> %%y):\n    RET %%y", f.r.Intn(8), f.next, f.next, f.next)
	case 4: // throws
		f.begin()
		f.textf("    %%a = AND <$i64> %%y $c7\n    %%c = EQ <$i64> %%a $c%d\n    BRANCH2 %%c %%t%d(%%o) %%b%d(%%x %%y %%o)\n  %%t%d(<$R> %%o):\n    THROW %%o", f.r.Intn(8), f.next, f.next, f.next)
	case 5, 6:
		f.begin()
		f.textf("    %%r = CALL <$one> $stop (%%y)")
		f.end("r", "o")
	case 7: // calls itself if x is small and not 0
		f.begin()
		n := f.next
		f.textf("    %%c = ULT <$i64> %%x $c4\n    %%d = NE <$i64> %%x $c0\n    %%a = AND <$int1> %%c %%d\n    BRANCH2 %%a %%s%d(%%x %%y %%o) %%b%d(%%x %%y %%o)\n  %%s%d("+frameParams+"):\n    %%x1 = SUB <$i64> %%x $c1\n    %%r = CALL <$one> $f%d (%%x1)", n, n, n, i)
		f.end("r", "o")
	case 8:
		if i < f.n-1 {
			f.call(i, i+1+f.r.Intn(f.n-1-i))
		}
	}
}

// call makes a call, perhaps with clauses.
func (f *frameProg) call(i, to int) {
	f.begin()
	keep := ""
	if f.r.Intn(4) == 0 {
		keep = " KEEPALIVE(%%x %%o)"
	}
	if f.r.Intn(4) > 0 {
		f.textf("    %%r = CALL <$one> $f%d (%%y)"+keep, to)
		f.end("r", "o")
		return
	}
	n := f.next
	f.textf("    %%r = CALL <$one> $f%d (%%y) EXC(%%b%d(%%x %%r %%o) %%h%d(%%x %%y %%o))"+keep+"\n  %%h%d("+frameParams+") [%%e]:\n    %%n = REFCAST <$refvoid $R> %%e\n    %%z = ADD <$i64> %%y $c5",
		to, n, n, n)
	f.end("z", "n")
}
