module github.com/uvm2go/uvm2go

go 1.26

require (
	github.com/dave/jennifer v1.7.1
	github.com/rogpeppe/go-internal v1.16.0
	github.com/sourcegraph/jsonrpc2 v0.2.3
	golang.org/x/term v0.25.0
	golang.org/x/tools v0.26.0
)

require golang.org/x/sys v0.26.0 // indirect
