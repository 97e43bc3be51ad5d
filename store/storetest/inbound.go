package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/inbound"
)

// SetRoutes replaces an organization's routes.
func SetRoutes(
	ctx context.Context, s store.Store, orgID, actor string, now time.Time, routes ...inbound.Route,
) (inbound.Settings, error) {
	return s.ChangeInbound(ctx, orgID, actor, now, func(kept *inbound.Settings) error {
		kept.Routes = routes
		return nil
	})
}

// inboundSettings: settings are read back, and belong to their organization; a refused change changes nothing.
func inboundSettings(t *testing.T, s store.Store) {
	addOrganizations(t, s, "airline")
	ctx, now := t.Context(), startTime()
	want := inbound.Settings{
		Routes:       []inbound.Route{{Number: "+966112000000", ScenarioID: "order", Lines: new(2)}, {Number: "+9661*", ScenarioID: "visit"}},
		CallbackDays: 7, Closed: "نحن مغلقون", UpdatedAt: now,
	}
	change := func(kept *inbound.Settings) error {
		*kept = want
		return nil
	}
	_, err := s.ChangeInbound(ctx, "bakery", asked, now, change)
	wantCode(t, "settings of nobody", err, store.CodeNotFound)
	addOrganizations(t, s, "bakery")
	_, err = s.ChangeInbound(ctx, "bakery", asked, now, change)
	wantCode(t, "ChangeInbound", err, "")
	refused := errors.New("refused")
	_, err = s.ChangeInbound(ctx, "bakery", asked, now, func(kept *inbound.Settings) error {
		kept.Routes = nil
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error of the change is %v", err)
	}
	got, err := s.FindInbound(ctx, "bakery")
	wantCode(t, "FindInbound", err, "")
	if !reflect.DeepEqual(got.Routes, want.Routes) || got.CallbackDays != 7 || got.Closed != want.Closed || !got.UpdatedAt.Equal(now) {
		t.Errorf("read back %+v", got)
	}
	got, err = s.FindInbound(ctx, "airline")
	if wantCode(t, "FindInbound of another", err, ""); len(got.Routes) > 0 || got.Closed != "" {
		t.Errorf("another organization has %+v", got)
	}
}

// inboundRoutes: the most specific route of a number is found, in any organization; routes of two organizations do not
// overlap; a number that its organization no longer routes is free.
func inboundRoutes(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	set := func(orgID string, numbers ...string) error {
		var routes []inbound.Route
		for _, one := range numbers {
			routes = append(routes, inbound.Route{Number: one, ScenarioID: "of " + one})
		}
		_, err := SetRoutes(ctx, s, orgID, asked, now, routes...)
		return err
	}
	wantCode(t, "the bakery's", set("bakery", "+9661*", "+96611200*", "+966112000000"), "")
	wantCode(t, "the airline's", set("airline", "+971*", "+441632960000"), "")
	for called, want := range map[string]string{
		"+966112000000": "bakery +966112000000", "+966112000001": "bakery +96611200*", "+966199999999": "bakery +9661*",
		"+971501234567": "airline +971*", "+441632960000": "airline +441632960000",
		"+966500000000": "", "+441632960001": "", "+4416329600000": "", "": "", "+": "", "a/b": "",
	} {
		found, err := s.FindRoute(ctx, called)
		if code := store.CodeOf(err); want == "" && code != store.CodeNotFound || want != "" && code != "" {
			t.Errorf("the route of %q: %v", called, err)
			continue
		}
		if want != "" && (found.OrgID+" "+found.Route.Number != want || found.Route.ScenarioID != "of "+found.Route.Number ||
			len(found.Settings.Routes) == 0) {
			t.Errorf("%s has %+v, want %s", called, found, want)
		}
	}
	taken := &inbound.TakenError{}
	for _, number := range []string{"+966112000000", "+966112000009", "+96611200*", "+9*", "+96612*"} {
		if err := set("airline", "+441632960000", number); !errors.As(err, &taken) || !slices.Equal(taken.Routes, []int{1}) {
			t.Errorf("another organization's %s: %v", number, err)
		}
	}
	if found, err := s.FindRoute(ctx, "+971501234567"); err != nil || found.OrgID != "airline" {
		t.Errorf("a refused change changed the routes: %+v, %v", found, err)
	}
	wantCode(t, "fewer", set("bakery", "+966112000000"), "")
	wantCode(t, "a free number", set("airline", "+966112000009"), "")
	if found, err := s.FindRoute(ctx, "+966112000009"); err != nil || found.OrgID != "airline" {
		t.Errorf("the freed number has %+v, %v", found, err)
	}
}

// newInboundCall returns a call that comes in over a route.
func newInboundCall(orgID, from string, previous *call.Call, now time.Time) call.Call {
	return call.NewInbound(call.Call{
		OrgID: orgID, PhoneNumber: from, ScenarioID: "order", CalledNumber: "+966112000000", Route: "+96611*",
	}, previous, now)
}

// inboundCall: an inbound call is running at once, is no attempt to reach the person, ends as any other, and is found
// by its direction. One that was interrupted is not repeated.
func inboundCall(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	bookCalls(t, s, newCall("bakery", time.Hour))
	c, err := s.ReceiveCall(ctx, newInboundCall("bakery", number, nil, now), store.Reception{}, now)
	wantCode(t, "ReceiveCall", err, "")
	anonymous, err := s.ReceiveCall(ctx, newInboundCall("bakery", "", nil, now), store.Reception{}, now)
	wantCode(t, "ReceiveCall of nobody", err, "")
	for _, wrong := range []func(*call.Call){
		func(c *call.Call) { c.Status = call.Scheduled }, func(c *call.Call) { c.Attempt.Max = 2 },
		func(c *call.Call) { c.ScenarioID = "" }, func(c *call.Call) { c.PhoneNumber = "a/b" },
	} {
		one := newInboundCall("bakery", number, nil, now)
		wrong(&one)
		_, err := s.ReceiveCall(ctx, one, store.Reception{}, now)
		wantCode(t, "a malformed one", err, store.CodeInvalid)
	}
	_, err = s.ReceiveCall(ctx, newInboundCall("nobody", number, nil, now), store.Reception{}, now)
	wantCode(t, "one of nobody", err, store.CodeNotFound)
	_, err = s.AnswerCall(ctx, "bakery", c.ID, soundFile, now)
	wantCode(t, "AnswerCall", err, "")
	wantCall(t, s, c, call.InProgress)
	if n, err := s.CountAttempts(ctx, "bakery", number, now.Add(-time.Hour), now.Add(time.Hour)); err != nil || n != 0 {
		t.Errorf("%d attempts, %v", n, err)
	}
	for way, want := range map[call.CallDirection]int{call.Inbound: 2, call.Outbound: 1, "": 3} {
		for _, sort := range []store.CallSort{store.SortByCreation, store.SortByDueTime} {
			page, err := s.CallsPage(ctx, "bakery", store.CallFilter{Direction: way, Limit: 10, Sort: sort})
			n, failed := s.CountCalls(ctx, "bakery", store.CallFilter{Direction: way, Sort: sort}, 10)
			if err := errors.Join(err, failed); err != nil || len(page.Items) != want || n != want {
				t.Errorf("%q: %d calls, %d counted, %v", way, len(page.Items), n, err)
			}
			for _, one := range page.Items {
				if way != "" && one.Way() != way {
					t.Errorf("the filter %s lists a call that is %s", way, one.Way())
				}
			}
		}
	}
	ended, err := s.FinishCall(ctx, "bakery", c.ID, newOutcome(call.Completed), nil, now)
	if wantCode(t, "FinishCall", err, ""); ended.Attempt.NextID != nil || ended.CalledNumber != "+966112000000" {
		t.Errorf("it ended as %+v", ended)
	}
	if got := timelineEvents(t, s, c); !slices.Equal(got, []string{"received", "answered", "ended"}) {
		t.Errorf("its timeline is %v", got)
	}
	rescued, err := s.RescueCalls(ctx, now)
	wantCode(t, "RescueCalls", err, "")
	if len(rescued) != 1 || rescued[0].ID != anonymous.ID || rescued[0].Failure.Reason != call.Interrupted || rescued[0].Attempt.NextID != nil {
		t.Errorf("rescued %+v", rescued)
	}
}

// inboundLines: a route, and an organization, take no more calls at once than they may.
func inboundLines(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	var first call.Call
	for i, want := range []store.ErrorCode{"", "", store.CodeConflict} {
		c, err := s.ReceiveCall(ctx, newInboundCall("bakery", number, nil, now), store.Reception{Lines: new(2)}, now)
		wantCode(t, "a call of the route", err, want)
		if i == 0 {
			first = c
		}
	}
	other := newInboundCall("bakery", number, nil, now)
	other.Route = "+97*"
	_, err := s.ReceiveCall(ctx, other, store.Reception{Lines: new(1)}, now)
	wantCode(t, "a call of another route", err, "")
	_, err = s.FinishCall(ctx, "bakery", first.ID, newOutcome(call.NoAnswer), nil, now)
	wantCode(t, "FinishCall", err, "")
	_, err = s.ReceiveCall(ctx, newInboundCall("bakery", number, nil, now), store.Reception{Lines: new(2)}, now)
	wantCode(t, "a call when one has ended", err, "")
	wantCode(t, "PutRules", ReplaceRules(ctx, s, "bakery", callrules.CallRules{MaxConcurrent: 3}, asked, now), "")
	_, err = s.ReceiveCall(ctx, newInboundCall("bakery", number, nil, now), store.Reception{}, now)
	wantCode(t, "a call beyond the organization's limit", err, store.CodeConflict)
}

// calledBackDuringTheRetry: the retry of a call may be dialled, and may even have failed, after the call was found that
// a person follows up: no further one is booked then.
func calledBackDuringTheRetry(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	for _, failed := range []bool{false, true} {
		now = now.Add(24 * time.Hour)
		c := newRetriedCall("bakery", now.Sub(startTime()), 3)
		bookCalls(t, s, c)
		missed := finishCall(t, s, c, call.NoAnswer, now)
		retry := call.Call{ID: *missed.Attempt.NextID, OrgID: "bakery"}
		now = now.Add(time.Hour)
		releaseCall(t, s, retry, now)
		end := func() call.Call {
			ended, err := s.FinishCall(ctx, "bakery", retry.ID, newOutcome(call.NoAnswer), nil, now)
			wantCode(t, "FinishCall", err, "")
			return ended
		}
		if failed {
			end()
		}
		received, err := s.ReceiveCall(ctx, newInboundCall("bakery", number, &missed, now), store.Reception{}, now)
		wantCode(t, "ReceiveCall", err, "")
		if failed {
			again := wantCall(t, s, retry, call.NoAnswer)
			wantCall(t, s, call.Call{ID: *again.Attempt.NextID, OrgID: "bakery"}, call.Cancelled)
		} else if ended := end(); ended.Attempt.NextRetryAt != nil || *ended.Attempt.NextID != received.ID {
			t.Errorf("the retry that was dialled has %+v", ended.Attempt)
		}
		endTalk(t, s, received, now)
	}
}

// calledBack: a person who calls back is linked to the latest call to them, and gets its booked retry cancelled; while
// they are being called no retry is booked at all.
func calledBack(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	_, err := s.FindLastDial(ctx, "bakery", number, now.Add(-24*time.Hour))
	wantCode(t, "before any call", err, store.CodeNotFound)
	c := newRetriedCall("bakery", 0, 3)
	bookCalls(t, s, c)
	ended := finishCall(t, s, c, call.NoAnswer, now)
	for _, orgID := range []string{"airline", "bakery"} {
		_, err = s.FindLastDial(ctx, orgID, number, now.Add(time.Second))
		wantCode(t, "after the call", err, store.CodeNotFound)
	}
	_, err = s.FindLastDial(ctx, "airline", number, now)
	wantCode(t, "another organization", err, store.CodeNotFound)
	last, err := s.FindLastDial(ctx, "bakery", number, now)
	if wantCode(t, "FindLastDial", err, ""); last.ID != c.ID {
		t.Fatalf("the last call is %+v", last)
	}
	received, err := s.ReceiveCall(ctx, newInboundCall("bakery", number, &last, now), store.Reception{}, now)
	wantCode(t, "ReceiveCall", err, "")
	if *received.Attempt.PreviousID != c.ID || received.Variables["name"] != "سارة" || received.ScenarioID != c.ScenarioID {
		t.Errorf("the call back is %+v", received)
	}
	retry := call.Call{ID: *ended.Attempt.NextID, OrgID: "bakery"}
	wantCall(t, s, retry, call.Cancelled)
	before := wantCall(t, s, c, call.NoAnswer)
	if before.Attempt.NextRetryAt != nil || *before.Attempt.NextID != retry.ID {
		t.Errorf("the call before says %+v", before.Attempt)
	}
	endTalk(t, s, received, now)
	now = now.Add(time.Second)
	closed, err := s.ReceiveCall(ctx, newInboundCall("bakery", number, &before, now), store.Reception{Closed: true}, now)
	wantCode(t, "ReceiveCall outside the hours", err, "")
	endTalk(t, s, closed, now, call.CallError{Code: call.ClosedHours})
	now = now.Add(time.Second)
	again, err := s.ReceiveCall(ctx, newInboundCall("bakery", number, &before, now), store.Reception{}, now)
	if wantCode(t, "ReceiveCall again", err, ""); *again.Attempt.PreviousID != c.ID {
		t.Errorf("the second call back is %+v", again)
	}
	for _, one := range []struct{ c, talk call.Call }{{received, c}, {again, received}} {
		followed, err := s.FindFollowed(ctx, one.c)
		if wantCode(t, "FindFollowed", err, ""); followed.Talk.ID != one.talk.ID || !followed.DialledAt.Equal(*before.ReleasedAt) {
			t.Errorf("%s continues %+v", one.c.ID, followed)
		}
	}
	if followed, err := s.FindFollowed(ctx, c); followed != nil || err != nil {
		t.Errorf("an outbound call continues %+v, %v", followed, err)
	}
	ringing := newRetriedCall("bakery", time.Minute, 3)
	bookCalls(t, s, ringing)
	releaseCall(t, s, ringing, now.Add(time.Minute))
	last, err = s.FindLastDial(ctx, "bakery", number, now)
	if wantCode(t, "FindLastDial", err, ""); last.ID != ringing.ID {
		t.Fatalf("the last call is %+v", last)
	}
	received, err = s.ReceiveCall(ctx, newInboundCall("bakery", number, &last, now), store.Reception{}, now)
	wantCode(t, "ReceiveCall while it rings", err, "")
	ended, err = s.FinishCall(ctx, "bakery", ringing.ID, newOutcome(call.NoAnswer), nil, now)
	if wantCode(t, "FinishCall", err, ""); *ended.Attempt.NextID != received.ID || ended.Attempt.NextRetryAt != nil {
		t.Errorf("the call that rang meanwhile has %+v", ended.Attempt)
	}
	_, err = s.ErasePerson(ctx, "bakery", number, asked, now)
	wantCode(t, "ErasePerson", err, "")
	received, err = s.ReceiveCall(ctx, newInboundCall("bakery", number, &before, now), store.Reception{}, now)
	if wantCode(t, "ReceiveCall after the erasure", err, ""); received.Attempt.PreviousID != nil || received.Variables != nil {
		t.Errorf("it knows of the erased call: %+v", received)
	}
}

// endTalk answers a call and ends it with a report.
func endTalk(t *testing.T, s store.Store, c call.Call, now time.Time, problems ...call.CallError) {
	t.Helper()
	_, err := s.AnswerCall(t.Context(), c.OrgID, c.ID, soundFile, now)
	wantCode(t, "AnswerCall", err, "")
	o := newOutcome(call.Completed)
	o.Report, o.Errors = json.RawMessage(`{"ok":true}`), problems
	_, err = s.FinishCall(t.Context(), c.OrgID, c.ID, o, nil, now)
	wantCode(t, "FinishCall", err, "")
}

// calledBackInCampaign: a person of a campaign who calls back is counted once, by that call once it has come in: the
// booked call to them is cancelled and not counted as theirs, and the campaign does not finish before the call ends. The
// closed line settles nothing.
func calledBackInCampaign(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	made, all := createCampaign(t, s, 1, 3)
	person := all[0].PhoneNumber
	ended := finishCall(t, s, all[0], call.NoAnswer, now)
	retry := call.Call{ID: *ended.Attempt.NextID, OrgID: "bakery"}
	callIn := func(closed bool) call.Call {
		t.Helper()
		now = now.Add(time.Second)
		last, err := s.FindLastDial(ctx, "bakery", person, startTime())
		wantCode(t, "FindLastDial", err, "")
		c, err := s.ReceiveCall(ctx, newInboundCall("bakery", person, &last, now), store.Reception{Closed: closed}, now)
		if wantCode(t, "ReceiveCall", err, ""); *c.Attempt.PreviousID != all[0].ID {
			t.Errorf("received %+v", c)
		}
		_, err = s.AnswerCall(ctx, "bakery", c.ID, soundFile, now)
		wantCode(t, "AnswerCall", err, "")
		return c
	}
	end := func(c call.Call, report string) {
		t.Helper()
		o := newOutcome(call.Completed)
		o.Report = json.RawMessage(report)
		_, err := s.FinishCall(ctx, "bakery", c.ID, o, nil, now)
		wantCode(t, "FinishCall", err, "")
	}
	check := func(status campaign.CampaignStatus, counts, people map[call.CallStatus]int, answers string) {
		t.Helper()
		got := wantCampaign(t, s, made.ID, status, counts).Tally.People
		if !maps.Equal(got.Counts, people) || fmt.Sprint(got.Answers) != answers {
			t.Errorf("the people are %+v", got)
		}
	}
	type counts = map[call.CallStatus]int
	closed := callIn(true)
	end(closed, `{"ok":null}`)
	check(campaign.Running, counts{call.NoAnswer: 1, call.Scheduled: 1}, counts{call.Scheduled: 1}, "map[]")
	first := callIn(false)
	if first.CampaignID != made.ID || closed.CampaignID != "" || !maps.Equal(first.Metadata, all[0].Metadata) {
		t.Errorf("the campaigns are %q and %q, metadata %v", first.CampaignID, closed.CampaignID, first.Metadata)
	}
	wantCall(t, s, retry, call.Cancelled)
	check(campaign.Running, counts{call.NoAnswer: 1, call.Cancelled: 1, call.InProgress: 1}, counts{call.InProgress: 1}, "map[]")
	end(first, `{"ok":true}`)
	check(campaign.Finished, counts{call.NoAnswer: 1, call.Cancelled: 1, call.Completed: 1}, counts{call.Completed: 1}, "map[ok:map[true:1]]")
	second := callIn(false)
	check(campaign.Finished, counts{call.NoAnswer: 1, call.Cancelled: 1, call.Completed: 1, call.InProgress: 1},
		counts{call.Completed: 1}, "map[ok:map[true:1]]")
	end(second, `{"ok":false}`)
	check(campaign.Finished, counts{call.NoAnswer: 1, call.Cancelled: 1, call.Completed: 2}, counts{call.Completed: 1}, "map[ok:map[false:1]]")
	page, err := s.CallsPage(ctx, "bakery", store.CallFilter{CampaignID: made.ID, People: store.AllPeople, Limit: 10})
	if wantCode(t, "CallsPage", err, ""); len(page.Items) != 1 || page.Items[0].ID != second.ID {
		t.Errorf("the people are listed as %+v", page.Items)
	}
}

// calledBackByStaff: staff who have talked with a person of a campaign have reached them: the campaign counts their
// call, and does not finish without it. The answers of a call that asked stay, and a call-back in vain counts for
// nothing.
func calledBackByStaff(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	made, all := createCampaign(t, s, 1, 3)
	ended := finishCall(t, s, all[0], call.NoAnswer, now)
	type counts = map[call.CallStatus]int
	of := all[0]
	for _, c := range []struct {
		status         call.CallStatus
		campaign       campaign.CampaignStatus
		counts, people counts
	}{
		{call.NoAnswer, campaign.Running, counts{call.NoAnswer: 1, call.Scheduled: 1}, counts{call.Scheduled: 1}},
		{
			call.Completed, campaign.Finished,
			counts{call.NoAnswer: 1, call.Cancelled: 1, call.Completed: 1},
			counts{call.Completed: 1},
		},
	} {
		back := newCallBack(of)
		back.PhoneNumber = of.PhoneNumber
		bookCalls(t, s, back)
		dialPerson(t, s, back, now)
		if c.status == call.Completed {
			_, err := s.AnswerCall(ctx, "bakery", back.ID, soundFile, now)
			wantCode(t, "AnswerCall", err, "")
		}
		_, err := s.FinishCall(ctx, "bakery", back.ID, call.CallOutcome{Status: c.status}, nil, now)
		wantCode(t, "FinishCall", err, "")
		if got := wantCampaign(t, s, made.ID, c.campaign, c.counts).Tally.People; !maps.Equal(got.Counts, c.people) {
			t.Errorf("after a call-back that is %s the people are %+v", c.status, got)
		}
		of = back // staff call back again, on the page of the call-back
	}
	wantCall(t, s, call.Call{ID: *ended.Attempt.NextID, OrgID: "bakery"}, call.Cancelled)
	page, err := s.CallsPage(ctx, "bakery", store.CallFilter{CampaignID: made.ID, People: store.AllPeople, Limit: 10})
	if wantCode(t, "CallsPage", err, ""); len(page.Items) != 1 || !page.Items[0].IsCallBack() {
		t.Errorf("the people are listed as %+v", page.Items)
	}
}

// newCallBack returns a call-back to the person of a call.
func newCallBack(of call.Call) call.Call {
	back := newCall(of.OrgID, 0)
	back.Staff, back.ScenarioID = "sip:204@pbx", call.CallBackScenario
	back.Attempt.PreviousID = &of.ID
	return back
}

// dialPerson releases a call-back and calls its person.
func dialPerson(t *testing.T, s store.Store, back call.Call, now time.Time) {
	t.Helper()
	releaseCall(t, s, back, now)
	why, err := s.DialPerson(t.Context(), back.OrgID, back.ID, now)
	if wantCode(t, "DialPerson", err, ""); why != "" {
		t.Errorf("the person is not called: %s", why)
	}
}

// staffUnreached: a call-back counts as an attempt to reach the person once they are called. One that ends before, by a
// crash too, is cancelled and counts for nothing; it is no call that an inbound caller follows up.
func staffUnreached(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	missed := newCall("bakery", 0)
	bookCalls(t, s, missed)
	finishCall(t, s, missed, call.NoAnswer, now)
	for _, c := range []struct {
		reason   call.FailureReason
		how      string
		status   call.CallStatus
		attempts int
	}{
		{call.StaffUnreached, "", call.Cancelled, 1},
		{call.CallBackLate, "stopped", call.Cancelled, 1},
		{call.Interrupted, "rescued", call.Cancelled, 1},
		{call.NoCarrier, "not accepted", call.Cancelled, 1},
		{call.RingTimeout, "called", call.NoAnswer, 2},
		{call.Interrupted, "called, rescued", call.Failed, 3},
	} {
		back := newCallBack(missed)
		bookCalls(t, s, back)
		switch c.how {
		case "stopped":
		case "called", "called, rescued", "not accepted":
			dialPerson(t, s, back, now)
		default:
			releaseCall(t, s, back, now)
		}
		o := call.CallOutcome{Status: call.Failed, Failure: &call.CallFailure{Reason: c.reason}, NotDialled: c.how == "not accepted"}
		if c.status != call.Cancelled {
			o.Status = c.status
		}
		var err error
		switch c.how {
		case "stopped":
			_, err = s.StopCall(ctx, "bakery", back.ID, c.reason, now)
		case "rescued", "called, rescued":
			_, err = s.RescueCalls(ctx, now)
		default:
			_, err = s.FinishCall(ctx, "bakery", back.ID, o, nil, now)
		}
		wantCode(t, c.how, err, "")
		if ended := wantCall(t, s, back, c.status); call.ReasonOf(ended.Failure) != c.reason || ended.EndedAt == nil ||
			(ended.ReleasedAt == nil) != (c.status == call.Cancelled) || ended.Attempt.NextID != nil || ended.Notify {
			t.Errorf("%s (%s): %+v", c.reason, c.how, ended)
		}
		n, err := s.CountAttempts(ctx, "bakery", number, now.Add(-time.Hour), now.Add(time.Hour))
		if wantCode(t, "CountAttempts", err, ""); n != c.attempts {
			t.Errorf("after %s (%s): %d attempts, want %d", c.reason, c.how, n, c.attempts)
		}
		last, err := s.FindLastDial(ctx, "bakery", number, now)
		if wantCode(t, "FindLastDial", err, ""); last.ID != missed.ID {
			t.Errorf("after %s: the last call is %+v", c.reason, last)
		}
	}
	tallies, err := s.TallyCalls(ctx, "bakery", now.Add(-time.Hour), now.Add(time.Hour))
	wantCode(t, "TallyCalls", err, "")
	for _, tally := range tallies {
		want := map[call.CallStatus]int{call.Cancelled: 4, call.NoAnswer: 1, call.Failed: 1}
		dialled := map[call.CallStatus]int{call.NoAnswer: 1, call.Failed: 1}
		got := tally.Dialled[now.Truncate(call.TallyStep).Unix()]
		if tally.ScenarioID == call.CallBackScenario && (!maps.Equal(tally.Counts, want) || !maps.Equal(got, dialled)) {
			t.Errorf("the counters are %+v", tally)
		}
	}
	if len(tallies) != 2 {
		t.Errorf("%d counters", len(tallies))
	}
}

// forbiddenPerson: while the member of staff was rung, the kill switch or the suppression list forbid the call to the
// person; one that was ended meanwhile is not dialled either.
func forbiddenPerson(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	back := newCallBack(newCall("bakery", 0))
	bookCalls(t, s, back)
	_, err := s.DialPerson(ctx, "bakery", back.ID, now)
	wantCode(t, "before its release", err, store.CodeConflict)
	releaseCall(t, s, back, now)
	wantWhy := func(want call.FailureReason) {
		t.Helper()
		got, err := s.DialPerson(t.Context(), "bakery", back.ID, now)
		if wantCode(t, "DialPerson", err, ""); got != want {
			t.Errorf("forbidden by %q, want %q", got, want)
		}
		if kept := wantCall(t, s, back, call.Dialing); (kept.ReleasedAt == nil) != (want != "") {
			t.Errorf("after %q it was released at %v", want, kept.ReleasedAt)
		}
	}
	wantCode(t, "PutRules", ReplaceRules(ctx, s, "bakery", callrules.CallRules{KillSwitch: true}, asked, now), "")
	wantWhy(call.CallBackLate)
	wantCode(t, "PutRules", ReplaceRules(ctx, s, "bakery", callrules.CallRules{}, asked, now), "")
	entry := callrules.SuppressionEntry{OrgID: "bakery", PhoneNumber: number, Reason: "asked", Source: "api", CreatedAt: now}
	wantCode(t, "AddSuppressions", s.AddSuppressions(ctx, []callrules.SuppressionEntry{entry}, asked, now), "")
	wantWhy(call.Suppressed)
	wantCode(t, "RemoveSuppression", s.RemoveSuppression(ctx, "bakery", number, asked, now), "")
	wantWhy("")
	_, err = s.DialPerson(ctx, "bakery", back.ID, now)
	wantCode(t, "twice", err, store.CodeConflict)
}

// settledByStaff: a call-back that has reached the person cancels the retry that is booked for them, though a later one
// of the chain than the call that it was asked for on; a booking of its own, and one of another person, stay.
func settledByStaff(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	other := newCall("bakery", time.Hour)
	bookCalls(t, s, other)
	first := newRetriedCall("bakery", 0, 3)
	bookCalls(t, s, first)
	ended := finishCall(t, s, first, call.NoAnswer, now)
	second, err := s.FindCall(ctx, "bakery", *ended.Attempt.NextID)
	wantCode(t, "FindCall", err, "")
	later := second.ScheduledAt
	third := call.Call{OrgID: "bakery", ID: *finishCall(t, s, second, call.NoAnswer, later).Attempt.NextID}
	callBack := func(of call.Call, status call.CallStatus) {
		t.Helper()
		back := newCallBack(of)
		bookCalls(t, s, back)
		dialPerson(t, s, back, later)
		if status == call.Completed {
			_, err := s.AnswerCall(t.Context(), "bakery", back.ID, soundFile, later)
			wantCode(t, "AnswerCall", err, "")
		}
		_, err := s.FinishCall(t.Context(), "bakery", back.ID, newOutcome(status), nil, later)
		wantCode(t, "FinishCall", err, "")
	}
	callBack(first, call.NoAnswer)
	wantCall(t, s, third, call.Scheduled)
	callBack(other, call.Completed)
	wantCall(t, s, other, call.Scheduled)
	wantCall(t, s, third, call.Scheduled)
	callBack(first, call.Completed)
	wantCall(t, s, third, call.Cancelled)
	if got := wantCall(t, s, second, call.NoAnswer).Attempt; got.NextRetryAt != nil || *got.NextID != third.ID {
		t.Errorf("the call before the retry says %+v", got)
	}
	back := newCallBack(second)
	bookCalls(t, s, back)
	_, err = s.CancelCall(ctx, "bakery", back.ID, asked, later)
	wantCode(t, "CancelCall", err, "")
	if lines := timelineEvents(t, s, second); slices.Index(lines, "retry cancelled") != len(lines)-1 {
		t.Errorf("a cancelled call-back changed the call that it was asked for on: %v", lines)
	}
}
