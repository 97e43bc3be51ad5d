package webhook

import (
	"context"
	"net/netip"
	"time"

	"munadi/store/delivery"
)

// ChangeTimeout gives up a try after d instead of ten seconds, for tests on real time.
func (w *DeliveryWorker) ChangeTimeout(d time.Duration) *DeliveryWorker {
	w.timeout = d
	return w
}

// TryDelivery makes one try outside Run.
func (w *DeliveryWorker) TryDelivery(ctx context.Context, d delivery.Delivery) (delivery.DeliveryTry, TryOutcome) {
	return w.tryDelivery(ctx, d)
}

// AllowAddress is the verdict on an address.
func (n OutboundNetwork) AllowAddress(addr netip.Addr) error { return n.allowAddress("", addr) }

// CallbackStore is what the callbacks need of a store, for stores that fail.
type CallbackStore = callbackStore

// SignHeaders signs a body as a delivery is signed.
var SignHeaders = signHeaders
