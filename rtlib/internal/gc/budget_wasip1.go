package gc

// hostBudget is the default for StackBudget that the host's own stack allows: a frame of generated
// code lies on it, too. Hosts for Go programs are told to have eight megabytes.
func hostBudget() uint64 { return 4 << 20 }
