package play

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// runVariable is the variable with the request that this executable runs instead of the tests.
const runVariable = "PLAY_RUN"

func TestMain(m *testing.M) {
	if text := os.Getenv(runVariable); text != "" {
		os.Exit(Run([]byte(text)))
	}
	os.Exit(m.Run())
}

// sum has a program and a function with a loop.
const sum = `.typedef @i64 = int<64>
.const @0 <@i64> = 0
.const @1 <@i64> = 1
.const @4 <@i64> = 4
.funcsig @one = (@i64) -> (@i64)
.funcsig @none = () -> ()
.funcdef @sum VERSION %v <@one> {
    %e(<@i64> %n):
        BRANCH %loop(%n @0)
    %loop(<@i64> %n <@i64> %s):
        %done = EQ <@i64> %n @0
        BRANCH2 %done %out(%s) %next(%n %s)
    %next(<@i64> %n <@i64> %s):
        %t = ADD <@i64> %s %n
        %m = SUB <@i64> %n @1
        BRANCH %loop(%m %t)
    %out(<@i64> %s):
        RET %s
}
`

const main = `.funcdef @main VERSION %v <@none> {
    %e():
        %s = CALL <@one> @sum (@4)
        [@main.sum] TRAP <> KEEPALIVE(%s)
        RET ()
}
`

// ask returns the answer to a question about a request.
func ask(t *testing.T, question string, r *Request) *Answer {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	a := new(Answer)
	if err := json.Unmarshal(Respond(question, text), a); err != nil {
		t.Fatal(err)
	}
	return a
}

func request(level int, files ...string) *Request {
	r := &Request{Level: level}
	for i := 0; i < len(files); i += 2 {
		r.Files = append(r.Files, File{files[i], files[i+1]})
	}
	return r
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // of the first diagnostic
	}{
		{"a.uir", sum + main, ""},
		{"a.uir", ".typedef @a = int<64>\n.typedef @a = int<32>\n", `{"file":"a.uir","line":2,"column":10,"severity":"error","message":"@a redefined","related":[{"file":"a.uir","line":1,"column":10,"message":"previous definition"}]}`},
		{"b.ial", "function int32 main ()\n{\n    block entry\n    {\n        jump (nowhere);\n    }\n}\n", `"line":5`},
		{"c.tvm", "%a = #l4\n%b = %c;\n", `"line":`},
	} {
		a := ask(t, "check", request(1, c.name, c.text))
		switch {
		case c.want == "" && (len(a.Diagnostics) > 0 || a.Error != ""):
			t.Errorf("%s: %s %s", c.name, a.Diagnostics, a.Error)
		case c.want != "" && (len(a.Diagnostics) == 0 || !strings.Contains(string(a.Diagnostics[0]), c.want) || !strings.Contains(string(a.Diagnostics[0]), `"file":"`+c.name)):
			t.Errorf("%s: %s, want %s", c.name, a.Diagnostics, c.want)
		}
	}
}

// TestMore checks that the answer has the number of errors that are not shown.
func TestMore(t *testing.T) {
	a := ask(t, "check", request(1, "a.uir", strings.Repeat(".typedef @a = int<64>\n", 15)))
	if len(a.Diagnostics) != 10 || a.More != 4 {
		t.Errorf("%d diagnostics and %d more, want 10 and 4", len(a.Diagnostics), a.More)
	}
}

func TestPasses(t *testing.T) {
	a := ask(t, "passes", request(1, "a.uir", sum+main))
	if a.Error != "" || len(a.Functions) != 2 || a.Functions[0].Name != "@sum.v" {
		t.Fatalf("%s, functions %+v", a.Error, a.Functions)
	}
	steps := a.Functions[1].Steps // of @main, into which @sum is copied
	if steps[0].Title != "as read" || !strings.Contains(steps[0].Text, "call") || len(steps[0].Fresh) != 0 {
		t.Errorf("the first step is %+v", steps[0])
	}
	found := false
	for i, s := range steps[1:] {
		if s.Text == steps[i].Text {
			t.Errorf("%s changed nothing", s.Title)
		}
		if strings.HasPrefix(s.Title, "after inline") {
			found = true
			lines := strings.Split(s.Text, "\n")
			if strings.Contains(s.Text, "call") || len(s.Fresh) == 0 || strings.Contains(steps[i].Text, lines[s.Fresh[0]]+"\n") {
				t.Errorf("%s: new lines %v of\n%s", s.Title, s.Fresh, s.Text)
			}
		}
	}
	if !found {
		t.Errorf("no step is after inline: %+v", steps)
	}
	if a := ask(t, "passes", request(0, "a.uir", sum)); len(a.Functions) != 1 || len(a.Functions[0].Steps) != 1 {
		t.Errorf("at -O0: %+v", a.Functions)
	}
}

func TestGo(t *testing.T) {
	for _, c := range []struct{ text, want string }{{sum + main, "package main\n"}, {sum, "package bundle\n"}} {
		a := ask(t, "go", request(1, "a.uir", c.text))
		if !strings.Contains(a.Go, c.want) || !strings.Contains(a.Go, "func ") || a.Error != "" {
			t.Errorf("want %s: %s %s", c.want, a.Error, a.Go)
		}
	}
	if a := ask(t, "go", request(1, "a.uir", "nonsense")); a.Go != "" || len(a.Diagnostics) == 0 {
		t.Errorf("nonsense: %+v", a)
	}
}

func TestRespond(t *testing.T) {
	for question, text := range map[string]string{"dance": "{}", "check": "{"} {
		var a Answer
		if err := json.Unmarshal(Respond(question, []byte(text)), &a); err != nil || a.Error == "" {
			t.Errorf("%s %s: %+v, %v", question, text, a, err)
		}
	}
	questions["fault"] = func(*Request) *Answer { panic("oh") }
	defer delete(questions, "fault")
	if a := ask(t, "fault", &Request{}); a.Error != "internal error: oh" {
		t.Errorf("a panic is %q", a.Error)
	}
}

func TestRun(t *testing.T) {
	div := ".funcdef @div VERSION %v <@one> {\n    %e(<@i64> %n):\n        %q = SDIV <@i64> @1 %n\n        RET %q\n}\n"
	for _, c := range []struct {
		about          string
		request        Request
		stdout, stderr string // stderr: its beginning
		status         int
	}{
		{"a program", *request(1, "a.uir", sum+main), "trap main.sum s=10\n", "", 0},
		{"without passes", *request(0, "a.uir", sum+main), "trap main.sum s=10\n", "", 0},
		{"two bundles", *request(1, "a.uir", sum, "b.uir", main), "trap main.sum s=10\n", "", 0},
		{"a script", *request(1, "a.uir", sum+".global @cell <@i64>\n.funcsig @get = () -> (@i64)\n.funcdef @get.it VERSION %v <@get> {\n  %e(): %x = LOAD <@i64> @cell RET %x }\n", "b.hail", ".init @cell = 77\n").calling("@get.it", ""), "77\n", "", 0},
		{"a call", *request(1, "a.uir", sum).calling("@sum", "100"), "5050\n", "", 0},
		{"no literal", *request(1, "a.uir", sum).calling("@sum", "x"), "", "call: ", 1},
		{"no entry", *request(1, "a.uir", sum), "", "entry: no entry point", 1},
		{"errors", *request(1, "a.uir", "nonsense"), "", "a.uir:1:1: ", 1},
		{"a run-time error", *request(1, "a.uir", sum+div).calling("@div", "0"), "", "uvm: run-time error: DIV_BY_ZERO at @div.v.e+0 (a.uir:22)", 4},
		{"traps abort", Request{Level: 1, Trap: "abort", Files: []File{{"a.uir", sum + main}}}, "", "uvm: run-time error: UNHANDLED_TRAP", 4},
		{"C", *request(1, "a.uir", ".typedef @i64 = int<64>\n.funcsig @none = () -> ()\n.typedef @f = ufuncptr<@none>\n.const @c <@f> = EXTERN \"no_such_function\"\n.funcdef @main VERSION %v <@none> {\n %e(): CCALL #DEFAULT <@f @none> @c ()\n RET () }\n"), "", "a.uir:4:8: no_such_function is a function of C", 1},
	} {
		text, err := json.Marshal(&c.request)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), runVariable+"="+string(text))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if out.String() != c.stdout || !strings.HasPrefix(errs.String(), c.stderr) || c.stderr == "" && errs.Len() > 0 || cmd.ProcessState.ExitCode() != c.status {
			t.Errorf("%s: status %d\n%s%s", c.about, cmd.ProcessState.ExitCode(), &out, &errs)
		}
	}
}

// calling changes the request to call a function.
func (r *Request) calling(name, args string) *Request {
	r.Call, r.Args = name, args
	return r
}
