package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// texts are programs of two files in dialects with files that are modules, and of one in others.
var texts = []string{
	"lib.ial", "type Pair {\n    field int x;\n}\n\nfunction int twice(int) {\n    register int a;\n    block entry {\n        a = arg.pop;\n        a = ari.add a, a;\n        return a;\n    }\n}\n",
	"use.ial", "function int f(lib/Pair&) {\n    register int a;\n    register lib/Pair& p;\n    block entry {\n        p = arg.pop;\n        a = field.get p (lib/Pair:x);\n        arg.push a;\n        a = call (lib/twice);\n        return a;\n    }\n}\n",
	"lib.tvm", "%twice = export function (%n : i32) > i32 {\n  return (add %n %n);\n};\n%own = i64;\n",
	"use.tvm", "%twice = import function (i32) > i32;\n%own = i32;\n%f = export function (%n : %own) > i32 {\n  %r = call %twice %n;\n  return %r;\n};\n",
	"old.uir", ".funcsig @sig = int<64> (int<64>)\n.funcdef @f <@sig> (%n) {\n    %entry:\n        %r = ADD <int<64>> %n %n\n        BRANCH %done\n    %done:\n        RET <int<64>> %r\n}\n",
	"p.ir", "func @f: (int<64>) -> (int<64>)\nversion @f.v of @f {\n^entry(%n: int<64>):\n  %r: int<64> = add <int<64>> %n %n\n  branch ^done()\n^done():\n  ret %r\n}\n",
}

// TestNamesOfDialects: definitions, uses and new names in the dialects other than Mu.
func TestNamesOfDialects(t *testing.T) {
	c := start(t, options{}, texts...)
	for i := 0; i < len(texts); i += 2 {
		check(t, "errors of "+texts[i], show(c.open(texts[i])), "")
	}
	for _, tt := range []struct {
		file, text string
		after      int
		def, refs  string
		name, want string
	}{
		{"use.ial", "lib/twice", 5, "lib.ial:4:13-18", "use.ial:7:22-27", "double", "lib.ial:4:13-18=double use.ial:7:22-27=double"},
		{"use.ial", ":x", 1, "lib.ial:1:14-15", "use.ial:5:34-35", "in", "lib.ial:1:14-15=in use.ial:5:34-35=in"},
		{"use.ial", "Pair&", 0, "lib.ial:0:5-9", "use.ial:0:19-23 use.ial:2:17-21 use.ial:5:29-33", "int", "lib.ial:0:5-9='int' use.ial:0:19-23='int' use.ial:2:17-21='int' use.ial:5:29-33='int'"},
		{"use.ial", "p = arg", 0, "use.ial:2:23-24", "use.ial:4:8-9 use.ial:5:22-23", "a", "a is already a value"},
		{"use.tvm", "call %twice", 5, "lib.tvm:0:0-6", "use.tvm:3:12-18", "%double", "lib.tvm:0:0-6=%double use.tvm:0:0-6=%double use.tvm:3:12-18=%double"},
		{"use.tvm", "%own", 0, "use.tvm:1:0-4", "use.tvm:2:27-31", "mine", "use.tvm:1:0-4=%mine use.tvm:2:27-31=%mine"},
		{"old.uir", "%done", 0, "old.uir:5:4-9", "old.uir:4:15-20", "end", "old.uir:4:15-20=%end old.uir:5:4-9=%end"},
		{"p.ir", "^done", 0, "p.ir:5:0-5", "p.ir:4:9-14", "end", "p.ir:4:9-14=^end p.ir:5:0-5=^end"},
	} {
		at := c.place(tt.file, tt.text, 1, tt.after)
		var defs, refs []location
		c.call("textDocument/definition", at, &defs)
		c.call("textDocument/references", at, &refs)
		check(t, fmt.Sprint("definition of ", tt.file, tt.text), show(defs), tt.def)
		check(t, fmt.Sprint("uses of ", tt.file, tt.text), show(refs), tt.refs)
		var e workspaceEdit
		got := ""
		if err := c.try("textDocument/rename", and(at, "newName", tt.name), &e); err != nil {
			_, got, _ = strings.Cut(err.Error(), "message: ")
		} else {
			got = edited(&e)
		}
		check(t, fmt.Sprint(tt.file, tt.text, " to ", tt.name), got, tt.want)
	}
}

// TestShowOfDialects: the representation of a function is found by the name that the text has.
func TestShowOfDialects(t *testing.T) {
	c := start(t, options{}, texts...)
	for i := 0; i < len(texts); i += 2 {
		c.open(texts[i])
		var lenses []codeLens
		c.call("textDocument/codeLens", c.place(texts[i], "", 1, 0), &lenses)
		n := 0
		for _, l := range lenses {
			if l.Command.Command == showIR {
				n++
				var s shown
				c.call("workspace/executeCommand", map[string]any{"command": showIR, "arguments": l.Command.Arguments}, &s)
				if !strings.Contains(s.Text, "add") && !strings.Contains(s.Text, "call") {
					t.Errorf("%s: %v shows %s", texts[i], l.Command.Arguments, s.Text)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s has %d lenses", texts[i], n)
		}
	}
}

// TestHoverOfDialects: what operations and values are.
func TestHoverOfDialects(t *testing.T) {
	c := start(t, options{}, texts...)
	for _, tt := range []struct{ file, text, want string }{
		{"use.ial", "arg.pop", "```ial\nr = arg.pop;\n```\n\nthe next parameter"},
		{"lib.tvm", "add", "```tvm\nadd a b\n```\n\nsum modulo 2^n"},
		{"old.uir", "ADD", "```uvm2014\nADD <type> %value %value\n```\n\nsum modulo 2^n"},
		{"p.ir", "add", "```ir\n%r: TYPE = add <types> operands\n```\n\nsum modulo 2^n"},
		{"old.uir", "%r", "value `%r` of type `int<64>`, 1 use\n```uvm2014\n%r = ADD <int<64>> %n %n\n```\n"},
		{"p.ir", "%r", "value `%r` of type `int<64>`, 1 use\n```ir\n%r: int<64> = add <int<64>> %n %n\n```\n"},
	} {
		c.open(tt.file)
		var h *hover
		c.call("textDocument/hover", c.place(tt.file, tt.text, 1, 1), &h)
		got := "none"
		if h != nil {
			got = h.Contents.Value
		}
		check(t, tt.file+" "+tt.text, got, tt.want)
	}
}
