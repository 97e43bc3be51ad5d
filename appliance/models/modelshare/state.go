package modelshare

import (
	"encoding/json"
	"os"

	"github.com/google/renameio/v2"
)

// seenState is the last seen state of the bucket: it distinguishes changes made here from those made elsewhere.
type seenState struct {
	Models   map[string]string `json:"models"`             // revisions that were here and in the bucket, by name
	Selected *string           `json:"selected,omitempty"` // the selection that was in force here; nil: none yet
}

// readState reads the state. An unreadable one counts as none, so that no model is removed.
func readState(path string) seenState {
	var s seenState
	if content, err := os.ReadFile(path); err != nil || json.Unmarshal(content, &s) != nil {
		s = seenState{}
	}
	if s.Models == nil {
		s.Models = map[string]string{}
	}
	return s
}

// writeState replaces the state.
func (s seenState) writeState(path string) error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, content, 0o600)
}
