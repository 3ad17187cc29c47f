package ir

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Parse reads the text form that Print writes; see there. The text becomes a
// file of files, and positions in the program are those in it. All lines with
// errors are reported, as one *diag.List. What Parse accepts need not be a
// correct program: package verify tells.
//
// Order of work:
//
//  1. The text is split into lines of tokens.
//  2. Definitions are entered, without looking into them.
//  3. Lines of types become one graph, which is made canonical.
//  4. Types of cells, functions and constants, then values of constants.
//  5. Versions: blocks and parameters first, then instructions. The image.
func Parse(files *diag.Set, name string, src []byte) (*Program, error) {
	if files == nil {
		files = diag.NewSet()
	}
	f, err := files.Add(name, src)
	if err != nil {
		return nil, err
	}
	r := &reader{
		prog: NewProgram(), file: f, diags: diag.NewList(files),
		types: map[string]TypeID{}, operands: map[string]*Const{}, literals: map[literalKey]*Const{},
	}
	r.prog.Files = files
	r.prog.TypePos = map[TypeID]diag.Pos{}
	r.t = r.prog.Types
	r.program(splitLines(string(src)))
	return r.prog, r.diags.Err()
}

type literalKey struct {
	kind   ConstKind
	typ    TypeID
	lo, hi uint64
	sym    string
	entity any
	local  string // of the value
}

// A reader is the state of one Parse.
type reader struct {
	prog  *Program
	t     *Types
	file  *diag.File
	diags *diag.List

	types    map[string]TypeID // by name with '@' or label with '#'; while the graph is made, Raw numbers
	nodes    []Node            // of the graph, while it is made
	nodePos  []diag.Pos        // where each is written
	graph    bool
	operands map[string]*Const // named constants, cells, functions and exposed functions, as operands
	literals map[literalKey]*Const

	line []token // what is left of the line being read
	end  int     // offset of its end
	bad  bool    // it has an error
	deep int
}

func (r *reader) program(lines []line) {
	lines = r.declare(lines)
	r.defineTypes(lines)
	r.defineVars(lines)
	for i := 0; i < len(lines); i++ {
		switch lines[i].word() {
		case "version":
			n := i + 1
			for n < len(lines) && !lines[n].is("}") {
				n++
			}
			r.version(lines[i], lines[i+1:n])
			if i = n; n == len(lines) {
				r.errorf(len(r.file.Content()), "version without }")
			}
		case "image":
			r.start(lines[i])
			r.expect("image")
			r.done()
			if r.prog.Image == nil {
				r.prog.Image = &Image{}
			}
		case "object", "init":
			r.start(lines[i])
			if r.prog.Image == nil {
				r.prog.Image = &Image{}
			}
			r.imageLine()
			r.done()
		case "hook":
			r.start(lines[i])
			r.hook()
			r.done()
		case "main":
			r.start(lines[i])
			r.expect("main")
			if r.prog.Main != nil {
				r.fail("a program has one main function")
			}
			r.prog.Main = r.function()
			r.done()
		case "program", "word", "later", "type", "const", "global", "func", "expose":
		default:
			r.start(lines[i])
			r.fail("unexpected %s", r.shown())
		}
	}
}

// errorf reports an error at an offset.
func (r *reader) errorf(off int, format string, args ...any) {
	r.diags.Errorf(r.file.Pos(off), format, args...)
}

// start begins with a line.
func (r *reader) start(l line) { r.line, r.end, r.bad, r.deep = l.toks, l.end, false, 0 }

// fail reports the first error of a line and skips the rest.
func (r *reader) fail(format string, args ...any) {
	if !r.bad {
		r.errorf(r.off(), format, args...)
	}
	r.bad, r.line = true, nil
}

func (r *reader) off() int {
	if len(r.line) > 0 {
		return r.line[0].off
	}
	return r.end
}

func (r *reader) pos() diag.Pos { return r.file.Pos(r.off()) }

func (r *reader) shown() string {
	if len(r.line) == 0 {
		return "end of line"
	}
	return r.line[0].text
}

// peek reports whether the next token is s.
func (r *reader) peek(s string) bool { return len(r.line) > 0 && r.line[0].text == s }

// accept takes the next token if it is s.
func (r *reader) accept(s string) bool {
	if r.peek(s) {
		r.line = r.line[1:]
		return true
	}
	return false
}

func (r *reader) expect(s string) {
	if !r.accept(s) {
		r.fail("want %s, got %s", s, r.shown())
	}
}

// done wants the end of the line, and reports whether the line is right.
func (r *reader) done() bool {
	if len(r.line) > 0 {
		r.fail("want end of line, got %s", r.shown())
	}
	return !r.bad
}

// kind gives the next token if it begins with sigil, which for numbers and words
// is 0.
func (r *reader) kind(sigil byte, what string) string {
	if len(r.line) == 0 || r.line[0].sigil != sigil {
		r.fail("want %s, got %s", what, r.shown())
		return ""
	}
	s := r.line[0].text
	r.line = r.line[1:]
	return s
}

func (r *reader) word(what string) string { return r.kind(0, what) }

// name takes a global name.
func (r *reader) name() string {
	s := r.kind('@', "a name with @")
	if strings.HasPrefix(s, `@"`) {
		u, err := strconv.Unquote(s[1:])
		if err != nil {
			r.fail("bad name %s", s)
		}
		return u
	}
	return s
}

func (r *reader) number(what string) uint64 {
	s := r.word(what)
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil && !r.bad {
		r.fail("bad %s %s", what, s)
	}
	return n
}

// id takes an entity id, if there is one.
func (r *reader) id() (id uint32, ok bool) {
	if !r.accept("!") {
		return 0, false
	}
	n := r.number("entity id")
	if n > math.MaxUint32 {
		r.fail("bad entity id %d", n)
	}
	return uint32(n), true
}

// declare enters all definitions, without types and values, and gives the lines
// without empty ones.
func (r *reader) declare(lines []line) []line {
	seen := map[string]bool{}
	inVersion := false
	for _, l := range lines {
		if inVersion {
			inVersion = !l.is("}")
			continue
		}
		r.start(l)
		what := l.word()
		switch what {
		case "program":
			r.expect("program")
			next, bundles := r.number("number"), r.number("number")
			if r.done() {
				if next > math.MaxUint32 || bundles > math.MaxInt32 {
					r.errorf(l.toks[0].off, "bad numbers of the program")
				} else {
					r.prog.NextID, r.prog.Bundles = uint32(next), int(bundles)
				}
			}
			continue
		case "word":
			r.wordLine()
			continue
		case "version":
			inVersion = true
			continue
		case "later":
			r.laterLine()
			continue
		case "const", "global", "func", "expose":
		default:
			continue
		}
		r.expect(what)
		pos := r.pos()
		n := r.name()
		if r.bad {
			continue
		}
		if seen[n] {
			r.errorf(l.toks[1].off, "%s redefined", n)
			continue
		}
		seen[n] = true
		p := r.prog
		switch what {
		case "const":
			c := &Const{Name: n, Pos: pos}
			p.Consts = append(p.Consts, c)
			p.Entities[n], r.operands[n] = c, c
		case "global":
			g := &Global{Name: n, Pos: pos}
			p.Globals = append(p.Globals, g)
			p.Entities[n], r.operands[n] = g, &Const{Kind: ConstGlobal, Global: g, Name: n, Pos: pos}
		case "func":
			f := &Function{Name: n, Pos: pos}
			p.Funcs = append(p.Funcs, f)
			p.Entities[n], r.operands[n] = f, &Const{Kind: ConstFunc, Func: f, Name: n, Pos: pos}
		case "expose":
			e := &Expose{Name: n, Pos: pos}
			p.Exposes = append(p.Exposes, e)
			p.Entities[n], r.operands[n] = e, &Const{Kind: ConstExpose, Expose: e, Name: n, Pos: pos}
		}
	}
	return lines
}

// defineVars gives cells, functions, exposed functions and constants their
// types, then constants and exposed functions their values.
func (r *reader) defineVars(lines []line) {
	type later struct {
		line token
		c    *Const
		rest []token
		end  int
	}
	var values []later
	defined := map[string]bool{}
	inVersion := false
	for _, l := range lines {
		if inVersion {
			inVersion = !l.is("}")
			continue
		}
		what := l.word()
		switch what {
		case "version":
			inVersion = true
			continue
		case "const", "global", "func", "expose":
		default:
			continue
		}
		r.start(l)
		r.expect(what)
		n := r.name()
		c := r.operands[n]
		if c == nil || defined[n] {
			continue // reported
		}
		defined[n] = true
		r.expect(":")
		t := r.typ()
		switch what {
		case "const":
			c.Type = t
			r.expect("=")
			values = append(values, later{l.toks[0], c, r.line, r.end})
			continue
		case "global":
			c.Global.Type, c.Type = t, r.t.IRef(t)
			for more := true; more; {
				switch {
				case r.accept("readonly"):
					c.Global.ReadOnly = true
				case r.accept("threadlocal"):
					c.Global.ThreadLocal = true
				default:
					more = false
				}
			}
			if r.accept("=") {
				values = append(values, later{l.toks[0], c, r.line, r.end})
				continue
			}
			c.Global.ID, _ = r.id()
			c.ID = c.Global.ID
		case "func":
			if r.t.Kind(t) != KSig {
				r.fail("%s: want a signature", n)
			}
			c.Func.Sig, c.Type = t, r.t.Of(KFuncRef, t)
			c.Func.Attrs = r.attrs()
			if r.accept("shown") {
				c.Func.Notation = r.notations("(", ")")
				if n := len(r.t.At(t).Results); len(c.Func.Notation) != n {
					r.fail("%s has %d results, and shows %d", c.Func.Name, n, len(c.Func.Notation))
				}
			}
			c.Func.ID, _ = r.id()
			c.ID = c.Func.ID
			if r.accept("of") {
				r.implementation(c.Func)
			}
		case "expose":
			c.Expose.Type, c.Type = t, t
			r.expect("=")
			values = append(values, later{l.toks[0], c, r.line, r.end})
			continue
		}
		r.done()
	}
	for _, v := range values {
		if v.rest == nil {
			continue // reported
		}
		r.start(line{toks: v.rest, end: v.end})
		if c := v.c; c.Kind == ConstExpose {
			f, ok := r.operands[r.name()]
			if !ok || f.Kind != ConstFunc {
				r.fail("%s exposes no function of this program", c.Name)
			} else {
				c.Expose.Func = f.Func
			}
			c.Expose.Cookie = r.constant("")
			c.ID, _ = r.id()
			c.Expose.ID = c.ID
		} else if c.Kind == ConstGlobal {
			at := r.off()
			c.Global.Init = r.evaluate(r.literal(), c.Global.Type, at)
			c.Global.ID, _ = r.id()
			c.ID = c.Global.ID
		} else {
			at := r.off()
			lit := r.literal()
			if x := r.evaluate(lit, c.Type, at); x != nil {
				x.Name, x.Pos = c.Name, c.Pos
				*c = *x
			}
			c.ID, _ = r.id()
		}
		r.done()
	}
}

// hook reads a hook.
func (r *reader) hook() {
	r.expect("hook")
	k := HookKind(0)
	for k < NumHooks && !r.accept(hookNames[k]) {
		k++
	}
	if k == NumHooks {
		r.fail("want start, threadstart, threadexit or exit, got %s", r.shown())
		return
	}
	if f := r.function(); f != nil {
		r.prog.Hooks[k] = append(r.prog.Hooks[k], f)
	}
}

// function takes the name of a function.
func (r *reader) function() *Function {
	at := r.off()
	n := r.name()
	if c := r.operands[n]; c != nil && c.Kind == ConstFunc {
		return c.Func
	}
	if !r.bad {
		r.errorf(at, "%s is no function of this program", n)
		r.bad, r.line = true, nil
	}
	return nil
}

// attrs takes attributes of a function, in any order.
func (r *reader) attrs() (all Attrs) {
next:
	for _, a := range attrNames {
		if r.accept(a.name) {
			all |= a.attr
			goto next
		}
	}
	return all
}

// notations reads how values are printed, in parentheses or braces.
func (r *reader) notations(open, end string) (list []Notation) {
	if r.deep++; r.deep > maxDepth {
		r.fail("nested too deep")
	}
	defer func() { r.deep-- }()
	r.expect(open)
	for !r.bad && !r.accept(end) {
		list = append(list, r.notation())
	}
	return list
}

// notation reads how values of a type are printed.
func (r *reader) notation() (n Notation) {
	switch {
	case r.peek("{"):
		n.Parts = r.notations("{", "}")
		return n
	case r.accept("signed"):
		return n
	case r.accept("unsigned"):
		n.Unsigned = true
		return n
	}
	r.expect("[")
	for !r.bad && !r.accept("]") {
		switch {
		case r.peek("{"):
			n.Parts = r.notations("{", "}")
		case r.accept("unsigned"):
			n.Unsigned = true
		case r.accept("number"):
			n.Number = true
		case r.accept("hex"):
			n.Hex = true
		case r.accept("filler"):
			n.Filler = true
		case r.accept("prefix"):
			n.Prefix = r.quoted("a prefix")
		case r.accept("open"):
			n.Open = r.quoted("an opening")
		case r.accept("between"):
			n.Between = r.quoted("a separator")
		case r.accept("close"):
			n.Close = r.quoted("a closing")
		default:
			r.expect("word")
			n.Words = append(n.Words, r.quoted("a word"))
		}
	}
	return n
}

// wordLine reads what the source language calls a kind of types.
func (r *reader) wordLine() {
	r.expect("word")
	name := r.word("a kind of types")
	k, ok := kindByName[name]
	if !ok {
		r.fail("%s is no kind of types", name)
	}
	w := r.quoted("a word")
	if r.done() {
		if r.t.Words == nil {
			r.t.Words = map[Kind]string{}
		}
		r.t.Words[k] = w
	}
}

// laterLine reads a later bundle.
func (r *reader) laterLine() {
	r.expect("later")
	l := &Later{Name: r.quoted("the name of a bundle"), Hash: r.quoted("a hash")}
	for _, part := range []struct {
		what string
		to   *[]string
	}{{"names", &l.Names}, {"needs", &l.Needs}} {
		if r.accept(part.what) {
			for len(r.line) > 0 && r.line[0].sigil == '@' {
				*part.to = append(*part.to, r.name())
			}
		}
	}
	if r.done() {
		r.prog.Later = append(r.prog.Later, l)
	}
}

func (r *reader) quoted(what string) string {
	s, err := strconv.Unquote(r.kind('"', what))
	if err != nil {
		r.fail("want %s in quotes", what)
	}
	return s
}

// implementation reads of what a function is an implementation.
func (r *reader) implementation(f *Function) {
	c := r.operands[r.name()]
	n := r.number("number of a later bundle")
	switch {
	case r.bad:
	case c == nil || c.Kind != ConstFunc || c.Func == f:
		r.fail("%s implements no function of this program", f.Name)
	case n >= uint64(len(r.prog.Later)):
		r.fail("no later bundle %d", n)
	default:
		f.Of = c.Func
		c.Func.Impls = append(c.Func.Impls, f)
		l := r.prog.Later[n]
		l.Impls = append(l.Impls, f)
		delete(r.prog.Entities, f.Name)
	}
}

// imageLine reads an object or a store of the image.
func (r *reader) imageLine() {
	im := r.prog.Image
	pos := r.pos()
	if r.accept("object") {
		n := r.kind('$', "the name of an object")
		if strings.HasPrefix(n, `$"`) {
			n, _ = strconv.Unquote(n[1:])
		}
		r.expect(":")
		o := ImageObject{Name: n, Type: r.typ(), Pos: pos}
		o.Len = r.number("length")
		im.Objects = append(im.Objects, o)
		return
	}
	r.expect("init")
	in := ImageInit{To: r.location(), Pos: pos}
	r.expect("=")
	k := r.word("a kind of store")
	ok := false
	for i, n := range imageKinds {
		if n == k {
			in.Kind, ok = ImageKind(i), true
		}
	}
	if !ok {
		r.fail("want a kind of store, got %s", k)
		return
	}
	switch in.Kind {
	case ImageConst:
		in.Const = r.constant("")
	case ImageTagFP, ImageTagInt:
		in.Bits = r.number("number")
	case ImageTagRef:
		in.From = r.location()
		tag := r.number("tag")
		if tag > math.MaxUint8 {
			r.fail("bad tag %d", tag)
		}
		in.Tag = uint8(tag)
	default:
		in.From = r.location()
	}
	if !r.bad {
		im.Inits = append(im.Inits, in)
	}
}

func (r *reader) location() (l ImageLoc) {
	if r.accept("null") {
		l.Object = -1
		return
	}
	if len(r.line) > 0 && r.line[0].sigil == '@' {
		n := r.name()
		c := r.operands[n]
		if c == nil || c.Kind != ConstGlobal {
			r.fail("%s is no cell of this program", n)
			return
		}
		l.Global = c.Global
	} else {
		s := r.kind('$', "a location")
		n, err := strconv.ParseUint(strings.TrimPrefix(s, "$"), 10, 31)
		if err != nil {
			r.fail("bad location %s", s)
		}
		l.Object = int(n)
	}
	r.expect("[")
	for !r.bad && !r.accept("]") {
		l.Path = append(l.Path, r.number("number"))
	}
	r.expect(":")
	l.Type = r.typ()
	return
}

// A literal is the value of a constant before its type is known.
type literal struct {
	text   string // number, null, or name
	sym    string // extern
	elems  []*Const
	list   bool
	extern bool
	bits   bool
	bytes  bool // text
	name   bool
}

// maxDepth bounds how deep types and constants nest.
const maxDepth = 5000

func (r *reader) literal() (l literal) {
	if r.deep++; r.deep > maxDepth {
		r.fail("nested too deep")
	}
	defer func() { r.deep-- }()
	switch {
	case r.accept("{"):
		l.list = true
		for !r.bad && !r.accept("}") {
			l.elems = append(l.elems, r.constant(""))
		}
	case r.accept("bytes"):
		l.bytes = true
		l.text = r.quoted("a string")
	case r.accept("extern"):
		l.extern = true
		s := r.kind('"', "a string")
		u, err := strconv.Unquote(s)
		if err != nil && !r.bad {
			r.fail("bad string %s", s)
		}
		l.sym = u
	case r.accept("bits"):
		l.bits = true
		r.expect("(")
		l.text = r.word("a number")
		r.expect(")")
	case len(r.line) > 0 && r.line[0].sigil == '@':
		l.name = true
		l.text = r.name()
	default:
		l.text = r.word("a constant")
	}
	return
}

// constant reads a constant used as an operand. Equal constants without a global
// name are one, if the values made for them have one local name.
func (r *reader) constant(local string) *Const {
	at := r.off()
	l := r.literal()
	if r.bad {
		return nil
	}
	if l.name && !r.peek(":") {
		c := r.operands[l.text]
		if c == nil {
			r.fail("unknown name %s", l.text)
		}
		return c
	}
	r.expect(":")
	t := r.typ()
	if r.bad {
		return nil
	}
	c := r.evaluate(l, t, at)
	if c == nil {
		return nil
	}
	if l.list {
		return c
	}
	k := literalKey{kind: c.Kind, typ: c.Type, lo: c.Lo, hi: c.Hi, sym: c.Sym + c.Bytes, local: local}
	switch c.Kind {
	case ConstGlobal:
		k.entity = c.Global
	case ConstFunc:
		k.entity = c.Func
	case ConstExpose:
		k.entity = c.Expose
	}
	if known := r.literals[k]; known != nil {
		return known
	}
	r.literals[k] = c
	return c
}

// evaluate gives a literal a type. It gives nil after an error.
func (r *reader) evaluate(l literal, t TypeID, at int) *Const {
	if r.bad {
		return nil
	}
	c := &Const{Type: t, Pos: r.file.Pos(at)}
	n := r.t.At(t)
	bad := func() *Const {
		if !r.bad {
			r.errorf(at, "bad constant of type %s", r.t.String(t))
		}
		r.bad, r.line = true, nil
		return nil
	}
	switch {
	case l.bytes:
		c.Kind, c.Bytes = ConstBytes, l.text
	case l.list:
		c.Kind, c.Elems = ConstAggregate, l.elems
	case l.extern:
		c.Kind, c.Sym = ConstExtern, l.sym
	case l.name:
		e := r.operands[l.text]
		if e == nil || e.Kind != ConstGlobal && e.Kind != ConstFunc && e.Kind != ConstExpose {
			return bad()
		}
		c.Kind, c.Global, c.Func, c.Expose = e.Kind, e.Global, e.Func, e.Expose
	case l.text == "null":
		c.Kind = ConstNull
	case l.bits:
		b, err := strconv.ParseUint(l.text, 0, 64)
		if err != nil {
			return bad()
		}
		c.Kind, c.Lo = ConstFP, b
	case n.Kind.IsFP():
		width := 64
		if n.Kind == KFloat {
			width = 32
		}
		f, err := strconv.ParseFloat(l.text, width)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return bad()
		}
		c.Kind = ConstFP
		if c.Lo = math.Float64bits(f); width == 32 {
			c.Lo = uint64(math.Float32bits(float32(f)))
		}
	default:
		var ok bool
		if c.Hi, c.Lo, ok = wideInt(l.text); !ok {
			return bad()
		}
		width := uint32(64)
		if n.Kind == KInt {
			width = n.Bits
		}
		if strings.HasPrefix(l.text, "-") && width < 128 {
			c.Hi, c.Lo = lowBits(c.Hi, c.Lo, width)
		}
		c.Kind = ConstInt
	}
	return c
}

func lowBits(hi, lo uint64, width uint32) (uint64, uint64) {
	if width <= 64 {
		return 0, lo & (1<<width - 1)
	}
	return hi & (1<<(width-64) - 1), lo
}

// wideInt reads an integer of up to 128 bits, in two's complement.
func wideInt(s string) (hi, lo uint64, ok bool) {
	digits, neg := strings.CutPrefix(s, "-")
	base := uint64(10)
	if d, hex := strings.CutPrefix(digits, "0x"); hex {
		digits, base = d, 16
	}
	for _, d := range []byte(digits) {
		v := uint64(99)
		switch {
		case '0' <= d && d <= '9':
			v = uint64(d - '0')
		case 'a' <= d && d <= 'f':
			v = uint64(d-'a') + 10
		}
		if v >= base {
			return 0, 0, false
		}
		over, mid := bits.Mul64(hi, base)
		carry, low := bits.Mul64(lo, base)
		var c uint64
		lo, c = bits.Add64(low, v, 0)
		if hi, c = bits.Add64(mid, carry, c); over != 0 || c != 0 {
			return 0, 0, false
		}
	}
	if neg {
		var b uint64
		lo, b = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, b)
	}
	return hi, lo, digits != ""
}
