package main

import (
	"bytes"
	"os"
	"testing"
)

// TestFresh checks that the files in the tree are what go generate writes.
func TestFresh(t *testing.T) {
	t.Chdir("../../..")
	c, err := read(coreDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		want, err := c.write(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(r.file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: run go generate . (%v)", r.file, err)
		}
	}
}

// TestUnknown checks that a name that package core does not have is an error.
func TestUnknown(t *testing.T) {
	t.Chdir("../../..")
	c, err := read(coreDir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.write(room{pkg: "x", names: []string{"NoSuchName"}}); err == nil {
		t.Error("no error")
	}
	if _, err := c.write(room{pkg: "x", names: []string{"Fail", "Fail"}}); err == nil {
		t.Error("no error for a name that is there twice")
	}
}
