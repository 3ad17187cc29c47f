package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// shells are the shells that completions can be printed for.
var shells = map[string]func(w io.Writer, cmds []completed){"bash": bashCompletion, "fish": fishCompletion, "zsh": zshCompletion}

func runCompletion(e *env, args []string) int {
	rest, status, done := e.parseFlags(newFlags("completion"), "completion SHELL", args)
	if done {
		return status
	}
	if len(rest) != 1 || shells[rest[0]] == nil {
		return e.errorf("completion: want the name of one shell: bash, fish or zsh")
	}
	shells[rest[0]](e.stdout, completions())
	return statusOK
}

// A completed describes a command for the completions.
type completed struct {
	name, short string
	flags       []completedFlag
	words       []string // the possible arguments, if they are not files
}

type completedFlag struct {
	name, about string
	takes       bool     // a value follows
	value       string   // the name of the value
	words       []string // the possible values
	files, dirs bool     // the value is the name of a file, a folder
}

// completions describes the commands of the command table.
func completions() []completed {
	arguments := map[string][]string{
		"help": nil, "completion": {"bash", "fish", "zsh"}, "man": {}, "version": {},
	}
	for _, n := range commandNames() {
		arguments["help"] = append(arguments["help"], n)
	}
	for _, t := range topics {
		arguments["help"] = append(arguments["help"], t.name)
	}
	values := map[string][]string{
		"dialect": transpile.Dialects.Names(), "form": transpile.Dialects.FormNames(), "stage": stageNames(),
		"mode": {"print", "abort"}, "pass": transpile.Passes(), "passes": transpile.Passes(),
		"place": diag.PlaceNames[:],
	}
	var list []completed
	for _, n := range commandNames() {
		m := describe(commands[n])
		c := completed{name: n, short: m.short, words: arguments[n]}
		m.flags.VisitAll(func(f *flag.Flag) {
			value, about := flag.UnquoteUsage(f)
			c.flags = append(c.flags, completedFlag{name: f.Name, about: about, takes: value != "", value: value,
				words: values[value], files: value == "FILE", dirs: value == "DIR"})
		})
		list = append(list, c)
	}
	return list
}

// stageNames lists the names of stages.
func stageNames() []string {
	var names []string
	for _, d := range transpile.Dialects {
		for _, s := range d.Stages {
			names = append(names, s.Name)
		}
	}
	return names
}

// bashCompletion writes a function for bash's complete command.
func bashCompletion(w io.Writer, cmds []completed) {
	var names []string
	values := map[string]string{} // of flags: a flag has the same values in all commands
	for _, c := range cmds {
		names = append(names, c.name)
		for _, f := range c.flags {
			switch {
			case f.dirs:
				values[f.name] = `compgen -d -- "$cur"`
			case f.files:
				values[f.name] = `compgen -f -- "$cur"`
			case f.takes:
				values[f.name] = fmt.Sprintf(`compgen -W "%s" -- "$cur"`, strings.Join(f.words, " "))
			}
		}
	}
	fmt.Fprintf(w, `# Completions of uvm2go for bash, made by uvm2go completion bash.
_uvm2go() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=translate flags= words= first=1 found=
	if [[ ${COMP_WORDS[1]} == -C ]]; then
		first=3
	fi
	if (( COMP_CWORD > first )); then
		case ${COMP_WORDS[first]} in
		%s) command=${COMP_WORDS[first]} ;;
		esac
	fi
	case $command in
`, strings.Join(names, "|"))
	for _, c := range cmds {
		fmt.Fprintf(w, "\t%s) flags=\"", c.name)
		for _, f := range c.flags {
			fmt.Fprintf(w, " -%s", f.name)
		}
		io.WriteString(w, "\"")
		if c.words != nil {
			fmt.Fprintf(w, " words=\"%s \"", strings.Join(c.words, " "))
		}
		io.WriteString(w, " ;;\n")
	}
	io.WriteString(w, "\tesac\n\tcase $prev in\n")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(w, "\t-%s) found=$(%s) ;;\n", name, values[name])
	}
	fmt.Fprintf(w, `	*)
		if [[ $cur == -* ]]; then
			found=$(compgen -W "$flags" -- "$cur")
		elif [[ -n $words ]]; then
			found=$(compgen -W "$words" -- "$cur")
		else
			found=$(compgen -f -- "$cur")
			if (( COMP_CWORD == first )); then
				found+=$'\n'$(compgen -W "%s" -- "$cur")
			fi
		fi ;;
	esac
	local IFS=$'\n'
	COMPREPLY=($found)
}
complete -o filenames -F _uvm2go uvm2go
`, strings.Join(names, " "))
}

// zshCompletion writes a completion file for a folder in zsh's $fpath.
func zshCompletion(w io.Writer, cmds []completed) {
	quote := strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`).Replace
	io.WriteString(w, "#compdef uvm2go\n# Completions of uvm2go for zsh, made by uvm2go completion zsh.\n_uvm2go() {\n\tlocal command=translate\n\tlocal -a commands\n\tcommands=(\n")
	for _, c := range cmds {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", c.name, quote(c.short))
	}
	io.WriteString(w, `	)
	if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
		_describe command commands
		_files
		return
	fi
	if (( $+commands[(r)$words[2]:*] )); then
		command=$words[2]
		shift words
		(( CURRENT-- ))
	fi
	case $command in
`)
	for _, c := range cmds {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", c.name)
		for _, f := range c.flags {
			fmt.Fprintf(w, " \\\n\t\t\t'*-%s[%s]", f.name, quote(f.about))
			switch {
			case f.dirs:
				fmt.Fprintf(w, ":%s:_files -/", f.value)
			case f.files:
				fmt.Fprintf(w, ":%s:_files", f.value)
			case f.words != nil:
				fmt.Fprintf(w, ":%s:(%s)", f.value, strings.Join(f.words, " "))
			case f.takes:
				fmt.Fprintf(w, ":%s: ", f.value)
			}
			io.WriteString(w, "'")
		}
		switch {
		case c.words == nil:
			io.WriteString(w, " \\\n\t\t\t'*:file:_files'")
		case len(c.words) > 0:
			fmt.Fprintf(w, " \\\n\t\t\t'1:argument:(%s)'", strings.Join(c.words, " "))
		}
		io.WriteString(w, "\n\t\t;;\n")
	}
	io.WriteString(w, "\tesac\n}\n_uvm2go \"$@\"\n")
}

// fishCompletion writes complete commands for fish.
func fishCompletion(w io.Writer, cmds []completed) {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	io.WriteString(w, "# Completions of uvm2go for fish, made by uvm2go completion fish.\n")
	var names []string
	for _, c := range cmds {
		names = append(names, c.name)
	}
	others := "not __fish_seen_subcommand_from " + strings.Join(names, " ")
	for _, c := range cmds {
		fmt.Fprintf(w, "complete -c uvm2go -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.short))
	}
	for _, c := range cmds {
		where := "__fish_seen_subcommand_from " + c.name
		if c.name == "translate" {
			where += "; or " + others
		}
		if c.words != nil {
			fmt.Fprintf(w, "complete -c uvm2go -n %s -f -a %s\n", quote(where), quote(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			fmt.Fprintf(w, "complete -c uvm2go -n %s -o %s -d %s", quote(where), f.name, quote(f.about))
			switch {
			case f.dirs:
				io.WriteString(w, " -x -a '(__fish_complete_directories)'")
			case f.files:
				io.WriteString(w, " -r -F")
			case f.takes:
				fmt.Fprintf(w, " -x -a %s", quote(strings.Join(f.words, " ")))
			}
			fmt.Fprintln(w)
		}
	}
}
