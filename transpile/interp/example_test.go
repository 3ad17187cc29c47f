package interp_test

import (
	"fmt"
	"os"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

func exampleProgram(text string, opt transpile.Options) *transpile.Program {
	p, diags := transpile.Load([]transpile.Source{{Name: "prog.uir", Text: []byte(text)}}, opt)
	if p == nil {
		panic(diags.Err())
	}
	return p
}

// A run-time error has the report and the exit status that a built program has.
func ExampleRun() {
	p := exampleProgram(`.typedef @i64 = int<64>
.const @0 <@i64> = 0
.funcsig @v_v = () -> ()
.funcdef @main VERSION %v1 <@v_v> {
    %entry():
        %q = SDIV <@i64> @0 @0
        RET ()
}`, transpile.Options{})
	config := p.Interpreter()
	config.Stdout, config.Stderr = os.Stdout, os.Stdout
	fmt.Println(interp.Run(p.IR, config))
	// Output:
	// uvm: run-time error: DIV_BY_ZERO at @main.v1.entry+0 (prog.uir:6)
	// 	@main (prog.uir:6)
	// 4 <nil>
}

// A program that may not end gets a number of instructions.
func ExampleRun_steps() {
	p := exampleProgram(`.funcsig @v_v = () -> ()
.funcdef @main VERSION %v1 <@v_v> {
    %entry():
        BRANCH %loop()
    %loop():
        BRANCH %loop()
}`, transpile.Options{})
	config := p.Interpreter()
	config.MaxSteps = 1000
	_, err := interp.Run(p.IR, config)
	fmt.Println(err == interp.ErrSteps, err)
	// Output:
	// true the program does not end within the allowed number of instructions
}
