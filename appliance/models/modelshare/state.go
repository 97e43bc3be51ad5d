package modelshare

import "munadi/store/mirror"

// seenState is the last seen state of the bucket: it distinguishes changes made here from those made elsewhere.
type seenState struct {
	Models   map[string]string `json:"models"`             // revisions that were here and in the bucket, by name
	Selected *string           `json:"selected,omitempty"` // the selection that was in force here; nil: none yet
}

// readState reads the state.
func readState(path string) seenState {
	s := mirror.ReadSeen[seenState](path)
	if s.Models == nil {
		s.Models = map[string]string{}
	}
	return s
}

// writeState replaces the state.
func (s seenState) writeState(path string) error { return mirror.WriteSeen(path, s) }
