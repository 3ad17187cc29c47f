package libc

import (
	"runtime"
	"time"
	"unsafe"
)

// start is the origin of clocks that have no other origin.
var start = time.Now()

// pair is struct timespec or timeval: two words.
type pair struct{ sec, frac uintptr }

func (p *pair) set(ns, unit int64) {
	p.sec, p.frac = uintptr(ns/1e9), uintptr(ns%1e9/unit)
}

// Time is time: seconds since the epoch, which it also stores unless p is NULL.
func Time(p uintptr) uint64 {
	s := time.Now().Unix()
	if p != 0 {
		*at[uintptr](p) = uintptr(s)
	}
	return uint64(s)
}

// Clock is clock: processor time of the process, in units of a millionth of a second,
// a thousandth on Windows.
func Clock() uint64 {
	ns := processTime()
	if runtime.GOOS == "windows" {
		return uint64(ns / 1e6)
	}
	return uint64(ns / 1e3)
}

// Gettimeofday is gettimeofday; the time zone is not filled in, as on Linux.
func Gettimeofday(tv, tz uintptr) uint32 {
	if tv != 0 {
		at[pair](tv).set(time.Now().UnixNano(), 1e3)
	}
	return 0
}

// ClockGettime is clock_gettime for the real, monotonic and processor clocks.
func ClockGettime(e Errno, id uint32, ts uintptr) uint32 {
	var ns int64
	switch id {
	case clockRealtime:
		ns = time.Now().UnixNano()
	case clockMonotonic, clockMonotonicRaw:
		ns = monotonic()
	case clockProcess:
		ns = processTime()
	default:
		e.Set(eINVAL)
		return failed
	}
	at[pair](ts).set(ns, 1)
	return 0
}

// Nanosleep is nanosleep. No signal interrupts it.
func Nanosleep(e Errno, req, rem uintptr) uint32 {
	t := *at[pair](req)
	sec := int64(t.sec)
	if unsafe.Sizeof(t.sec) == 4 {
		sec = int64(int32(t.sec))
	}
	if sec < 0 || uint64(t.frac) >= 1e9 {
		e.Set(eINVAL)
		return failed
	}
	rest(e, uint64(sec), time.Second)
	pause(e, time.Duration(t.frac))
	if rem != 0 {
		at[pair](rem).set(0, 1)
	}
	return 0
}

// Usleep is usleep.
func Usleep(e Errno, us uint32) uint32 {
	rest(e, uint64(us), time.Microsecond)
	return 0
}

// Sleep is sleep: nothing is left over when it returns.
func Sleep(e Errno, sec uint32) uint32 {
	rest(e, uint64(sec), time.Second)
	return 0
}

// rest sleeps n units, for any n.
func rest(e Errno, n uint64, unit time.Duration) {
	most := uint64(1<<62) / uint64(unit)
	for n > most {
		pause(e, time.Duration(most)*unit)
		n -= most
	}
	pause(e, time.Duration(n)*unit)
}
