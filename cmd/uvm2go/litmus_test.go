package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// litmusOutput runs litmus and returns what it prints.
func litmusOutput(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Main(append([]string{"litmus"}, args...), strings.NewReader(""), &out, &errs); status != statusOK {
		t.Fatalf("status %d\n%s", status, errs.String())
	}
	return out.String()
}

func samples(t *testing.T, names ...string) []string {
	var files []string
	for _, n := range names {
		files = append(files, filepath.Join("..", "..", "atomicsmodel", "testdata", n+".litmus"))
	}
	return files
}

// TestLitmusPictures draws executions: each picture is well-formed, has a box for each event, and draws the cycle that an
// axiom forbids with the arrows of the explanation.
func TestLitmusPictures(t *testing.T) {
	for name, want := range map[string][]string{
		"MP+rel+acq":    {`class="fr cycle"`, `class="sb cycle"`, `class="sw cycle"`, ">r1 = ld.rlx x → 0<", "sw: synchronises with"},
		"SB+rel+acq":    {`class="fr"`, `class="mo"`},
		"LB+dep+dep":    {`class="dep cycle"`, `class="rf cycle"`},
		"2+2W+sc+sc":    {`class="S cycle"`, `class="mo"`},
		"MP+na+rlx+rlx": {`class="rf"`},
	} {
		svg := litmusOutput(t, append([]string{"-svg"}, samples(t, name)...)...)
		d := xml.NewDecoder(strings.NewReader(svg))
		boxes := 0
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, svg)
			}
			if s, ok := tok.(xml.StartElement); ok && s.Name.Local == "rect" {
				boxes++
			}
		}
		if boxes < 4 {
			t.Errorf("%s: %d boxes", name, boxes)
		}
		for _, w := range want {
			if !strings.Contains(svg, w) {
				t.Errorf("%s: no %s in\n%s", name, w, svg)
			}
		}
		if svg != litmusOutput(t, append([]string{"-svg"}, samples(t, name)...)...) {
			t.Errorf("%s: drawn twice, the pictures differ", name)
		}
	}
}

// TestGuidePictures: the pictures of docs/memory-model.md are those of its tests.
func TestGuidePictures(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "memory-model.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(docs, "pictures", "*.svg"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pictures", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		_, text, ok := strings.Cut(string(page), "```litmus\nlitmus "+name+"\n")
		text, _, _ = strings.Cut(text, "```")
		if !ok || !strings.Contains(string(page), "(pictures/"+name+".svg)") {
			t.Errorf("%s is no picture of the page", file)
			continue
		}
		test := filepath.Join(t.TempDir(), name+".litmus")
		if err := os.WriteFile(test, []byte("litmus "+name+"\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		if old, err := os.ReadFile(file); err != nil || string(old) != litmusOutput(t, "-svg", test) {
			t.Errorf("%s is out of date: uvm2go litmus -svg %s.litmus >%[1]s (%v)", file, name, err)
		}
	}
}

// TestLitmusPage clicks on the filters of the page in a browser.
func TestLitmusPage(t *testing.T) {
	page := litmusOutput(t, append([]string{"-html"}, samples(t, "MP+rel+acq", "SB+rel+acq", "IRIW+sc", "MP+na+rlx+rlx")...)...)
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on PATH (Debian: chromium)")
	}
	const clicks = `<script>
const log = [], see = what => log.push(what + ":" + document.querySelector("#shown").textContent + " " +
  tests.filter(t => !t.hidden).map(t => t.querySelector(".name").textContent).join(","));
const click = (q) => document.querySelector(q).click();
see("all"); click("button[data-result=Never]"); see("Never"); click("button[data-result=UB]"); see("Never or UB");
click("button[data-result=Never]"); click("button[data-result=UB]"); text.value = "IRIW"; text.oninput(); see("text");
text.value = ""; text.oninput(); click("button[data-bad]"); see("unexpected"); click("button[data-bad]");
click("summary"); setTimeout(() => {
  log.push("open:" + tests[0].open + " " + (tests[0].querySelector("svg").getBoundingClientRect().width > 200));
  document.title = log.join(";");
}, 50);
</script>`
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(strings.Replace(page, "</html>", clicks+"</html>", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=3000", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, title, _ := strings.Cut(string(out), "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	want := "all:4 MP+rel+acq,SB+rel+acq,IRIW+sc,MP+na+rlx+rlx;Never:2 MP+rel+acq,IRIW+sc;Never or UB:3 MP+rel+acq,IRIW+sc,MP+na+rlx+rlx;" +
		"text:1 IRIW+sc;unexpected:0 ;open:true true"
	if title != want {
		t.Errorf("got  %s\nwant %s", title, want)
	}
}
