package console

import (
	"strings"
	"testing"

	"munadi/appliance/models/modelshare"
	"munadi/ui/locale"
)

// TestSharedProblems: each fault of shared models has a sentence in both languages, with the model's name and without
// an empty blank; what the program said is beside it.
func TestSharedProblems(t *testing.T) {
	t.Parallel()
	for _, l := range []locale.Language{locale.Arabic, locale.English} {
		for _, kind := range modelshare.ListKinds() {
			p := modelshare.ShareProblem{Kind: kind, Model: "large", Need: 3 << 30, Free: 1 << 30, Detail: "open x: denied"}
			got := sharedProblemOf(p, locale.ModelsIn(l))
			if got.Text == "" || strings.Contains(got.Text, "{}") || got.Detail != p.Detail {
				t.Errorf("%s in %s: %+v", kind, l, got)
			}
			if named := strings.Contains(p.String(), "large"); named && !strings.Contains(got.Text, "large") {
				t.Errorf("%s in %s does not name the model: %s", kind, l, got.Text)
			}
		}
	}
}
