package bundletest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	_ "github.com/uvm2go/uvm2go"           // the runtime that programs are built with
	_ "github.com/uvm2go/uvm2go/transpile" // the translator, with the modules that it needs
	"github.com/uvm2go/uvm2go/transpile/keep"
)

// command is the package that the tool is built from.
const command = "github.com/uvm2go/uvm2go/cmd/uvm2go"

// A tool is the command, and the settings that it needs where the home folder is hidden.
type tool struct {
	path     string            // of the executable
	programs string            // folder in which run keeps programs
	env      map[string]string // variables of the go command
}

// Tool returns the path of the uvm2go command of the module that the tests require.
func Tool(tb testing.TB) string {
	tb.Helper()
	t, err := theTool()
	if err != nil {
		tb.Fatal(err)
	}
	return t.path
}

// theTool builds the tool once.
var theTool = sync.OnceValues(func() (*tool, error) {
	t := &tool{}
	var err error
	if t.env, err = goEnv(); err != nil {
		return nil, err
	}
	root, err := cacheRoot()
	if err != nil {
		return nil, err
	}
	t.programs = filepath.Join(root, "run")
	if dir := os.Getenv("UVM2GO_CACHE"); dir != "" {
		t.programs = dir
	}
	t.path, err = buildTool(filepath.Join(root, "tool"))
	return t, err
})

// environ returns the variables that the command needs in addition to those of the process.
func (t *tool) environ() []string {
	return []string{"UVM2GO_CACHE=" + t.programs}
}

// cacheRoot is the folder for all caches of uvm2go.
func cacheRoot() (string, error) {
	if dir, err := os.UserCacheDir(); err == nil {
		dir = filepath.Join(dir, "uvm2go")
		if os.MkdirAll(dir, 0o777) == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", "uvm2go-")
}

// goVariables are variables whose defaults depend on the home folder or on settings
// there.
var goVariables = []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOENV", "GOFLAGS", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN",
	"CGO_ENABLED", "CC"}

func goEnv() (map[string]string, error) {
	out, err := goCommand(append([]string{"env", "-json"}, goVariables...)...)
	if err != nil {
		return nil, err
	}
	env := map[string]string{}
	return env, json.Unmarshal(out, &env)
}

// goCommand runs the go command and returns its output.
func goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("bundletest: go %s: %w\n%s", strings.Join(args, " "), err, &errs)
	}
	return out, nil
}

// buildTool makes the tool in a folder below root that is named by its content, unless
// the folder exists.
func buildTool(root string) (string, error) {
	id, err := goCommand("list", "-export", "-f", "{{.BuildID}}", command)
	if err != nil {
		return "", err
	}
	name := "uvm2go"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	key := fmt.Sprintf("%x", sha256.Sum256(id))[:32]
	dir, err := keep.Dir(root, key, name, keepTools, func(dir string) error {
		_, err := goCommand("build", "-o", filepath.Join(dir, name), command)
		return err
	})
	return filepath.Join(dir, name), err
}

// keepTools is the number of versions of the tool that are kept, in addition to those
// used in the last hour.
const keepTools = 5

// An Env is the environment of a script. *testscript.Env is one.
type Env interface {
	Getenv(key string) string
	Setenv(key, value string)
}

// Setup prepares the environment of a script: uvm2go is in its PATH, and finds Go's
// caches and its own although testscript hides the home folder. Scripts that have run
// before do not build anything again.
//
//	testscript.Run(t, testscript.Params{
//		Dir:   "testdata",
//		Setup: func(e *testscript.Env) error { return bundletest.Setup(e) },
//	})
func Setup(env Env) error {
	t, err := theTool()
	if err != nil {
		return err
	}
	for key, value := range t.env {
		env.Setenv(key, value)
	}
	env.Setenv("UVM2GO_CACHE", t.programs)
	env.Setenv("PATH", filepath.Dir(t.path)+string(os.PathListSeparator)+env.Getenv("PATH"))
	return nil
}
