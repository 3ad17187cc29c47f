package main

import (
	"bytes"
	"os"
	"testing"
)

func TestOutput(t *testing.T) {
	want, err := os.ReadFile("want.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got:\n%s\nwant:\n%s", &out, want)
	}
}
