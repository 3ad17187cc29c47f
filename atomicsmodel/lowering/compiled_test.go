package lowering

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// A reading says what instructions of a machine, as Go's compiler prints them, are in the tables. What no expression matches is of no
// interest.
type reading []struct{ instruction, token string }

var readings = map[string]reading{
	// On 386 the operations are functions of sync/atomic in assembler.
	"amd64": {{`^(CALL|JMP)\t.*/rtlib/atomics\.StoreRelease`, "W"}, {`^(XCHG[LQ]\t.*\(|LOCK)`, "RW"}, {`^MOV[LQ]\t\w+, \(\w+\)$`, "W"}, {`^MOV[LQ]\t\(\w+\), \w+$`, "R"}, {`^XCHGL\t\w+, .*\.x\+`, "RW"}},
	"arm64": {{`^LDARW?\t`, "R.aq"}, {`^STLRW?\t`, "W.rl"}, {`^(SWPAL|LDADDAL|LDORAL|LDCLRAL|CASAL)[WD]\t`, "RW.aq.rl"},
		{`^LDAXRW?\t`, "LL.aq"}, {`^STLXRW?\t`, "SC.rl"}},
	"riscv64": {{`^LR[WD]\t`, "LL.aq"}, {`^SC[WD]\t`, "SC.rl"}, {`^AMO\w+\t`, "RW.aq.rl"}},
	"ppc64le": {{`^SYNC`, "SYNC"}, {`^LWSYNC`, "LWSYNC"}, {`^ISYNC`, "ISYNC"}, {`^(LWAR|LDAR)\t`, "LL"}, {`^ST[WD]CCC\t`, "SC"},
		{`^MOV[WD]\tR\d+, \(R\d+\)$`, "W"}, {`^MOV(WZ|D)\t\(R([02-9]|\d\d)\), R\d+$`, "R"}},
	"s390x": {{`^SYNC`, "SYNC"}, {`^CSG?\t`, "RW"}, {`^LAAG?\t`, "RW"}, {`^MOV[WD]\tR\d+, \(R([0-9]|1[0-4])\)$`, "W"},
		{`^MOV(WZ|D)\t\(R([0-9]|1[0-4])\), R\d+$`, "R"}},
}

// read is the sequence of a function in the compiler's listing.
func (r reading) read(listing, function string) string {
	_, text, ok := strings.Cut(listing, "/rtlib/atomics."+function+" STEXT")
	if !ok {
		return "no such function"
	}
	if i := strings.Index(text, " STEXT"); i >= 0 {
		text = text[:i]
	}
	var tokens []string
	for line := range strings.Lines(text) {
		_, inst, ok := strings.Cut(strings.TrimSpace(line), ")\t")
		if !ok || !strings.HasPrefix(line, "\t0x") {
			continue
		}
		for _, one := range r {
			if regexp.MustCompile(one.instruction).MatchString(inst) {
				tokens = append(tokens, one.token)
				break
			}
		}
	}
	return strings.Join(tokens, " ")
}

// locals is a sequence without the marks of local variables.
var locals = strings.NewReplacer("R0", "R", "W0", "W", "LL0", "LL")

// TestCompiled: the tables are what Go's compiler makes of package rtlib/atomics, for this machine; TestLongCompiled: for all.
func TestCompiled(t *testing.T) {
	if readings[runtime.GOARCH] == nil {
		t.Skip("no table for " + runtime.GOARCH)
	}
	compareCompiled(t, runtime.GOARCH)
}

func TestLongCompiled(t *testing.T) {
	longtest.Only(t)
	for arch := range readings {
		compareCompiled(t, arch)
	}
}

func compareCompiled(t *testing.T, arch string) {
	cmd := exec.Command("go", "build", "-gcflags=-S", "github.com/uvm2go/uvm2go/rtlib/atomics")
	cmd.Env = append(os.Environ(), "GOARCH="+arch, "GOOS=linux", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var p, old *Port
	for _, q := range Ports {
		switch q.Name {
		case arch:
			p = q
		case arch + " before ARMv8.1":
			old = q
		}
	}
	for function, op := range map[string]string{
		"Load": "ld.sc", "LoadAcquire": "ld.acq", "LoadRelaxed": "ld.rlx", "Store": "st.sc", "StoreRelease": "st.rel", "StoreRelaxed": "st.rlx",
		"Swap": "xchg.sc", "Add": "add.sc", "CompareAndSwap": "cas.sc", "Fence": "fence.sc", "FenceAcqRel": "fence.ar",
	} {
		widths := []string{"32", "64"}
		if strings.HasPrefix(op, "fence") {
			widths = []string{""}
		}
		for _, width := range widths {
			want := p.rows[op]
			if op == "cas.sc" {
				want += " " + p.rows["ld.sc"]
			}
			if old != nil && (op == "xchg.sc" || op == "add.sc" || op == "cas.sc") {
				want = p.rows[op] + " " + old.rows[op] // behind a test for the newer instructions
				if op == "cas.sc" {
					want += " " + p.rows["ld.sc"]
				}
			}
			if got := readings[arch].read(string(out), function+width); got != locals.Replace(want) {
				t.Errorf("%s: %s%s is %q; the table has %q for %s", arch, function, width, got, locals.Replace(want), op)
			}
		}
	}
}
