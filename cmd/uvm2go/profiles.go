package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/made"
)

// A profileFlag is a flag of run with the name of a file that is written about the run; except for coverprofile it is also
// the key of UVMDEBUG.
type profileFlag struct {
	key  string
	file *string
}

// checkProfiles reports files that must not be written.
func checkProfiles(profiles []profileFlag) error {
	writes := map[string]string{}
	for _, p := range profiles {
		if *p.file == "" {
			continue
		}
		kind, ok := made.ByProgram[p.key]
		if !ok {
			kind = made.Coverage
		} else if strings.Contains(*p.file, ",") {
			return fmt.Errorf("-%s %s: the name must not have a comma", p.key, *p.file)
		}
		if err := kind.Check(*p.file); err != nil {
			return fmt.Errorf("-%s: %w", p.key, err)
		}
		abs, err := filepath.Abs(*p.file)
		if err != nil {
			return err
		}
		if other := writes[abs]; other != "" {
			return fmt.Errorf("-%s and -%s both write to %s", other, p.key, *p.file)
		}
		writes[abs] = p.key
	}
	return nil
}

// debugSetting is UVMDEBUG with profiles added, "" if there are none.
func debugSetting(profiles []profileFlag) string {
	value := os.Getenv("UVMDEBUG")
	asked := false
	for _, p := range profiles {
		if *p.file != "" {
			value += "," + p.key + "=" + *p.file
			asked = true
		}
	}
	if !asked {
		return ""
	}
	return "UVMDEBUG=" + strings.TrimPrefix(value, ",")
}

// asksProfile reports whether a value of UVMDEBUG asks for a profile.
func asksProfile(debug string) bool {
	for field := range strings.SplitSeq(debug, ",") {
		key, _, _ := strings.Cut(strings.TrimSpace(field), "=")
		if _, ok := made.ByProgram[key]; ok {
			return true
		}
	}
	return false
}
