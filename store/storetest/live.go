package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/live"
)

// liveSessions: sessions are begun, get segments, are ended once, listed latest first per organization, and deleted
// with their transcript.
func liveSessions(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	first := live.LiveSession{ID: "0001", OrgID: "bakery", Source: live.Server, Device: "Room", By: asked, StartedAt: now}
	second := live.LiveSession{ID: "0002", OrgID: "bakery", Source: live.Browser, By: asked, StartedAt: now}
	for _, l := range []live.LiveSession{first, second} {
		wantCode(t, "BeginLive", s.BeginLive(ctx, l), "")
	}
	wantCode(t, "again", s.BeginLive(ctx, first), store.CodeConflict)
	wantCode(t, "nobody's", s.BeginLive(ctx, live.LiveSession{ID: "1", OrgID: "nobody"}), store.CodeNotFound)
	wantCode(t, "bad id", s.BeginLive(ctx, live.LiveSession{ID: "a/b", OrgID: "bakery"}), store.CodeInvalid)

	first.Segments = []live.LiveSegment{
		{Start: 1, End: 2, Text: "السلام عليكم", Confidence: 0.9, Words: []live.SegmentWord{{Text: "السلام", Start: 1, End: 1.5}}},
		{Start: 3, End: 4, Text: "شكرا"},
	}
	for _, g := range first.Segments {
		wantCode(t, "AddLiveSegment", s.AddLiveSegment(ctx, "bakery", "0001", g), "")
	}
	wantCode(t, "AddLiveSegment elsewhere", s.AddLiveSegment(ctx, "airline", "0001", live.LiveSegment{}), store.CodeNotFound)
	if running, err := s.RunningLive(ctx); err != nil || len(running) != 2 {
		t.Errorf("running: %+v, %v", running, err)
	}
	end := now.Add(time.Minute)
	first.EndedAt, first.Seconds, first.SoundSum = &end, 60, &call.RecordingSum{Size: 46, SHA256: "ab"}
	wantCode(t, "EndLive", s.EndLive(ctx, "bakery", "0001", end, 60, first.SoundSum), "")
	wantCode(t, "EndLive again", s.EndLive(ctx, "bakery", "0001", end.Add(time.Hour), 1, nil), "")
	wantCode(t, "EndLive of none", s.EndLive(ctx, "bakery", "none", end, 1, nil), store.CodeNotFound)
	got, err := s.LiveSession(ctx, "bakery", "0001")
	if wantCode(t, "LiveSession", err, ""); cmp.Diff(first, got) != "" || got.FullText() != "السلام عليكم شكرا" {
		t.Error(cmp.Diff(first, got))
	}
	if running, err := s.RunningLive(ctx); err != nil || len(running) != 1 || running[0].ID != "0002" {
		t.Errorf("still running: %+v, %v", running, err)
	}
	_, err = s.LiveSession(ctx, "airline", "0001")
	wantCode(t, "elsewhere", err, store.CodeNotFound)

	page, err := s.LiveSessions(ctx, "bakery", 1, "")
	if wantCode(t, "LiveSessions", err, ""); len(page.Items) != 1 || page.Items[0].ID != "0002" || page.Next == "" {
		t.Fatalf("first page %+v", page)
	}
	page, err = s.LiveSessions(ctx, "bakery", 5, page.Next)
	if wantCode(t, "next", err, ""); len(page.Items) != 1 || len(page.Items[0].Segments) != 2 || page.Next != "" {
		t.Errorf("second page %+v", page)
	}

	wantCode(t, "DeleteLive elsewhere", s.DeleteLive(ctx, "airline", "0001", asked, now), store.CodeNotFound)
	wantCode(t, "DeleteLive", s.DeleteLive(ctx, "bakery", "0001", asked, now), "")
	wantCode(t, "DeleteLive again", s.DeleteLive(ctx, "bakery", "0001", asked, now), store.CodeNotFound)
	wantCode(t, "begun again", s.BeginLive(ctx, live.LiveSession{ID: "0001", OrgID: "bakery"}), "")
	if got, err := s.LiveSession(ctx, "bakery", "0001"); err != nil || len(got.Segments) != 0 {
		t.Errorf("what was deleted is back: %+v, %v", got, err)
	}
	trail, err := s.AuditTrail(ctx, "bakery", 10, "")
	if wantCode(t, "AuditTrail", err, ""); len(trail.Items) == 0 || trail.Items[0].Action != "live.delete" {
		t.Errorf("the audit trail is %+v", trail.Items)
	}
}

// liveSessionsExpire: transcripts and whole sessions expire by their end, each after its own period; running sessions
// stay.
func liveSessionsExpire(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	for i, id := range []string{"0001", "0002", "0003"} {
		for _, orgID := range []string{"bakery", "airline"} {
			began := now.Add(time.Duration(i) * time.Hour)
			wantCode(t, "BeginLive", s.BeginLive(ctx, live.LiveSession{ID: id, OrgID: orgID, StartedAt: began}), "")
			for range 200 {
				wantCode(t, "AddLiveSegment", s.AddLiveSegment(ctx, orgID, id, live.LiveSegment{Text: "نعم"}), "")
			}
			if id != "0001" { // which keeps running
				wantCode(t, "EndLive", s.EndLive(ctx, orgID, id, began.Add(30*time.Minute), 1800, nil), "")
			}
		}
	}
	expire := func(words, all time.Time, want int) {
		t.Helper()
		n, err := s.ExpireLive(ctx, "bakery", words, all)
		if wantCode(t, "ExpireLive", err, ""); n != want {
			t.Errorf("%d sessions changed, want %d", n, want)
		}
	}
	left := func(orgID, want string) {
		t.Helper()
		page, err := s.LiveSessions(ctx, orgID, 9, "")
		wantCode(t, "LiveSessions", err, "")
		got := ""
		for _, l := range page.Items {
			got += fmt.Sprint(l.ID, ":", len(l.Segments), " ")
		}
		if got != want {
			t.Errorf("%s has %q, want %q", orgID, got, want)
		}
	}
	expire(now.Add(time.Hour), now, 0)
	expire(now.Add(2*time.Hour), now.Add(time.Hour), 1)
	left("bakery", "0003:200 0002:0 0001:200 ")
	expire(now.Add(9*time.Hour), now.Add(2*time.Hour), 2)
	left("bakery", "0003:0 0001:200 ")
	expire(now.Add(9*time.Hour), now.Add(9*time.Hour), 1)
	left("bakery", "0001:200 ")
	left("airline", "0003:200 0002:200 0001:200 ")
	if n, err := s.ExpireLive(ctx, "nobody", now, now); n != 0 || err != nil {
		t.Errorf("of an unknown organization: %d, %v", n, err)
	}
}
