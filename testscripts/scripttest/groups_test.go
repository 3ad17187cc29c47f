package scripttest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGroups checks that each script is in one group, and that each group is run.
func TestGroups(t *testing.T) {
	group := map[string]string{}
	for name, areas := range Groups {
		for _, area := range areas {
			if group[area] != "" {
				t.Errorf("area %s is in groups %s and %s", area, group[area], name)
			}
			group[area] = name
		}
		text, err := os.ReadFile(filepath.Join("..", name, "scripts_test.go"))
		runs := func(how string) bool {
			how += `(t, "` + name + `")`
			return strings.Contains(string(text), "scripttest.Run"+how) && strings.Contains(string(text), "scripttest.RunLong"+how)
		}
		if err != nil || !slices.ContainsFunc([]string{"", "Mixed", "Sampled"}, runs) {
			t.Errorf("no package runs group %s: %v", name, err)
		}
	}
	files, err := filepath.Glob(filepath.Join("..", "*.txtar"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d scripts found, %v", len(files), err)
	}
	for _, file := range files {
		if group[Area(file)] == "" {
			t.Errorf("%s is in no group", file)
		}
	}
}
