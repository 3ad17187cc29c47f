package transpile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestReplaceFile checks that links, hard links and modes survive, and that no other file appears
// or is written to.
func TestReplaceFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links and modes of Unix")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	has := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v, want %q", name, got, err, want)
		}
	}
	must(os.MkdirAll(at("sub/deep"), 0o777))
	must(os.WriteFile(at("sub/file"), []byte("old"), 0o666))
	must(os.Chmod(at("sub/file"), 0o676)) // no umask has these bits
	must(os.Symlink("sub/file", at("link")))
	must(os.Symlink(at("link"), at("again")))
	must(os.Symlink("sub/missing", at("dangling")))
	must(os.Symlink("sub/deep", at("deep")))
	must(os.Symlink("../file", at("sub/deep/up"))) // from sub/deep, not from the folder of the link deep
	must(os.Symlink("loop", at("loop")))
	must(os.WriteFile(at("one"), []byte("old"), 0o644))
	must(os.Link(at("one"), at("two")))
	must(os.Symlink(at("one"), at("one.uvm2go-tmp"))) // a name that another version wrote to

	must(ReplaceFile(at("link"), []byte("a")))
	has("sub/file", "a")
	must(ReplaceFile(at("again"), []byte("b")))
	has("sub/file", "b")
	must(ReplaceFile(at("deep/up"), []byte("c")))
	has("sub/file", "c")
	must(ReplaceFile(at("dangling"), []byte("d")))
	has("sub/missing", "d")
	must(ReplaceFile(at("one"), []byte("longer than before")))
	has("two", "longer than before")
	must(ReplaceFile(at("one"), []byte("e")))
	has("two", "e")
	must(ReplaceFile(at("fresh"), []byte("f")))
	has("fresh", "f")
	must(ReplaceFile(os.DevNull, []byte("g")))
	if err := ReplaceFile(at("loop"), nil); err == nil || !strings.Contains(err.Error(), "too many symbolic links") {
		t.Errorf("a loop of links: %v", err)
	}

	for _, name := range []string{"link", "again", "dangling", "deep", "sub/deep/up"} {
		if st, err := os.Lstat(at(name)); err != nil || st.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	if st, err := os.Stat(at("sub/file")); err != nil || st.Mode().Perm() != 0o676 {
		t.Errorf("the mode is %v, %v", st.Mode(), err)
	}
	if st, err := os.Stat(os.DevNull); err != nil || st.Mode()&os.ModeDevice == 0 {
		t.Errorf("%s: %v, %v", os.DevNull, st.Mode(), err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 10 {
		t.Errorf("%d entries, want 10: %v, %v", len(list), list, err)
	}
}

// TestReplaceReadOnlyFolder checks that a file that can be written is, in a folder that cannot.
func TestReplaceReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	if err := os.WriteFile(name, []byte("a long old text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	if err := ReplaceFile(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
}
