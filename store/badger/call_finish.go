package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/dialling"
)

// FinishCall implements [store.Calls].
func (s *Store) FinishCall(
	ctx context.Context, orgID, id string, o call.Outcome, suppress *dialling.Suppression, now time.Time,
) (call.Call, error) {
	return s.endCall(ctx, orgID, id, func(e edit, r *callRecord) (err error) {
		if r.Call, err = r.Call.End(o, now); err != nil {
			return err
		}
		if suppress != nil {
			if err := e.suppressInCall(*suppress, r.Call, now); err != nil {
				return err
			}
		}
		return e.conclude(r, "ended", byDialler, now)
	})
}

// StopCall implements [store.Calls].
func (s *Store) StopCall(
	ctx context.Context, orgID, id string, reason call.Reason, now time.Time,
) (call.Call, error) {
	return s.endCall(ctx, orgID, id, func(e edit, r *callRecord) (err error) {
		if r.Call, err = r.Call.Stop(reason, now); err != nil {
			return err
		}
		return e.conclude(r, "stopped", byScheduler, now)
	})
}

// endCall is changeCall, and returns the messages that the call ended with.
func (s *Store) endCall(
	ctx context.Context, orgID, id string, step func(edit, *callRecord) error,
) (call.Call, error) {
	var messages []call.Message
	c, err := s.changeCall(ctx, orgID, id, func(e edit, r *callRecord) error {
		e.urge()
		err := step(e, r)
		messages = r.Call.Messages
		return err
	})
	if err == nil {
		c.Messages = messages
	}
	return c, err
}

// RescueCalls implements [store.Calls].
func (s *Store) RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error) {
	var rescued, batch []call.Call
	err := sweep(ctx, s, runningPlaces, func(e edit, places [][]string) error {
		batch = nil
		for _, place := range places {
			before, err := findCall(e, place[0], place[1])
			if isUnreadable(err) {
				e.drop(key(kindCallRunning, place[0], place[1])) // it holds no line
				continue
			}
			if err != nil {
				return err
			}
			after := before
			if after.Call, err = before.Call.Rescue(now); err != nil {
				continue // it ended meanwhile
			}
			if err := e.conclude(&after, "rescued", byScheduler, now); err != nil {
				return err
			}
			if err := e.saveCall(&before, after); err != nil {
				return err
			}
			batch = append(batch, after.Call)
		}
		return nil
	}, func(int) { rescued = append(rescued, batch...) })
	return rescued, err
}

// runningPlaces are the first calls that hold a line, as organization and id.
func runningPlaces(v view, most int) (places [][]string, _ error) {
	v.keys(prefix(kindCallRunning), func(rest string) bool {
		if parts := split(rest, 2); len(parts) == 2 {
			places = append(places, parts)
		}
		return len(places) < most
	})
	return places, nil
}

// conclude does what follows from a call's end, in the transaction of the end itself: the next attempt, the row of the
// outbox, the line of the timeline, and the emptying of a call whose person was erased while it ran.
func (e edit) conclude(r *callRecord, event, actor string, now time.Time) error {
	note := string(r.Call.Status)
	if reason := call.ReasonOf(r.Call.Failure); reason != "" {
		note += ": " + string(reason)
	}
	e.line(r, now, event, actor, note)
	e.touch(store.CallsChanged)
	if err := e.retry(r, now); err != nil {
		return err
	}
	if err := e.notify(r, now); err != nil {
		return err
	}
	if r.Erase {
		return e.emptyAtLast(r, actor, now)
	}
	return nil
}

// retry books the next attempt, unless the number is not to be called again.
func (e edit) retry(r *callRecord, now time.Time) error {
	ended, next, due := r.Call.Retry(now)
	if !due || r.Erase || r.Call.PhoneNumber == "" {
		return nil
	}
	open, err := e.nextOpen(next)
	if err != nil {
		return err
	}
	next.ScheduledAt, ended.Attempt.NextRetryAt = open, &open
	entry, err := e.suppression(r.Call.OrgID, r.Call.PhoneNumber)
	if err != nil || entry != nil && entry.Active(next.ScheduledAt) {
		return err
	}
	r.Call = ended
	planned, err := e.book(next, byScheduler)
	if err != nil {
		return err
	}
	return e.saveCall(nil, planned)
}

// nextOpen is the first time, from a call's own on, at which its organization and scenario let people be called. Its
// own time for hours that never come, and without hours of the scenario for one that is not kept here.
func (e edit) nextOpen(c call.Call) (time.Time, error) {
	var rules dialling.Rules
	if _, err := e.get(key(kindRules, c.OrgID), &rules); err != nil {
		return time.Time{}, err
	}
	plan, err := findScenario(e, c.OrgID, c.ScenarioID)
	if err != nil && store.CodeOf(err) != store.CodeNotFound {
		return time.Time{}, err
	}
	if open, ok := dialling.NextOpen(rules, plan.CallingHours, plan.TimeZone, c.ScheduledAt); ok {
		return open, nil
	}
	return c.ScheduledAt, nil
}

// notify owes the organization's receiver a notification, if it has one.
func (e edit) notify(r *callRecord, now time.Time) error {
	var hook delivery.Webhook
	if _, err := e.get(key(kindWebhook, r.Call.OrgID), &hook); err != nil || !hook.Enabled || hook.URL == "" {
		return err
	}
	r.Call.Notify = true
	return e.owe(delivery.New(r.Call.OrgID, delivery.CallEnded, r.Call.ID, now), laneOfCalls)
}
