package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"uvm2go": main})
}

// TestScripts runs testscripts/*.txtar, each in a folder of its own. See the
// README there.
func TestScripts(t *testing.T) { runScripts(t, scripts(t)) }

// TestLongScripts runs those that have more to do in long tests.
func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	var more []string
	for _, file := range scripts(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if scripttest.Long.Match(text) {
			more = append(more, file)
		}
	}
	runScripts(t, more)
}

func scripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testscripts", "*.txtar"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d scripts found, %v", len(files), err)
	}
	return files
}

func runScripts(t *testing.T, files []string) {
	t.Helper()
	p := scripttest.Params(t, filepath.Join("..", ".."), files, longtest.On(), nil)
	p.UpdateScripts = *update
	testscript.Run(t, p)
}

func absolute(t *testing.T, path string) string {
	p, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
