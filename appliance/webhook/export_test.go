package webhook

import (
	"context"
	"net/netip"
	"time"

	"munadi/store/delivery"
)

// Impatient gives up a try after d instead of ten seconds, for tests that really wait.
func (w *Worker) Impatient(d time.Duration) *Worker {
	w.timeout = d
	return w
}

// Try makes one try outside Run.
func (w *Worker) Try(ctx context.Context, d delivery.Delivery) (delivery.Try, Outcome) {
	return w.try(ctx, d)
}

// Allow is the verdict on an address.
func (n Network) Allow(addr netip.Addr) error { return n.allow("", addr) }
