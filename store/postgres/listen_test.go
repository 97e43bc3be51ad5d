package postgres

import (
	"testing"
	"time"

	"munadi/store"
)

// TestMissedNotification: a change whose notification is lost is found by its sequence.
func TestMissedNotification(t *testing.T) {
	t.Parallel()
	one, server := openAlone(t)
	woken, stop := one.WatchKind(store.CallsChanged)
	defer stop()
	for drained := false; !drained; {
		select {
		case <-woken:
		case <-time.After(5 * time.Second):
			drained = true
		}
	}
	server.Run(t, "INSERT INTO change_counts VALUES ('"+string(store.CallsChanged)+"', 7)") // without NOTIFY
	select {
	case <-woken:
	case <-time.After(2 * time.Minute):
		t.Error("the missed change was not found")
	}
}
