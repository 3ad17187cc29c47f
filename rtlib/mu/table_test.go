package mu_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// reference lists the functions of docs/client.md, "Every function of the reference", without those
// of the IR builder.
const reference = `new_context id_of name_of set_trap_handler execute close_context load_bundle load_hail delete_value
handle_from_sint8 handle_from_sint16 handle_from_sint32 handle_from_sint64
handle_from_uint8 handle_from_uint16 handle_from_uint32 handle_from_uint64 handle_from_uint64s
handle_from_float handle_from_double handle_from_ptr handle_from_fp
handle_to_sint8 handle_to_sint16 handle_to_sint32 handle_to_sint64
handle_to_uint8 handle_to_uint16 handle_to_uint32 handle_to_uint64
handle_to_float handle_to_double handle_to_ptr handle_to_fp
handle_from_const handle_from_global handle_from_func handle_from_expose ref_eq ref_ult
extract_value insert_value extract_element insert_element new_fixed new_hybrid
refcast get_iref get_field_iref get_elem_iref shift_iref get_var_part_iref
load store cmpxchg atomicrmw fence new_stack new_thread_nor new_thread_exc kill_stack get_threadlocal set_threadlocal
new_cursor next_frame copy_cursor close_cursor cur_func cur_func_ver cur_inst dump_keepalives pop_frames_to push_frame
tr64_is_fp tr64_is_int tr64_is_ref tr64_to_fp tr64_to_int tr64_to_ref tr64_to_tag tr64_from_fp tr64_from_int tr64_from_ref
enable_watchpoint disable_watchpoint pin unpin expose unexpose`

// TestTable compares the table in docs/client.md with the reference and with the package.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/client.md")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	for _, f := range pkgs["mu"].Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				recv := fn.Recv.List[0].Type
				if p, ok := recv.(*ast.StarExpr); ok {
					recv = p.X
				}
				if p, ok := recv.(*ast.IndexExpr); ok {
					recv = p.X
				}
				name = recv.(*ast.Ident).Name + "." + name
			}
			exists[name] = true
		}
	}
	quoted := regexp.MustCompile("`([A-Za-z0-9_.]+)`")
	listed, used := map[string]bool{}, map[string]bool{}
	check := func(cell string) {
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			if used[m[1]] = true; !exists[m[1]] {
				t.Errorf("docs/client.md: there is no %s", m[1])
			}
		}
	}
	_, table, _ := strings.Cut(string(text), "\n## Every function of the reference\n")
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) == 5 && strings.Contains(cells[1], "`") {
			for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
				listed[m[1]] = true
			}
			check(cells[2])
		}
	}
	_, rest, _ := strings.Cut(string(text), "\nNot in the reference: ")
	rest, _, _ = strings.Cut(rest, "\n\n")
	check(rest)
	for _, name := range strings.Fields(reference) {
		if !listed[name] {
			t.Errorf("docs/client.md does not list %s", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("docs/client.md lists %s, which is not in the reference", name)
	}
	for name := range exists {
		if strings.HasPrefix(name, "Ctx.") && ast.IsExported(name[4:]) && !used[name] && name != "Ctx.VM" {
			t.Errorf("docs/client.md does not list %s", name)
		}
	}
}
