package core

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// withEndings makes a test begin without endings, and leave none.
func withEndings(t *testing.T) {
	clear := func() { endings.list, endings.done = nil, nil }
	clear()
	t.Cleanup(clear)
}

// TestEndingEnds: an ending that ends the process itself neither waits for its own end nor keeps the others from running.
func TestEndingEnds(t *testing.T) {
	withEndings(t)
	var ran []string
	atEnd(func() { ran = append(ran, "first") })
	atEnd(func() {
		ran = append(ran, "second")
		runEndings()
		ran = append(ran, "second ends")
	})
	atEnd(func() { ran = append(ran, "third") })
	done := make(chan struct{})
	go func() {
		defer close(done)
		runEndings()
		runEndings()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("an ending waits for its own end")
	}
	if want := []string{"third", "second", "first", "second ends"}; !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
}

// TestEndingsAdd: an ending can add another one.
func TestEndingsAdd(t *testing.T) {
	withEndings(t)
	ran := false
	atEnd(func() { atEnd(func() { ran = true }) })
	runEndings()
	if !ran {
		t.Error("an ending that an ending has added did not run")
	}
}

// TestEndingsWait: a thread that ends the process while another runs the endings waits for them.
func TestEndingsWait(t *testing.T) {
	withEndings(t)
	inside, proceed := make(chan struct{}), make(chan struct{})
	ran := false
	atEnd(func() {
		close(inside)
		<-proceed
		ran = true
	})
	var others sync.WaitGroup
	others.Go(runEndings)
	<-inside
	waited := make(chan bool)
	go func() {
		runEndings()
		waited <- ran
	}()
	close(proceed)
	if !<-waited {
		t.Error("a thread did not wait for an ending that another runs")
	}
	others.Wait()
}
