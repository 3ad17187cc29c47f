package core

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// TestInlinedFrames finds the frames at positions in a Go function that contains copies.
func TestInlinedFrames(t *testing.T) {
	files := []string{"a.uir", "b.uir"}
	fn := &FuncName{Go: "f", Func: &Func{Name: "@f"}, Inlined: strings.Join([]string{
		"1 10 19 0 3 0 0 @once", // 1
		"0 0 0 0 4 7 0 @twice",  // 2
		"0 0 0 0 5 0 0 @twice",  // 3
		"0 0 0 1 12 0 1 @leaf",  // 4
		"0 0 0 0 -1 0 3 @tail",  // 5: replaced row 3
		"0 0 0 0 -1 0 5 @tail2", // 6: replaced row 5
		"0 0 0 0 -1 0 0 @end",   // 7: replaced @f
		"0 0 0 0 6 0 7 @under",  // 8
		"0 0 0 0 0 0 0 @nowhere",
	}, "\n"), Columns: "0 20 4 0 9\n1 10 0 3"}
	marked := lex.MarkFile
	for _, c := range []struct {
		file string
		line int
		want string
	}{
		{"a.uir", 12, "@f a.uir:12"},
		{"b.uir", 9, "@f b.uir:9"},
		{"b.uir", 10, "@once b.uir:10, @f a.uir:3"},
		{"b.uir", 19, "@once b.uir:19, @f a.uir:3"},
		{marked("b.uir", 0, 0), 10, "@f b.uir:10"},
		{marked("b.uir", 2, 0), 10, "@twice b.uir:10, @f a.uir:4:7"},
		{marked("b.uir", 3, 0), 10, "@twice b.uir:10, @f a.uir:5"},
		{marked("b.uir", 4, 0), 30, "@leaf b.uir:30, @once b.uir:12, @f a.uir:3"},
		{marked("b.uir", 5, 0), 31, "@tail b.uir:31, @f a.uir:5"},
		{marked("b.uir", 6, 0), 32, "@tail2 b.uir:32, @f a.uir:5"},
		{marked("b.uir", 7, 0), 33, "@end b.uir:33"},
		{marked("b.uir", 8, 0), 34, "@under b.uir:34, @end a.uir:6"},
		{marked("b.uir", 9, 0), 35, "@nowhere b.uir:35, @f"},
		{"b;x.uir", 3, "@f b;x.uir:3"},
		{marked("b.uir", 2, 1), 10, "@twice b.uir:10:3, @f a.uir:4:7"},
		{marked("a.uir", 0, 2), 20, "@f a.uir:20:9"},
		{marked("a.uir", 0, 1), 20, "@f a.uir:20"},
		{"a.uir", 20, "@f a.uir:20:4"},
		{"a.uir", 21, "@f a.uir:21"},
		{"b;1", 3, "@f b;1:3"},
		{marked(lex.NoFile, 0, 0), 3, "@f"},
		{marked(marked("b.uir", 2, 0), 0, 0), 3, "@f " + marked("b.uir", 2, 0) + ":3"},
	} {
		var got []string
		for _, f := range fn.frames(nil, files, c.file, c.line) {
			got = append(got, strings.NewReplacer("(", "", ")", "").Replace(f.Func+f.place()))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:%d: %s, want %s", c.file, c.line, s, c.want)
		}
	}
	plain := &FuncName{Go: "g", Func: &Func{Name: "@g"}}
	if got := plain.frames(nil, files, "a;7", 8); len(got) != 1 || got[0] != (Frame{Func: "@g", File: "a;7", Line: 8}) {
		t.Error(got)
	}
}

// TestSiteAt finds the name of an instruction by its line.
func TestSiteAt(t *testing.T) {
	defer func(l []*Program) { packages = l }(packages)
	packages = []*Program{{Funcs: []*Func{{Name: "@f", Sites: "3 @f.a\n4 @f.b\n4 @f.c\n5 @f.d\n5 @f.d\n6:3 @f.e\n6:8 @f.g"}}}}
	for at, want := range map[Frame]string{{Line: 2}: "@f", {Line: 3}: "@f.a", {Line: 4}: "@f", {Line: 5}: "@f.d", {Line: 6}: "@f",
		{Line: 6, Column: 3}: "@f.e", {Line: 6, Column: 8}: "@f.g", {Line: 5, Column: 8}: "@f.d"} {
		at.Func = "@f"
		if got := siteAt(at); got != want {
			t.Errorf("%v: %s, want %s", at, got, want)
		}
	}
}
