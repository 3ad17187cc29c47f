// Formula is a calculator whose compiler is written in Go: it makes functions with ir.Builder and passes them to the
// engine for live code, which runs them at once (README.md).
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run reads lines, and prints the value of each formula, or its error.
func run(in io.Reader, out io.Writer) error {
	vm, err := live.New(mu.Config{})
	if err != nil {
		return err
	}
	s := &session{ctx: vm.NewContext()}
	defer s.ctx.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		result, err := s.line(lines.Text())
		switch {
		case err != nil:
			fmt.Fprintln(out, "error:", err)
		case result != "":
			fmt.Fprintln(out, result)
		}
	}
	return lines.Err()
}

// session holds the state that the lines share.
type session struct {
	ctx      *mu.Ctx
	versions int // number of functions made: each version has its own name
}

// line executes a line: a definition of a function, or a formula, which becomes the body of a function without
// parameters.
func (s *session) line(text string) (string, error) {
	d, err := parse(text)
	if d == nil || err != nil {
		return "", err
	}
	s.versions++
	p, err := compile(d, fmt.Sprintf("v%d", s.versions))
	if err != nil {
		return "", err
	}
	if err := live.Load(s.ctx, p); err != nil {
		return "", err
	}
	if d.name != formula {
		return "", nil
	}
	f, err := s.ctx.FuncNamed(symbol(formula, 0))
	if err != nil {
		return "", err
	}
	x, err := mu.Call1[int64](s.ctx, f)
	return fmt.Sprint(x), err
}
