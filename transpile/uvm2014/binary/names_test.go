package binary

import (
	"strconv"
	"testing"
)

// Digits of numbers in a row are those of strconv, where they get more as well.
func TestNext(t *testing.T) {
	digits := []byte("98")
	for n := 98; n < 10_100; n++ {
		if want := strconv.Itoa(n); string(digits) != want {
			t.Fatalf("%s, want %s", digits, want)
		}
		digits = next(digits)
	}
}
