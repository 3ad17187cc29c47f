// Package rtlib is the part of the runtime that a Go program needs when it calls functions of a
// translated package (docs/client.md): contexts, the errors that calls return, and the handles
// below the Go types of the package.
//
//	t := rtlib.NewThreadCtx() // one for each goroutine that calls
//	defer rtlib.CloseThreadCtx(t)
//	sum, err := list.Sum(t, 10)
//
// The runtime has three groups of packages:
//
//   - Go clients see this package, rtlib/mu, which has the client API of Mu, and rtlib/native, for
//     natives in Go.
//   - Generated code sees rtlib/rt, rtlib/num, rtlib/atomics and rtlib/libc, and rtlib/ffi if the
//     program calls C.
//   - rtlib/ffi and rtlib/mu use rtlib/internal/core, which joins the parts of the runtime; other
//     modules cannot import it.
//
// cmd/internal/rooms generates the declarations of this package: aliases of types of
// rtlib/internal/core, and functions that call those of the same name there.
package rtlib
