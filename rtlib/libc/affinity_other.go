//go:build !linux

package libc

func pin(int) bool { return false }
