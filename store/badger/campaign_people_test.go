package badger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/records"
)

// putRecord writes a record as JSON.
func putRecord(t *testing.T, e writeTx, key []byte, r any) {
	t.Helper()
	value, err := json.Marshal(r)
	if err != nil {
		t.Error(err)
	}
	e.putRaw(key, value)
}

// TestPeopleOfOlderVersions: campaigns that an older version wrote, before this one or after it, have their people
// counted and listed at the next opening, also from a dump; answers of calls that have expired stay counted.
func TestPeopleOfOlderVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, ctx := openCalls(t, dir, OpenOptions{}, "bakery"), t.Context()
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "bakery", Name: "Reminders", ScenarioID: "order", Status: campaign.Running, CreatedAt: testClock(),
	}
	var all []call.Call
	for i := range 12 {
		one := newTestCall("bakery")
		one.PhoneNumber, one.CampaignID = fmt.Sprintf("+9665000000%02d", i), c.ID
		all = append(all, one)
	}
	if _, err := s.CreateCampaign(ctx, c, all, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	for i, status := range []call.CallStatus{call.Completed, call.NoAnswer, call.NoAnswer, call.Failed} {
		endCampaignCall(t, s, all[i], status)
	}
	want, err := s.FindCampaign(ctx, "bakery", c.ID)
	if err != nil || want.Tally.People.Total() != 12 || want.Tally.Counts[call.Scheduled] != 11 {
		t.Fatalf("counted %+v, %v", want.Tally, err)
	}
	writeAsOlder(t, s, want)
	var dump bytes.Buffer
	if err := errors.Join(s.WriteBackup(ctx, &dump), s.Close()); err != nil {
		t.Fatal(err)
	}
	restored := filepath.Join(t.TempDir(), "db")
	if _, err := RestoreDump(restored, &dump, OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{dir, restored, dir} {
		s := openTest(t, from, OpenOptions{})
		checkIndexes(t, s)
		got, err := s.FindCampaign(ctx, "bakery", c.ID)
		if err != nil || !reflect.DeepEqual(got.Tally, want.Tally) {
			t.Errorf("counted %+v\n%+v, want\n%+v, %v", got.Tally, got.Tally.People, want.Tally.People, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// endCampaignCall ends a call of a campaign.
func endCampaignCall(t *testing.T, s *BadgerStore, c call.Call, status call.CallStatus) {
	t.Helper()
	at := c.ScheduledAt.Add(time.Minute)
	_, err := s.ReleaseCall(t.Context(), c.OrgID, c.ID, at)
	o := call.CallOutcome{Status: status, Failure: &call.CallFailure{Reason: call.RingTimeout}}
	if status == call.Completed {
		o.Failure, o.Report = nil, json.RawMessage(`{"ok":true}`)
		_, answered := s.AnswerCall(t.Context(), c.OrgID, c.ID, "", at)
		err = errors.Join(err, answered)
	}
	_, ended := s.FinishCall(t.Context(), c.OrgID, c.ID, o, nil, at)
	if err = errors.Join(err, ended); err != nil {
		t.Fatal(err)
	}
}

// writeAsOlder rewrites a campaign's records as an older version that does not count people leaves them after working
// on a database of this version: part of the index of people is missing, and it has a stale entry.
func writeAsOlder(t *testing.T, s *BadgerStore, c campaign.Campaign) {
	t.Helper()
	stale := joinKey("call-person", c.OrgID, c.ID, string(store.UnreachedPeople), encodeTime(testClock()), call.NewID())
	err := s.updateTx(t.Context(), func(e writeTx) error {
		i := 0
		e.view.visitKeys(joinPrefix("call-person", c.OrgID, c.ID), func(rest string) bool {
			if i++; i%2 == 0 {
				e.deleteKey(append(joinPrefix("call-person", c.OrgID, c.ID), rest...))
			}
			return true
		})
		e.putIndex(stale)
		older := c.Tally
		older.People = nil
		putRecord(t, e, joinKey("campaign-tally", c.OrgID, c.ID), older)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPeopleCalledBackInOlderVersions: of people whom an older version called back after they had been reached, the
// last call that reached them decides.
func TestPeopleCalledBackInOlderVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, ctx := openCalls(t, dir, OpenOptions{}, "bakery"), t.Context()
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "bakery", Name: "Reminders", ScenarioID: "order", Status: campaign.Running, CreatedAt: testClock(),
	}
	one := newTestCall("bakery")
	one.CampaignID, one.Attempt.Max, one.Attempt.Plan.MaxAttempts, one.Attempt.Plan.On = c.ID, 4, 4, call.AllStatuses()
	if _, err := s.CreateCampaign(ctx, c, []call.Call{one}, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	id := one.ID
	for i, status := range []call.CallStatus{call.Completed, call.NoAnswer, call.Completed} {
		ended, err := s.FindCall(ctx, "bakery", id)
		if err != nil {
			t.Fatal(err)
		}
		endCampaignCall(t, s, ended, status)
		if ended, err = s.FindCall(ctx, "bakery", id); err != nil || ended.Attempt.NextID == nil {
			t.Fatalf("call %d: %+v, %v", i, ended, err)
		}
		id = *ended.Attempt.NextID
	}
	want, err := s.FindCampaign(ctx, "bakery", c.ID)
	if err != nil || want.Tally.People.Total() != 1 || want.Tally.People.Counts[call.Completed] != 1 {
		t.Fatalf("counted %+v, %v", want.Tally.People, err)
	}
	err = s.updateTx(ctx, func(e writeTx) error { // without the marks that the older version does not write
		all, err := records.ListCampaignCalls(e, c.OrgID, c.ID)
		for _, r := range all {
			r.Superseded = false
			putRecord(t, e, joinKey("call", c.OrgID, r.Call.ID), r)
		}
		return err
	})
	writeAsOlder(t, s, want)
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	again := openTest(t, dir, OpenOptions{})
	checkIndexes(t, again)
	got, err := again.FindCampaign(ctx, "bakery", c.ID)
	if err != nil || !reflect.DeepEqual(got.Tally, want.Tally) {
		t.Errorf("counted %+v\n%+v, want\n%+v, %v", got.Tally, got.Tally.People, want.Tally.People, err)
	}
}
