package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// loops is a bundle that several runs of several passes change.
const loops = `
.typedef @i64 = int<64>  .typedef @i1 = int<1>
.const @0 <@i64> = 0  .const @1 <@i64> = 1  .const @8 <@i64> = 8
.funcsig @one = (@i64) -> (@i64)
.funcdef @half VERSION %v <@one> {
  %e(<@i64> %x): %c = ADD <@i64> %x @0  %r = SDIV <@i64> %c @8  RET %r
}
.funcdef @sum VERSION %v <@one> {
  %e(<@i64> %n): BRANCH %loop(%n @0 @0)
  %loop(<@i64> %n <@i64> %i <@i64> %s):
    %more = SLT <@i64> %i %n
    BRANCH2 %more %go(%n %i %s) %done(%s)
  %go(<@i64> %n <@i64> %i <@i64> %s):
    %h = CALL <@one> @half (%i)
    %k = MUL <@i64> @8 @8
    %t = ADD <@i64> %h %k
    %s2 = ADD <@i64> %s %t
    %i2 = ADD <@i64> %i @1
    BRANCH %loop(%n %i2 %s2)
  %done(<@i64> %s): RET %s
}
`

// A column is a column of a page.
type column struct{ title, text string }

var (
	pageColumn = regexp.MustCompile(`(?s)<details open><summary>(.*?)</summary>\n<pre>(.*?)</pre>`)
	marks      = strings.NewReplacer("<mark>", "", "</mark>", "")
)

// TestHistory compares the columns of a page, one after the other, with the result of each run of a pass,
// and with what -after shows for that run.
func TestHistory(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("loops.uir", []byte(loops), 0o666); err != nil {
		t.Fatal(err)
	}
	page, _ := inProcess(t, statusOK, "dump", "-html", "-func", "@sum", "loops.uir")
	var got []column
	for _, m := range pageColumn.FindAllStringSubmatch(page, -1) {
		if m[1] != "bundle" && m[1] != "Go" {
			got = append(got, column{m[1], html.UnescapeString(marks.Replace(m[2]))})
		}
	}
	want, repeated := changesOf(t, "@sum.v")
	if len(got) != len(want) {
		t.Fatalf("%d columns, want %d: %v", len(got), len(want), titles(got))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("column %d is %q\n%s\nwant %q\n%s", i, got[i].title, got[i].text, want[i].title, want[i].text)
		}
	}
	if !repeated {
		t.Errorf("no pass changed the function twice: the test shows nothing: %v", titles(want))
	}
	number := regexp.MustCompile(`^after (\w+)(?:, run (\d+) of \d+)?$`)
	for _, c := range want[1:] {
		m := number.FindStringSubmatch(c.title)
		if m == nil {
			t.Fatalf("title %q", c.title)
		}
		arg := m[1]
		if m[2] != "" {
			arg += ":" + m[2]
		}
		if text, _ := inProcess(t, statusOK, "dump", "-after", arg, "-func", "@sum", "loops.uir"); text != "// @sum.v "+c.title+"\n"+c.text {
			t.Errorf("-after %s shows\n%s\nwant\n%s", arg, text, c.text)
		}
	}
}

func titles(list []column) (names []string) {
	for _, c := range list {
		names = append(names, c.title)
	}
	return names
}

// changesOf returns the states of a version after each change, with titles; repeated tells whether a pass changed it twice.
func changesOf(t *testing.T, name string) (list []column, repeated bool) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "loops.uir", Text: []byte(loops)}}, transpile.Options{Optimize: 1, Package: "p"})
	if p == nil {
		t.Fatal(diags.All())
	}
	show := func(v *ir.Version) string {
		var b bytes.Buffer
		if err := ir.PrintVersion(&b, p.IR, v); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	var v *ir.Version
	for _, f := range p.IR.Funcs {
		if c := f.Current(); c != nil && c.Name == name {
			v = c
		}
	}
	list = []column{{"as read", show(v)}}
	runs, changes := map[string]int{}, map[string]int{}
	type at struct {
		pass string
		run  int
	}
	var places []at
	err := p.Optimized(func(pass string, body *ir.Version) {
		if body.Func != v.Func {
			return
		}
		runs[pass]++
		if s := show(body); s != list[len(list)-1].text {
			changes[pass]++
			places = append(places, at{pass, runs[pass]})
			list = append(list, column{"", s})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range places {
		list[i+1].title = "after " + x.pass
		if runs[x.pass] > 1 {
			list[i+1].title = fmt.Sprintf("after %s, run %d of %d", x.pass, x.run, runs[x.pass])
		}
		repeated = repeated || changes[x.pass] > 1
	}
	return list, repeated
}

// inProcess runs the command in this process, in the working folder, and returns what it prints.
func inProcess(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := Main(args, strings.NewReader(""), &out, &errs); got != status {
		t.Fatalf("uvm2go %s: status %d, want %d\n%s", strings.Join(args, " "), got, status, &errs)
	}
	return out.String(), errs.String()
}

// TestDumpAfter checks the messages of -after about runs that do not exist, and its pictures.
func TestDumpAfter(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "loops.uir")
	if err := os.WriteFile(file, []byte(loops), 0o666); err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	p, _ := transpile.Load([]transpile.Source{{Name: "loops.uir", Text: []byte(loops)}}, transpile.Options{Optimize: 1, Package: "p"})
	err := p.Optimized(func(pass string, body *ir.Version) {
		if body.Name == "@sum.v" {
			runs[pass]++
		}
	})
	if err != nil || runs["number"] < 2 || runs["fill"] != 1 {
		t.Fatalf("runs %v, error %v", runs, err)
	}
	n := runs["number"]
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-after", "number"}, statusOK, fmt.Sprintf("// @sum.v after number, run %d of %d\n", n, n)},
		{[]string{"-after", "number:2"}, statusOK, fmt.Sprintf("// @sum.v after number, run 2 of %d\n", n)},
		{[]string{"-after", "fill"}, statusOK, "// @sum.v after fill\n"},
		{[]string{"-O0", "-after", "fill"}, statusOK, "// @sum.v without a run of fill\n"},
		{[]string{"-disable", "fill", "-after", "fill"}, statusOK, "// @sum.v without a run of fill\n"},
		{[]string{"-dot", "-after", "number:1"}, statusOK, fmt.Sprintf("label=\"@sum.v after number, run 1 of %d\"", n)},
		{[]string{"-cfg", "-after", "number:1"}, statusOK, fmt.Sprintf("@sum.v after number, run 1 of %d", n)},
		{[]string{"-after", fmt.Sprintf("number:%d", n+1)}, statusUsage, fmt.Sprintf("pass number has no run %d: it runs %d times on @sum.v", n+1, n)},
		{[]string{"-after", "number:0"}, statusUsage, "counted from 1"},
		{[]string{"-after", "number:x"}, statusUsage, "counted from 1"},
		{[]string{"-after", "numbers:1"}, statusUsage, `unknown pass "numbers"`},
	} {
		args := append(append([]string{"dump", "-func", "@sum"}, tt.args...), file)
		out, errs := inProcess(t, tt.status, args...)
		if got := out + errs; !strings.Contains(got, tt.want) {
			t.Errorf("%v: got\n%s\nwant %s", tt.args, got, tt.want)
		}
	}
}
