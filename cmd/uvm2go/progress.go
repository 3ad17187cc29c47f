package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progressEvery is how long a step may last in silence, and how often its line is
// written anew from then on.
const progressEvery = time.Second

// step tells a person at a terminal what goes on, if it takes more than a second.
// Nothing else may be written to standard error before done is called, which takes
// the line away again.
func (e *env) step(what string) (done func()) {
	if !e.shows() {
		return func() {}
	}
	start := time.Now()
	ticker := time.NewTicker(progressEvery)
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		showProgress(e.stderr, what, start, ticker.C, quit)
	}()
	return func() {
		ticker.Stop()
		close(quit)
		<-gone
	}
}

// shows reports whether progress is shown: to people, unless more is said anyway.
func (e *env) shows() bool {
	return e.terminal && !e.verbose && !e.echo && os.Getenv("TERM") != "dumb"
}

// showProgress writes a line at each tick, over the one before, and nothing is left
// of it after quit.
func showProgress(w io.Writer, what string, start time.Time, ticks <-chan time.Time, quit <-chan struct{}) {
	const clear = "\r\x1b[K"
	shown := false
	for {
		select {
		case now := <-ticks:
			fmt.Fprintf(w, "%suvm2go: %s ... %ds", clear, what, int(now.Sub(start).Seconds()))
			shown = true
		case <-quit:
			if shown {
				io.WriteString(w, clear)
			}
			return
		}
	}
}
