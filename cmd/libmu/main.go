// Libmu is the C library libmu (docs/libmu.md): go build -buildmode=c-shared makes it. The command uvm2go libmu makes it together with the
// headers and the folders that clients expect.
package main

import _ "github.com/uvm2go/uvm2go/rtlib/live/libmu"

func main() {}
