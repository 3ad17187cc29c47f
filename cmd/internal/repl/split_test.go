package repl

import (
	"slices"
	"strings"
	"testing"
)

// TestSplit passes lines to a splitter. In want, each entry has the number of its first line.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		about string
		lines []string
		want  []entry
	}{
		{"an empty line ends a definition",
			[]string{".typedef @i64 = int<64>", "", "@f"},
			[]entry{{definition, 1, ".typedef @i64 = int<64>"}, {named, 3, "@f"}}},
		{"the next entry ends one",
			[]string{".const @1 <@i64> = 1", ".const @2 <@i64> = 2", ":gc", ".global @c <@i64>", "@c"},
			[]entry{{definition, 1, ".const @1 <@i64> = 1"}, {definition, 2, ".const @2 <@i64> = 2"}, {command, 3, ":gc"},
				{definition, 4, ".global @c <@i64>"}, {named, 5, "@c"}}},
		{"and the end of the input",
			[]string{".const @1 <@i64> ="},
			[]entry{{definition, 1, ".const @1 <@i64> ="}}},
		{"brackets of all kinds hold a definition together",
			[]string{"", ".typedef @s = struct<@i64", "", "@i64>", ".funcsig @g = (", "@i64) -> (", "@i64)", ".const @k <@s> = {", "@1 @1}", "", "@k"},
			[]entry{{definition, 2, ".typedef @s = struct<@i64\n\n@i64>"}, {definition, 5, ".funcsig @g = (\n@i64) -> (\n@i64)"},
				{definition, 8, ".const @k <@s> = {\n@1 @1}"}, {named, 11, "@k"}}},
		{"a line that begins nothing continues a definition",
			[]string{".const @k <@i64>", "  = 5", ""},
			[]entry{{definition, 1, ".const @k <@i64>\n  = 5"}}},
		{"the closing brace ends a function",
			[]string{".funcdef @f VERSION %v <@g>", "{ %e(<@i64> %x): // {", "@g", "  RET %x }", "@f(1)"},
			[]entry{{definition, 1, ".funcdef @f VERSION %v <@g>\n{ %e(<@i64> %x): // {\n@g\n  RET %x }"}, {named, 5, "@f(1)"}}},
		{"but not if more follows in its line",
			[]string{".funcdef @f VERSION %v <@g> { %e(): RET () } .const @1 <@i64> =", "1", ""},
			[]entry{{definition, 1, ".funcdef @f VERSION %v <@g> { %e(): RET () } .const @1 <@i64> =\n1"}}},
		{"a brace in a constant does not end a function that stands before it",
			[]string{".const @k <@s> = {@1}", "", ".funcdecl @f <@g>", ""},
			[]entry{{definition, 1, ".const @k <@s> = {@1}"}, {definition, 3, ".funcdecl @f <@g>"}}},
		{"a bracket too many does not take the rest",
			[]string{".funcdef @f VERSION %v <@g> { %e(: RET () }", "@f", ".const @1 <@i64> = 1", ""},
			[]entry{{definition, 1, ".funcdef @f VERSION %v <@g> { %e(: RET () }\n@f"}, {definition, 3, ".const @1 <@i64> = 1"}}},
		{"strings and comments have no brackets",
			[]string{`.const @x <@p> = EXTERN "a(b" // (`, "@x", "// @x", ":quit"},
			[]entry{{definition, 1, `.const @x <@p> = EXTERN "a(b" // (`}, {named, 2, "@x"}, {command, 4, ":quit"}}},
		{"anything else is an entry of its own",
			[]string{"hello", "  @f 1", "5"},
			[]entry{{unknown, 1, "hello"}, {named, 2, "@f 1"}, {unknown, 3, "5"}}},
	} {
		var s splitter
		var got []entry
		for _, l := range tt.lines {
			got = append(got, s.add(l)...)
		}
		if got = append(got, s.end()...); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\ngot  %+v\nwant %+v", tt.about, strings.Join(tt.lines, "\n"), got, tt.want)
		}
	}
}

// TestSplitAtOnce checks that a function is complete with the line of its closing brace.
func TestSplitAtOnce(t *testing.T) {
	var s splitter
	for i, l := range []string{".funcdef @f VERSION %v <@g> {", "%e(): RET ()", "}"} {
		if got := len(s.add(l)); got != i/2 {
			t.Errorf("after %q: %d entries", l, got)
		}
	}
}

func TestCutCall(t *testing.T) {
	for _, tt := range []struct {
		text, name, args string
		given            bool
	}{
		{"@f", "@f", "", false},
		{"@f // shown", "@f", "", false},
		{"@f()", "@f", "", true},
		{"@f ( )", "@f", " ", true},
		{"@f(1, -2.5)", "@f", "1, -2.5", true},
		{"@f 1  -2.5", "@f", "1,-2.5", true},
		{"@f 1, 2", "@f", "1,2", true},
		{"@f {1 [2 3]} [4 5] NULL", "@f", "{1 [2 3]},[4 5],NULL", true},
		{"@f int(5) ref(NULL, 3)", "@f", "int(5),ref(NULL, 3)", true},
		{"@f({1 2}, 3)", "@f", "{1 2}, 3", true},
	} {
		if name, args, given := cutCall(tt.text); name != tt.name || args != tt.args || given != tt.given {
			t.Errorf("%s: got %q, %q, %t", tt.text, name, args, given)
		}
	}
}

// TestSplitOther passes lines in another dialect than that of the prompt to a splitter.
func TestSplitOther(t *testing.T) {
	s := splitter{isCall: func(line string) bool { return strings.HasPrefix(line, "%known") }}
	var got []entry
	for _, line := range []string{"%f = function {", "  %known(1);", "};", "", "%known(2)", "// what follows is a definition", "", "%g = 1;", ":gc", "%h = 2;"} {
		got = append(got, s.add(line)...)
	}
	got = append(got, s.end()...)
	want := []entry{{definition, 1, "%f = function {\n  %known(1);\n};"}, {named, 5, "%known(2)"}, {definition, 8, "%g = 1;"}, {command, 9, ":gc"},
		{definition, 10, "%h = 2;"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
