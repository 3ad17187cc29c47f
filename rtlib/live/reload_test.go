package live_test

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkReload loads small bundles, each of which redefines a function.
func BenchmarkReload(b *testing.B) {
	vm, err := machine()
	if err != nil {
		b.Fatal(err)
	}
	c := vm.NewContext()
	defer c.Close()
	for range b.N {
		if err := c.LoadBundleText(redefinition(int(reloads.Add(1)))); err != nil {
			b.Fatal(err)
		}
	}
}

var reloads atomic.Int64 // a version has a name of its own

// redefinition is a small bundle, which makes the functions of those before it unreachable.
func redefinition(i int) string {
	return fmt.Sprintf(".funcdef @BenchmarkReload.f VERSION %%v%d <@one> { %%e(<@i64> %%x): %%y = ADD <@i64> %%x @1 RET %%y }", i)
}
