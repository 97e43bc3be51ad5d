package storagewatch

import (
	"context"
	"time"

	"munadi/appliance/monitor/health"
)

// SharedWatch reports to the health status whether a database that appliances share answers.
type SharedWatch struct {
	Ping   func(ctx context.Context) error
	Health *health.HealthState
}

// sharedEvery is the interval between two probes.
const sharedEvery = time.Second

// WatchAnswers probes the database every second until ctx ends. While it does not answer, readiness and health fail.
func (w SharedWatch) WatchAnswers(ctx context.Context) error {
	tick := time.NewTicker(sharedEvery)
	defer tick.Stop()
	for {
		err := w.Ping(ctx)
		if ctx.Err() != nil {
			return nil
		}
		message := ""
		if err != nil {
			message = "the database does not answer"
		}
		w.Health.SetStorage(message, err != nil)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
