// Package size reads numbers of bytes as users write them: in the environment variables of programs.
package size

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

// Parse parses a number with an optional suffix K, M or G, in either case.
func Parse(text string) (uint64, error) {
	digits, shift := text, 0
	if n := len(text); n > 0 {
		switch text[n-1] {
		case 'k', 'K':
			shift = 10
		case 'm', 'M':
			shift = 20
		case 'g', 'G':
			shift = 30
		}
		if shift > 0 {
			digits = text[:n-1]
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > math.MaxUint64>>shift {
		return 0, fmt.Errorf("bad number %q", text)
	}
	return n << shift, nil
}

// Env is the value of an environment variable in bytes, 0 if it is not set. The error is for the user.
func Env(name string) (uint64, error) {
	text := os.Getenv(name)
	if text == "" {
		return 0, nil
	}
	n, err := Parse(text)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s: bad size %q, want bytes or a number with suffix K, M or G", name, text)
	}
	return n, nil
}
