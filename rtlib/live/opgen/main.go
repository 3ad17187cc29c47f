// Opgen generates the loop of the engine, and its list of instructions, from the table in
// table.go and the instructions of loop.tmpl, which do more.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"log"
	"os"
	"regexp"
	"strings"
	"text/template"
)

//go:embed loop.tmpl
var text string

// handWritten are the instructions of the template, and those of the loop around it, which call functions.
var handWritten = []string{"Jmp", "Loop", "Call", "CallX", "Ret", "Ret1", "RetR", "RetN", "Tail", "New", "Switch", "Do", "Run", "Note", "Exit",
	"TagIsFP", "TagIsInt", "TagIsRef", "TagFromFP", "TagFromInt", "TagFromRef", "TagToFP", "TagToInt", "TagToRef", "TagToTag", "TagRoot", "ToS64"}

// names are the names in the text of a row.
var names = regexp.MustCompile(`\b([rfg]?)([ABCI])\b`)

// immediate makes the last operand of a text the constant of the instruction.
func immediate(text string) string { return regexp.MustCompile(`\bC\b`).ReplaceAllString(text, "I") }

// spell writes a text as Go.
func spell(text string) string {
	return names.ReplaceAllStringFunc(text, func(s string) string {
		m := names.FindStringSubmatch(s)
		if m[2] == "I" {
			return "in.imm"
		}
		at := fmt.Sprintf("(unsafe.Add(fp, uintptr(in.%s)*8))", strings.ToLower(m[2]))
		switch m[1] {
		case "r":
			return "*(*uintptr)" + at
		case "f":
			return "math.Float64frombits(*(*uint64)" + at + ")"
		case "g":
			return "math.Float32frombits(uint32(*(*uint64)" + at + "))"
		}
		return "*(*uint64)" + at
	})
}

// jumps goes to another instruction.
const jumps = "pc = unsafe.Add(pc, by)"

// cases are the cases of the table, texts the texts by name, list the names.
func cases() (all string, texts map[string]string, list []string) {
	var b strings.Builder
	texts = map[string]string{}
	add := func(name, text string) {
		list = append(list, name)
		texts[name] = text
		fmt.Fprintf(&b, "case op%s:\n%s\ncontinue\n", name, spell(text))
	}
	for _, r := range rows() {
		if r.cond == "" {
			add(r.name, r.text)
			continue
		}
		add(r.name, "v := uint64(0)\nif "+r.cond+" {\nv = 1\n}\nA = v")
		// A constant operand leaves the distance to the fields a and c.
		by := "int(in.imm)"
		if strings.Contains(r.cond, "I") {
			by = "int(int32(uint32(in.a)<<16 | uint32(in.c)))*insSize"
		}
		add("J"+r.name, "if "+r.cond+" {\nby := "+by+"\n"+jumps+"\n}")
	}
	return b.String(), texts, list
}

// handWrittenTexts finds the cases of the template that can be the second of a pair.
func handWrittenTexts(texts map[string]string) {
	_, enter, _ := strings.Cut(text, `{{define "enter"}}`)
	enter, _, _ = strings.Cut(enter, "{{end}}")
	begins := regexp.MustCompile(`case op(\w+):\n`).FindAllStringSubmatchIndex(text, -1)
	for i, at := range begins {
		end := strings.Index(text, "{{.Cases}}")
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		texts[text[at[2]:at[3]]] = strings.TrimSpace(strings.ReplaceAll(text[at[1]:end], `{{template "enter"}}`, enter))
	}
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("opgen: ")
	all, texts, list := cases()
	handWrittenTexts(texts)
	both, pairs := fused(texts)
	var b bytes.Buffer
	err := template.Must(template.New("loop").Parse(text)).Execute(&b, map[string]any{"Cases": all + both, "Names": append(list, handWritten...), "Pairs": pairs})
	if err != nil {
		log.Fatal(err)
	}
	src, err := format.Source(b.Bytes())
	if err != nil {
		os.WriteFile("loop_gen.go.bad", b.Bytes(), 0o666)
		log.Fatal(err)
	}
	if err := os.WriteFile("loop_gen.go", src, 0o666); err != nil {
		log.Fatal(err)
	}
}
