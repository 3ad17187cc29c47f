//go:build !linux

package mem

func headroom() (space, memory uint64) { return Unlimited, Unlimited }
func addressSpace() uint64             { return Unlimited }
func tasks() uint64                    { return Unlimited }
func freeFiles(int) bool               { return true }
func fileLimit() uint64                { return Unlimited }
