package store

import (
	"context"
	"time"

	"munadi/store/live"
)

// LiveSessions are the transcriptions of microphones.
type LiveSessions interface {
	// BeginLive adds a session without its segments. CodeNotFound without the organization, CodeConflict for an id in
	// use, CodeInvalid for one that may not be.
	BeginLive(ctx context.Context, s live.LiveSession) error
	// HearLive adds a segment to a session. CodeNotFound without one.
	HearLive(ctx context.Context, orgID, id string, g live.LiveSegment) error
	// EndLive says that a session is over, with the length of its sound; a second end changes nothing. CodeNotFound
	// without one.
	EndLive(ctx context.Context, orgID, id string, at time.Time, seconds float64) error
	// LiveSession finds one with all its segments, by time. CodeNotFound without one.
	LiveSession(ctx context.Context, orgID, id string) (live.LiveSession, error)
	// LiveSessions lists an organization's with their segments, latest first.
	LiveSessions(ctx context.Context, orgID string, limit int, after string) (ListPage[live.LiveSession], error)
	// RunningLive are all sessions, of whatever organization, that have not ended, without their segments.
	RunningLive(ctx context.Context) ([]live.LiveSession, error)
	// DeleteLive forgets a session and all that was said in it; the audit trail says so. CodeNotFound without one.
	DeleteLive(ctx context.Context, orgID, id, actor string, now time.Time) error
	// ExpireLive forgets what was said in sessions that ended before the time words, and all of those that ended before
	// the time all, which is not later; it says how many sessions that changed. Their sound is the caller's to remove.
	ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error)
}
