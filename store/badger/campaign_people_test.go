package badger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
)

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
	_, err := s.ReleaseCall(t.Context(), c.OrgID, c.ID, testClock())
	o := call.CallOutcome{Status: status, Failure: &call.CallFailure{Reason: call.RingTimeout}}
	if status == call.Completed {
		o.Failure, o.Report = nil, json.RawMessage(`{"ok":true}`)
		_, answered := s.AnswerCall(t.Context(), c.OrgID, c.ID, "", testClock())
		err = errors.Join(err, answered)
	}
	_, ended := s.FinishCall(t.Context(), c.OrgID, c.ID, o, nil, testClock())
	if err = errors.Join(err, ended); err != nil {
		t.Fatal(err)
	}
}

// writeAsOlder makes a campaign's records those of a version that counts no people, which has gone on with a database
// of this version: a part of the index of people is missing, and it has an entry of long ago.
func writeAsOlder(t *testing.T, s *BadgerStore, c campaign.Campaign) {
	t.Helper()
	stale := joinKey(kindCallPerson, c.OrgID, c.ID, string(store.UnreachedPeople), encodeTime(testClock()), call.NewID())
	err := s.updateTx(t.Context(), func(e writeTx) error {
		i := 0
		e.view.visitKeys(joinPrefix(kindCallPerson, c.OrgID, c.ID), func(rest string) bool {
			if i++; i%2 == 0 {
				e.deleteKey(append(joinPrefix(kindCallPerson, c.OrgID, c.ID), rest...))
			}
			return true
		})
		e.putIndex(stale)
		older := c.Tally
		older.People = nil
		e.putRecord(joinKey(kindCampaignTally, c.OrgID, c.ID), older)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
