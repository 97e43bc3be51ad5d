package backup

import (
	"encoding/json"
	"strings"

	"munadi/store/call"
	"munadi/store/live"
	"munadi/store/record"
)

// recordingSums are the sums of recordings by their names in the data folder.
type recordingSums map[string]call.RecordingSum

// noteRecord adds the recording of a record of a dump: of a call or a live session. Those of older versions have no
// sum. A record that cannot be parsed adds none: the database verifies its records.
func (s recordingSums) noteRecord(key, value []byte) {
	switch kind, name, _ := strings.Cut(string(key), "/"); kind {
	case "call":
		var r record.CallRecord
		if json.Unmarshal(value, &r) == nil && r.Call.RecordingSum != nil {
			s["recordings/"+r.Call.Recording] = *r.Call.RecordingSum
		}
	case "live":
		var l live.LiveSession
		if json.Unmarshal(value, &l) == nil && l.SoundSum != nil {
			s["live/"+name+".wav"] = *l.SoundSum
		}
	}
}
