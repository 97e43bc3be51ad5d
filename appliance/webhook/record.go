package webhook

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

const lastWords = 10 * time.Second // to record an attempt during shutdown

// recordAttempt stores the result of an attempt with record, and repeats that every two seconds while the store fails,
// until stop ends. Nothing else is sent to the receiver meanwhile, since an unrecorded attempt would be repeated. It
// reports whether the result is stored; about are the log attributes of the delivery.
func (w *DeliveryWorker) recordAttempt(stop context.Context, record func(context.Context) error, about []any) bool {
	for {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(stop), lastWords)
		err := record(ctx)
		cancel()
		facts := append(about[:len(about):len(about)], "error", err)
		switch store.CodeOf(err) {
		case "":
			return true
		case store.CodeNotFound, store.CodeConflict: // removed, or delivered by another appliance meanwhile
			w.Log.Warn("an attempt of a notification that is no longer pending", facts...)
			return false
		case store.CodeCorrupt: // the store lists unreadable records no more
			w.Log.Error("an attempt of a notification that can no longer be read", facts...)
			return false
		}
		w.Log.Error("an attempt of a notification could not be recorded; it is retried", facts...)
		select {
		case <-stop.Done():
			return false
		case <-time.After(delivery.Pause):
		}
	}
}
