// Command twin does in Go and cgo what prog.uir does: twin MODE N.
package main

/*
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void n_empty_noinline(void);
extern int64_t goSame(int64_t);
int64_t n_apply_here(int64_t x);
*/
import "C"

import (
	"os"
	"strconv"
	"unsafe"
)

//export goSame
func goSame(x C.int64_t) C.int64_t { return x }

func main() {
	mode, _ := strconv.Atoi(os.Args[1])
	n, _ := strconv.Atoi(os.Args[2])
	a, b := C.malloc(1024), C.malloc(1024)
	from, to := unsafe.Slice((*byte)(a), 1024), unsafe.Slice((*byte)(b), 1024)
	for i := range n {
		switch mode {
		case 0:
			C.n_empty_noinline()
		case 1:
			C.n_apply_here(C.int64_t(i))
		case 2:
			C.memcpy(b, a, 1024)
		case 3:
			copy(to, from)
		}
	}
}
