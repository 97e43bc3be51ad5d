package badger

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/record"
	"munadi/store/records"
	"munadi/store/storetest"
)

// testClock is the time at which these tests begin.
func testClock() time.Time { return time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC) }

// newTestCall returns a call that is due immediately and has two attempts.
func newTestCall(orgID string) call.Call {
	id := call.NewID()
	return call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order", Booking: call.Booked,
		CreatedAt: testClock(), ScheduledAt: testClock(),
		Attempt: call.AttemptChain{Number: 1, Max: 2, ChainID: id, Plan: call.RetryPlan{MaxAttempts: 2, DelayMinutes: []int{0}}},
	}
}

// listRecords returns all readable records under prefix, by key.
func listRecords[T any](v snapshotView, prefix []byte) (all []T, err error) {
	err = eachRecord(v, prefix, "", func(_ string, record T) (bool, error) {
		all = append(all, record)
		return true, nil
	})
	return all, err
}

// openCalls opens a store with an organization whose webhook is on.
func openCalls(t testing.TB, dir string, opt OpenOptions, orgID string) *BadgerStore {
	t.Helper()
	s := openTest(t, dir, opt)
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: orgID}, "test"); err != nil {
		t.Fatal(err)
	}
	hook := delivery.WebhookSetting{URL: "https://example.com", Enabled: true}
	if err := storetest.ReplaceWebhook(t.Context(), s, orgID, hook, "key:x", testClock()); err != nil {
		t.Fatal(err)
	}
	return s
}

// checkIndexes compares the indexes of calls and deliveries with those derived from the records: no entry is missing or
// surplus. Counts, timelines and the ranks of deliveries and audit entries have no gaps.
func checkIndexes(t testing.TB, s *BadgerStore) {
	t.Helper()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		calls, err := listRecords[record.CallRecord](v, joinPrefix("call"))
		if err != nil {
			return err
		}
		rows, err := listRecords[record.DeliveryRecord](v, joinPrefix("delivery"))
		if err != nil {
			return err
		}
		want := map[string]string{}
		for _, r := range calls {
			part := r.Call.OrgID
			if r.Call.Trial {
				part += "~trials"
			}
			entries, err := writeTx{v, &changeSet{}}.entriesOf("call", part, r.Call.ID)
			if err != nil {
				return err
			}
			for _, e := range entries {
				want[string(e.key)] = string(e.value)
			}
			lines := uint64(0)
			v.visitKeys(joinPrefix("call-line", part, r.Call.ID), func(rest string) bool {
				lines++
				return rest == encodeRank(lines)
			})
			if lines != r.Lines {
				t.Errorf("the timeline of %s has %d lines, not %d", r.Call.ID, lines, r.Lines)
			}
			if words, err := v.hasKey(joinKey("call-words", part, r.Call.ID)); err != nil || words != r.Words {
				t.Errorf("call %s has words: %v, its record says %v, %v", r.Call.ID, words, r.Words, err)
			}
			if traced, err := v.hasKey(joinKey("call-trace", r.Call.OrgID, r.Call.ID)); err != nil || traced != r.Traced {
				t.Errorf("call %s has a trace: %v, its record says %v, %v", r.Call.ID, traced, r.Traced, err)
			}
		}
		for _, r := range rows {
			entries, err := writeTx{v, &changeSet{}}.entriesOf("delivery", r.Delivery.OrgID, r.Delivery.ID)
			if err != nil {
				return err
			}
			for _, e := range entries {
				want[string(e.key)] = string(e.value)
			}
		}
		checkRanks(t, rows)
		checkPeople(t, v)
		return compareIndexes(t, v, want)
	})
	if err != nil {
		t.Error(err)
	}
}

// checkPeople fails for every campaign whose counters are not those of its calls.
func checkPeople(t testing.TB, v snapshotView) {
	t.Helper()
	all, err := listRecords[campaign.Campaign](v, joinPrefix("campaign"))
	for _, c := range all {
		calls, failed := records.ListCampaignCalls(writeTx{v, &changeSet{}}, c.OrgID, c.ID)
		_, missing := v.getRecord(joinKey("campaign-tally", c.OrgID, c.ID), &c.Tally)
		if err = errors.Join(err, failed, missing); err != nil {
			break
		}
		statuses, people := record.CountStatuses(calls), record.CountPeople(calls)
		if c.Tally.People == nil || !reflect.DeepEqual(c.Tally.People, people) || !maps.Equal(c.Tally.Counts, statuses) {
			t.Errorf("campaign %s is counted as %v and %+v, its calls are %v and %+v", c.ID, c.Tally.Counts, c.Tally.People, statuses, people)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// compareIndexes fails for every index entry that is missing, surplus or has a wrong value.
func compareIndexes(t testing.TB, v snapshotView, want map[string]string) error {
	t.Helper()
	for _, kind := range []string{
		"call-due", "call-running", "call-made", "call-when", "call-status", "call-status-when", "call-scenario", "call-scenario-when", "call-tail", "call-name", "call-stopped", "call-stopped-when", "call-inbound", "call-inbound-when", "call-need", "call-need-when", "call-marked", "call-answer-when", "call-dial", "call-sound",
		"call-worded", "call-campaign", "call-campaign-when", "call-person", "call-person-when", "campaign-due", "delivery-of", "delivery-made", "delivery-state", kindDeliveryDue,
	} {
		index := joinPrefix(kind)
		err := eachValue(v, index, "", func(rest string, value []byte) (bool, error) {
			full := string(index) + rest
			if expected, there := want[full]; !there || expected != string(value) {
				t.Errorf("the index entry %s is surplus or has a wrong value", full)
			}
			delete(want, full)
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	for missing := range want {
		t.Errorf("the entry %s is missing", missing)
	}
	return nil
}

// checkRanks fails for duplicate or missing ranks of an organization's deliveries.
func checkRanks(t testing.TB, rows []record.DeliveryRecord) {
	t.Helper()
	ranks := map[string][]uint64{}
	for _, r := range rows {
		ranks[r.Delivery.OrgID] = append(ranks[r.Delivery.OrgID], r.Rank, r.Place) // equal unless it was redelivered
	}
	for orgID, of := range ranks {
		slices.Sort(of)
		of = slices.Compact(of)
		if of[len(of)-1] != uint64(len(of)) {
			t.Errorf("the ranks of the deliveries of %s are %v", orgID, of)
		}
	}
}

// TestIndexesFollow takes calls through all transitions and compares the indexes after each step.
func TestIndexesFollow(t *testing.T) {
	t.Parallel()
	s, ctx, now := openCalls(t, "", OpenOptions{InMemory: true}, "bakery"), t.Context(), testClock()
	c, other := newTestCall("bakery"), newTestCall("bakery")
	var next string
	var row *delivery.Delivery
	steps := []func() error{
		func() error {
			_, err := s.BookCall(ctx, c, "key:x", &store.IdempotencyReceipt{Key: "k", MadeAt: now})
			return err
		},
		func() error { _, err := s.BookCall(ctx, other, "key:x", nil); return err },
		func() error {
			_, err := s.RescheduleCall(ctx, "bakery", c.ID, now.Add(time.Hour), call.Rescheduled, "key:x", now)
			return err
		},
		func() error { _, err := s.ReleaseCall(ctx, "bakery", c.ID, now.Add(time.Hour)); return err },
		func() error { _, err := s.AnswerCall(ctx, "bakery", c.ID, "bakery/a.wav", now); return err },
		func() error { _, err := s.HangupCall(ctx, "bakery", c.ID, "key:x", now); return err },
		func() error {
			o := call.CallOutcome{
				Status: call.Failed, Recording: "bakery/a.wav", Report: []byte(`{"ok":true,"name":"خ/د"}`),
				Messages: []call.Message{{Role: call.User, Content: "نعم"}},
			}
			ended, err := s.FinishCall(ctx, "bakery", c.ID, o, nil, now)
			if err == nil {
				next = *ended.Attempt.NextID
			}
			return err
		},
		func() (err error) {
			if row, err = s.DeliveryOf(ctx, "bakery", c.ID); err != nil {
				return err
			}
			_, err = s.RecordTry(ctx, "bakery", row.ID, delivery.DeliveryTry{At: now, Error: "x"}, now)
			return err
		},
		func() error {
			_, err := s.RecordTry(ctx, "bakery", row.ID, delivery.DeliveryTry{At: now}, now)
			return err
		},
		func() error { _, err := s.CancelCall(ctx, "bakery", next, "key:x", now); return err },
		func() error { _, err := s.StopCall(ctx, "bakery", other.ID, call.NoVoice, now); return err },
		func() error { _, err := s.ExpireWords(ctx, "bakery", now.Add(1), 10); return err },
		func() error { _, err := s.ExpireRecordings(ctx, "bakery", now.Add(1), false, 10); return err },
		func() error { _, err := s.ErasePerson(ctx, "bakery", c.PhoneNumber, "key:x", now); return err },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if checkIndexes(t, s); t.Failed() {
			t.Fatalf("after step %d", i)
		}
	}
}

// TestCountReadsNoRecords counts calls that wait for staff, as every page of the console does: no record is read, so a
// count allocates about as much for many as for a few.
func TestCountReadsNoRecords(t *testing.T) {
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	waiting := 0
	countWith := func(calls int) (objects float64) {
		for ; waiting < calls; waiting++ {
			c := newTestCall("bakery")
			c.PhoneNumber = fmt.Sprintf("+9665%08d", waiting)
			_, err := s.BookCall(t.Context(), c, "key:x", nil)
			_, released := s.ReleaseCall(t.Context(), "bakery", c.ID, testClock())
			o := call.CallOutcome{
				Status: call.Failed, Failure: &call.CallFailure{Reason: call.CarrierFailure}, Need: call.NeedAsked,
			}
			_, ended := s.FinishCall(t.Context(), "bakery", c.ID, o, nil, testClock())
			if err := errors.Join(err, released, ended); err != nil {
				t.Fatal(err)
			}
		}
		f := store.CallFilter{NeedsPerson: true, Sort: store.SortByMark, TakenBy: store.TakenByNobody, Ascending: true}
		return testing.AllocsPerRun(20, func() {
			if n, err := s.CountCalls(t.Context(), "bakery", f, math.MaxInt32); err != nil || n != calls {
				t.Errorf("%d calls, %v, want %d", n, err, calls)
			}
		})
	}
	if few, many := countWith(5), countWith(45); many > few+20*40 {
		t.Errorf("counting 5 and 45 calls allocates %v and %v objects", few, many)
	}
}
