package randprog

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
)

// A bundle is split into a part that is translated and bundles that this part loads while it runs
// (docs/client.md, "Code that arrives at run time"): each is an argument of the program, before those
// that choose where to begin (Bundle). Which function goes where depends on its name and a
// seed alone, so a split stays the same while the bundle is reduced.
//
//   - Some of the bundles of a program (none, or all) are loaded when it begins, the others later.
//   - Before its bundle is loaded, a function may be declared only, or have another body. If the bundle
//     is loaded later, that body loads the bundle and those before it, and calls the new body by
//     TAILCALL or, if that asks for its cookie, through a function pointer with the same cookie.
//   - A function may be defined again, with the same body, by bundles after the one that has it first. The names of
//     these versions are "v1again" with the number of the bundle.
//   - Some blocks begin with a call of @split.tick, which loads the next bundle at every eighth call.
//   - Other definitions that only bundles use may, at random, go into the first bundle that uses them.
//
// Lines of the part that is translated have the same numbers as in the whole text.

// splitBundles is the largest number of bundles that a program is split into.
const splitBundles = 3

// longest is the largest total length of the functions of a bundle: arguments of programs are limited to 128 KB.
const longest = 90_000

// splitter is a bundle that is being split.
type splitter struct {
	seed     int64
	nodes    []*splitNode
	decls    map[string]*splitNode
	programs []splitProgram
	bundles  []string // of place 1 on
}

// A splitProgram is a program with bundles: those from first to last. It loads those up to early when it
// begins.
type splitProgram struct {
	name               string // without '.'
	first, early, last int
}

// splitNode is a definition. A function has two nodes: one for its name, without text, and one for its body.
type splitNode struct {
	name   string
	kind   string // .funcdef, for example
	text   string
	place  int // 0 is the part that is translated, else the bundle of that number
	refs   []*splitNode
	body   *splitNode // of a node of a function's name
	isBody bool
	again  []int // bundles that define the function again
}

// splitCookie occurs in functions that ask for the cookie of the native callback. After a TAILCALL there is none.
const splitCookie = "@uvm.native.get_cookie"

// nowhere is a place after all bundles.
const nowhere = 1 << 30

var (
	splitName   = regexp.MustCompile(`@[A-Za-z0-9_.-]+`)
	splitEntry  = regexp.MustCompile(`\(<@argc> (%[\w.]+) <@argv> (%[\w.]+)\):`)
	splitLabel  = regexp.MustCompile(`(?m)^\s+%[\w.]+\([^()]*\)(?: \[%[\w.]+\])?:[ \t]*$`)
	splitNumber = regexp.MustCompile(`(?m)^\s*(?:[^\[\s].*)?(?:TRAP|WATCHPOINT) `)
	splitV1     = regexp.MustCompile(`VERSION %v1\b`)
)

// Split splits a bundle of programs in Mu IR that Bundle made. If there are no bundles, first is text.
func Split(text string, seed int64) (first string, bundles []string) {
	s := &splitter{seed: seed, decls: map[string]*splitNode{}}
	s.read(text)
	main := s.decls["@main"]
	if main == nil || main.body == nil || !splitEntry.MatchString(main.body.text) {
		return text, nil
	}
	s.place()
	if len(s.bundles) == 0 {
		return text, nil
	}
	s.begin(main.body)
	for _, n := range s.nodes {
		if n.isBody && n.name != "@main" {
			s.tick(n)
		}
	}
	return s.print()
}

// begin changes the entry function: it prepares the loader and, at the trap before each program,
// passes it the numbers of that program's bundles.
func (s *splitter) begin(main *splitNode) {
	entry := "(<@argc> %splitn <@argv> $2): $1 = CALL <@split.start.sig> @split.start (%splitn $2)"
	for _, p := range s.programs {
		call := fmt.Sprintf(" CALL <@split.begin.sig> @split.begin (@split.b%d @split.b%d @split.b%d)", p.first, p.early, p.last)
		if trap := fmt.Sprintf("[%s.start] TRAP <>", p.name); strings.Contains(main.text, trap) {
			main.text = strings.Replace(main.text, trap, trap+call, 1)
		} else { // the program was removed from a bundle that is being reduced
			entry += call
		}
	}
	main.text = splitEntry.ReplaceAllString(main.text, entry)
}

// splitTick follows the label of a block.
const splitTick = " CALL <@split.tick.sig> @split.tick ()"

// tick puts calls of @split.tick into some blocks of some functions, but not into functions whose traps
// are printed with the number of an instruction.
func (s *splitter) tick(n *splitNode) {
	if s.random("ticks", n.name, 3) > 0 || splitNumber.MatchString(n.text) {
		return
	}
	n.text = splitLabel.ReplaceAllStringFunc(n.text, func(label string) string {
		if s.random("tick", n.name+label, 2) > 0 {
			return label
		}
		return label + splitTick
	})
}

// read finds the definitions.
func (s *splitter) read(text string) {
	var cur *splitNode
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.HasPrefix(line, ".") {
			cur = &splitNode{kind: strings.Fields(line)[0], place: nowhere}
			s.nodes = append(s.nodes, cur)
		} else if cur == nil {
			cur = &splitNode{} // the comments at the beginning
			s.nodes = append(s.nodes, cur)
		}
		cur.text += line
	}
	for _, n := range s.nodes {
		if n.name = splitName.FindString(n.text); n.kind == ".funcdef" {
			n.isBody = true
			s.decls[n.name] = &splitNode{name: n.name, kind: n.kind, place: nowhere, body: n}
		} else if n.kind != "" {
			s.decls[n.name] = n
		}
	}
	for _, n := range s.nodes {
		all := splitName.FindAllString(n.text, -1)
		for _, name := range all {
			if d := s.decls[name]; d != nil && d != n {
				n.refs = append(n.refs, d)
			}
		}
		if n.isBody { // the second name is the signature
			d := s.decls[n.name]
			d.refs = append(d.refs, s.decls[all[1]])
		}
	}
}

// random returns a random number below n for a name.
func (s *splitter) random(what, name string, n int) int {
	h := fnv.New64a()
	fmt.Fprint(h, what, s.seed, name)
	x := h.Sum64()
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return int((x ^ x>>32) % uint64(n))
}

// place decides into which part each definition goes.
func (s *splitter) place() {
	size := map[splitKey]int{}
	place := map[*splitNode]splitKey{}
	var used []splitKey
	for _, n := range s.nodes {
		program, _, inProgram := strings.Cut(n.name, ".")
		key := splitKey{program, 1 + s.random("bundle", n.name, 1+s.random("bundles", program, splitBundles))}
		if !n.isBody {
			continue
		}
		n.place = 0
		if !inProgram || n.name == "@main" || s.random("move", n.name, 4) > s.random("part", program, 4) || size[key]+len(n.text) > longest {
			continue
		}
		if size[key] == 0 {
			used = append(used, key)
		}
		size[key] += len(n.text)
		place[n] = key
	}
	slices.SortFunc(used, func(a, b splitKey) int { return cmp.Or(cmp.Compare(a.program, b.program), a.n-b.n) })
	for n, key := range place {
		n.place = 1 + slices.Index(used, key)
	}
	s.bundles = make([]string, len(used))
	for i, key := range used {
		if i == 0 || key.program != used[i-1].program {
			s.programs = append(s.programs, splitProgram{name: key.program, first: i + 1})
		}
		s.programs[len(s.programs)-1].last = i + 1
	}
	for i := range s.programs {
		p := &s.programs[i]
		p.early = p.first - 1 + s.random("early", p.name, p.last-p.first+2)
	}
	for _, n := range s.nodes {
		program, _, _ := strings.Cut(n.name, ".")
		for i, key := range used {
			if n.isBody && key.program == program && i+1 > n.place && s.random("again", fmt.Sprint(n.name, key.n), 4) == 0 && size[key]+len(n.text) <= longest {
				size[key] += len(n.text)
				n.again = append(n.again, i+1)
			}
		}
	}
	for _, n := range s.nodes {
		if n.isBody {
			if d := s.decls[n.name]; n.place == 0 || s.random("declare", n.name, 3) == 0 {
				d.place = 0
			}
		} else if n.kind == "" || s.random("keep", n.name, 3) == 0 {
			n.place = 0
		}
	}
	s.pull()
	for _, n := range s.nodes {
		if n.place == nowhere { // nothing uses it
			n.place = 0
		}
	}
	s.pull()
}

// pull moves the definitions that a definition uses to its own part, if they would be loaded later.
func (s *splitter) pull() {
	for changed := true; changed; {
		changed = false
		use := func(n *splitNode) {
			for _, d := range n.refs {
				if d.place > n.place {
					d.place, changed = n.place, true
				}
			}
		}
		for _, n := range s.nodes {
			use(n)
			if n.isBody {
				d := s.decls[n.name]
				d.place = min(d.place, n.place)
				use(d)
			}
		}
	}
}

// A splitKey names a bundle of a program.
type splitKey struct {
	program string
	n       int
}

// print writes the parts.
func (s *splitter) print() (first string, bundles []string) {
	var b strings.Builder
	for _, n := range s.nodes {
		lines := strings.Count(n.text, "\n")
		if n.place == 0 {
			b.WriteString(n.text)
		} else {
			s.bundles[n.place-1] += n.text
		}
		for _, p := range n.again {
			s.bundles[p-1] += splitV1.ReplaceAllString(n.text, fmt.Sprintf("VERSION %%v1again%d", p))
		}
		if !n.isBody {
			if n.place > 0 {
				b.WriteString(strings.Repeat("\n", lines))
			}
			continue
		}
		d := s.decls[n.name]
		if d.place < n.place {
			t := s.declaration(n)
			if d.place == 0 {
				b.WriteString(t)
			} else {
				s.bundles[d.place-1] += t + "\n"
			}
		}
		if n.place > 0 {
			b.WriteString(strings.Repeat("\n", lines))
		}
	}
	for i := range len(s.bundles) + 1 {
		fmt.Fprintf(&b, ".const @split.b%d <@split.i32> = %d\n", i, i)
	}
	return b.String() + fmt.Sprintf(splitLoader, len(s.bundles)), s.bundles
}

// late reports whether a bundle is not yet loaded when its program begins.
func (s *splitter) late(place int) bool {
	return slices.ContainsFunc(s.programs, func(p splitProgram) bool { return p.early < place && place <= p.last })
}

// declaration returns, in one line, the text that stands for a function before its body is loaded.
func (s *splitter) declaration(n *splitNode) string {
	sig := s.decls[splitName.FindAllString(n.text, 2)[1]]
	what := s.random("before", n.name, 5)
	if s.late(n.place) {
		what = 0
	}
	if what > 2 {
		return fmt.Sprintf(".funcdecl %s <%s>", n.name, sig.name)
	}
	params, _, _ := strings.Cut(sig.text, "->")
	var l, args []string
	for i, t := range splitName.FindAllString(params, -1)[1:] {
		l = append(l, fmt.Sprintf("<%s> %%a%d", t, i))
		args = append(args, fmt.Sprintf("%%a%d", i))
	}
	call, types := "TAILCALL <%[1]s> %[2]s (%[3]s)", ""
	if strings.Contains(n.text, splitCookie) {
		call, types = splitAgain, fmt.Sprintf(" .typedef %s.fp = ufuncptr<%s>", n.name, sig.name)
	}
	body := [...]string{
		fmt.Sprintf("CALL <@split.need.sig> @split.need (@split.b%d) ", n.place) + fmt.Sprintf(call, sig.name, n.name, strings.Join(args, " ")),
		"THROW @split.null",
		"BRANCH %never() %never(): BRANCH %never()",
	}
	return fmt.Sprintf(".funcdef %s VERSION %%split <%s> { %%entry(%s): %s }%s", n.name, sig.name, strings.Join(l, " "), body[what], types)
}

// splitAgain calls a function with arguments and the cookie of the caller.
const splitAgain = "%%k = COMMINST @uvm.native.get_cookie %%p = COMMINST @uvm.native.expose [#DEFAULT] <[%[1]s]> (%[2]s %%k) " +
	"%%r = CCALL #DEFAULT <%[2]s.fp %[1]s> %%p (%[3]s) COMMINST @uvm.native.unexpose [#DEFAULT] (%%p) RET %%r"

// splitLoader is the text of the code that loads the arguments; their number must be inserted.
const splitLoader = `.typedef @split.i32 = int<32>
.typedef @split.i64 = int<64>
.typedef @split.i8 = int<8>
.typedef @split.text = uptr<@split.i8>
.typedef @split.argv = uptr<@split.text>
.typedef @split.at = iref<@split.i8>
.typedef @split.void = void
.typedef @split.ref = ref<@split.void>
.const @split.null <@split.ref> = NULL
.const @split.n <@split.i32> = %d
.const @split.0x32 <@split.i32> = 0
.const @split.1x32 <@split.i32> = 1
.const @split.7x32 <@split.i32> = 7
.const @split.0 <@split.i64> = 0
.const @split.1 <@split.i64> = 1
.const @split.nul <@split.i8> = 0
.global @split.args <@split.argv>
.global @split.next <@split.i32> // bundle to be loaded
.global @split.last <@split.i32> // of the program
.global @split.ticks <@split.i32>
.funcsig @split.start.sig = (@split.i32 @split.text) -> (@split.i32)
.funcsig @split.begin.sig = (@split.i32 @split.i32 @split.i32) -> ()
.funcsig @split.need.sig = (@split.i32) -> ()
.funcsig @split.tick.sig = () -> ()
.funcsig @split.load.sig = (@split.text) -> ()
.funcdef @split.start VERSION %%v1 <@split.start.sig> {
  %%entry(<@split.i32> %%n <@split.text> %%argv):
    %%v = PTRCAST <@split.text @split.argv> %%argv
    STORE <@split.argv> @split.args %%v
    STORE <@split.i32> @split.next @split.1x32 // after the last one, until a program that has bundles begins
    %%r = SUB <@split.i32> %%n @split.n
    RET %%r
}
.funcdef @split.begin VERSION %%v1 <@split.begin.sig> {
  %%entry(<@split.i32> %%first <@split.i32> %%early <@split.i32> %%last):
    STORE <@split.i32> @split.next %%first
    STORE <@split.i32> @split.last %%last
    CALL <@split.need.sig> @split.need (%%early)
    RET ()
}
.funcdef @split.need VERSION %%v1 <@split.need.sig> {
  %%entry(<@split.i32> %%n):
    BRANCH %%next(%%n)
  %%next(<@split.i32> %%n):
    %%k = LOAD <@split.i32> @split.next
    %%done = SGT <@split.i32> %%k %%n
    BRANCH2 %%done %%end() %%load(%%n %%k)
  %%load(<@split.i32> %%n <@split.i32> %%k):
    %%k1 = ADD <@split.i32> %%k @split.1x32
    STORE <@split.i32> @split.next %%k1
    %%v = LOAD <@split.argv> @split.args
    %%at = SHIFTIREF PTR <@split.text @split.i32> %%v %%k
    %%s = LOAD PTR <@split.text> %%at
    CALL <@split.load.sig> @split.load (%%s)
    BRANCH %%next(%%n)
  %%end():
    RET ()
}
.funcdef @split.tick VERSION %%v1 <@split.tick.sig> {
  %%entry():
    %%t = LOAD <@split.i32> @split.ticks
    %%t1 = ADD <@split.i32> %%t @split.1x32
    STORE <@split.i32> @split.ticks %%t1
    %%b = AND <@split.i32> %%t @split.7x32
    %%c = EQ <@split.i32> %%b @split.7x32
    BRANCH2 %%c %%now() %%end()
  %%now():
    %%k = LOAD <@split.i32> @split.next
    %%last = LOAD <@split.i32> @split.last
    %%more = SLE <@split.i32> %%k %%last
    BRANCH2 %%more %%load(%%k) %%end()
  %%load(<@split.i32> %%k):
    CALL <@split.need.sig> @split.need (%%k)
    RET ()
  %%end():
    RET ()
}
.funcdef @split.load VERSION %%v1 <@split.load.sig> {
  %%entry(<@split.text> %%s):
    BRANCH %%length(%%s @split.0)
  %%length(<@split.text> %%s <@split.i64> %%k):
    %%at = SHIFTIREF PTR <@split.i8 @split.i64> %%s %%k
    %%c = LOAD PTR <@split.i8> %%at
    %%done = EQ <@split.i8> %%c @split.nul
    %%k1 = ADD <@split.i64> %%k @split.1
    BRANCH2 %%done %%make(%%s %%k) %%length(%%s %%k1)
  %%make(<@split.text> %%s <@split.i64> %%k):
    %%o = NEWHYBRID <@uvm.meta.bytes @split.i64> %%k
    %%r = GETIREF <@uvm.meta.bytes> %%o
    %%l = GETFIELDIREF <@uvm.meta.bytes 0> %%r
    STORE <@split.i64> %%l %%k
    %%p = GETVARPARTIREF <@uvm.meta.bytes> %%r
    BRANCH %%copy(%%s %%k %%o %%p @split.0)
  %%copy(<@split.text> %%s <@split.i64> %%k <@uvm.meta.bytes.r> %%o <@split.at> %%p <@split.i64> %%j):
    %%from = SHIFTIREF PTR <@split.i8 @split.i64> %%s %%j
    %%to = SHIFTIREF <@split.i8 @split.i64> %%p %%j
    %%c = LOAD PTR <@split.i8> %%from
    STORE <@split.i8> %%to %%c
    %%j1 = ADD <@split.i64> %%j @split.1
    %%done = EQ <@split.i64> %%j1 %%k
    BRANCH2 %%done %%load(%%o) %%copy(%%s %%k %%o %%p %%j1)
  %%load(<@uvm.meta.bytes.r> %%o):
    COMMINST @uvm.meta.load_bundle (%%o)
    RET ()
}
`
