// Package ports tells which ports of Go can be tested on this machine: those that the machine itself
// can run and those for which an emulator is installed. It builds nothing and installs nothing.
package ports

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Port is a target of the go command. The zero value is the default target on this machine, from the
// environment.
type Port struct{ System, Arch string }

// All lists the ports that programs are run on if there is an emulator.
var All = []Port{
	{"linux", "amd64"}, {"linux", "386"}, {"linux", "arm64"}, {"linux", "arm"}, {"linux", "riscv64"}, {"linux", "s390x"},
	{"linux", "ppc64le"}, {"linux", "ppc64"}, {"linux", "mips"}, {"linux", "mipsle"}, {"linux", "mips64"}, {"linux", "mips64le"},
	{"linux", "loong64"}, {"wasip1", "wasm"}, {"js", "wasm"},
}

// Built lists the ports that programs are only built and vetted for, not run on.
var Built = []Port{
	{"darwin", "arm64"}, {"darwin", "amd64"}, {"windows", "amd64"}, {"windows", "arm64"}, {"freebsd", "amd64"}, {"netbsd", "amd64"},
	{"openbsd", "amd64"}, {"solaris", "amd64"}, {"aix", "ppc64"}, {"plan9", "amd64"},
}

// qemu maps the processors of linux ports to their names in QEMU.
var qemu = map[string]string{
	"386": "i386", "amd64": "x86_64", "arm64": "aarch64", "arm": "arm", "riscv64": "riscv64", "s390x": "s390x", "ppc64le": "ppc64le",
	"ppc64": "ppc64", "mips": "mips", "mipsle": "mipsel", "mips64le": "mips64el", "mips64": "mips64", "loong64": "loongarch64",
}

// Parse reads a port: GOOS/GOARCH, or GOARCH alone for linux.
func Parse(name string) (Port, error) {
	system, arch, ok := strings.Cut(name, "/")
	if !ok {
		system, arch = "linux", name
	}
	p := Port{system, arch}
	if !slices.Contains(All, p) {
		return Port{}, fmt.Errorf("unknown port %q: want one of %v, or a GOARCH of linux", name, All)
	}
	return p, nil
}

func (p Port) String() string {
	if p == (Port{}) {
		return "this machine"
	}
	return p.System + "/" + p.Arch
}

// Narrow reports whether addresses have 32 bits.
func (p Port) Narrow() bool { return slices.Contains([]string{"386", "arm", "mips", "mipsle"}, p.Arch) }

// Strict reports whether the processor traps on some accesses at addresses that are not multiples of the
// size: on arm those to floating-point numbers, on mips all.
func (p Port) Strict() bool {
	return slices.Contains([]string{"arm", "mips", "mipsle", "mips64", "mips64le"}, p.Arch)
}

// BigEndian reports whether the highest byte of a number comes first.
func (p Port) BigEndian() bool {
	return slices.Contains([]string{"s390x", "ppc64", "mips", "mips64"}, p.Arch)
}

// Env returns the variables that make the go command build for the port, without cgo.
func (p Port) Env() []string {
	env := []string{"CGO_ENABLED=0"}
	if p != (Port{}) {
		env = append(env, "GOOS="+p.System, "GOARCH="+p.Arch)
	}
	return env
}

// A Runner runs executables of a port.
type Runner struct {
	// Command precedes the path of the executable; it is empty if the machine runs the executable itself.
	Command []string
	// Env are variables that Command needs.
	Env []string
}

// Runner finds out how executables of the port are run. The error tells what is missing and where to
// get it.
func (p Port) Runner() (Runner, error) {
	switch {
	case p == Port{}, p == Port{runtime.GOOS, runtime.GOARCH},
		runtime.GOARCH == "amd64" && p == Port{runtime.GOOS, "386"} && p.System == "linux":
		return Runner{}, nil
	case p.System == "linux" && runtime.GOOS == "linux" && qemu[p.Arch] != "":
		for _, suffix := range []string{"-static", ""} {
			if path, err := exec.LookPath("qemu-" + qemu[p.Arch] + suffix); err == nil {
				return Runner{Command: []string{path}}, nil
			}
		}
		return Runner{}, fmt.Errorf("qemu-%s is not installed (Debian: qemu-user-static)", qemu[p.Arch])
	case p == Port{"js", "wasm"}:
		if _, err := exec.LookPath("node"); err != nil {
			return Runner{}, fmt.Errorf("node is not installed (Debian: nodejs)")
		}
		return goExec("go_js_wasm_exec")
	case p == Port{"wasip1", "wasm"}:
		for _, runtime := range []string{"wazero", "wasmtime"} {
			if _, err := exec.LookPath(runtime); err == nil {
				r, err := goExec("go_wasip1_wasm_exec")
				r.Env = append(r.Env, "GOWASIRUNTIME="+runtime)
				return r, err
			}
		}
		return Runner{}, fmt.Errorf("neither wazero nor wasmtime is installed (go install github.com/tetratelabs/wazero/cmd/wazero@latest)")
	}
	return Runner{}, fmt.Errorf("%s cannot be run on %s/%s", p, runtime.GOOS, runtime.GOARCH)
}

// goExec returns the script in Go's library that runs programs for a port without an operating system.
func goExec(name string) (Runner, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return Runner{}, err
	}
	return Runner{Command: []string{filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", name)}}, nil
}
