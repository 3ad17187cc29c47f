package uvm2014_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// ruleHead is put before the cases in testdata/rules.txt.
const ruleHead = `.typedef @i = int<64>
.typedef @i32 = int<32>
.typedef @d = double
.typedef @s = struct<@i @d>
.typedef @h = hybrid<@i @i32>
.typedef @a = array<@i 4>
.funcsig @v = void ()
.funcsig @f1 = @i (@i)
.global @g <@i>
.global @gw <weakref<@i>>
.const @c5 <@i> = 5
.funcdecl @ext <@f1>
`

// TestRules checks the rules of the dialect, with one line each in testdata/rules.txt: E breaks
// one rule and gives one error, W gives one warning, which is an error if strict, WW gives two,
// and ok gives no message. {...} is the body of a function @f <@i (@i)> (%x). Every message of the reader has a rule
// here or in testdata/oldrows.txt.
//
// A text that is accepted is also accepted in binary form, and converts there and back, except
// for forms that have no binary form.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	var said strings.Builder
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		want, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, code, ok := strings.Cut(strings.TrimSpace(rest), ": ")
		if !ok {
			t.Fatalf("bad line %s", line)
		}
		if code[0] == '{' {
			code = ".funcdef @f <@i (@i)> (%x) " + code
		}
		cases++
		t.Run(name, func(t *testing.T) { said.WriteString(rule(t, want, ruleHead+code)) })
	}
	for _, r := range oldRows(t) {
		_, msgs := load(false, r.code)
		said.WriteString(msgs)
	}
	if cases < 400 {
		t.Errorf("%d rules", cases)
	}
	for where, format := range reports(t) {
		if !format.MatchString(said.String()) {
			t.Errorf("%s: no rule gives %s", where, format)
		}
	}
}

// reports are the messages of the reader about rules, as patterns, by their position in its source.
func reports(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	elsewhere := []string{
		"internal error",
		"takes more than 2^30 bytes", "take more than 2^30 bytes", "invalid type: %s", // TestErrors
		"another later bundle",         // needs several
		"known from an earlier bundle", // TestSeveralBundles
		"it is empty",                  // TestBinaryBodyErrors: text has no empty blocks
	}
	verb := regexp.MustCompile(`%[a-z+]`)
	m := map[string]*regexp.Regexp{}
	for _, name := range []string{"body", "call", "consts", "entity", "inst", "result", "types", "value"} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name+".go", nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			of := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				of = fun.Name
			case *ast.SelectorExpr:
				of = fun.Sel.Name
			}
			if of != "errorf" && of != "deviate" && of != "fault" {
				return true
			}
			for _, a := range call.Args[1:] {
				lit, ok := a.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING || !strings.Contains(lit.Value, " ") {
					continue
				}
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if of == "deviate" && a == call.Args[1] || slices.ContainsFunc(elsewhere, func(s string) bool { return strings.Contains(text, s) }) {
					continue // the kind of a deviation
				}
				m[fset.Position(lit.Pos()).String()] = regexp.MustCompile(verb.ReplaceAllString(regexp.QuoteMeta(text), ".*"))
			}
			return true
		})
	}
	if len(m) < 80 {
		t.Fatalf("%d messages", len(m))
	}
	return m
}

// rule checks one line, and returns the messages about it.
func rule(t *testing.T, want, code string) string {
	p, msgs := load(false, code)
	lines := strings.Count("\n"+msgs, "\na.uir:")
	warnings := strings.Count(msgs, ": warning: ")
	if want == "E" {
		if p != nil || lines-warnings != 1 {
			t.Errorf("want one error:\n%s", msgs)
		}
		return msgs
	}
	if p == nil || warnings != strings.Count(want, "W") {
		t.Fatalf("want %d warnings:\n%s", strings.Count(want, "W"), msgs)
	}
	if q, msgs := load(true, code); (q == nil) != (warnings > 0) || strings.Contains(msgs, "warning") {
		t.Errorf("strict:\n%s", msgs)
	}
	out, diags := uvm2014.Dialect.Form("uirb").Convert(dialect.Source{Name: "a", Text: []byte(code)}, dialect.Options{})
	if diags.HasErrors() {
		if want == "ok" || !strings.Contains(printed(diags), "binary form") && !strings.Contains(printed(diags), "has no ID") {
			t.Errorf("to binary: %s", printed(diags))
		}
		return msgs
	}
	q, said := load(false, string(out))
	if q == nil {
		t.Errorf("in binary: %s", said)
	} else if f, ok := p.Find("@f").(*ir.Function); ok && f.ID != q.Find("@f").(*ir.Function).ID {
		t.Errorf("@f has ID %d, in binary %d", f.ID, q.Find("@f").(*ir.Function).ID)
	}
	roundTrip(t, []byte(code))
	return msgs
}

// TestOperandTypes checks that each arithmetic operation, comparison and conversion accepts
// the types in its row here, and no others.
func TestOperandTypes(t *testing.T) {
	literal := map[string]string{"int<32>": "1", "@i": "1", "float": "1.0", "@d": "1.0", "ref<@i>": "NULL", "iref<@i>": "NULL", "func<@v>": "NULL", "thread": "NULL", "stack": "NULL",
		"@s": "{1 2.0}", "int<64>": "1"}
	types := []string{"int<32>", "@i", "float", "@d", "ref<@i>", "iref<@i>", "func<@v>", "thread", "stack", "@s"}
	group := map[string]string{"int<32>": "int", "@i": "int", "int<64>": "int", "float": "fp", "@d": "fp", "ref<@i>": "ref", "iref<@i>": "iref", "func<@v>": "func"}
	for ops, ok := range map[string]func(t string) bool{
		"ADD SUB MUL SDIV SREM UDIV UREM SHL LSHR ASHR AND OR XOR SGE SGT SLE SLT UGE UGT ULE ULT":                    func(t string) bool { return group[t] == "int" },
		"FADD FSUB FMUL FDIV FREM FFALSE FTRUE FORD FOEQ FONE FOGT FOGE FOLT FOLE FUNO FUEQ FUNE FUGT FUGE FULT FULE": func(t string) bool { return group[t] == "fp" },
		"EQ NE": func(t string) bool { return group[t] != "fp" && t != "@s" },
	} {
		for op := range strings.FieldsSeq(ops) {
			for _, typ := range types {
				want := "E"
				if ok(typ) {
					want = "ok"
				}
				rule(t, want, fmt.Sprintf("%s.funcdef @f <@v> () { %%a = %s <%s> %s %s RETVOID }", ruleHead, op, typ, literal[typ], literal[typ]))
			}
		}
	}
	from := append(types, "int<64>")
	conversion := func(op, from, to string) string {
		a, b, ok := group[from], group[to], false
		wide := func(t string) bool { return t == "@i" || t == "int<64>" || t == "@d" }
		switch op {
		case "TRUNC", "ZEXT", "SEXT":
			if ok = a == "int" && b == "int" && (wide(from) == wide(to) || wide(from) == (op == "TRUNC")); ok && wide(from) == wide(to) {
				return "W"
			}
		case "FPTRUNC":
			ok = from == "@d" && to == "float"
		case "FPEXT":
			ok = from == "float" && to == "@d"
		case "FPTOUI", "FPTOSI":
			ok = a == "fp" && b == "int"
		case "UITOFP", "SITOFP":
			ok = a == "int" && b == "fp"
		case "BITCAST":
			ok = (a == "int" && b == "fp" || a == "fp" && b == "int") && wide(from) == wide(to)
		default:
			ok = a == b && strings.TrimSuffix(op, "CAST") == strings.ToUpper(a)
		}
		if ok {
			return "ok"
		}
		return "E"
	}
	for op := range strings.FieldsSeq("TRUNC ZEXT SEXT FPTRUNC FPEXT FPTOUI FPTOSI UITOFP SITOFP BITCAST REFCAST IREFCAST FUNCCAST") {
		var body strings.Builder
		for _, a := range from {
			for _, b := range from {
				inst := fmt.Sprintf("%%a%d = %s <%s %s> %s ", body.Len(), op, a, b, literal[a])
				code := ruleHead + ".funcdef @f <@v> () { " + inst + "RETVOID }"
				switch conversion(op, a, b) {
				case "ok": // all in one
					body.WriteString(inst)
				case "W":
					rule(t, "W", code)
				default: // an error for each of the two types
					if p, _ := load(false, code); p != nil {
						t.Errorf("%s: no error", inst)
					}
				}
			}
		}
		rule(t, "ok", ruleHead+".funcdef @f <@v> () { "+body.String()+"RETVOID }")
	}
}

func printed(diags *diag.List) string {
	var b strings.Builder
	diags.Print(&b)
	return b.String()
}
