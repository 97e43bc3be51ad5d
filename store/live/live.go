// Package live describes transcriptions of a microphone while somebody speaks into it: what is kept of one.
package live

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SoundSource is where the sound came from.
type SoundSource string

// The sources.
const (
	Server  SoundSource = "server"  // a microphone of the appliance's machine
	Browser SoundSource = "browser" // one of the person who had the console open
)

// LiveSession is one transcription, from its beginning to its end. Ids of later sessions sort after those of earlier ones.
type LiveSession struct {
	ID        string        `json:"id"`
	OrgID     string        `json:"org_id"`
	Source    SoundSource   `json:"source"`
	Device    string        `json:"device,omitempty"` // name of the microphone; empty: the default one
	By        string        `json:"by"`               // who began it, as the audit trail names people
	StartedAt time.Time     `json:"started_at"`
	EndedAt   *time.Time    `json:"ended_at,omitempty"` // nil while it runs
	Seconds   float64       `json:"seconds"`            // of sound, once it has ended
	Segments  []LiveSegment `json:"segments,omitempty"`
}

// NewID makes one for a session that begins now.
func NewID(now time.Time) string {
	return fmt.Sprintf("%016x-%s", now.UnixNano(), uuid.NewString()[:8])
}

// SessionStart is when the session of an id began, which is as old as what is kept of it can be; false for an id that
// [NewID] did not make.
func SessionStart(id string) (time.Time, bool) {
	stamp, _, found := strings.Cut(id, "-")
	ns, err := strconv.ParseInt(stamp, 16, 64)
	return time.Unix(0, ns), found && err == nil
}

// LiveSegment is what was said in one turn. Times are seconds of the session's sound.
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

// EndedBefore says that the session was over at that time.
func (s LiveSession) EndedBefore(t time.Time) bool { return s.EndedAt != nil && s.EndedAt.Before(t) }

// FullText is all that was said.
func (s LiveSession) FullText() string {
	texts := make([]string, 0, len(s.Segments))
	for _, g := range s.Segments {
		texts = append(texts, g.Text)
	}
	return strings.Join(texts, " ")
}
