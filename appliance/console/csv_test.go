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
	if len(lines) < 202 || !strings.Contains(lines[201], "is incomplete") {
		t.Errorf("the line after the first page is %.100q", lines[min(201, len(lines)-1):])
	}
}

// TestFilesHaveByteOrderMark checks that every CSV file begins with a byte order mark, without which spreadsheets misread
// Arabic, and that it has only one.
func TestFilesHaveByteOrderMark(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for name, route := range signedInRoutes() {
		if !strings.HasPrefix(name, "GET ") || !strings.HasSuffix(name, ".csv") {
			continue
		}
		who := account.Owner
		if route.least == governor {
			who = governor
		}
		file := w.requestRoute(who, name, route).wantStatus(200).Body.String()
		if !strings.HasPrefix(file, "\uFEFF") || strings.Count(file, "\uFEFF") != 1 {
			t.Errorf("%s begins with %.40q", name, file)
		}
	}
}
