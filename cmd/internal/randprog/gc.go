package randprog

import (
	"fmt"
	"strings"
)

// The functions here are fixed texts with placeholders for types and numbers,
// because their shape matters more than their results.

// template writes text after replacing placeholders by names of the program:
// $x stands for the global x of the program, <iN> for types of ints.
func (g *gen) template(text string, holes map[string]string) {
	for k, v := range holes {
		text = strings.ReplaceAll(text, "{"+k+"}", v)
	}
	g.funcs.WriteString(text)
}

// graph writes a function that builds a circular list with weak references and
// with objects held in a table, makes garbage, and adds up the values that it
// finds afterwards.
func (g *gen) graph() {
	i1, i64 := g.int(1), g.int(64)
	extra := g.vals[g.r.Intn(len(g.vals))]
	// The node type refers to itself, so its reference types are defined by hand.
	node := &typ{kind: kStruct, name: g.prefix + "Node"}
	rn, wn := g.ref(node), g.of(kWeak, node)
	node.fields = []*typ{i64, rn, wn, extra, g.tag()}
	order := []int{0, 1, 2, 3, 4}
	g.r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var fields []string
	at := make([]int, 5)
	for i, o := range order {
		fields = append(fields, node.fields[o].name)
		at[o] = i
	}
	fmt.Fprintf(&g.defs, ".typedef %s = struct<%s>\n", node.name, strings.Join(fields, " "))
	junk := g.array(i64, 1+g.r.Intn(400))
	if g.r.Intn(3) == 0 {
		junk = g.array(i64, 2000+g.r.Intn(8000)) // a large object
	}
	table := g.array(rn, 8)
	g.graphs = append(g.graphs, g.prefix+"graph")
	n := 3 + g.r.Intn(60)
	g.template(`.global {tab} <{Table}>
.funcdef {name} VERSION %v1 <{sig}> {
  %entry(<{i64}> %seed):
    %first = NEW <{Node}>
    BRANCH %build(%first %first {0} %seed)
  %build(<{rn}> %first <{rn}> %last <{i64}> %i <{i64}> %x):
    %n = NEW <{Node}>
    %ni = GETIREF <{Node}> %n
    %nv = GETFIELDIREF <{Node} {val}> %ni
    STORE <{i64}> %nv %x
    %nn = GETFIELDIREF <{Node} {next}> %ni
    STORE <{rn}> %nn %last
    %nw = GETFIELDIREF <{Node} {weak}> %ni
    STORE <{wn}> %nw %last
    %nt = GETFIELDIREF <{Node} {tag}> %ni
    %rv = REFCAST <{rn} {rv}> %last
    %t6 = TRUNC <{i64} {i6}> %i
    %tr = COMMINST @uvm.tr64.from_ref (%rv %t6)
    STORE <{tagref}> %nt %tr
    %slot = AND <{i64}> %i {7}
    %ti = GETELEMIREF <{Table} {i64}> {tab} %slot
    STORE <{rn}> %ti %n
    %junk = NEW <{Junk}>
    %x3 = MUL <{i64}> %x {5}
    %x4 = ADD <{i64}> %x3 %i
    %i2 = ADD <{i64}> %i {1}
    %c = ULT <{i64}> %i2 {N}
    BRANCH2 %c %build(%first %n %i2 %x4) %close(%first %n)
  %close(<{rn}> %first <{rn}> %last):
    %fi = GETIREF <{Node}> %first
    %fn = GETFIELDIREF <{Node} {next}> %fi
    STORE <{rn}> %fn %last
    BRANCH %churn(%first {0})
  %churn(<{rn}> %first <{i64}> %k):
    %j = NEW <{Junk}>
    %ji = GETIREF <{Junk}> %j
    %jm = UREM <{i64}> %k {jlen}
    %je = GETELEMIREF <{Junk} {i64}> %ji %jm
    STORE <{i64}> %je %k
    %k2 = ADD <{i64}> %k {1}
    %c = ULT <{i64}> %k2 {C}
    BRANCH2 %c %churn(%first %k2) %walk(%first %first {0} {0})
  %walk(<{rn}> %first <{rn}> %at <{i64}> %i <{i64}> %s):
    %ai = GETIREF <{Node}> %at
    %av = GETFIELDIREF <{Node} {val}> %ai
    %v = LOAD <{i64}> %av
    %an = GETFIELDIREF <{Node} {next}> %ai
    %next = LOAD <{rn}> %an
    %aw = GETFIELDIREF <{Node} {weak}> %ai
    %w = LOAD <{wn}> %aw
    %same = EQ <{rn}> %w %next
    %same64 = ZEXT <{i1} {i64}> %same
    %at6 = GETFIELDIREF <{Node} {tag}> %ai
    %tr = LOAD <{tagref}> %at6
    %isref = COMMINST @uvm.tr64.is_ref (%tr)
    BRANCH2 %isref %tagged(%first %next %i %s %v %same64 %tr) %plain(%first %next %i %s %v %same64)
  %tagged(<{rn}> %first <{rn}> %next <{i64}> %i <{i64}> %s <{i64}> %v <{i64}> %same <{tagref}> %tr):
    %r = COMMINST @uvm.tr64.to_ref (%tr)
    %rn = REFCAST <{rv} {rn}> %r
    %ri = GETIREF <{Node}> %rn
    %rf = GETFIELDIREF <{Node} {val}> %ri
    %rx = LOAD <{i64}> %rf
    %g = COMMINST @uvm.tr64.to_tag (%tr)
    %g64 = ZEXT <{i6} {i64}> %g
    %v2 = ADD <{i64}> %v %g64
    %v3 = XOR <{i64}> %v2 %rx
    BRANCH %plain(%first %next %i %s %v3 %same)
  %plain(<{rn}> %first <{rn}> %next <{i64}> %i <{i64}> %s <{i64}> %v <{i64}> %same):
    %s2 = MUL <{i64}> %s {31}
    %s3 = ADD <{i64}> %s2 %v
    %s4 = ADD <{i64}> %s3 %same
    %i2 = ADD <{i64}> %i {1}
    %c = ULT <{i64}> %i2 {W}
    BRANCH2 %c %walk(%first %next %i2 %s4) %held({0} %s4)
  %held(<{i64}> %i <{i64}> %s):
    %ti = GETELEMIREF <{Table} {i64}> {tab} %i
    %r = LOAD <{rn}> %ti
    %null = EQ <{rn}> %r {null}
    BRANCH2 %null %skip(%i %s) %look(%i %s %r)
  %look(<{i64}> %i <{i64}> %s <{rn}> %r):
    %ri = GETIREF <{Node}> %r
    %rf = GETFIELDIREF <{Node} {val}> %ri
    %v = LOAD <{i64}> %rf
    %s2 = XOR <{i64}> %s %v
    BRANCH %skip(%i %s2)
  %skip(<{i64}> %i <{i64}> %s):
    %i2 = ADD <{i64}> %i {1}
    %c = ULT <{i64}> %i2 {8}
    BRANCH2 %c %held(%i2 %s) %out(%s)
  %out(<{i64}> %s):
    RET %s
}
`, map[string]string{
		"name": g.prefix + "graph", "sig": g.oneSig().name, "tab": g.prefix + "tab", "Table": table.name, "Node": node.name,
		"Junk": junk.name, "rn": rn.name, "wn": wn.name, "i64": i64.name, "i1": i1.name, "i6": g.int(6).name,
		"rv": g.ref(g.void()).name, "tagref": g.tag().name, "null": g.named(rn, "NULL"),
		"val": fmt.Sprint(at[0]), "next": fmt.Sprint(at[1]), "weak": fmt.Sprint(at[2]), "tag": fmt.Sprint(at[4]),
		"0": g.num(i64, 0), "1": g.num(i64, 1), "5": g.num(i64, 5), "7": g.num(i64, 7), "8": g.num(i64, 8), "31": g.num(i64, 31),
		"N": g.num(i64, int64(n)), "W": g.num(i64, int64(n+g.r.Intn(n))), "C": g.num(i64, int64(1+g.r.Intn(60))),
		"jlen": g.num(i64, int64(junk.n)),
	})
}

// oneSig is the signature of the functions made here.
func (g *gen) oneSig() *sig { return g.sigOf([]*typ{g.int(64)}, []*typ{g.int(64)}) }

// deep writes two functions that call each other to a depth of a thousand, with
// work before and after the call, and an object that lives across it.
func (g *gen) deep() {
	i1, i32, i64 := g.int(1), g.int(32), g.int(64)
	box := g.ref(i64)
	s := g.sigOf([]*typ{i32, i64, box}, []*typ{i64})
	n := [2]string{g.prefix + "deepA", g.prefix + "deepB"}
	ops := func() []string {
		var l []string
		for range 3 {
			l = append(l, g.one([]string{"ADD", "SUB", "MUL", "XOR", "OR", "AND"}))
		}
		return l
	}
	throws := g.has[grExc] > 0 && g.r.Intn(2) == 0
	for i := range 2 {
		o := ops()
		bottom := "RET %x"
		if throws && i == 0 {
			bottom = fmt.Sprintf("%%r = CALL <%s> %s (%s %%x)\n    RET %%r", g.raiseSig.name, g.raise, g.num(i32, 0))
		}
		cell := "%c = ALLOCA <{i64}>"
		if g.r.Intn(2) == 0 {
			cell = "%o = NEW <{i64}>\n    %c = GETIREF <{i64}> %o"
		}
		g.template(strings.ReplaceAll(`.funcdef {name} VERSION %v1 <{sig}> {
  %entry(<{i32}> %n <{i64}> %x <{box}> %b):
    %z = SLE <{i32}> %n {n0}
    BRANCH2 %z %bottom(%x) %down(%n %x %b)
  %bottom(<{i64}> %x):
    {bottom}
  %down(<{i32}> %n <{i64}> %x <{box}> %b):
    {cell}
    %y = {op1} <{i64}> %x {k}
    STORE <{i64}> %c %y
    %m = SUB <{i32}> %n {n1}
    %r = CALL <{sig}> {other} (%m %y %b) KEEPALIVE(%b)
    %w = LOAD <{i64}> %c
    %bi = GETIREF <{i64}> %b
    %bv = LOAD <{i64}> %bi
    %s = {op2} <{i64}> %r %w
    %t = {op3} <{i64}> %s %bv
    STORE <{i64}> %bi %t
    RET %t
}
`, "{cell}", cell), map[string]string{
			"name": n[i], "other": n[1-i], "sig": s.name, "i1": i1.name, "i32": i32.name, "i64": i64.name, "box": box.name,
			"bottom": bottom, "op1": o[0], "op2": o[1], "op3": o[2], "k": g.konst(i64), "n0": g.num(i32, 0), "n1": g.num(i32, 1),
		})
	}
	g.template(`.funcdef {name} VERSION %v1 <{one}> {
  %entry(<{i64}> %x):
    %b = NEW <{i64}>
    %r = CALL <{sig}> {deep} ({depth} %x %b) EXC(%ok(%r) %bad(%b))
  %ok(<{i64}> %r):
    RET %r
  %bad(<{box}> %b) [%e]:
    %bi = GETIREF <{i64}> %b
    %v = LOAD <{i64}> %bi
    RET %v
}
`, map[string]string{"name": g.prefix + "deep", "one": g.oneSig().name, "sig": s.name, "deep": n[g.r.Intn(2)], "i64": i64.name,
		"box": box.name, "depth": g.num(i32, int64(20+g.r.Intn(g.depth)))})
	g.graphs = append(g.graphs, g.prefix+"deep")
}

// raiser writes the function that throws an object from some frames deeper.
func (g *gen) raiser() {
	i1, i32, i64 := g.int(1), g.int(32), g.int(64)
	g.template(`.funcdef {name} VERSION %v1 <{sig}> {
  %entry(<{i32}> %n <{i64}> %x):
    %z = SLE <{i32}> %n {n0}
    BRANCH2 %z %throw(%x) %down(%n %x)
  %throw(<{i64}> %x):
    %odd = TRUNC <{i64} {i1}> %x
    BRANCH2 %odd %object(%x) %null()
  %null():
    THROW {null}
  %object(<{i64}> %x):
    %e = NEW <{Exc}>
    %i = GETIREF <{Exc}> %e
    %p = GETFIELDIREF <{Exc} 0> %i
    STORE <{i64}> %p %x
    THROW %e
  %down(<{i32}> %n <{i64}> %x):
    %m = SUB <{i32}> %n {n1}
    %o = NEW <{i64}>
    %y = MUL <{i64}> %x {n3}
    %r = CALL <{sig}> {name} (%m %y)
    %oi = GETIREF <{i64}> %o
    %ov = LOAD <{i64}> %oi
    %s = ADD <{i64}> %r %ov
    RET %s
}
`, map[string]string{"name": g.raise, "sig": g.raiseSig.name, "i1": i1.name, "i32": i32.name, "i64": i64.name, "Exc": g.exc.name,
		"null": g.named(g.ref(g.exc), "NULL"), "n0": g.num(i32, 0), "n1": g.num(i32, 1), "n3": g.num(i64, 3)})
}
