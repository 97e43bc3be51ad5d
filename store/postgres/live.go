package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/live"
	"munadi/store/record"
)

var (
	liveSessions = tableOf[live.LiveSession]{
		name: "live_sessions", keys: []string{"org", "id"}, others: []string{"ended"}, owned: true,
		derive: func(l live.LiveSession) []any { return []any{optionalNanos(l.EndedAt)} },
	}
	liveWords = tableOf[live.LiveSegment]{name: "live_words", keys: []string{"org", "session", "rank"}}
)

// noLive returns the not-found error of a live session.
func noLive() error { return store.Errorf(store.CodeNotFound, "no such live session") }

// BeginLive implements [store.LiveSessions].
func (s *PostgresStore) BeginLive(ctx context.Context, l live.LiveSession) error {
	if !record.IsKeyPart(l.ID) {
		return store.Errorf(store.CodeInvalid, "a live session needs an id without '/'")
	}
	l.Segments = nil
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := needOrganization(e, l.OrgID); err != nil {
			return err
		}
		added, err := liveSessions.add(e, l, l.OrgID, l.ID)
		return needAdded(added, err, "there is already a live session %q", l.ID)
	})
}

// AddLiveSegment implements [store.LiveSessions].
func (s *PostgresStore) AddLiveSegment(ctx context.Context, orgID, id string, g live.LiveSegment) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		if _, err := lockIn(e, liveSessions, noLive(), orgID, id); err != nil {
			return err
		}
		raw, err := encodeRecord(g)
		if err != nil {
			return err
		}
		return e.exec("INSERT INTO live_words (org, session, rank, record) VALUES ($1, $2, nextval('ranks'), $3)",
			orgID, id, raw)
	})
}

// EndLive implements [store.LiveSessions].
func (s *PostgresStore) EndLive(
	ctx context.Context, orgID, id string, at time.Time, seconds float64, sum *call.RecordingSum,
) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		l, err := lockIn(e, liveSessions, noLive(), orgID, id)
		if err != nil || l.EndedAt != nil {
			return err
		}
		l.EndedAt, l.Seconds, l.SoundSum = &at, seconds, sum
		liveSessions.put(e, l, orgID, id)
		return nil
	})
}

// LiveSession implements [store.LiveSessions].
func (s *PostgresStore) LiveSession(ctx context.Context, orgID, id string) (l live.LiveSession, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		if l, err = findIn(e, liveSessions, noLive(), orgID, id); err == nil {
			err = readSegments(e, &l)
		}
		return err
	})
	return l, err
}

// readSegments reads the segments of a session; nil without any.
func readSegments(e *dbTx, l *live.LiveSession) error {
	all, err := liveWords.list(e, "WHERE org = $1 AND session = $2 ORDER BY rank", l.OrgID, l.ID)
	if len(all) > 0 {
		l.Segments = all
	}
	return err
}

// LiveSessions implements [store.LiveSessions].
func (s *PostgresStore) LiveSessions(
	ctx context.Context, orgID string, limit int, after string,
) (store.ListPage[live.LiveSession], error) {
	return readPage(ctx, s, []string{"live", orgID}, limit, after,
		func(e *dbTx, place string, rows int) (pagedRows[live.LiveSession], error) {
			found, err := readPlaces[live.LiveSession](e, liveSessions.name, "SELECT "+liveSessions.selected()+
				", id FROM live_sessions WHERE org = $1 AND (id < $2 OR $2 = '') ORDER BY id DESC LIMIT $3", orgID, place, rows)
			for i := range found.records {
				if err == nil {
					err = readSegments(e, &found.records[i])
				}
			}
			return found, err
		})
}

// RunningLive implements [store.LiveSessions] for the sessions that this appliance owns: their microphones are here.
func (s *PostgresStore) RunningLive(ctx context.Context) (running []live.LiveSession, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		running, err = liveSessions.list(e, "WHERE ended IS NULL AND owner = $1 ORDER BY org, id", e.appliance)
		return err
	})
	return running, err
}

// DeleteLive implements [store.LiveSessions].
func (s *PostgresStore) DeleteLive(ctx context.Context, orgID, id, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		if _, err := lockIn(e, liveSessions, noLive(), orgID, id); err != nil {
			return err
		}
		e.queueWrite("DELETE FROM live_words WHERE org = $1 AND session = $2", orgID, id)
		liveSessions.remove(e, orgID, id)
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "live.delete", Subject: id})
		return nil
	})
}

// ExpireLive implements [store.LiveSessions]. A deleted session with a transcript is counted once.
func (s *PostgresStore) ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error) {
	return s.deleteRows(ctx, `WITH gone AS (
			DELETE FROM live_sessions WHERE org = $1 AND ended < $3 RETURNING id
		), quiet AS (
			DELETE FROM live_words w USING live_sessions l
			WHERE l.org = $1 AND w.org = $1 AND w.session = l.id AND l.ended < $2 RETURNING l.id
		)
		SELECT id FROM gone UNION SELECT id FROM quiet`, orgID, unixNanos(words), unixNanos(all))
}
