//go:build !unix

package main

import "os"

// peakRSS returns 0, because the system does not provide the value.
func peakRSS(*os.ProcessState) int64 { return 0 }
