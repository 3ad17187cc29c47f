// The Go twin of the kernel tailstate: a state machine of five functions that tail-call each other, size steps in constant stack space.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const (
	red = iota
	green
	blue
	white
	black
)

// factors has, for each state, the factor for the checksum if the machine ends in that state.
var factors = [...]int64{red: 1, green: 3, blue: 5, white: 7, black: 11}

// run draws two random bits in each state and continues with one of four states.
func run(size int64) int64 {
	state := red
	seed := int64(42)
	var sum int64
	for left := size; left > 0; left-- {
		seed = seed*6364136223846793005 + 1442695040888963407
		bits := uint64(seed) >> 62
		switch state {
		case red:
			switch bits {
			case 0:
				sum++
			case 1:
				sum += 2
				state = green
			case 2:
				sum += 3
				state = blue
			default:
				sum += 4
				state = white
			}
		case green:
			switch bits {
			case 0:
				sum ^= left
				state = blue
			case 1:
				sum++
			case 2:
				state = black
			default:
				sum--
				state = red
			}
		case blue:
			switch bits {
			case 0:
				sum += seed
				state = white
			case 1:
				state = black
			case 2:
				sum ^= 255
				state = red
			default:
				sum += 7
				state = green
			}
		case white:
			switch bits {
			case 0:
				sum++
			case 1:
				state = red
			case 2:
				sum -= left
				state = green
			default:
				sum *= 3
				state = black
			}
		default:
			switch bits {
			case 0:
				sum++
				state = red
			case 1:
				sum ^= seed
				state = blue
			case 2:
				state = green
			default:
				sum += 9
				state = white
			}
		}
	}
	return sum * factors[state]
}

func main() {
	size := int64(150000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "tailstate: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap tailstate.done checksum=%d\n", run(size))
}
