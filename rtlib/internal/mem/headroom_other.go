//go:build !linux

package mem

func headroom() (space, memory uint64) { return Unlimited, Unlimited }
func addressSpace() uint64             { return Unlimited }
func tasks(uint64) uint64              { return Unlimited }
func threadStack() uint64              { return 8 << 20 }
func freeFiles(int) bool               { return true }
func fileLimit() uint64                { return Unlimited }
