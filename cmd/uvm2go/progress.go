package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// progressEvery is how long a step may take before a line is shown, and how often
// the line is rewritten afterwards.
const progressEvery = time.Second

// step shows on a terminal what is being done, if it takes more than a second.
// Nothing else may be written to standard error before done is called, which
// erases the line.
func (e *env) step(what string) (done func()) {
	_, done = e.steps(what)
	return done
}

// steps is step for something that has more to tell: what show got last follows.
func (e *env) steps(what string) (show func(string), done func()) {
	if !e.shows() {
		return func(string) {}, func() {}
	}
	var last atomic.Value
	last.Store("")
	start := time.Now()
	ticker := time.NewTicker(progressEvery)
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		showProgress(e.stderr, func() string { return what + last.Load().(string) }, start, ticker.C, quit)
	}()
	return func(s string) { last.Store(": " + s) }, func() {
		ticker.Stop()
		close(quit)
		<-gone
	}
}

// shows reports whether progress is shown: on a terminal, unless -v or -x prints more anyway.
func (e *env) shows() bool {
	return e.terminal && !e.verbose && !e.echo && os.Getenv("TERM") != "dumb"
}

// showProgress writes a line at each tick, over the previous one, and erases it
// after quit.
func showProgress(w io.Writer, what func() string, start time.Time, ticks <-chan time.Time, quit <-chan struct{}) {
	const clear = "\r\x1b[K"
	shown := false
	for {
		select {
		case now := <-ticks:
			fmt.Fprintf(w, "%suvm2go: %s ... %ds", clear, what(), int(now.Sub(start).Seconds()))
			shown = true
		case <-quit:
			if shown {
				io.WriteString(w, clear)
			}
			return
		}
	}
}
