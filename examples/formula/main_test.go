package main

import (
	"bytes"
	"os"
	"testing"
)

func TestSession(t *testing.T) {
	in, err := os.Open("session.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want, err := os.ReadFile("want.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(in, &out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got:\n%s\nwant:\n%s", &out, want)
	}
}
