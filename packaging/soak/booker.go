package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"
)

// pause is the interval of clients that would otherwise only fill the database.
const pause = 150 * time.Millisecond

// later is the delay of calls that must not be dialled during a run.
const later = 6 * time.Hour

// callBooker books calls, each to a unique number under a unique idempotency key; a request whose answer is
// lost is repeated. Some are booked for later, and moved or cancelled.
type callBooker struct {
	a    apiClient
	w    *soakWitness
	name string

	n    int
	open *bookedCall // its answer did not come yet
	last *bookedCall
}

// endings are the last digits of numbers, which choose the simulated people: most calls end at once, two talk.
var endings = []string{"90", "91", "92", "94", "96", "97", "00", "95"}

func (b *callBooker) runTurn(ctx context.Context) error {
	if b.open == nil {
		b.open = b.nextBooking()
	}
	if err := b.bookCall(ctx, b.open); err != nil {
		return err
	}
	done := b.open
	b.open = nil
	if b.last != nil && b.n%5 == 0 { // a client that repeats itself
		if err := b.bookCall(ctx, b.last); err != nil {
			return err
		}
	}
	if err := b.changeBooking(ctx, done); err != nil {
		return err
	}
	b.last = done
	sleepContext(ctx, pause)
	return nil
}

func (b *callBooker) nextBooking() *bookedCall {
	b.n++
	c := &bookedCall{
		number:      fmt.Sprintf("+9665%s%04d%s", b.name, b.n, endings[b.n%len(endings)]),
		idempotency: fmt.Sprintf("booker-%s-%d", b.name, b.n), retry: b.n%8 == 1,
	}
	if b.n%4 == 2 { // for later
		c.at = time.Now().Add(later).UTC().Truncate(time.Second)
		c.moved = c.at
	}
	b.w.updateRecords(func() { b.w.bookings[c.number] = c })
	return c
}

func (b *callBooker) bookCall(ctx context.Context, c *bookedCall) error {
	wish := jsonObject{"phone_number": c.number, "scenario_id": cmp.Or(c.scenario, "appointment_confirmation")}
	if c.retry {
		wish["retry"] = jsonObject{"max_attempts": 2, "delay_minutes": []int{int(later.Minutes())}}
	}
	if !c.at.IsZero() {
		wish["scheduled_at"] = c.at.Format(time.RFC3339)
	}
	got, err := b.a.requestJSON(ctx, http.MethodPost, "/api/v1/calls", wish, "Idempotency-Key", c.idempotency)
	if err != nil {
		return err
	}
	id := got.body.textAt("data", "id")
	switch {
	case got.status != http.StatusCreated:
		b.w.addFault("wrong", "booking %s answers %d %s", c.idempotency, got.status, got.raw)
	case c.id != "" && c.id != id:
		b.w.addFault("doubled", "booking %s is %s and %s", c.idempotency, c.id, id)
	}
	b.w.updateRecords(func() { c.id = id })
	return nil
}

// changeBooking moves or cancels a booking for later.
func (b *callBooker) changeBooking(ctx context.Context, c *bookedCall) error {
	if c.at.IsZero() || c.id == "" {
		return nil
	}
	if b.n%8 == 2 {
		got, err := b.a.requestJSON(ctx, http.MethodPost, "/api/v1/calls/"+c.id+"/cancel", nil)
		if err == nil && got.status == http.StatusOK {
			b.w.updateRecords(func() { c.cancelled = true })
		}
		return err
	}
	to := c.moved.Add(time.Hour)
	got, err := b.a.requestJSON(ctx, http.MethodPost, "/api/v1/calls/"+c.id+"/reschedule",
		jsonObject{"scheduled_at": to.Format(time.RFC3339)})
	if err == nil && got.status == http.StatusOK {
		b.w.updateRecords(func() { c.moved = to })
	}
	return err
}
