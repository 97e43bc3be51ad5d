package simulator

import (
	"context"
	"time"

	"munadi/appliance/carrier"
)

const (
	// slack is how much of the clock a line makes up for: timers and neighbours are late by so much. Beyond it the call's
	// clock waits.
	slack = 100 * time.Millisecond
	// grain is the least wait that is worth a timer: a fast line takes several frames at once.
	grain = 2 * time.Millisecond
)

// framePacer says when a line's frames are due.
type framePacer struct {
	scale float64
	start time.Time // when frame 0 began, moved on by what was waited for a late listener
	timer *time.Timer
}

// awaitFrames returns when n frames are over, ctx ends or hung is closed; the last two are the caller's to look at.
func (p *framePacer) awaitFrames(ctx context.Context, hung <-chan struct{}, n int) {
	due := p.start.Add(time.Duration(float64(n) * float64(carrier.Tick) / p.scale))
	ahead := time.Until(due)
	if ahead < -slack {
		p.start = p.start.Add(-slack - ahead)
	}
	if ahead < grain {
		return
	}
	if p.timer == nil {
		p.timer = time.NewTimer(ahead)
	} else {
		p.timer.Reset(ahead)
	}
	select {
	case <-p.timer.C:
	case <-ctx.Done():
		p.timer.Stop()
	case <-hung:
		p.timer.Stop()
	}
}
