package console_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"munadi/appliance/console"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
)

// tornStore is a store that fails after the first page of a list.
type tornStore struct{ store.Store }

func (s tornStore) CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error) {
	if f.Cursor != "" {
		return store.ListPage[call.Call]{}, errors.New("the disk is gone")
	}
	return s.Store.CallsPage(ctx, orgID, f)
}

// TestBrokenFile checks that a file whose rest could not be read says so in its last row, since its status has been
// sent.
func TestBrokenFile(t *testing.T) {
	t.Parallel()
	d := &callBench{consoleBench: newBench(t, func(d *console.Dependencies) {
		d.Store = tornStore{d.Store}
	})}
	for range 201 {
		d.bookCall("acme", anyNumber, nil)
	}
	lines := strings.Split(d.getPage(account.Viewer, "/calls.csv").wantStatus(200).Body.String(), "\n")
	if len(lines) < 202 || !strings.Contains(lines[201], "not whole") {
		t.Errorf("the line after the first page is %.100q", lines[min(201, len(lines)-1):])
	}
}
