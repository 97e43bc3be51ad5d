package api_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"testing"
)

// documentedJSON returns the JSON blocks of a page of the documentation.
func documentedJSON(t *testing.T, page string) (blocks [][]byte) {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	mustSucceed(t, err)
	for _, found := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

// TestDocumentedScenarios checks that the examples of docs/scenarios.md, which are scenarios or parts of one, follow the
// published schema.
func TestDocumentedScenarios(t *testing.T) {
	t.Parallel()
	blocks := documentedJSON(t, "scenarios.md")
	if len(blocks) < 11 {
		t.Errorf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		whole := map[string]any{"id": "example", "name": "مثال", "steps": []any{map[string]any{"id": "bye", "type": "end"}}}
		var part map[string]any
		mustSucceed(t, json.Unmarshal(block, &part))
		maps.Copy(whole, part)
		data, err := json.Marshal(whole)
		mustSucceed(t, err)
		visitRoutes(t, "NewScenario", data)
	}
}

// TestDocumentedNotifications checks that the payloads of docs/webhooks.md follow the published schemas.
func TestDocumentedNotifications(t *testing.T) {
	t.Parallel()
	blocks := documentedJSON(t, "webhooks.md")
	if len(blocks) < 3 {
		t.Fatalf("%d payloads", len(blocks))
	}
	for i, schema := range []string{"Notification", "Notification", "AlertNotification"} {
		visitRoutes(t, schema, blocks[i])
	}
}
