package randprog

import (
	"fmt"
	"strings"
)

// A tvmFunc is a function of a program in TVM.
type tvmFunc struct {
	name   string
	params []tvmParam
	result *tvmType // nil for empty
	text   string   // the text after the name
}

// A tvmParam is a parameter.
type tvmParam struct {
	kind tvmParamKind
	name string
	t    *tvmType // type of the parameter, of what it points to, or of the function's parameter and result
	n    tvmLen   // the number of values that a pointer points to
}

type tvmParamKind uint8

const (
	tvmTypeParam tvmParamKind = iota
	tvmLenParam
	tvmValue
	tvmPointer
	tvmCallback // a function from a type to itself
)

// generic reports whether a function has parameters that types depend on.
func (f *tvmFunc) generic() bool {
	for _, p := range f.params {
		if p.kind <= tvmLenParam {
			return true
		}
	}
	return false
}

// function makes a function, which may have types and lengths as parameters.
func (g *tvmGen) function(generic bool) {
	b := g.body()
	f := &tvmFunc{name: g.freshGlobal("f")}
	if generic {
		for range 1 + g.r.Intn(2) {
			p := tvmParam{kind: tvmTypeParam, name: g.freshGlobal("T"), t: &tvmType{kind: tvmVar}}
			p.t.name = p.name
			f.params = append(f.params, p)
			b.types = append(b.types[:len(b.types):len(b.types)], p.t, p.t)
		}
		if g.r.Intn(2) == 0 {
			p := tvmParam{kind: tvmLenParam, name: g.freshGlobal("N")}
			f.params = append(f.params, p)
			b.lens = append(b.lens, tvmLen{name: p.name})
			b.vals = append(b.vals, tvmVal{tvmWord, p.name})
		}
	}
	for range g.r.Intn(4) {
		p := tvmParam{kind: tvmValue, name: b.fresh("a"), t: b.pickType(), n: tvmLen{lit: 1}}
		switch g.r.Intn(4) {
		case 0:
			p.kind = tvmPointer
			if len(b.lens) > 0 && g.r.Intn(2) == 0 {
				p.n = b.lens[0]
			}
			b.ptrs = append(b.ptrs, tvmPtr{p.t, p.n, p.name})
		case 1:
			p.kind = tvmCallback
		default:
			b.vals = append(b.vals, tvmVal{p.t, p.name})
		}
		f.params = append(f.params, p)
	}
	if g.r.Intn(8) > 0 {
		f.result = b.pickType()
	}
	ret := func() {
		if f.result == nil {
			b.put("return empty_v")
		} else {
			b.put("return %s", b.term(f.result))
		}
	}
	if b.calls = g.r.Intn(2) == 0; b.calls {
		n := b.fresh("fuel")
		b.put("%s = load %sfuel", n, g.global)
		b.put("cond_br (cmp_eq %s #ui0) %%dry %%go", n)
		b.begin("%dry", "")
		ret()
		b.begin("%go", "")
		b.put("store (sub %s #ui1) %sfuel", n, g.global)
	}
	b.inputs()
	b.stmts = 4 + g.r.Intn(20)
	for _, p := range f.params {
		if p.kind == tvmCallback && g.r.Intn(3) > 0 {
			b.callback(p)
		}
	}
	self := b.calls && g.r.Intn(4) == 0
	b.block(2 + g.r.Intn(6))
	if self {
		g.funcs = append(g.funcs, f)
		b.call(f)
		g.funcs = g.funcs[:len(g.funcs)-1]
	}
	ret()
	f.text = b.out.String()
	fmt.Fprintf(&g.out, "%s = function (%s) > %s {\n%s};\n", f.name, f.list(g.s), f.gives(g.s), f.text)
	g.funcs = append(g.funcs, f)
}

// list returns the list of parameters.
func (f *tvmFunc) list(s *tvmSpelling) string {
	var l []string
	for _, p := range f.params {
		t := ""
		switch p.kind {
		case tvmTypeParam:
			t = "type"
		case tvmLenParam:
			t = "uiptr"
		case tvmPointer:
			t = "pointer " + p.t.text(s)
		case tvmCallback:
			t = fmt.Sprintf("pointer (function (%s) > %[1]s)", p.t.text(s))
		default:
			t = p.t.text(s)
		}
		l = append(l, p.name+" : "+t)
	}
	return strings.Join(l, ", ")
}

func (f *tvmFunc) gives(s *tvmSpelling) string {
	if f.result == nil {
		return "empty"
	}
	return f.result.text(s)
}

// callback calls a function that is a parameter.
func (b *tvmBody) callback(p tvmParam) {
	x := b.term(p.t)
	b.name(p.t, fmt.Sprintf("call %s %s", p.name, x))
}

// callback returns the name of a function from a closed type to itself.
func (g *tvmGen) callback(t *tvmType) string {
	k := t.key()
	if n := g.callbacks[k]; n != "" {
		return n
	}
	n := g.freshGlobal("c")
	g.callbacks[k] = n
	b := g.body()
	b.vals = append(b.vals, tvmVal{t, "%x"})
	b.inputs()
	b.stmts = 3
	b.block(3)
	b.put("return %s", b.term(t))
	fmt.Fprintf(&g.out, "%s = function (%%x : %s) > %s {\n%s};\n", n, t.text(g.s), t.text(g.s), b.out.String())
	return n
}

// call calls a function.
func (b *tvmBody) call(f *tvmFunc) {
	bind := tvmBinding{map[string]*tvmType{}, map[string]tvmLen{}}
	for _, p := range f.params {
		switch p.kind {
		case tvmTypeParam:
			t := b.pickType()
			if t.size() > 12 {
				t = b.prim()
			}
			bind.types[p.name] = t
		case tvmLenParam:
			n := tvmLen{lit: 1 + b.r.Intn(3)}
			if len(b.lens) > 0 && b.r.Intn(2) == 0 {
				n = b.lens[b.r.Intn(len(b.lens))]
			}
			bind.lens[p.name] = n
		case tvmCallback:
			if !p.t.bind(bind).closed() {
				return // a function for it cannot be written
			}
		}
	}
	var args, rest []string
	closed := f.generic() && f.text != ""
	for _, p := range f.params {
		var x string
		switch p.kind {
		case tvmTypeParam:
			t := bind.types[p.name]
			closed = closed && t.closed()
			args = append(args, t.text(b.s))
			continue
		case tvmLenParam:
			n := bind.lens[p.name]
			closed = closed && n.name == ""
			args = append(args, n.text(b.s))
			continue
		}
		t := p.t.bind(bind)
		switch p.kind {
		case tvmCallback:
			x = b.tvmGen.callback(t)
		case tvmPointer:
			x = b.pointerTo(t, p.n.bind(bind))
		default:
			x = b.term(t)
		}
		rest = append(rest, x)
	}
	target := f.name
	if closed && !b.risky && b.s.chance(2) {
		target = b.copyOf(f, bind)
	} else {
		rest = append(args, rest...)
	}
	if b.s.chance(4) {
		target = b.indirect(target)
	}
	x := "call " + target
	for _, a := range rest {
		x += " " + a
	}
	if f.result == nil {
		b.put("%s", x)
		return
	}
	b.name(f.result.bind(bind), x)
}

func (n tvmLen) bind(b tvmBinding) tvmLen {
	if m, ok := b.lens[n.name]; ok && n.name != "" {
		return tvmLen{m.name, m.lit + n.lit}
	}
	return n
}

// pointerTo returns the address of n values of a type.
func (b *tvmBody) pointerTo(t *tvmType, n tvmLen) string {
	var l []string
	for _, p := range b.ptrs {
		if p.t.key() == t.key() && (p.n == n || n == tvmLen{lit: 1}) {
			l = append(l, p.text)
		}
	}
	if len(l) > 0 && b.r.Intn(2) == 0 {
		return l[b.r.Intn(len(l))]
	}
	p := b.fresh("p")
	b.put("%s = alloca %s %s", p, t.text(b.s), n.text(b.s))
	if b.r.Intn(2) == 0 {
		b.put("store %s %s", b.term(t), p)
	}
	b.ptrs = append(b.ptrs, tvmPtr{t, n, p})
	return p
}

// copyOf returns a copy of a generic function with types and lengths substituted.
func (g *tvmGen) copyOf(f *tvmFunc, bind tvmBinding) string {
	c := &tvmFunc{name: g.freshGlobal("m"), result: f.result}
	text := f.text
	for _, p := range f.params {
		if p.kind > tvmLenParam {
			c.params = append(c.params, p)
		}
	}
	head := fmt.Sprintf("(%s) > %s", c.list(g.s), c.gives(g.s))
	for _, p := range f.params {
		if p.kind > tvmLenParam {
			continue
		}
		name := c.name + "." + strings.TrimPrefix(p.name, g.global)
		what := bind.lens[p.name].text(g.s)
		if p.kind == tvmTypeParam {
			what = bind.types[p.name].text(g.s)
		}
		fmt.Fprintf(&g.out, "%s = define %s;\n", name, what)
		text, head = replaceName(text, p.name, name), replaceName(head, p.name, name)
	}
	fmt.Fprintf(&g.out, "%s = function %s {\n%s};\n", c.name, head, text)
	return c.name
}

// replaceName replaces a name by another.
func replaceName(text, old, name string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, old)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := at + len(old)
		b.WriteString(text[:at])
		if end < len(text) && strings.IndexByte("0123456789.", text[end]) >= 0 {
			b.WriteString(old)
		} else {
			b.WriteString(name)
		}
		text = text[end:]
	}
}

// indirect returns a function whose address was stored in memory and loaded.
func (b *tvmBody) indirect(f string) string {
	p, v := b.fresh("p"), b.fresh("v")
	b.put("%s = alloca_const %s", p, f)
	b.put("%s = load %s", v, p)
	return v
}
