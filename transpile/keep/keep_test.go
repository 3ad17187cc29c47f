package keep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestDir checks that a folder is made once, even if an incomplete folder has its
// name.
func TestDir(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a", "b")
	made := 0
	get := func() (string, error) {
		return Dir(root, "key", "last", 5, func(dir string) error {
			made++
			write(t, filepath.Join(dir, "last"), fmt.Sprint(made))
			return nil
		})
	}
	for want := 1; want <= 2; want++ {
		for range 2 {
			dir, err := get()
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(dir, "last"))
			if err != nil || string(text) != fmt.Sprint(want) {
				t.Errorf("%q, %v, want %d", text, err, want)
			}
		}
		if err := os.Remove(filepath.Join(root, "key", "last")); err != nil {
			t.Fatal(err)
		}
	}
	fault := errors.New("fault")
	if _, err := Dir(root, "other", "last", 5, func(string) error { return fault }); err != fault {
		t.Errorf("got %v, want the fault", err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) != 1 {
		t.Errorf("%d folders left, %v; want that of the key alone", len(left), err)
	}
}

// TestSeveral makes one folder from several goroutines at the same time.
func TestSeveral(t *testing.T) {
	root := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 20 {
				dir, err := Dir(root, fmt.Sprint(i), "last", 5, func(dir string) error {
					return os.WriteFile(filepath.Join(dir, "last"), []byte(fmt.Sprint(i)), 0o666)
				})
				if err != nil {
					t.Error(err)
					return
				}
				if text, err := os.ReadFile(filepath.Join(dir, "last")); err != nil || string(text) != fmt.Sprint(i) {
					t.Errorf("%q, %v, want %d", text, err, i)
				}
			}
		})
	}
	wg.Wait()
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
		dir := t.TempDir()
		for i := range tt.old + tt.recent {
			p := filepath.Join(dir, fmt.Sprint(i))
			if err := os.Mkdir(p, 0o777); err != nil {
				t.Fatal(err)
			}
			if i < tt.old {
				at := time.Now().Add(-2*recent - time.Duration(i)*time.Second)
				if err := os.Chtimes(p, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}
		prune(dir, keep)
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != tt.want {
			t.Errorf("%+v: %d left, %v", tt, len(left), err)
		}
		for i := range tt.recent {
			if _, err := os.Stat(filepath.Join(dir, fmt.Sprint(tt.old+i))); err != nil {
				t.Errorf("%+v: a folder in use is gone: %v", tt, err)
			}
		}
	}
}
