// Package inflight counts the requests in progress, for a graceful shutdown.
package inflight

import (
	"context"
	"sync"

	"github.com/labstack/echo/v4"
)

// RequestCounter counts the requests in progress, so that a graceful shutdown can wait for them while probes and
// refusals are still answered.
type RequestCounter struct {
	mu      sync.Mutex
	running int
	idle    chan struct{} // closed when running falls to zero; nil without a waiter
}

// CountRequest is middleware that counts a request while it is handled.
func (c *RequestCounter) CountRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(request echo.Context) error {
		c.addRequests(1)
		defer c.addRequests(-1)
		return next(request)
	}
}

func (c *RequestCounter) addRequests(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running += n
	if c.running == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// WaitIdle returns when no request is in progress, or when ctx ends.
func (c *RequestCounter) WaitIdle(ctx context.Context) {
	c.mu.Lock()
	if c.running == 0 {
		c.mu.Unlock()
		return
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}
