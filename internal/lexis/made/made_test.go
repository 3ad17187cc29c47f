package made

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"
)

// TestKinds: only files of the kind, empty ones, devices and those that do not exist are replaced.
func TestKinds(t *testing.T) {
	var heap, threads, packed bytes.Buffer
	if err := pprof.WriteHeapProfile(&heap); err != nil {
		t.Fatal(err)
	}
	if err := trace.Start(&threads); err != nil {
		t.Skip(err) // go test itself traces
	}
	trace.Stop()
	z := gzip.NewWriter(&packed)
	z.Write([]byte("\nSome text of the user's, which happens to be compressed."))
	z.Close()
	files := map[string]string{
		"heap": heap.String(), "trace": threads.String(), "cover": "mode: set\n", "elf": "\x7fELF\x02", "empty": "",
		"text": "mode of use\n", "packed": packed.String(), "short": "go 1.", "half": "\x1f",
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		kind Kind
		own  string
	}{{Profile, "heap"}, {Trace, "trace"}, {Coverage, "cover"}, {Executable, "elf"}} {
		for name, text := range files {
			file := filepath.Join(dir, name)
			err := tc.kind.Check(file)
			if want := file + ": this file is not " + tc.kind.Name + "; it is left as it is"; name != tc.own && name != "empty" && (err == nil || err.Error() != want) {
				t.Errorf("%s, %s: %v, want %s", tc.kind.Name, name, err, want)
			} else if (name == tc.own || name == "empty") && err != nil {
				t.Errorf("%s, %s: %v", tc.kind.Name, name, err)
			}
			if name == tc.own || name == "empty" {
				continue
			}
			if _, err := tc.kind.Create(file); err == nil {
				t.Errorf("%s, %s: it was opened for writing", tc.kind.Name, name)
			}
			if now, err := os.ReadFile(file); err != nil || string(now) != text {
				t.Errorf("%s, %s: it has changed, %v", tc.kind.Name, name, err)
			}
		}
		for _, free := range []string{os.DevNull, filepath.Join(dir, "none"), filepath.Join(dir, "none", "none")} {
			if err := tc.kind.Check(free); err != nil {
				t.Errorf("%s, %s: %v", tc.kind.Name, free, err)
			}
		}
		if err := tc.kind.Check(dir); err == nil || !strings.Contains(err.Error(), " is a folder, not ") {
			t.Errorf("%s: a folder: %v", tc.kind.Name, err)
		}
	}
}
