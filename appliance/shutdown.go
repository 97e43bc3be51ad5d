package appliance

import (
	"context"
	"net/http"
	"time"

	"munadi/appliance/monitor/systemd"
)

// cancelMargin is how long before the end of the grace period running requests are cancelled, so that their clients
// still get an error response.
const cancelMargin = 2 * time.Second

// drainRequests shuts down gracefully: it refuses new work (503), lets running calls and requests end within the
// grace period, and then closes the listener and its connections. Until the last call has ended, probes are answered
// and viewers stay connected.
func (a *Appliance) drainRequests(server *http.Server, called <-chan struct{}) {
	a.health.SetDraining()
	requests, _ := a.engine.QueueLoad()
	a.log.Info("stopping", "requests", requests, "grace", grace)
	a.notifyManager(systemd.Stopping, "waits for running calls and requests to end")
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	abort := time.AfterFunc(grace-cancelMargin, a.stt.AbortRequests)
	defer abort.Stop()
	a.events.Close() // SSE streams would never end; browsers reconnect
	a.sound.Close()
	select {
	case <-called: // at most callGrace later
	case <-ctx.Done():
	}
	a.inflight.WaitIdle(ctx)
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were aborted by the shutdown", "err", err)
		_ = server.Close() // the error of Shutdown is logged
	}
	a.log.Info("stopped", "at", time.Now().UTC())
}
