package storetest

import (
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
)

// trialCall: a trial is kept like a call, with its timeline, and found by its id and in the list of trials alone: no list,
// counter, queue, webhook or event of the organization's calls has it. It expires and is erased; one that was interrupted
// is not repeated.
func trialCall(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	wantCode(t, "ReplaceWebhook", ReplaceWebhook(ctx, s, "bakery", delivery.WebhookSetting{
		URL: "https://hooks.example.com", Enabled: true,
	}, "user:a", now), "")
	booked := newCall("bakery", time.Hour)
	bookCalls(t, s, booked)
	begin := func(orgID string) call.Call {
		c := call.NewTrial(call.Call{OrgID: orgID, ScenarioID: "order"}, now)
		wantCode(t, "BeginTrial", s.BeginTrial(ctx, c, "user:a"), "")
		return c
	}
	c, lost := begin("bakery"), begin("bakery")
	wantCode(t, "a call", s.BeginTrial(ctx, newCall("bakery", time.Hour), "user:a"), store.CodeInvalid)
	mixed := c
	mixed.ID = call.NewID()
	wantCode(t, "a call's id", s.BeginTrial(ctx, mixed, "user:a"), store.CodeInvalid)
	_, err := s.AnswerCall(ctx, "bakery", c.ID, soundFile, now)
	wantCode(t, "AnswerCall", err, "")
	o := newOutcome(call.Completed)
	o.Need = call.NeedReason("wrong_number")
	ended, err := s.FinishCall(ctx, "bakery", c.ID, o, &callrules.SuppressionEntry{
		OrgID: "bakery", PhoneNumber: number, Source: "call", CreatedAt: now,
	}, now)
	if wantCode(t, "FinishCall", err, ""); ended.OrgID != "bakery" || !ended.Trial || ended.Notify || ended.Attempt.NextID != nil {
		t.Errorf("it ended as %+v", ended)
	}
	kept, err := s.FindCall(ctx, "bakery", c.ID)
	if wantCode(t, "FindCall", err, ""); len(kept.Messages) == 0 || kept.Recording != soundFile {
		t.Errorf("kept %+v", kept)
	}
	_, err = s.FindCall(ctx, "airline", c.ID)
	wantCode(t, "of another organization", err, store.CodeNotFound)
	if got := timelineEvents(t, s, c); !slices.Equal(got, []string{"tried", "answered", "ended"}) {
		t.Errorf("its timeline is %v", got)
	}
	checkUncounted(t, s, booked.ID, c.ID, lost.ID)
	rescued, err := s.RescueCalls(ctx, now)
	wantCode(t, "RescueCalls", err, "")
	if len(rescued) != 1 || rescued[0].ID != lost.ID || rescued[0].Notify || rescued[0].Attempt.NextID != nil {
		t.Errorf("rescued %+v", rescued)
	}
	wantCode(t, "erasing a call", s.EraseTrial(ctx, "bakery", booked.ID, "user:a", now), store.CodeNotFound)
	wantCode(t, "erasing of another organization", s.EraseTrial(ctx, "airline", c.ID, "user:a", now), store.CodeNotFound)
	wantCode(t, "EraseTrial", s.EraseTrial(ctx, "bakery", c.ID, "user:a", now), "")
	wantCode(t, "EraseTrial again", s.EraseTrial(ctx, "bakery", c.ID, "user:a", now), "")
	if kept, err = s.FindCall(ctx, "bakery", c.ID); err != nil || len(kept.Messages) > 0 || kept.Recording != "" || kept.ErasedAt == nil {
		t.Errorf("an erased one is %+v, %v", kept, err)
	}
	names, err := s.ExpireRecordings(ctx, "bakery", now, true, 10)
	if err != nil || !slices.Equal(names, []string{soundFile}) {
		t.Errorf("recordings to remove %v, %v", names, err)
	}
	old := begin("bakery")
	_, err = s.AnswerCall(ctx, "bakery", old.ID, soundFile, now)
	wantCode(t, "AnswerCall", err, "")
	_, err = s.FinishCall(ctx, "bakery", old.ID, newOutcome(call.Completed), nil, now)
	wantCode(t, "FinishCall", err, "")
	names, err = s.ExpireRecordings(ctx, "bakery", now.Add(time.Hour), true, 10)
	if kept, _ := s.FindCall(ctx, "bakery", old.ID); err != nil || len(names) != 1 || len(kept.Messages) > 0 {
		t.Errorf("expired %v of %+v, %v", names, kept, err)
	}
	running := begin("bakery")
	wantCode(t, "erasing one that runs", s.EraseTrial(ctx, "bakery", running.ID, "user:a", now), "")
	_, err = s.AnswerCall(ctx, "bakery", running.ID, soundFile, now)
	wantCode(t, "AnswerCall", err, "")
	ended, err = s.FinishCall(ctx, "bakery", running.ID, newOutcome(call.Completed), nil, now)
	if wantCode(t, "FinishCall", err, ""); ended.HangupAt == nil || ended.ErasedAt == nil || len(ended.Messages) > 0 {
		t.Errorf("one that was erased while it ran ended as %+v", ended)
	}
}

// checkUncounted checks that trials are in their own list, and in no other list or counter.
func checkUncounted(t *testing.T, s store.Store, booked string, trials ...string) {
	t.Helper()
	ctx := t.Context()
	for _, sort := range []store.CallSort{store.SortByCreation, store.SortByDueTime} {
		listed := map[bool][]string{}
		for _, of := range []bool{false, true} {
			f := store.CallFilter{Trials: of, Sort: sort, Limit: 10}
			page, err := s.CallsPage(ctx, "bakery", f)
			wantCode(t, "CallsPage", err, "")
			for _, c := range page.Items {
				listed[of] = append(listed[of], c.ID)
			}
			if n, err := s.CountCalls(ctx, "bakery", f, 10); err != nil || n != len(page.Items) {
				t.Errorf("%d counted, %d listed, %v", n, len(page.Items), err)
			}
		}
		slices.Sort(listed[true])
		slices.Sort(trials)
		if !slices.Equal(listed[false], []string{booked}) || !slices.Equal(listed[true], trials) {
			t.Errorf("calls %v, trials %v", listed[false], listed[true])
		}
	}
	tallies, err := s.TallyCalls(ctx, "bakery", time.Time{}, time.Time{})
	n := 0
	for _, tally := range tallies {
		for _, count := range tally.Counts {
			n += count
		}
	}
	if err != nil || n != 1 {
		t.Errorf("%d calls are counted, %v", n, err)
	}
	page, err := s.CallsPage(ctx, "bakery", store.CallFilter{NeedsPerson: true, Limit: 10})
	if err != nil || len(page.Items) > 0 {
		t.Errorf("%d calls need staff, %v", len(page.Items), err)
	}
	if entry, err := s.FindSuppression(ctx, "bakery", number, startTime()); store.IgnoreMissing(err) != nil || entry != nil {
		t.Errorf("a trial suppressed %+v, %v", entry, err)
	}
}
