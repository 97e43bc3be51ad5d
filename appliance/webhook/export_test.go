package webhook

import (
	"context"
	"net/netip"
	"time"

	"munadi/store/delivery"
)

// Impatient gives up a try after d instead of ten seconds, for tests that really wait.
func (w *DeliveryWorker) Impatient(d time.Duration) *DeliveryWorker {
	w.timeout = d
	return w
}

// Try makes one try outside Run.
func (w *DeliveryWorker) Try(ctx context.Context, d delivery.Delivery) (delivery.DeliveryTry, TryOutcome) {
	return w.tryDelivery(ctx, d)
}

// Allow is the verdict on an address.
func (n OutboundNetwork) Allow(addr netip.Addr) error { return n.allowAddress("", addr) }

// CallbackStore is what the callbacks need of a store, for stores that fail.
type CallbackStore = callbackStore
