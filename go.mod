module github.com/uvm2go/uvm2go

go 1.26

require github.com/dave/jennifer v1.7.1 // indirect
