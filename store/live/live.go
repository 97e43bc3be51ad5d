// Package live defines the stored record of a live (microphone) transcription session and its transcript segments.
package live

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"munadi/store/call"
)

// SoundSource is where the audio came from.
type SoundSource string

// Sources.
const (
	Server  SoundSource = "server"  // microphone of the appliance's machine
	Browser SoundSource = "browser" // microphone of a console user's browser
)

// LiveSession is one live transcription. Ids sort by start time.
type LiveSession struct {
	ID        string        `json:"id"`
	OrgID     string        `json:"org_id"`
	Source    SoundSource   `json:"source"`
	Device    string        `json:"device,omitempty"` // name of the microphone; empty: the default device
	By        string        `json:"by"`               // who started it: an actor as in the audit trail
	StartedAt time.Time     `json:"started_at"`
	EndedAt   *time.Time    `json:"ended_at,omitempty"` // nil while running
	Seconds   float64       `json:"seconds"`            // duration of the audio, once ended
	Segments  []LiveSegment `json:"segments,omitempty"`
	// SoundSum is the sum of the session's recording, once ended; nil: there is none, or it is not known.
	SoundSum *call.RecordingSum `json:"sound_sum,omitempty"`
}

// NewID generates the id of a session that starts at now.
func NewID(now time.Time) string {
	return fmt.Sprintf("%016x-%s", now.UnixNano(), uuid.NewString()[:8])
}

// SessionStart returns the start time in a session's id; false for an id that [NewID] did not generate.
func SessionStart(id string) (time.Time, bool) {
	stamp, _, found := strings.Cut(id, "-")
	ns, err := strconv.ParseInt(stamp, 16, 64)
	return time.Unix(0, ns), found && err == nil
}

// LiveSegment is the transcript of one utterance. Times are seconds of the session's audio.
type LiveSegment struct {
	Start      float64       `json:"start"`
	End        float64       `json:"end"`
	Text       string        `json:"text"`
	Confidence float64       `json:"confidence"`
	Words      []SegmentWord `json:"words,omitempty"`
}

// SegmentWord is one word of a segment.
type SegmentWord struct {
	Text       string  `json:"word"`
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
}

// EndedBefore reports whether the session had ended at that time.
func (s LiveSession) EndedBefore(t time.Time) bool { return s.EndedAt != nil && s.EndedAt.Before(t) }

// FullText returns the whole transcript.
func (s LiveSession) FullText() string {
	texts := make([]string, 0, len(s.Segments))
	for _, g := range s.Segments {
		texts = append(texts, g.Text)
	}
	return strings.Join(texts, " ")
}
