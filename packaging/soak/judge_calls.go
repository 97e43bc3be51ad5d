package main

import (
	"context"
	"encoding/binary"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// judgeCalls compares bookings and calls. Each number was booked once.
func (w *soakWitness) judgeCalls(calls map[string]jsonObject) {
	first := map[string][]jsonObject{} // by number; retries aside
	for id, c := range calls {
		number, before := c.textAt("phone_number"), c.textAt("previous_call_id")
		b := w.bookings[number]
		switch {
		case b == nil:
			w.addFault("phantom", "call %s to %s was never asked for", id, number)
		case before == "":
			first[number] = append(first[number], c)
		case c.textAt("status") == "cancelled": // of an attempt whose true outcome came late
		case !b.retry || calls[before].textAt("next_call_id") != id:
			w.addFault("phantom", "%s follows %s, which does not know it", id, before)
		}
		w.judgeDials(id, c.textAt("status"))
		if !isAtRest(c) {
			w.addFault("lost", "%s never came to its end: %v", id, c)
		}
	}
	for number, b := range w.bookings {
		if n := len(first[number]); n > 1 {
			w.addFault("doubled", "%s has %d calls for one booking", number, n)
		}
		w.judgeBooking(b, calls[b.id])
	}
}

// judgeDials checks that each attempt was dialled once at most, and only by its owner.
func (w *soakWitness) judgeDials(id, status string) {
	switch by := w.dials[id]; {
	case len(by) > 1:
		w.addFault("doubled", "%s was dialled %d times: by %v", id, len(by), by)
	case len(by) == 1 && (status == "cancelled" || status == "scheduled"):
		w.addFault("wrong", "%s was dialled by %v and is %s", id, by, status)
	case len(by) == 0 && status == "completed":
		w.addFault("wrong", "%s is completed, and no appliance says that it dialled it", id)
	}
}

// judgeBooking checks a booking against its acknowledgements.
func (w *soakWitness) judgeBooking(b *bookedCall, c jsonObject) {
	at, _ := time.Parse(time.RFC3339, c.textAt("scheduled_at"))
	switch {
	case b.id == "":
	case c == nil:
		w.addFault("lost", "%s was acknowledged as %s, which is not there", b.idempotency, b.id)
	case b.cancelled && c.textAt("status") != "cancelled":
		w.addFault("lost", "%s was cancelled and is %s", b.id, c.textAt("status"))
	case !b.moved.IsZero() && !b.cancelled && at.Before(b.moved):
		w.addFault("lost", "%s was moved to %s and is at %s", b.id, b.moved, at) // later: moved, and not acknowledged
	}
}

// judgeWebhooks compares the received webhooks with how calls ended.
func (w *soakWitness) judgeWebhooks(calls map[string]jsonObject) {
	for id, all := range w.told {
		status := calls[id].textAt("status")
		if calls[id] == nil || status == "scheduled" || status == "cancelled" {
			w.addFault("phantom", "a webhook names %s, which is %q", id, status)
		}
		told := map[int]int{} // successes in a life
		for _, one := range all {
			if one.ok {
				told[one.life]++
			}
			if want := strings.Replace(status, "completed", "complete", 1); one.kind != want {
				w.addFault("wrong", "%s is %s and was told as %s", id, status, one.kind)
			}
		}
		for life, n := range told {
			if n > 1 {
				w.addFault("doubled", "%s had %d webhooks in life %d", id, n, life)
			}
		}
	}
	for id, c := range calls {
		if ended := c.textAt("ended_at") != "" && c.textAt("status") != "cancelled"; !ended {
			continue
		}
		told := slices.ContainsFunc(w.told[id], func(one receivedWebhook) bool { return one.ok })
		if state := c.textAt("webhook", "state"); state != "delivered" || !told {
			w.addFault("lost", "%s ended as %s; its webhook is %s, heard: %v", id, c.textAt("status"), state, told)
		}
	}
}

// judgeRecordings checks the recording of each completed call, from its first to its last second.
func (w *soakWitness) judgeRecordings(ctx context.Context, a apiClient, calls map[string]jsonObject) error {
	for id, c := range calls {
		if c.textAt("status") != "completed" {
			continue
		}
		got, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+id+"/recording", nil)
		if err != nil {
			return err
		}
		length, whole := recordedSeconds(got.raw)
		said, _ := c.valueAt("total_duration").(float64)
		switch {
		case got.status != http.StatusOK || !whole:
			w.addFault("lost", "the recording of %s answers %d with %d bytes", id, got.status, len(got.raw))
		case math.Abs(length-said) > 1.5:
			w.addFault("lost", "the recording of %s has %.1f s of %.0f s", id, length, said)
		}
	}
	return nil
}

// wavHeader is the length of the header of our recordings: 8 kHz, 16 bits, two channels.
const (
	wavHeader  = 44
	wavSeconds = 8000 * 2 * 2
)

// recordedSeconds is the length of a recording; whole: its header says the same as its bytes.
func recordedSeconds(wav []byte) (seconds float64, whole bool) {
	if len(wav) < wavHeader || string(wav[:4]) != "RIFF" {
		return 0, false
	}
	size := binary.LittleEndian.Uint32(wav[wavHeader-4:])
	return float64(size) / wavSeconds, int(size) == len(wav)-wavHeader
}
