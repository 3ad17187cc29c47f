package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// long is longer ago than anything is kept.
const long = 2 * abandoned

// made makes a folder with Dir, last used some time ago, and returns its path.
func made(t *testing.T, root, key string, n int, ago time.Duration) string {
	t.Helper()
	dir, err := Dir(root, key, "last", n, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "last"), []byte(key), 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	age(t, dir, ago)
	return dir
}

func age(t *testing.T, name string, ago time.Duration) {
	t.Helper()
	at := time.Now().Add(-ago)
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// TestPrune checks which folders are kept: the given number, and those in use.
func TestPrune(t *testing.T) {
	const keep = 10
	for _, tt := range []struct{ old, recent, want int }{
		{keep, 0, keep},
		{keep + 7, 0, keep},
		{5, keep, keep},
		{5, keep + 7, keep + 7},
	} {
		root := t.TempDir()
		for i := range tt.old + tt.recent {
			ago := time.Duration(0)
			if i < tt.old {
				ago = 2*recent + time.Duration(i)*time.Second
			}
			made(t, root, fmt.Sprint(i), 1000, ago)
		}
		s, err := open(root)
		if err != nil {
			t.Fatal(err)
		}
		s.prune(keep)
		s.Close()
		left, err := os.ReadDir(filepath.Join(root, Folder))
		if err != nil || len(left) != tt.want {
			t.Errorf("%+v: %d left, %v", tt, len(left), err)
		}
		for i := range tt.recent {
			if !exists(filepath.Join(root, Folder, fmt.Sprint(tt.old+i))) {
				t.Errorf("%+v: a folder in use is gone", tt)
			}
		}
	}
}

// foreign puts 800 old entries of other people into a folder: files, folders, links, what
// looks like a cached program, and what looks like an unfinished one.
func foreign(t *testing.T, dir, target string) []string {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(dir, 0o755))
	kinds := []func(name, base string){
		func(name, _ string) { check(os.WriteFile(name, []byte("mine"), 0o666)) },
		func(name, _ string) { check(os.Mkdir(name, 0o777)) },
		func(name, _ string) {
			check(os.Mkdir(name, 0o777))
			check(os.WriteFile(filepath.Join(name, "last"), []byte("mine"), 0o666))
		},
		func(name, _ string) { // a mark with other text
			check(os.Mkdir(name, 0o777))
			check(os.WriteFile(filepath.Join(name, markFile), []byte("mine"), 0o666))
		},
		func(name, _ string) { // a copy of a folder of the package, mark included
			check(os.Mkdir(name, 0o777))
			check(os.WriteFile(filepath.Join(name, markFile), []byte(markText("original")), 0o666))
		},
		func(name, base string) { // the mark is a link
			check(os.Mkdir(name, 0o777))
			check(os.WriteFile(name+".text", []byte(markText(base)), 0o666))
			link(t, name+".text", filepath.Join(name, markFile))
		},
		func(name, _ string) { link(t, target, name) },
		func(name, base string) { check(os.WriteFile(name, []byte(markText(base)), 0o666)) },
	}
	prefixes := []string{"", "new-", "new-0123456789abcdef-", "runtime-", "."}
	for i := range 800 {
		base := fmt.Sprintf("%s%032x", prefixes[i%len(prefixes)], i)
		kinds[i%len(kinds)](filepath.Join(dir, base), base)
	}
	entries, err := os.ReadDir(dir)
	check(err)
	var names []string
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.Name() == Folder {
			continue
		}
		names = append(names, name)
		if e.Type()&fs.ModeSymlink == 0 {
			age(t, name, long)
		}
	}
	if len(names) < 800 {
		t.Fatalf("only %d entries", len(names))
	}
	return names
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err) // Windows without the privilege
	}
}

// TestForeign checks that nothing is removed that the package has not made, neither in the
// folder that the user names nor in the package's own.
func TestForeign(t *testing.T) {
	root, target := t.TempDir(), t.TempDir()
	// The target of the links is a real folder of the package, elsewhere.
	target = made(t, target, "original", 5, long)
	names := foreign(t, root, target)
	names = append(names, foreign(t, filepath.Join(root, Folder), target)...)
	var own []string
	for i := range 5 {
		own = append(own, made(t, root, fmt.Sprintf("k%d", i), 1000, long+time.Duration(10-i)*time.Second))
	}
	made(t, root, "last one", 2, 0)
	for _, name := range names {
		if !exists(name) {
			t.Errorf("%s is gone", name)
		}
	}
	if !exists(filepath.Join(target, "last")) {
		t.Error("the target of a link has lost its content")
	}
	for i, dir := range own {
		if got, want := exists(dir), i == len(own)-1; got != want {
			t.Errorf("folder %d of the package's own is there: %t, want %t", i, got, want)
		}
	}
}

// TestNewest checks which of several folders is found.
func TestNewest(t *testing.T) {
	root := t.TempDir()
	if got := Newest(root, "a-", "last"); got != "" {
		t.Errorf("got %s in an empty root", got)
	}
	made(t, root, "a-1", 9, 30*time.Minute)
	want := made(t, root, "a-2", 9, 10*time.Minute)
	made(t, root, "a-3", 9, 20*time.Minute)
	made(t, root, "b-1", 9, 0)
	if got := Newest(root, "a-", "last"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Newest(root, "c-", "last"); got != "" {
		t.Errorf("got %s, want none", got)
	}
	if got := Newest(root, "b-", "other"); got != "" {
		t.Errorf("got %s, which is not complete", got)
	}
}

// TestInTheWay checks that a folder of somebody else under the key is an error, and stays.
func TestInTheWay(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, Folder, "key")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mine"), "mine")
	for _, files := range []string{"mine", "mine last"} { // with the last file too, it is not taken for a program
		if strings.Contains(files, "last") {
			write(t, filepath.Join(dir, "last"), "mine")
		}
		_, err := Dir(root, "key", "last", 5, func(string) error { t.Error("filled"); return nil })
		if err == nil || !strings.Contains(err.Error(), "uvm2go did not make this; it is left as it is") {
			t.Errorf("got %v", err)
		}
		if Newest(root, "key", "last") != "" {
			t.Error("Newest finds it")
		}
	}
	if !exists(filepath.Join(dir, "mine")) {
		t.Error("the file is gone")
	}
}

// TestLinkedFolder checks that nothing is kept, or removed, through a link in place of the
// package's own folder.
func TestLinkedFolder(t *testing.T) {
	elsewhere := t.TempDir()
	victim := made(t, elsewhere, "victim", 5, long)
	for _, target := range []string{filepath.Join(elsewhere, Folder), "inside"} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "inside"), 0o777); err != nil {
			t.Fatal(err)
		}
		link(t, target, filepath.Join(root, Folder))
		_, err := Dir(root, "key", "last", 0, func(string) error { t.Error("filled"); return nil })
		if err == nil || !strings.Contains(err.Error(), "uvm2go keeps nothing through a link") {
			t.Errorf("%s: got %v", target, err)
		}
	}
	if !exists(victim) {
		t.Error("a folder behind a link is gone")
	}
}

// TestLinkInside checks that a link in a folder that is removed does not lead out of it.
func TestLinkInside(t *testing.T) {
	root, target := t.TempDir(), t.TempDir()
	write(t, filepath.Join(target, "mine"), "mine")
	dir := made(t, root, "old", 5, 0)
	link(t, target, filepath.Join(dir, "link"))
	age(t, dir, long)
	made(t, root, "new", 1, 0)
	if exists(dir) {
		t.Error("the old folder stays")
	}
	if !exists(filepath.Join(target, "mine")) {
		t.Error("a file behind a link is gone")
	}
}

// TestOtherOwner checks that programs are not run from a folder that another user has put
// into a folder for everybody.
func TestOtherOwner(t *testing.T) {
	root := t.TempDir()
	dir := made(t, root, "key", 5, 0)
	if err := os.Chown(filepath.Dir(dir), 12345, 12345); err != nil || runtime.GOOS == "windows" {
		t.Skip("only root can give folders away")
	}
	_, err := Dir(root, "key", "last", 5, func(string) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("got %v", err)
	}
	// Who owns the folder above could change everything anyway.
	if err := os.Chown(root, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if got, err := Dir(root, "key", "last", 5, func(string) error { return nil }); err != nil || got != dir {
		t.Errorf("got %s, %v", got, err)
	}
}

const childEnv = "UVM2GO_KEEP_TEST"

// TestMain lets the test binary be another process: it makes 20 folders, or is killed
// while it makes one.
func TestMain(m *testing.M) {
	root, kill := strings.CutPrefix(os.Getenv(childEnv), "kill:")
	if root == "" {
		os.Exit(m.Run())
	}
	for i := range 20 {
		key := fmt.Sprint(i)
		dir, err := Dir(root, key, "last", 3, func(dir string) error {
			if kill {
				os.WriteFile(filepath.Join(dir, "program"), nil, 0o777)
				p, _ := os.FindProcess(os.Getpid())
				p.Kill()
				select {}
			}
			return os.WriteFile(filepath.Join(dir, "last"), []byte(key), 0o666)
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "last")); err != nil || string(text) != key {
			fmt.Fprintln(os.Stderr, key, text, err)
			os.Exit(1)
		}
	}
	os.Exit(0)
}

func child(t *testing.T, value string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+value)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestProcesses makes the same folders in several processes, while old folders are pruned.
func TestProcesses(t *testing.T) {
	root := t.TempDir()
	for i := range 30 {
		made(t, root, fmt.Sprintf("old%d", i), 1000, long)
	}
	var all []*exec.Cmd
	for range 6 {
		cmd := child(t, root)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	left, err := os.ReadDir(filepath.Join(root, Folder))
	if err != nil || len(left) != 20 {
		t.Errorf("%d folders left, %v; want the 20 recent ones", len(left), err)
	}
}

// TestKilled checks that the folder of a process that was killed while it filled it goes
// later, whenever the process was killed; and that of a living process stays.
func TestKilled(t *testing.T) {
	root := t.TempDir()
	var exit *exec.ExitError
	if err := child(t, "kill:"+root).Run(); !errors.As(err, &exit) {
		t.Fatalf("the process ended with %v", err)
	}
	left, err := filepath.Glob(filepath.Join(root, Folder, "new-*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("%q, %v; want one unfinished folder", left, err)
	}
	bare := filepath.Join(root, Folder, newName()) // killed before the mark was written
	if err := os.Mkdir(bare, 0o777); err != nil {
		t.Fatal(err)
	}
	made(t, root, "a", 5, 0)
	if !exists(left[0]) || !exists(bare) {
		t.Error("a folder that may still be filled is gone")
	}
	age(t, left[0], long)
	age(t, bare, long)
	made(t, root, "b", 5, 0)
	if exists(left[0]) || exists(bare) {
		t.Error("an abandoned folder stays for good")
	}
}
