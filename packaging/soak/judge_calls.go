package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// judgeCalls compares bookings and calls. Each number was asked for once.
func (w *witness) judgeCalls(calls map[string]object) {
	first := map[string][]object{} // by number; retries aside
	for id, c := range calls {
		number, before := c.text("phone_number"), c.text("previous_call_id")
		b := w.bookings[number]
		switch {
		case b == nil:
			w.fault("phantom", "call %s to %s was never asked for", id, number)
		case before == "":
			first[number] = append(first[number], c)
		case !b.retry || calls[before].text("next_call_id") != id:
			w.fault("phantom", "%s follows %s, which does not know it", id, before)
		}
		if w.dials[id] > 1 {
			w.fault("doubled", "%s was dialled %d times", id, w.dials[id])
		}
		if !rests(c) {
			w.fault("lost", "%s never came to its end: %v", id, c)
		}
	}
	for number, b := range w.bookings {
		if n := len(first[number]); n > 1 {
			w.fault("doubled", "%s has %d calls for one booking", number, n)
		}
		w.judgeBooking(b, calls[b.id])
	}
}

// judgeBooking wants what was acknowledged of a booking.
func (w *witness) judgeBooking(b *booking, c object) {
	at, _ := time.Parse(time.RFC3339, c.text("scheduled_at"))
	switch {
	case b.id == "":
	case c == nil:
		w.fault("lost", "%s was acknowledged as %s, which is not there", b.idempotency, b.id)
	case b.cancelled && c.text("status") != "cancelled":
		w.fault("lost", "%s was cancelled and is %s", b.id, c.text("status"))
	case !b.moved.IsZero() && !b.cancelled && at.Before(b.moved):
		w.fault("lost", "%s was moved to %s and is at %s", b.id, b.moved, at) // later: moved, and not acknowledged
	}
}

// judgeWebhooks compares what was told with how calls ended.
func (w *witness) judgeWebhooks(calls map[string]object) {
	for id, all := range w.told {
		status := calls[id].text("status")
		if calls[id] == nil || status == "scheduled" || status == "cancelled" {
			w.fault("phantom", "a webhook tells of %s, which is %q", id, status)
		}
		told := map[int]int{} // successes in a life
		for _, one := range all {
			if one.ok {
				told[one.life]++
			}
			if want := strings.Replace(status, "completed", "complete", 1); one.kind != want {
				w.fault("wrong", "%s is %s and was told as %s", id, status, one.kind)
			}
		}
		for life, n := range told {
			if n > 1 {
				w.fault("doubled", "%s was told of %d times in life %d", id, n, life)
			}
		}
	}
	for id, c := range calls {
		if ended := c.text("ended_at") != "" && c.text("status") != "cancelled"; !ended {
			continue
		}
		told := slices.ContainsFunc(w.told[id], func(one telling) bool { return one.ok })
		if state := c.text("webhook", "state"); state != "delivered" || !told {
			w.fault("lost", "%s ended as %s; its webhook is %s, heard: %v", id, c.text("status"), state, told)
		}
	}
}

func (w *witness) judgeRecordings(ctx context.Context, a *appliance, calls map[string]object) error {
	for id, c := range calls {
		if c.text("status") != "completed" {
			continue
		}
		got, err := a.ask(ctx, http.MethodGet, "/api/v1/calls/"+id+"/recording", nil)
		if err != nil {
			return err
		}
		if got.status != http.StatusOK || !strings.HasPrefix(string(got.raw), "RIFF") {
			w.fault("lost", "the recording of %s answers %d", id, got.status)
		}
	}
	return nil
}
