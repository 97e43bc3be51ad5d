package dialer

import (
	"context"
	"time"

	"munadi/appliance/carrier"
)

// Limits of hearing an announcement.
const (
	leastAnnounced   = 3 * carrier.Rate / 2 // samples: 1.5 s
	announcedTimeout = 10 * time.Second
)

// hearAnnouncement looks in the early media of an unanswered call for an operator's announcement, where the signalling
// leaves open why no telephone was reached. The call waits for it, within limits.
func (a *dialAttempt) hearAnnouncement(ctx context.Context, r *carrier.DialError) {
	_, failure := carrier.ClassifyRefusal(r)
	isOpen := r.RetryAfter == 0 && carrier.IsGeneric(failure.Reason)
	if a.HearAnnouncement == nil || !isOpen || len(r.Early) < leastAnnounced {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, announcedTimeout)
	defer cancel()
	reason, err := a.HearAnnouncement(ctx, r.Early)
	if err != nil {
		a.log.Warn("an announcement before the answer could not be recognized", "err", err)
		return
	}
	if r.Announced = reason; reason != "" {
		a.log.Info("the operator announces why nobody answers", "reason", reason)
	}
}
