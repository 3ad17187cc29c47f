// Empty is a C library with an empty Go function: what a call of it costs is the least that any call from C into Go does.
package main

import "C"

//export empty
func empty(C.long) {}

func main() {}
