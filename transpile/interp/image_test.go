package interp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// imageProgram has a cell of type {i64 ref<H> iref<i64> tagref64}, H a hybrid
// of an i64 and i64s, and a function that returns the content of the cell.
func imageProgram() (p *ir.Program, cell *ir.Global, hybrid, cellType ir.TypeID) {
	p = ir.NewProgram()
	t := p.Types
	i64 := t.Int(64)
	hybrid = t.Hybrid(i64, i64)
	cellType = t.Struct(i64, t.Ref(hybrid), t.IRef(i64), t.Opaque(ir.KTagRef64))
	cell = &ir.Global{Name: "@cell", Type: cellType, ID: p.TakeID()}
	p.Globals = append(p.Globals, cell)
	fields := t.At(cellType).Fields
	results := []ir.TypeID{fields[0], i64, i64, fields[3]}
	f := &ir.Function{Name: "@look", Sig: t.Sig(nil, results), ID: p.TakeID()}
	p.Funcs = append(p.Funcs, f)
	v := p.NewVersion(f, "@look.v", diag.Pos{})
	b := v.NewBlock("%e", diag.Pos{})
	loc := v.ConstValue(&ir.Const{Kind: ir.ConstGlobal, Type: t.IRef(cellType), Global: cell})
	add := func(in ir.Inst, result ir.TypeID) ir.ValueID {
		return v.Insts[v.Append(b, in, []ir.TypeID{result}, nil)].Results[0]
	}
	loaded := make([]ir.ValueID, 4)
	for i, ft := range fields {
		at := add(ir.Inst{Op: ir.OpGetFieldIRef, Ty: cellType, Imm: uint64(i), Args: []ir.ValueID{loc}}, t.IRef(ft))
		loaded[i] = add(ir.Inst{Op: ir.OpLoad, Ty: ft, Args: []ir.ValueID{at}}, ft)
	}
	h := add(ir.Inst{Op: ir.OpGetIRef, Ty: hybrid, Args: []ir.ValueID{loaded[1]}}, t.IRef(hybrid))
	first := add(ir.Inst{Op: ir.OpGetFieldIRef, Ty: hybrid, Args: []ir.ValueID{h}}, t.IRef(i64))
	loaded[1] = add(ir.Inst{Op: ir.OpLoad, Ty: i64, Args: []ir.ValueID{first}}, i64)
	loaded[2] = add(ir.Inst{Op: ir.OpLoad, Ty: i64, Args: []ir.ValueID{loaded[2]}}, i64)
	v.Append(b, ir.Inst{Op: ir.OpRet, Args: loaded}, nil, nil)
	return p, cell, hybrid, cellType
}

func TestImage(t *testing.T) {
	p, cell, hybrid, cellType := imageProgram()
	i64 := p.Types.Int(64)
	number := func(n uint64) *ir.Const { return &ir.Const{Kind: ir.ConstInt, Type: i64, Lo: n} }
	inCell := func(field uint64) ir.ImageLoc {
		return ir.ImageLoc{Global: cell, Path: []uint64{field}, Type: p.Types.At(cellType).Fields[field]}
	}
	inObject := func(path ...uint64) ir.ImageLoc { return ir.ImageLoc{Object: 0, Path: path, Type: i64} }
	p.Image = &ir.Image{
		Objects: []ir.ImageObject{{Name: "@o", Type: hybrid, Len: 3}},
		Inits: []ir.ImageInit{
			{To: inObject(0), Kind: ir.ImageConst, Const: number(11)},
			{To: inObject(1, 2), Kind: ir.ImageConst, Const: number(22)},
			{To: inCell(0), Kind: ir.ImageCopy, From: inObject(1, 2)},
			{To: inCell(1), Kind: ir.ImageObjRef},
			{To: inCell(2), Kind: ir.ImageAddr, From: inObject(1, 2)},
			{To: inCell(3), Kind: ir.ImageTagRef, Tag: 5},
		},
	}
	vals, status, err := Call(p, "@look", nil, Config{CollectEvery: 1})
	if err != nil || status != 0 {
		t.Fatal(status, err)
	}
	lines, err := Results(p, "@look", vals)
	if got := strings.Join(lines, " "); err != nil || got != "22 11 22 ref(ref,5)" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestImageErrors(t *testing.T) {
	p, cell, hybrid, _ := imageProgram()
	i64 := p.Types.Int(64)
	c := &ir.Const{Kind: ir.ConstInt, Type: i64, Lo: 1}
	for _, loc := range []ir.ImageLoc{
		{Object: 0, Path: []uint64{1, 3}, Type: i64}, // beyond the variable part
		{Object: 1, Path: []uint64{0}, Type: i64},
		{Global: cell, Path: []uint64{7}, Type: i64},
		{Global: cell, Path: []uint64{1}, Type: i64}, // a reference there
		{Object: 0, Path: []uint64{0}},
		{Object: 0, Path: []uint64{0}, Type: p.Types.Float()},
	} {
		p.Image = &ir.Image{
			Objects: []ir.ImageObject{{Name: "@o", Type: hybrid, Len: 3}},
			Inits:   []ir.ImageInit{{To: loc, Kind: ir.ImageConst, Const: c}},
		}
		if _, _, err := Call(p, "@look", nil, Config{}); err == nil || strings.Contains(err.Error(), "internal") {
			t.Errorf("%+v: %v", loc, err)
		}
	}
}

// Standard output and the end of the program through native functions.
func TestNativeOutput(t *testing.T) {
	p := ir.NewProgram()
	ty := p.Types
	i32 := ty.Int(32)
	sig := ty.Sig([]ir.TypeID{i32}, []ir.TypeID{i32})
	none := ty.Sig([]ir.TypeID{i32}, nil)
	f := &ir.Function{Name: "@main", Sig: ty.Sig(nil, nil), ID: p.TakeID()}
	p.Funcs, p.Main = append(p.Funcs, f), f
	v := p.NewVersion(f, "@main.v", diag.Pos{})
	b := v.NewBlock("%e", diag.Pos{})
	call := func(name string, sig ir.TypeID, arg uint64) {
		fp := ty.Of(ir.KUFuncPtr, sig)
		callee := v.ConstValue(&ir.Const{Kind: ir.ConstExtern, Type: fp, Sym: name})
		x := v.ConstValue(&ir.Const{Kind: ir.ConstInt, Type: i32, Lo: arg})
		v.Append(b, ir.Inst{Op: ir.OpCCall, Ty: fp, Sig: sig, Args: []ir.ValueID{callee, x}}, ty.At(sig).Results, nil)
	}
	call("putchar", sig, 'h')
	call("putchar", sig, 'i')
	call("exit", none, 0x105)
	call("putchar", sig, '!')
	v.Append(b, ir.Inst{Op: ir.OpRet}, nil, nil)
	var out bytes.Buffer
	status, err := Run(p, Config{Stdout: &out})
	if err != nil || status != 5 || out.String() != "hi" {
		t.Errorf("status %d, %v, output %q", status, err, out.String())
	}
}
