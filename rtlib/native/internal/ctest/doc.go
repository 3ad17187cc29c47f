//go:build !cgo

// Package ctest is empty without cgo.
package ctest
