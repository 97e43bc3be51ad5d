package apimodel_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestDocumentedPayloads checks that the payloads of docs/webhooks.md have the fields of those that are sent.
func TestDocumentedPayloads(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 2 {
		t.Fatalf("%d payloads", len(blocks))
	}
	for i, golden := range []string{"told_completed.json", "told_busy.json"} {
		sent, err := os.ReadFile(filepath.Join("testdata", golden))
		if err != nil {
			t.Fatal(err)
		}
		if want, got := keysOf(t, sent), keysOf(t, blocks[i][1]); !slices.Equal(got, want) {
			t.Errorf("payload %d of docs/webhooks.md has the fields\n%v\nand %s\n%v", i+1, got, golden, want)
		}
	}
}

// freeForm are the objects whose keys are those of a scenario or a booking.
var freeForm = []string{"variables", "metadata", "report", "response_body", "errors"}

// keysOf returns the paths of all fields of a JSON value, those within free form left out.
func keysOf(t *testing.T, data []byte) (paths []string) {
	t.Helper()
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case []any:
			if len(v) > 0 {
				walk(path, v[0])
			}
		case map[string]any:
			for key, inner := range v {
				paths = append(paths, path+"."+key)
				if !slices.Contains(freeForm, key) {
					walk(path+"."+key, inner)
				}
			}
		}
	}
	walk("", tree)
	slices.Sort(paths)
	return paths
}
