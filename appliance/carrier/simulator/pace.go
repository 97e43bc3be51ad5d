package simulator

import (
	"context"
	"time"

	"munadi/appliance/carrier"
)

const (
	// slack is the scheduling delay that a line catches up on. Beyond it the call's clock waits.
	slack = 100 * time.Millisecond
	// grain is the shortest wait for which a timer is used: a fast line delivers several frames at once.
	grain = 2 * time.Millisecond
)

// framePacer paces a line's frames.
type framePacer struct {
	scale float64
	start time.Time // start of frame 0, delayed by the waits for a slow reader
	timer *time.Timer
}

// awaitFrames returns when n frames have elapsed, ctx ends or hung is closed; the caller checks the last two.
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
