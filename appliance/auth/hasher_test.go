package auth

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// TestPasswordHasherIsFairToClients checks that a client that floods the hasher is refused, and that other clients are
// neither refused nor delayed by it.
func TestPasswordHasherIsFairToClients(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHasher()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range waitingOfClient {
			go func() { _, _ = h.acquireSlot(ctx, "10.0.0.1/32") }() // never released: none hashes
		}
		synctest.Wait()
		if _, err := h.acquireSlot(ctx, "10.0.0.1/32"); !errors.Is(err, ErrBusy) {
			t.Errorf("one more of the same client: %v", err)
		}
		granted := make(chan struct{})
		go func() {
			done, err := h.acquireSlot(ctx, "bakery")
			if err != nil {
				t.Error(err)
				return
			}
			close(granted)
			done()
		}()
		synctest.Wait()
		for range 2 { // as each hash ends: the flood's next waiter, then the other client
			h.slots.ReleaseSlot("10.0.0.1/32")
			synctest.Wait()
		}
		select {
		case <-granted:
		default:
			t.Error("a client waits behind all of another one's")
		}
	})
}
