package libmu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// config is what a client wants of a VM. The sizes of spaces are for heaps of another layout: they are checked, and no more.
type config struct {
	libs []string // native libraries
	made struct { // files that are made
		dir      string   // folder of those whose names are relative
		libs     []string // native libraries, in addition to libs
		libPaths []string // folders of libraries
	}
}

// A form is the form of the value of a setting.
type form func(value string) error

// settings are the keys of a configuration text (refimpl2-2016, rmu-ref).
var settings = map[string]form{
	"sosSize": size, "losSize": size, "globalSize": size, "stackSize": size,
	"staticCheck": oneOf("true", "false"), "sourceInfo": oneOf("true", "false"),
	"dumpBundle": oneOf("true", "false"), "uPtrHack": oneOf("true", "false"),
	"vmLog": oneOf(levels...), "gcLog": oneOf(levels...),
	"extraLibs": anything,
}

var levels = []string{"all", "trace", "debug", "info", "warn", "error", "off"}

// parseConfig reads a configuration text.
func parseConfig(text string) (config, error) {
	var c config
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		want, known := settings[key]
		switch {
		case !ok:
			return c, fmt.Errorf("line %d of the configuration: %q: want key=value", i+1, line)
		case !known:
			return c, fmt.Errorf("line %d of the configuration: unknown key %q: want one of %s", i+1, key, strings.Join(sortedKeys(settings), ", "))
		}
		if err := want(value); err != nil {
			return c, fmt.Errorf("line %d of the configuration: %s=%s: %v", i+1, key, value, err)
		}
		if key == "extraLibs" {
			c.libs = append(c.libs, strings.FieldsFunc(value, func(r rune) bool { return r == ':' })...)
		}
	}
	return c, nil
}

// options are the options of an option string (zebu-2017). A nil form is that of a switch, which has no value.
var options = map[string]form{
	"--log-level":      oneOf("none", "error", "warn", "info", "debug", "trace", "env"),
	"--disable-inline": nil, "--disable-regalloc-validate": nil, "--disable-ir-validate": nil, "--emit-debug-info": nil,
	"--aot-emit-dir": anything, "--aot-link-static": nil,
	"--bootimage-external-lib": anything, "--bootimage-external-libpath": anything,
	"--gc-disable-collection": nil, "--gc-immixspace-size": size, "--gc-lospace-size": size, "--gc-nthreads": size,
}

// parseOptions reads an option string. The first word is the name of a program, and ignored.
func parseOptions(text string) (config, error) {
	var c config
	c.made.dir = "emit"
	for i, word := range strings.Fields(text) {
		if i == 0 && !strings.HasPrefix(word, "-") {
			continue
		}
		name, value, valued := strings.Cut(word, "=")
		want, known := options[name]
		switch {
		case !known:
			return c, fmt.Errorf("unknown option %s", word)
		case (want != nil) != valued:
			return c, fmt.Errorf("option %s: %s", word, map[bool]string{true: "it has no value", false: "want " + name + "=VALUE"}[valued])
		case want == nil:
			continue
		}
		if err := want(value); err != nil {
			return c, fmt.Errorf("option %s: %v", word, err)
		}
		switch name {
		case "--aot-emit-dir":
			c.made.dir = value
		case "--bootimage-external-lib":
			c.made.libs = append(c.made.libs, value)
		case "--bootimage-external-libpath":
			c.made.libPaths = append(c.made.libPaths, value)
		}
	}
	return c, nil
}

// usage lists the options.
func usage() string {
	var b strings.Builder
	b.WriteString("usage: init_mu [options]\n")
	for _, name := range sortedKeys(options) {
		if options[name] != nil {
			name += "=VALUE"
		}
		b.WriteString("  " + name + "\n")
	}
	return b.String()
}

func sortedKeys(m map[string]form) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func anything(string) error { return nil }

// oneOf is the form of a word, in any case.
func oneOf(words ...string) form {
	return func(value string) error {
		if slices.Contains(words, strings.ToLower(value)) {
			return nil
		}
		return fmt.Errorf("want one of %s", strings.Join(words, ", "))
	}
}

// size is the form of a number, which may have the suffix of a unit.
func size(value string) error {
	n := strings.TrimRight(value, "KMGkmg")
	if _, err := strconv.ParseUint(n, 10, 64); err != nil || len(value)-len(n) > 1 {
		return fmt.Errorf("want a number, which K, M or G may follow")
	}
	return nil
}
