package appliance

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/systemd"
)

// inflightRequests counts the requests in progress, so that a graceful shutdown can wait for them while probes and
// refusals are still answered.
type inflightRequests struct {
	mu   sync.Mutex
	on   int
	idle chan struct{} // closed when on falls to zero; nil without a waiter
}

// countRequest is the middleware that counts.
func (t *inflightRequests) countRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		t.addRequests(1)
		defer t.addRequests(-1)
		return next(c)
	}
}

func (t *inflightRequests) addRequests(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.on += n
	if t.on == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// waitIdle returns when no request is in progress, or when ctx ends.
func (t *inflightRequests) waitIdle(ctx context.Context) {
	t.mu.Lock()
	if t.on == 0 {
		t.mu.Unlock()
		return
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	idle := t.idle
	t.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// farewellTime is how long before the end of the grace period running requests are cancelled, so that their clients
// still get an error response.
const farewellTime = 2 * time.Second

// drainRequests shuts down gracefully: it refuses new work (503), lets running calls and requests end within the
// grace period, and then closes the listener and its connections. Until the last call has ended, probes are answered
// and viewers stay connected.
func (a *Appliance) drainRequests(server *http.Server, called <-chan struct{}) {
	a.health.SetDraining()
	requests, _ := a.engine.queueLoad()
	a.log.Info("stopping", "requests", requests, "grace", grace)
	a.notifyManager(systemd.Stopping, "lets running calls and requests end")
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	farewell := time.AfterFunc(grace-farewellTime, a.stt.CutOff)
	defer farewell.Stop()
	a.events.Close() // SSE streams would never end; browsers reconnect
	a.sound.Close()
	select {
	case <-called: // at most callGrace later
	case <-ctx.Done():
	}
	a.traffic.waitIdle(ctx)
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were cut off", "err", err)
		_ = server.Close() // the error of Shutdown is logged
	}
	a.log.Info("stopped", "at", time.Now().UTC())
}
