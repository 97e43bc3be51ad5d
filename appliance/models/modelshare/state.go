package modelshare

import (
	"encoding/json"
	"os"

	"github.com/google/renameio/v2"
)

// seenState is what this appliance has last seen of the bucket: it tells a change made here from one made elsewhere.
type seenState struct {
	Models   map[string]string `json:"models"`             // revisions that were here and in the bucket, by name
	Selected *string           `json:"selected,omitempty"` // the selection that was in force here; nil: none yet
}

// readState reads the state. One that cannot be read counts as none: then nothing is removed here or there.
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
