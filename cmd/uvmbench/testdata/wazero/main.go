//go:build ignore

// Runs a WebAssembly program with WASI on wazero: main [-interp] FILE ARG... A module of its own is made of
// it where uvmbench works, so that uvm2go does not depend on wazero.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

func main() {
	args := os.Args[1:]
	config := wazero.NewRuntimeConfigCompiler()
	if args[0] == "-interp" {
		config = wazero.NewRuntimeConfigInterpreter()
		args = args[1:]
	}
	var exit *sys.ExitError
	switch err := run(config, args); {
	case errors.As(err, &exit):
		os.Exit(int(exit.ExitCode()))
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(config wazero.RuntimeConfig, args []string) error {
	code, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	_, err = r.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithArgs(args...).
		WithStdout(os.Stdout).WithStderr(os.Stderr).WithRandSource(rand.Reader).WithSysWalltime().WithSysNanotime())
	return err
}
