package libmu

/*
#include "libmu.h"
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"
)

// uvmmu_new makes a VM for mu_refimpl2_new and relatives; config is NULL for the defaults.
//
//export uvmmu_new
func uvmmu_new(generation C.uint32_t, function, config *C.char) *C.uvm_vm {
	text := optionalText(config)
	v, err := start(generation, text)
	if err == nil {
		return v.c
	}
	why := C.CString(oneLine(err))
	defer C.free(unsafe.Pointer(why))
	switch _, option := err.(badOption); {
	case C.uvm_take(function, why) != 0: // a client that looks at errors
	case option:
		fmt.Fprintf(os.Stderr, "libmu: %v\n%s", err, usage())
		os.Exit(1)
	default:
		fmt.Fprintf(os.Stderr, "libmu: %s: %s\n", C.GoString(function), oneLine(err))
	}
	return nil
}

// badOption is an error in an option string.
type badOption struct{ error }

func start(generation C.uint32_t, text string) (*vm, error) {
	var conf config
	var err error
	if generation == C.UVM_ZEBU {
		if conf, err = parseOptions(text); err != nil {
			return nil, badOption{err}
		}
	} else if conf, err = parseConfig(text); err != nil {
		return nil, err
	}
	return newVM(generation, conf)
}

// uvmmu_close is mu_refimpl2_close.
//
//export uvmmu_close
func uvmmu_close(v *C.uvm_vm) {
	e := enterVM(v, "mu_refimpl2_close")
	defer e.leave()
	if e.err == nil {
		e.err = e.vm.close()
	}
}

// uvmmu_version returns the version of the module.
//
//export uvmmu_version
func uvmmu_version() *C.char {
	version := "uvm2go"
	if info, ok := debug.ReadBuildInfo(); ok {
		version += " " + info.Main.Version
	}
	return C.CString(version)
}
