package sip

import (
	"context"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// sipLine is an answered call: carrier.Line.
type sipLine struct {
	*media.MediaSession
	dialog *inviteDialog
}

// Say queues audio.
func (l *sipLine) Say(s carrier.Speech) { l.MediaSession.Say(s.PCM, s.Wide) }

// Transfer connects the remote side to another address through the trunk (REFER).
func (l *sipLine) Transfer(ctx context.Context, to string) error {
	if l.dialog.options.Bridges {
		return carrier.ErrNoTransfer
	}
	l.SetTransferring(true)
	defer l.SetTransferring(false)
	return l.dialog.sendRefer(ctx, to)
}

// Hangup ends the call.
func (l *sipLine) Hangup() { l.dialog.hangUp() }
