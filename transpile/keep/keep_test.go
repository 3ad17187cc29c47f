package keep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
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
		if err := os.Remove(filepath.Join(root, Folder, "key", "last")); err != nil {
			t.Fatal(err)
		}
	}
	fault := errors.New("fault")
	if _, err := Dir(root, "other", "last", 5, func(string) error { return fault }); err != fault {
		t.Errorf("got %v, want the fault", err)
	}
	if left, err := os.ReadDir(filepath.Join(root, Folder)); err != nil || len(left) != 1 {
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
