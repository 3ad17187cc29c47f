package randprog

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
)

// A bundle is split into a part that is translated and bundles that this part loads when it starts
// (docs/client.md, "Code that arrives at run time"): each is an argument of the program, and those
// arguments that are empty are counted as without a split. Which function goes where depends on its name and a
// seed alone, so a split stays the same while the bundle is reduced.
//
//   - A function that goes into a bundle may be declared before, or be defined with another body.
//   - What else only bundles use goes, at random, into the first bundle that uses it.
//
// Lines of the part that is translated have the numbers that they have in the whole.

// splitBundles is how many bundles a program is split into at most.
const splitBundles = 3

// longest is how long the functions of a bundle may be together: arguments of programs are limited to 128 KB.
const longest = 90_000

// splitter is a bundle that is being split.
type splitter struct {
	seed    int64
	nodes   []*splitNode
	decls   map[string]*splitNode
	bundles []string // of place 1 on
}

// splitNode is a definition. A function has two: one of its name, without text, and one of its body.
type splitNode struct {
	name   string
	kind   string // .funcdef, for example
	text   string
	place  int // 0 is the part that is translated, else the bundle of that number
	refs   []*splitNode
	body   *splitNode // of a node of a function's name
	isBody bool
}

// nowhere is a place after all bundles.
const nowhere = 1 << 30

var (
	splitName  = regexp.MustCompile(`@[A-Za-z0-9_.-]+`)
	splitEntry = regexp.MustCompile(`\(<@argc> (%[\w.]+) <@argv> (%[\w.]+)\):`)
)

// Split splits a bundle that Bundle made, of programs in Mu IR. Without bundles, text is first.
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
	main.body.text = splitEntry.ReplaceAllString(main.body.text,
		"(<@argc> %splitn <@argv> $2): $1 = CALL <@split.sig> @split.load (%splitn $2)")
	return s.print()
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

// random is a random number for a name, below n.
func (s *splitter) random(what, name string, n int) int {
	h := fnv.New64a()
	fmt.Fprint(h, what, s.seed, name)
	x := h.Sum64()
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return int((x ^ x>>32) % uint64(n))
}

// place decides where everything goes.
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

// pull puts what something uses where that is, if it would come later.
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
	return b.String() + splitLoader, s.bundles
}

// declaration is what stands for a function before its body is loaded, in one line.
func (s *splitter) declaration(n *splitNode) string {
	sig := s.decls[splitName.FindAllString(n.text, 2)[1]]
	if what := s.random("before", n.name, 4); what < 2 && sig != nil {
		params, _, _ := strings.Cut(sig.text, "->")
		var l []string
		for i, t := range splitName.FindAllString(params, -1)[1:] {
			l = append(l, fmt.Sprintf("<%s> %%a%d", t, i))
		}
		end := "THROW @split.null"
		if what == 0 {
			end = "BRANCH %never() %never(): BRANCH %never()"
		}
		return fmt.Sprintf(".funcdef %s VERSION %%split <%s> { %%entry(%s): %s }", n.name, sig.name, strings.Join(l, " "), end)
	}
	return fmt.Sprintf(".funcdecl %s <%s>", n.name, sig.name)
}

// splitLoader loads the arguments that are not empty, and counts the others.
const splitLoader = `.typedef @split.i32 = int<32>
.typedef @split.i64 = int<64>
.typedef @split.i8 = int<8>
.typedef @split.text = uptr<@split.i8>
.typedef @split.argv = uptr<@split.text>
.typedef @split.at = iref<@split.i8>
.typedef @split.void = void
.typedef @split.ref = ref<@split.void>
.const @split.null <@split.ref> = NULL
.const @split.1x32 <@split.i32> = 1
.const @split.0 <@split.i64> = 0
.const @split.1 <@split.i64> = 1
.const @split.nul <@split.i8> = 0
.funcsig @split.sig = (@split.i32 @split.text) -> (@split.i32)
.funcdef @split.load VERSION %v1 <@split.sig> {
  %entry(<@split.i32> %n <@split.text> %argv):
    %v = PTRCAST <@split.text @split.argv> %argv
    BRANCH %args(%n %v @split.1x32 @split.1x32)
  %args(<@split.i32> %n <@split.argv> %v <@split.i32> %i <@split.i32> %empty):
    %more = SLT <@split.i32> %i %n
    BRANCH2 %more %arg(%n %v %i %empty) %end(%empty)
  %arg(<@split.i32> %n <@split.argv> %v <@split.i32> %i <@split.i32> %empty):
    %i1 = ADD <@split.i32> %i @split.1x32
    %empty1 = ADD <@split.i32> %empty @split.1x32
    %at = SHIFTIREF PTR <@split.text @split.i32> %v %i
    %s = LOAD PTR <@split.text> %at
    %c = LOAD PTR <@split.i8> %s
    %none = EQ <@split.i8> %c @split.nul
    BRANCH2 %none %args(%n %v %i1 %empty1) %length(%n %v %i1 %empty %s @split.1)
  %length(<@split.i32> %n <@split.argv> %v <@split.i32> %i <@split.i32> %empty <@split.text> %s <@split.i64> %k):
    %at = SHIFTIREF PTR <@split.i8 @split.i64> %s %k
    %c = LOAD PTR <@split.i8> %at
    %done = EQ <@split.i8> %c @split.nul
    %k1 = ADD <@split.i64> %k @split.1
    BRANCH2 %done %make(%n %v %i %empty %s %k) %length(%n %v %i %empty %s %k1)
  %make(<@split.i32> %n <@split.argv> %v <@split.i32> %i <@split.i32> %empty <@split.text> %s <@split.i64> %k):
    %o = NEWHYBRID <@uvm.meta.bytes @split.i64> %k
    %r = GETIREF <@uvm.meta.bytes> %o
    %l = GETFIELDIREF <@uvm.meta.bytes 0> %r
    STORE <@split.i64> %l %k
    %p = GETVARPARTIREF <@uvm.meta.bytes> %r
    BRANCH %copy(%n %v %i %empty %s %k %o %p @split.0)
  %copy(<@split.i32> %n <@split.argv> %v <@split.i32> %i <@split.i32> %empty <@split.text> %s <@split.i64> %k <@uvm.meta.bytes.r> %o <@split.at> %p <@split.i64> %j):
    %from = SHIFTIREF PTR <@split.i8 @split.i64> %s %j
    %to = SHIFTIREF <@split.i8 @split.i64> %p %j
    %c = LOAD PTR <@split.i8> %from
    STORE <@split.i8> %to %c
    %j1 = ADD <@split.i64> %j @split.1
    %done = EQ <@split.i64> %j1 %k
    BRANCH2 %done %load(%n %v %i %empty %o) %copy(%n %v %i %empty %s %k %o %p %j1)
  %load(<@split.i32> %n <@split.argv> %v <@split.i32> %i <@split.i32> %empty <@uvm.meta.bytes.r> %o):
    COMMINST @uvm.meta.load_bundle (%o)
    BRANCH %args(%n %v %i %empty)
  %end(<@split.i32> %empty):
    RET %empty
}
`
