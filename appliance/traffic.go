package appliance

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/systemd"
)

// inflightRequests counts the requests that are on, so that a stop can wait for them while probes and refusals are still
// answered.
type inflightRequests struct {
	mu   sync.Mutex
	on   int
	idle chan struct{} // closed when on falls to zero; nil when nobody waits
}

// countRequest is middleware.
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

// waitIdle returns when no request is on, or when ctx ends.
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

// farewellTime is how long before the end of the grace running requests are cut off, so that their clients can be told.
const farewellTime = 2 * time.Second

// drainRequests refuses new work, lets running calls and requests end within the grace, and closes the listener and its
// connections: only then, so that until the last call is over probes and refusals are answered, and people may look on.
func (a *Appliance) drainRequests(server *http.Server, called <-chan struct{}) {
	a.health.SetDraining()
	requests, _ := a.engine.queueLoad()
	a.log.Info("stopping", "requests", requests, "grace", grace)
	a.notifyManager(systemd.Stopping, "lets running calls and requests end")
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	farewell := time.AfterFunc(grace-farewellTime, a.stt.CutOff)
	defer farewell.Stop()
	a.events.Close() // who looks on would keep us waiting; a browser comes back by itself
	a.sound.Close()
	select {
	case <-called: // at most callGrace later
	case <-ctx.Done():
	}
	a.traffic.waitIdle(ctx)
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were cut off", "err", err)
		_ = server.Close() // Shutdown's error says it all
	}
	a.log.Info("stopped", "at", time.Now().UTC())
}
