package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// talkers is the number of concurrent long conversations.
const talkers = 3

// talkBooker books long conversations, so that some run at any time.
type talkBooker struct {
	callBooker

	up []string
}

func (b *talkBooker) runTurn(ctx context.Context) error {
	still := b.up[:0]
	for _, id := range b.up {
		got, err := b.a.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+id, nil)
		if err != nil {
			return err
		}
		if got.body.textAt("data", "ended_at") == "" {
			still = append(still, id)
		}
	}
	if b.up = still; len(b.up) >= talkers {
		sleepContext(ctx, time.Second)
		return nil
	}
	if b.open == nil {
		b.n++
		c := &bookedCall{
			number:      fmt.Sprintf("+9665%s%04d%02d", b.name, b.n, 5+b.n%2),
			idempotency: "talker-" + strconv.Itoa(b.n), retry: b.n%2 == 0, scenario: "restaurant_order",
		}
		b.w.updateRecords(func() { b.w.bookings[c.number] = c })
		b.open = c
	}
	if err := b.bookCall(ctx, b.open); err != nil {
		return err
	}
	b.up, b.open = append(b.up, b.open.id), nil
	return nil
}

// runningCall is a running call of an appliance.
type runningCall struct {
	id     string
	member *clusterMember
}

// listRunning returns the running calls and their appliances, from the logs. Without an answer: none.
func (s *clusterSoak) listRunning(ctx context.Context) (all []runningCall) {
	got, err := s.requestJSON(ctx, http.MethodGet, "/api/v1/calls?status=in_progress&limit=100", nil)
	if err != nil {
		return nil
	}
	for _, c := range got.body.listAt("data") {
		id := c.textAt("id")
		if c.textAt("scenario_id") != "restaurant_order" {
			continue // it may be over in a moment
		}
		for _, m := range s.members {
			s.w.mu.Lock()
			by := s.w.dials[id]
			s.w.mu.Unlock()
			if len(by) == 1 && by[0] == m.name {
				all = append(all, runningCall{id, m})
			}
		}
	}
	return all
}

// talkWindow is the time of an outage during a call.
type talkWindow struct {
	runningCall
	from, to time.Time // by the true clock
}

// addTalks registers calls that were running when an outage began, for the judge.
func (s *clusterSoak) addTalks(up []runningCall, from, to time.Time) {
	for _, c := range up {
		s.talks = append(s.talks, talkWindow{c, from, to})
	}
}

// judgeTalks checks that calls running at the start of a database outage continued, with both sides audible during it.
func (s *clusterSoak) judgeTalks(ctx context.Context, client apiClient, calls map[string]jsonObject) error {
	for _, t := range s.talks {
		c := calls[t.id]
		if c.textAt("failure", "reason") == "interrupted" && t.member.wasKilledAfter(t.to) {
			continue // the next fault ended it
		}
		if c.textAt("status") != "completed" {
			s.w.addFault("lost", "%s was up on %s when an outage began, and ended as %v",
				t.id, t.member.name, c.valueAt("failure"))
			continue
		}
		got, err := client.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+t.id+"/recording", nil)
		if err != nil {
			return err
		}
		from, to := s.windowOf(t, c)
		seconds, _ := recordedSeconds(got.raw)
		if to = min(to, seconds); to-from < 5 {
			continue // it ended right after the outage began
		}
		theirs, ours := measureLoudness(got.raw, from, to)
		if fellSilent(theirs, ours, to-from) {
			s.w.addFault("wrong", "%s: silence from %.0f to %.0f s, while the database was away (%.0f and %.0f)",
				t.id, from, to, theirs, ours)
		}
		s.report.Talking++
	}
	return nil
}

// wasKilledAfter reports whether an appliance was killed soon after a time.
func (m *clusterMember) wasKilledAfter(at time.Time) bool {
	return slices.ContainsFunc(m.kills, func(k time.Time) bool { return k.After(at) && k.Before(at.Add(patience)) })
}

// windowOf is the time of an outage in a call's recording, in seconds. Calls run by their appliance's clock, and as
// fast as its time scale says.
func (s *clusterSoak) windowOf(t talkWindow, c jsonObject) (from, to float64) {
	scale, _ := strconv.ParseFloat(s.timeScale, 64)
	began, _ := time.Parse(time.RFC3339, c.textAt("started_at"))
	began = began.Add(-t.member.clock)
	return max(0, t.from.Sub(began).Seconds()*scale), t.to.Sub(began).Seconds() * scale
}

const (
	// exchangeSeconds is a time in which both sides of a conversation speak; in a shorter one the platform may be reading
	// out an order.
	exchangeSeconds = 10.0
	// speechRMS is the loudness of speech, at least: of each channel of an exchange, of one of them in less.
	speechRMS = 100
)

// fellSilent reports whether a conversation of that many seconds was silent on a side, by loudness.
func fellSilent(theirs, ours, seconds float64) bool {
	if seconds < exchangeSeconds {
		return max(theirs, ours) < speechRMS
	}
	return min(theirs, ours) < speechRMS
}

// measureLoudness is the mean loudness (RMS) of both channels of a recording between two times in seconds.
func measureLoudness(wav []byte, from, to float64) (left, right float64) {
	const frame = 4 // bytes of both channels
	first, last := wavHeader+int(from*wavSeconds)/frame*frame, wavHeader+int(to*wavSeconds)/frame*frame
	n := 0.0
	for at := first; at+frame <= min(last, len(wav)); at += frame {
		l, r := int16(binary.LittleEndian.Uint16(wav[at:])), int16(binary.LittleEndian.Uint16(wav[at+2:]))
		left, right, n = left+float64(l)*float64(l), right+float64(r)*float64(r), n+1
	}
	return rootMean(left, n), rootMean(right, n)
}
