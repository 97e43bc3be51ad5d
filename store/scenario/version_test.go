package scenario

import (
	"testing"
	"time"
)

// TestNextVersions: version numbers continue; a scenario saved before versions were kept becomes version 1.
func TestNextVersions(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	next := Scenario{ID: "visit", Name: "new"}
	old := Scenario{ID: "visit", Name: "old", UpdatedAt: now.Add(-time.Hour)}
	kept := old
	kept.Version = 7
	for name, c := range map[string]struct {
		before *Scenario
		want   []VersionHead
	}{
		"a new one": {nil, []VersionHead{{Number: 1, Name: "new", SavedAt: now, SavedBy: "user:1"}}},
		"the next":  {&kept, []VersionHead{{Number: 8, Name: "new", SavedAt: now, SavedBy: "user:1"}}},
		"one of old": {&old, []VersionHead{
			{Number: 1, Name: "old", SavedAt: old.UpdatedAt},
			{Number: 2, Name: "new", SavedAt: now, SavedBy: "user:1"},
		}},
	} {
		got := NextVersions(c.before, next, "user:1", now)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, v := range got {
			if v.VersionHead != c.want[i] || v.Scenario.Version != v.Number || v.Scenario.Name != v.Name {
				t.Errorf("%s: %+v, want %+v", name, v, c.want[i])
			}
		}
	}
}
