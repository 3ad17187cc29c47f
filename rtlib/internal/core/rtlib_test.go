package core

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/self"
)

// The tests are programs in the form that the translator writes. Those that end the process
// run in another one: the test binary again, with an environment variable that names the test.

const caseVariable = "RTLIB_TEST_CASE"

func TestMain(m *testing.M) {
	if name := os.Getenv(caseVariable); name != "" {
		if name == "go" {
			os.Exit(0)
		}
		p := testProgram()
		p.Entry = cases[name]
		if p.Entry == nil {
			panic("no case " + name)
		}
		Main(p)
	}
	Start(testProgram())
	started() // so that any test can be the first
	os.Exit(m.Run())
}

// Value lists of the test program.
const (
	none     = 0
	long     = 1 // (int<64>)
	ref      = 2 // (ref)
	refLong  = 3 // (ref int<64>)
	trapArgs = 4 // (ref int<32> ref)
	refRef   = 5 // (ref ref)
)

var (
	tLong = &Type{Name: "@i64", Size: 8, Align: 8}
	tNode = &Type{Name: "@node", Size: 16, Align: 8, Shape: Shape{Slots: []Slot{{Off: 0, Kind: SlotRef}}}}
)

func testProgram() *Program {
	return &Program{
		Agreement:   Agreement,
		Name:        "test",
		Types:       []*Type{tLong, tNode},
		Funcs:       []*Func{&fSquares, &fEcho, &fIdle, &fCell, &fDivide, &fThrower, &fHandler, &fUndefined, &fDivideAll, &fMiddle, &fDeep, &fLoad},
		FuncNames:   funcNames,
		Watchpoints: []Watch{{ID: 7}, {ID: 9}},
		MaxTransfer: 8,
		Lists: []List{
			none: {Desc: "", W: 0, R: 0}, long: {Desc: "i64", W: 1, R: 0}, ref: {Desc: "r", W: 0, R: 1},
			refLong: {Desc: "r i64", W: 1, R: 1}, trapArgs: {Desc: "r i32 r", W: 1, R: 2},
			refRef: {Desc: "r r", W: 0, R: 2},
		},
	}
}

// addr returns the funcref of a function.
func addr(f *Func) uintptr { return uintptr(unsafe.Pointer(f)) }

// frame pushes a frame with n roots, like generated functions.
func frame(t *Ctx, n uintptr) uintptr {
	size := 8 + 8*n
	fp := t.SP
	if fp+size > t.Limit {
		if fp = t.Grow(size); fp == 0 {
			return 0
		}
	}
	t.SP = fp + size
	*(*uint32)(unsafe.Pointer(fp)) = uint32(size/8 | n<<16)
	for i := range n {
		*root(fp, i) = 0
	}
	return fp
}

func root(fp, i uintptr) *uintptr { return (*uintptr)(unsafe.Pointer(fp + 8 + 8*i)) }

func longAt(p uintptr) *uint64 { return (*uint64)(unsafe.Pointer(p)) }

// onThread runs f on a stack and thread of its own and waits for the thread's end.
func onThread(f func(t *Ctx)) {
	done := make(chan struct{})
	th := machine.NewThread(nil, 0)
	s := machine.NewStack(nil, func(t *Ctx) {
		defer close(done)
		f(t)
	}, 0)
	s.State().Bind(0, true)
	th.Start(s)
	<-done
}

// newLong makes an object that holds n.
func newLong(t *Ctx, n uint64) uintptr {
	p := t.New(tLong)
	if p == 0 {
		Fail(t, OutOfMemory, "", "")
	}
	*longAt(p) = n
	return p
}

// swap swaps to a stack with one value each way.
func swap(t *Ctx, stack uintptr, v uint64) uint64 {
	X(t).W[0] = v
	SwapStack(t, stack, long, long, 0, nil)
	return X(t).W[0]
}

// outcome is the result of a program.
type outcome struct {
	status         int
	stdout, stderr string
}

// runProgram runs a case in a process of its own.
func runProgram(t *testing.T, name string, env ...string) outcome {
	t.Helper()
	cmd := self.Command(t.Context(), t)
	cmd.Env = append(append(cmd.Env, caseVariable+"="+name), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// stress are the environments in which programs run: without settings, and with a collection
// at every allocation.
var stress = []string{"UVMDEBUG=", "UVMDEBUG=gcstress=1,gcverify=1,clobberfree=1"}

// cases are the programs, by name. Results are exit statuses.
var cases = map[string]func(t *Ctx) int{}

func TestPrograms(t *testing.T) {
	for _, c := range programs {
		if c.name == "lowfault" && runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
			continue // the executable lies at that address
		}
		if (c.name == "wild" || c.name == "noncanonical") && longtest.HidesFaults() {
			continue // the report is that of an access through NULL
		}
		name, _, _ := strings.Cut(c.name, "/")
		envs := stress
		if c.once {
			envs = stress[:1]
		}
		for i, env := range envs {
			t.Run(fmt.Sprintf("%s/%d", c.name, i), func(t *testing.T) {
				got := runProgram(t, name, append([]string{env}, c.env...)...)
				if got.status != c.status || got.stdout != c.stdout {
					t.Errorf("status %d, standard output %q; want %d, %q\n%s", got.status, got.stdout, c.status, c.stdout, got.stderr)
				}
				if c.stderr == "" && got.stderr != "" {
					t.Errorf("standard error %q", got.stderr)
				}
				at := 0
				for _, want := range strings.Split(c.stderr, "...") {
					i := strings.Index(got.stderr[at:], want)
					if i < 0 {
						t.Fatalf("standard error\n%s\nhas not (any more) %q", got.stderr, want)
					}
					at += i + len(want)
				}
				for _, bad := range []string{"goroutine", "panic", "runtime."} {
					if strings.Contains(got.stderr, bad) && c.env == nil {
						t.Errorf("standard error has %q:\n%s", bad, got.stderr)
					}
				}
			})
		}
	}
}
