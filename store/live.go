package store

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/live"
)

// LiveSessions stores the live (microphone) transcription sessions.
type LiveSessions interface {
	// BeginLive adds a session without its segments. CodeNotFound without the organization, CodeConflict for an id in
	// use, CodeInvalid for a malformed session.
	BeginLive(ctx context.Context, s live.LiveSession) error
	// AddLiveSegment appends a transcript segment to a session. CodeNotFound without one.
	AddLiveSegment(ctx context.Context, orgID, id string, g live.LiveSegment) error
	// EndLive ends a session with the duration of its audio in seconds, and the sum of its recording (nil: unknown); it
	// is idempotent. CodeNotFound without a session.
	EndLive(ctx context.Context, orgID, id string, at time.Time, seconds float64, sum *call.RecordingSum) error
	// LiveSession returns a session with all its segments, by time. CodeNotFound without one.
	LiveSession(ctx context.Context, orgID, id string) (live.LiveSession, error)
	// LiveSessions lists an organization's sessions with their segments, latest first.
	LiveSessions(ctx context.Context, orgID string, limit int, after string) (ListPage[live.LiveSession], error)
	// RunningLive lists the sessions of all organizations that have not ended, without their segments.
	RunningLive(ctx context.Context) ([]live.LiveSession, error)
	// DeleteLive deletes a session with its transcript and adds an audit entry. CodeNotFound without one.
	DeleteLive(ctx context.Context, orgID, id, actor string, now time.Time) error
	// ExpireLive applies retention: it removes the transcripts of sessions that ended before words, and whole sessions
	// that ended before all (all must not be later than words). It returns the number of changed sessions. The caller
	// removes their audio.
	ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error)
}
