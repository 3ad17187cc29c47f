package main

import "flag"

// needs lists flags that have a meaning only together with another flag.
var needs = []struct{ flag, other string }{
	{"export", "pkg"},
	{"export", "shared"},
	{"introspect", "pkg"},
	{"args", "call"},
	{"seed", "interp"},
	{"sandbox-allow", "sandbox"},
}

// excludes lists pairs of flags where one would be ignored.
var excludes = []struct{ flag, other, why string }{
	{"entry", "pkg", "a package has no entry"},
	{"entry", "shared", "a library has no entry"},
	{"entry", "call", "-call calls one function instead of the entry"},
	{"n", "interp", "the interpreter builds nothing"},
	{"n", "live", "the engine builds nothing"},
	{"live", "interp", "these are two ways to run a program"},
	{"live", "sanitize", "only programs that are built check what the reference leaves undefined"},
	{"cfg", "dot", "these are two forms of one picture"},
	{"lib", "sandbox", "a sandbox has no native libraries"},
	{"c", "sandbox", "a sandbox has no native code"},
	{"shared", "sandbox", "C calls the functions of a library with any pointers"},
	{"native-c", "sandbox", "a sandbox has no native libraries"},
	{"natives", "sandbox", "-sandbox-allow names the native symbols that a sandbox has"},
	{"introspect", "sandbox", "who inspects a program is not confined by a sandbox"},
	{"cover", "shared", "the process ends without the library"},
	{"cover", "interp", "only programs that are built count"},
	{"cover", "live", "only programs that are built count"},
	{"coverprofile", "interp", "only programs that are built count"},
	{"coverprofile", "live", "only programs that are built count"},
	{"coverprofile", "n", "the program does not run"},
	{"cpuprofile", "interp", "only programs that are built write profiles"},
	{"cpuprofile", "live", "only programs that are built write profiles"},
	{"cpuprofile", "n", "the program does not run"},
	{"memprofile", "interp", "only programs that are built write profiles"},
	{"memprofile", "live", "only programs that are built write profiles"},
	{"memprofile", "n", "the program does not run"},
	{"trace", "interp", "only programs that are built write profiles"},
	{"trace", "live", "only programs that are built write profiles"},
	{"trace", "n", "the program does not run"},
	{"profile", "interp", "only programs that are built write profiles"},
	{"profile", "live", "only programs that are built write profiles"},
	{"profile", "shared", "the process ends without the library"},
	{"html", "cfg", "the page has the control flow"},
	{"html", "dot", "the page has the control flow"},
	{"html", "after", "the page has every pass"},
}

// checkFlags reports a flag that would be ignored because of the other flags.
func (e *env) checkFlags(fs *flag.FlagSet) int {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = f.Value.String() != f.DefValue })
	for _, r := range needs {
		if given[r.flag] && fs.Lookup(r.other) != nil && !inEffect(fs, r.other) {
			return e.errorf("-%s means nothing without -%s", r.flag, r.other)
		}
	}
	for _, r := range excludes {
		if given[r.flag] && inEffect(fs, r.other) {
			return e.errorf("-%s and -%s exclude each other: %s", r.flag, r.other, r.why)
		}
	}
	return statusOK
}

// inEffect reports whether a flag is set by the user or by go generate. Package main counts as a program.
func inEffect(fs *flag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	if f == nil {
		return false
	}
	v := f.Value.String()
	return v != "" && v != "false" && !(name == "pkg" && v == "main")
}
