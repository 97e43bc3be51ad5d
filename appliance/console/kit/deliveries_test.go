package kit_test

import (
	"context"
	"testing"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/memory"
	"munadi/store/scenario"
	"munadi/store/storetest/fixture"
	"munadi/ui/locale"
)

// readCounter counts the reads of single calls, of several, and of alerts.
type readCounter struct {
	store.Store
	one, several, alerts int
}

func (r *readCounter) FindCall(ctx context.Context, orgID, id string) (call.Call, error) {
	r.one++
	return r.Store.FindCall(ctx, orgID, id)
}

func (r *readCounter) FindCalls(ctx context.Context, orgID string, ids []string) (map[string]call.Call, error) {
	r.several++
	return r.Store.FindCalls(ctx, orgID, ids)
}

func (r *readCounter) FindAlerts(ctx context.Context, orgID string) (alert.AlertBoard, error) {
	r.alerts++
	return r.Store.FindAlerts(ctx, orgID)
}

// TestFindSubjects: a page of deliveries names the calls, campaigns and alerts that are stored, and reads the calls
// together and the alerts once.
func TestFindSubjects(t *testing.T) {
	t.Parallel()
	st := memory.OpenStore()
	in := fixture.FillStore(t, st)
	counter := &readCounter{Store: st}
	noBuiltIn := func() []scenario.Scenario { return nil }
	s := &kit.Console{Shared: kit.Shared{Store: counter, UseCases: &service.UseCases{Store: counter, BuiltIn: noBuiltIn}}}
	v := kit.Visitor{Org: account.Organization{ID: fixture.OrgID}, Lang: locale.English}
	board, err := st.FindAlerts(t.Context(), fixture.OrgID)
	if err != nil || len(board.Open) < 2 {
		t.Fatalf("%d alerts, %v", len(board.Open), err)
	}
	gone := call.NewID()
	names := []string{
		in.Calls["completed"], in.Calls["failed: busy"], in.Calls["completed"], gone, board.Open[0].ID, board.Open[1].ID,
		board.Open[0].ID, in.Campaigns["running"], in.Campaigns["running"],
	}
	var all []delivery.Delivery
	for i, name := range names {
		kind := delivery.CallEnded
		if i >= 4 && i < 7 {
			kind = delivery.AlertRaised
		}
		all = append(all, delivery.Delivery{OrgID: fixture.OrgID, Kind: kind, CallID: name})
	}
	found, err := s.FindSubjects(t.Context(), v, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		subject, named := found[name]
		if named != (name != gone) || named && subject.Name == "" && subject.Call == nil {
			t.Errorf("%q is named %+v", name, subject)
		}
	}
	if counter.one != 0 || counter.several != 1 || counter.alerts != 1 {
		t.Errorf("calls are read %d times one by one and %d times together, alerts %d times", counter.one, counter.several, counter.alerts)
	}
}
