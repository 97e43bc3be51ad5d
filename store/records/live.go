package records

import (
	"context"
	"errors"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/live"
	"munadi/store/record"
)

var (
	liveRunning = &driver.Index{
		Kind: "live-running", Parts: []string{"org", "id"}, Only: []driver.Condition{{Column: "ended", Value: nil}},
	}

	// liveSessions are without their segments; their ids sort by time.
	liveSessions = declareKind(driver.Table{
		Kind: "live", Name: "live_sessions", Key: []string{"org", "id"}, Columns: []string{"ended"},
		Numbers: []string{"ended"}, Indexes: []*driver.Index{liveRunning}, Owned: true,
	}, func(l live.LiveSession) []any {
		if l.EndedAt == nil {
			return []any{nil}
		}
		return []any{record.UnixNanos(*l.EndedAt)}
	}, func([]string) error { return store.Errorf(store.CodeNotFound, "no such live session") })

	liveSegments = declareKind[live.LiveSegment](driver.Table{
		Kind: "live-words", Name: "live_words", Key: []string{"org", "session", "rank"}, Numbers: []string{"rank"},
		Counter: "live-rank", Ranked: []string{"rank"},
	}, nil, nil)
)

// BeginLive implements [store.LiveSessions].
func (s *Records) BeginLive(ctx context.Context, l live.LiveSession) error {
	if !record.IsKeyPart(l.ID) {
		return store.Errorf(store.CodeInvalid, "a live session needs an id without '/'")
	}
	l.Segments = nil
	return s.db.Update(ctx, func(tx driver.Tx) error {
		if err := needOrganization(tx, l.OrgID); err != nil {
			return err
		}
		return liveSessions.add(tx, l, "there is already a live session \""+l.ID+"\"", l.OrgID, l.ID)
	})
}

// AddLiveSegment implements [store.LiveSessions].
func (s *Records) AddLiveSegment(ctx context.Context, orgID, id string, g live.LiveSegment) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		if _, err := liveSessions.lock(tx, orgID, id); err != nil {
			return err
		}
		return liveSegments.append(tx, g, orgID, id)
	})
}

// EndLive implements [store.LiveSessions].
func (s *Records) EndLive(
	ctx context.Context, orgID, id string, at time.Time, seconds float64, sum *call.RecordingSum,
) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		before, err := liveSessions.lock(tx, orgID, id)
		if err != nil || before.EndedAt != nil {
			return err
		}
		after := before
		after.EndedAt, after.Seconds, after.SoundSum = &at, seconds, sum
		return liveSessions.replace(tx, before, after, orgID, id)
	})
}

// LiveSession implements [store.LiveSessions].
func (s *Records) LiveSession(ctx context.Context, orgID, id string) (l live.LiveSession, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		if l, err = liveSessions.need(tx, orgID, id); err == nil {
			err = readSegments(tx, &l)
		}
		return err
	})
	return l, err
}

// readSegments reads the segments of a session; nil without any.
func readSegments(tx driver.Tx, l *live.LiveSession) error {
	all, err := liveSegments.list(tx, driver.Query{Equal: []any{l.OrgID, l.ID}})
	if len(all) > 0 {
		l.Segments = all
	}
	return err
}

// LiveSessions implements [store.LiveSessions].
func (s *Records) LiveSessions(
	ctx context.Context, orgID string, limit int, after string,
) (page store.ListPage[live.LiveSession], err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		q := driver.Query{Equal: []any{orgID}, Latest: true}
		page, err = liveSessions.page(tx, q, []string{"live", orgID}, limit, after)
		for i := range page.Items {
			err = errors.Join(err, readSegments(tx, &page.Items[i]))
		}
		return err
	})
	return page, err
}

// RunningLive implements [store.LiveSessions] for the sessions that this appliance owns: their microphones are here.
func (s *Records) RunningLive(ctx context.Context) ([]live.LiveSession, error) {
	return read(ctx, s, func(tx driver.Tx) ([]live.LiveSession, error) {
		return liveSessions.list(tx, driver.Query{Index: liveRunning, Owner: driver.ThisOwner})
	})
}

// DeleteLive implements [store.LiveSessions]. The session goes first, with the audit entry, and then its segments, in
// several transactions. Those that an interrupted delete leaves are removed by the next [Records.ExpireLive].
func (s *Records) DeleteLive(ctx context.Context, orgID, id, actor string, now time.Time) error {
	err := s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		l, err := liveSessions.lock(tx, orgID, id)
		if err != nil {
			return done, err
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: "live.delete", Subject: id}
		return audited{orgID, entry}, dropLive(tx, l)
	})
	if err != nil {
		return err
	}
	return s.deleteSegments(ctx, orgID, id)
}

// dropLive deletes a session without segments.
func dropLive(tx driver.Tx, l live.LiveSession) error {
	tx.OweCompaction()
	return errors.Join(
		liveSessions.remove(tx, l, l.OrgID, l.ID), tx.EndCounter(liveSegments.Table, []string{l.OrgID, l.ID}))
}

// deleteSegments deletes the segments of a session.
func (s *Records) deleteSegments(ctx context.Context, orgID, id string) error {
	return liveSegments.drop(ctx, s.db, driver.Query{Equal: []any{orgID, id}})
}

// ExpireLive implements [store.LiveSessions]. Sessions are in the order of their start: the first one that started
// after a limit ends its search.
func (s *Records) ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error) {
	changed := map[string]bool{}
	for after := ""; ; {
		next, id, err := s.nextWithSegments(ctx, orgID, after, words)
		if err != nil {
			return len(changed), err
		}
		if next == "" {
			break
		}
		if after = next; id != "" {
			if err := s.deleteSegments(ctx, orgID, id); err != nil {
				return len(changed), err
			}
			changed[id] = true
		}
	}
	ended := driver.Query{Equal: []any{orgID}, Where: []driver.Condition{
		{Column: "ended", Value: record.UnixNanos(all) - 1, Op: driver.AtMost},
	}}
	gone, err := liveSessions.sweep(ctx, s.db, ended, func(tx driver.Tx, l live.LiveSession) (live.LiveSession, error) {
		return l, dropLive(tx, l)
	})
	for _, l := range gone {
		changed[l.ID] = true
	}
	return len(changed), err
}

// lastRank is behind all segments of a session, in the order of an organization's segments.
const lastRank = "/7fffffffffffffff"

// nextWithSegments returns the place behind the next session that has segments, empty behind the last one that started
// before a time, and its id if it ended before that time. Segments without a session are those of one that ended.
func (s *Records) nextWithSegments(
	ctx context.Context, orgID, after string, before time.Time,
) (next, id string, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		next, id = "", ""
		var session string
		first := driver.Query{Equal: []any{orgID}, After: after, Limit: 1}
		err := liveSegments.visit(tx, first, func(row driver.Row, _ live.LiveSegment) (bool, error) {
			session = row.Key[1]
			return false, nil
		})
		if err != nil || session == "" {
			return err
		}
		l, found, err := liveSessions.find(tx, orgID, session)
		switch {
		case err != nil && store.CodeOf(err) != store.CodeCorrupt:
			return err
		case err == nil && !found, err == nil && l.EndedBefore(before):
			id = session
		case err == nil && !l.StartedAt.Before(before):
			return nil
		}
		next = session + lastRank
		return nil
	})
	return next, id, err
}
