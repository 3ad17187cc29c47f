package randprog_test
import ("testing";"os";"strconv";"github.com/uvm2go/uvm2go/internal/randprog")
func TestShow(t *testing.T){ s:=os.Getenv("SHOW"); if s==""{t.Skip()}; n,_:=strconv.ParseInt(s,10,64); os.WriteFile("/tmp/fz/show.uir",[]byte(randprog.Bundle([]randprog.Program{randprog.Generate(n,"@p.")})),0o666)}
