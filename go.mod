module github.com/uvm2go/uvm2go

go 1.26
