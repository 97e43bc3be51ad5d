// Package live describes transcriptions of a microphone while somebody speaks into it: what is kept of one.
package live

import (
	"strings"
	"time"
)

// Source is where the sound came from.
type Source string

// The sources.
const (
	Server  Source = "server"  // a microphone of the appliance's machine
	Browser Source = "browser" // one of the person who had the console open
)

// Session is one transcription, from its beginning to its end. Ids of later sessions sort after those of earlier ones.
type Session struct {
	ID        string     `json:"id"`
	OrgID     string     `json:"org_id"`
	Source    Source     `json:"source"`
	Device    string     `json:"device,omitempty"` // name of the microphone; empty: the default one
	By        string     `json:"by"`               // who began it, as the audit trail names people
	StartedAt time.Time  `json:"started_at"`
	EndedAt   *time.Time `json:"ended_at,omitempty"` // nil while it runs
	Seconds   float64    `json:"seconds"`            // of sound, once it has ended
	Segments  []Segment  `json:"segments,omitempty"`
}

// Segment is what was said in one turn. Times are seconds of the session's sound.
type Segment struct {
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	Words      []Word  `json:"words,omitempty"`
}

// Word is one word of a segment.
type Word struct {
	Text       string  `json:"word"`
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
}

// Text is all that was said.
func (s Session) Text() string {
	texts := make([]string, 0, len(s.Segments))
	for _, g := range s.Segments {
		texts = append(texts, g.Text)
	}
	return strings.Join(texts, " ")
}
