package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestPrune checks which programs stay in the cache: so many, and those in use.
func TestPrune(t *testing.T) {
	for _, tt := range []struct{ old, recent, want int }{
		{keepPrograms, 0, keepPrograms},
		{keepPrograms + 7, 0, keepPrograms},
		{10, keepPrograms, keepPrograms},
		{10, keepPrograms + 7, keepPrograms + 7},
	} {
		dir := t.TempDir()
		for i := range tt.old + tt.recent {
			p := filepath.Join(dir, fmt.Sprint(i))
			if err := os.Mkdir(p, 0o777); err != nil {
				t.Fatal(err)
			}
			if i < tt.old {
				at := time.Now().Add(-2*time.Hour - time.Duration(i)*time.Second)
				if err := os.Chtimes(p, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}
		prune(dir)
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != tt.want {
			t.Errorf("%+v: %d left, %v", tt, len(left), err)
		}
		for i := range tt.recent {
			if _, err := os.Stat(filepath.Join(dir, fmt.Sprint(tt.old+i))); err != nil {
				t.Errorf("%+v: a program in use is gone: %v", tt, err)
			}
		}
	}
}
