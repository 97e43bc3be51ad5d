package sip

import (
	"context"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// line is an answered call: carrier.Line.
type line struct {
	*media.Session
	dialog *dialog
}

// Say queues sound.
func (l *line) Say(s carrier.Speech) { l.Session.Say(s.PCM) }

// Transfer connects the other side with somebody else, by the trunk.
func (l *line) Transfer(ctx context.Context, to string) error { return l.dialog.refer(ctx, to) }

// Hangup ends the call.
func (l *line) Hangup() { l.dialog.hangUp() }
