package oracle

import (
	"fmt"
	"os"
	"strconv"

	"github.com/uvm2go/uvm2go/rtlib/live"
)

// childLevel is the variable that makes a process run a bundle on the engine for live code, which ends
// the process with the program. Its value is the level of optimisation.
const childLevel = "UVM2GO_ORACLE_LIVE"

// Child runs a bundle if a Lab started the process for that. In this case it does not return. Programs
// that have a Lab must call it before anything else.
func Child() {
	level, err := strconv.Atoi(os.Getenv(childLevel))
	if err != nil {
		return
	}
	os.Unsetenv(childLevel)
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = runLive(string(text), level)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// runLive returns only if the program cannot start.
func runLive(text string, level int) error {
	p, err := load(text, Way{Optimize: level})
	if err != nil {
		return err
	}
	known, origins, err := p.Ready()
	if err != nil {
		return err
	}
	entry, err := p.EntryFunction()
	if err != nil {
		return err
	}
	os.Args = append([]string{"prog"}, os.Args[2:]...)
	return live.Run(known, live.Config{Origins: origins, Entry: entry, Names: p.EntityNames()})
}
