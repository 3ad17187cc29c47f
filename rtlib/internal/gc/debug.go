package gc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/size"
)

// Debug is what UVMDEBUG says (docs/commands.md, "Environment").
type Debug struct {
	GCTrace     bool   // one line on standard error for each collection
	GCStress    uint64 // collect at every n-th allocation; 0 never
	GCVerify    bool   // check the whole heap around each collection
	ClobberFree bool   // overwrite what is freed
	TrapTrace   bool   // of the traps layer
	StackTrace  bool   // of the threads layer
	Live        bool   // says what becomes of code that arrives at run time
	NoLibffi    bool   // acts as if there were no libffi
	Tier1       bool   // code that arrives is not compiled
	Tier2       uint64 // when code that arrives is compiled, see Tier2
	SampleEvery uint64 // bytes between samples of allocations on average, 0 for the default
	Profiles    []Profile
}

// A Profile is a file that the program writes about its run, and the key of UVMDEBUG that asks for it.
type Profile struct{ Key, File string }

// debugKeys is the table of UVMDEBUG: a key, what it does, how its value is stored.
var debugKeys = []struct {
	key string
	doc string
	set func(d *Debug, n uint64)
}{
	{"clobberfree", "fill freed objects and lines with 0xdb", func(d *Debug, n uint64) { d.ClobberFree = n != 0 }},
	{"gcstress", "collect at every N-th allocation (suffix K, M or G allowed)", func(d *Debug, n uint64) { d.GCStress = n }},
	{"gctrace", "print a line for each collection: number, reason, live bytes before and after, heap size, pause, mark threads", func(d *Debug, n uint64) { d.GCTrace = n != 0 }},
	{"gcverify", "check the whole heap before and after each collection", func(d *Debug, n uint64) { d.GCVerify = n != 0 }},
	{"live", "say what is compiled of the code that arrives at run time, and why something is not", func(d *Debug, n uint64) { d.Live = n != 0 }},
	{"memprofilerate", "sample an allocation for each N bytes, with memprofile", func(d *Debug, n uint64) { d.SampleEvery = n }},
	{"nolibffi", "act as if the system had no libffi", func(d *Debug, n uint64) { d.NoLibffi = n != 0 }},
	{"stacktrace", "print a stack trace with each run-time error that is handled", func(d *Debug, n uint64) { d.StackTrace = n != 0 }},
	{"tier1", "compile nothing of the code that arrives at run time", func(d *Debug, n uint64) { d.Tier1 = n != 0 }},
	{"tier2", "compile code that arrives at run time when it is loaded: 1 before it runs, 2 so that it gets its bodies as it runs", func(d *Debug, n uint64) { d.Tier2 = n }},
	{"traptrace", "print a line for each trap", func(d *Debug, n uint64) { d.TrapTrace = n != 0 }},
}

// TrapTrace and StackTrace are the UVMDEBUG keys traptrace and stacktrace, for the layers
// that implement them. Set by Init.
var TrapTrace, StackTrace bool

// LiveTrace and Tier1 are the keys live and tier1, for the engine for live code.
var LiveTrace, Tier1 bool

// Tier2 is the key tier2: 1 if a bundle is compiled when it is loaded, before it runs, 2 if it then gets its bodies as it
// runs, 0 if hot bundles are compiled.
var Tier2 uint64

// NoLibffi is the key nolibffi, for package ffi.
var NoLibffi bool

// profileKeys are the keys of UVMDEBUG whose value is the name of a file.
var profileKeys = []string{"cpuprofile", memProfile, "trace"}

// memProfile is the key for a profile of allocations, which the heap samples.
const memProfile = "memprofile"

// Profiles are the profiles that UVMDEBUG asks for, one for each key.
var Profiles []Profile

// ParseDebug parses the value of UVMDEBUG: comma-separated key=value, where a key alone
// means key=1.
func ParseDebug(text string) (Debug, error) {
	var d Debug
fields:
	for field := range strings.SplitSeq(text, ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		key, value, found := strings.Cut(field, "=")
		if !found {
			value = "1"
		}
		for _, row := range debugKeys {
			if row.key == key {
				n, err := size.Parse(value)
				if err != nil {
					return d, fmt.Errorf("UVMDEBUG: %s: %w", key, err)
				}
				row.set(&d, n)
				continue fields
			}
		}
		if slices.Contains(profileKeys, key) {
			if !found || value == "" {
				return d, fmt.Errorf("UVMDEBUG: %s: want the name of a file", key)
			}
			d.Profiles = slices.DeleteFunc(d.Profiles, func(p Profile) bool { return p.Key == key }) // the last one counts
			d.Profiles = append(d.Profiles, Profile{key, value})
			continue
		}
		known := slices.Clone(profileKeys)
		for _, row := range debugKeys {
			known = append(known, row.key)
		}
		slices.Sort(known)
		return d, fmt.Errorf("UVMDEBUG: unknown key %q, known are %s", key, strings.Join(known, ", "))
	}
	return d, nil
}
