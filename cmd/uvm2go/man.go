package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

func runMan(e *env, args []string) int {
	rest, status, done := e.parseFlags(newFlags("man"), "man", args)
	if done {
		return status
	}
	if len(rest) > 0 {
		return e.errorf("man takes no arguments, got %s", rest[0])
	}
	writeMan(e.stdout)
	return statusOK
}

// writeMan writes the man page in the man macros of troff.
func writeMan(w io.Writer) {
	fmt.Fprintf(w, ".TH UVM2GO 1 \"\" \"uvm2go %s\" \"User Commands\"\n", roff(version()))
	fmt.Fprintf(w, ".SH NAME\nuvm2go \\- translate Mu IR to Go\n.SH SYNOPSIS\n")
	names := commandNames()
	for i, n := range names {
		if i > 0 {
			io.WriteString(w, ".br\n")
		}
		fmt.Fprintf(w, ".B uvm2go\n%s\n", roff(describe(commands[n]).usage))
	}
	io.WriteString(w, ".SH DESCRIPTION\nuvm2go translates programs in the intermediate representation of the Mu micro virtual machine\n"+
		"to Go, which the Go toolchain builds.\n.SH COMMANDS\n")
	for _, n := range names {
		m := describe(commands[n])
		fmt.Fprintf(w, ".SS %s \\- %s\n", n, roff(m.short))
		fmt.Fprintf(w, ".B uvm2go\n%s\n", roff(m.usage))
		code := false
		for line := range strings.SplitSeq(m.long, "\n") {
			text, indented := strings.CutPrefix(line, "\t")
			switch {
			case line == "":
				io.WriteString(w, ".PP\n")
				continue
			case indented != code:
				io.WriteString(w, map[bool]string{true: ".nf\n", false: ".fi\n"}[indented])
				code = indented
			}
			fmt.Fprintln(w, roff(text))
		}
		if code {
			io.WriteString(w, ".fi\n")
		}
		m.flags.VisitAll(func(f *flag.Flag) {
			value, about := flag.UnquoteUsage(f)
			if value != "" {
				value = " \\fI" + roff(value) + "\\fR"
			}
			fmt.Fprintf(w, ".TP\n\\fB\\-%s\\fR%s\n%s\n", roff(f.Name), value, roff(about))
		})
	}
	for _, t := range topics {
		fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(t.name))
		for _, r := range t.rows {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(r[0]), roff(r[1]))
		}
	}
}

// roff writes text so that troff prints it as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
