// The Go twin of the empty program.
package main

func main() {}
