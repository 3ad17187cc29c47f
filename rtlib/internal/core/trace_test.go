package core

import (
	"fmt"
	"strings"
	"testing"
)

// TestInlinedFrames finds the frames at positions in a Go function that contains copies.
func TestInlinedFrames(t *testing.T) {
	files := []string{"a.uir", "b.uir"}
	fn := &FuncName{Go: "f", Func: &Func{Name: "@f"}, Inlined: strings.Join([]string{
		"1 10 19 0 3 0 @once", // 1
		"0 0 0 0 4 0 @twice",  // 2
		"0 0 0 0 5 0 @twice",  // 3
		"0 0 0 1 12 1 @leaf",  // 4
		"0 0 0 0 -1 3 @tail",  // 5: replaced row 3
		"0 0 0 0 -1 5 @tail2", // 6: replaced row 5
		"0 0 0 0 -1 0 @end",   // 7: replaced @f
		"0 0 0 0 6 7 @under",  // 8
		"0 0 0 0 0 0 @nowhere",
	}, "\n")}
	for _, c := range []struct {
		file string
		line int
		want string
	}{
		{"a.uir", 12, "@f a.uir:12"},
		{"b.uir", 9, "@f b.uir:9"},
		{"b.uir", 10, "@once b.uir:10, @f a.uir:3"},
		{"b.uir", 19, "@once b.uir:19, @f a.uir:3"},
		{"b.uir;0", 10, "@f b.uir:10"},
		{"b.uir;2", 10, "@twice b.uir:10, @f a.uir:4"},
		{"b.uir;3", 10, "@twice b.uir:10, @f a.uir:5"},
		{"b.uir;4", 30, "@leaf b.uir:30, @once b.uir:12, @f a.uir:3"},
		{"b.uir;5", 31, "@tail b.uir:31, @f a.uir:5"},
		{"b.uir;6", 32, "@tail2 b.uir:32, @f a.uir:5"},
		{"b.uir;7", 33, "@end b.uir:33"},
		{"b.uir;8", 34, "@under b.uir:34, @end a.uir:6"},
		{"b.uir;9", 35, "@nowhere b.uir:35, @f a.uir:0"},
		{"b;x.uir", 3, "@f b;x.uir:3"},
		{"b.uir;", 3, "@f b.uir;:3"},
	} {
		var got []string
		for _, f := range fn.frames(nil, files, c.file, c.line) {
			got = append(got, fmt.Sprintf("%s %s:%d", f.Func, f.File, f.Line))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:%d: %s, want %s", c.file, c.line, s, c.want)
		}
	}
	plain := &FuncName{Go: "g", Func: &Func{Name: "@g"}}
	if got := plain.frames(nil, files, "a;7;0", 8); len(got) != 1 || got[0] != (Frame{Func: "@g", File: "a;7", Line: 8}) {
		t.Error(got)
	}
}

// TestSiteAt finds the name of an instruction by its line.
func TestSiteAt(t *testing.T) {
	defer func(l []*Program) { packages = l }(packages)
	packages = []*Program{{Funcs: []*Func{{Name: "@f", Sites: "3 @f.a\n4 @f.b\n4 @f.c\n5 @f.d\n5 @f.d"}}}}
	for line, want := range map[int]string{2: "@f", 3: "@f.a", 4: "@f", 5: "@f.d"} {
		if got := siteAt(Frame{Func: "@f", Line: line}); got != want {
			t.Errorf("line %d: %s, want %s", line, got, want)
		}
	}
}
