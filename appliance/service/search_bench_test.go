package service_test

import (
	"log/slog"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
)

// BenchmarkSearchCalls searches a page of 500 calls of 12 turns for words that do not occur.
func BenchmarkSearchCalls(b *testing.B) {
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	at := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	must(s.CreateOrganization(b.Context(), account.Organization{ID: "acme", CreatedAt: at}, "test"))
	var turns []call.Message
	for range 12 {
		turns = append(turns, call.Message{Role: call.User, Content: "السلام عليكم معكم المساعد الآلي من العيادة"})
	}
	for range 500 {
		c := call.Call{
			ID: call.NewID(), OrgID: "acme", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "visit",
			CreatedAt: at, ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "c"},
		}
		_, err := s.BookCall(b.Context(), c, "test", nil)
		must(err)
		_, err = s.ReleaseCall(b.Context(), "acme", c.ID, at)
		must(err)
		_, err = s.AnswerCall(b.Context(), "acme", c.ID, "", at)
		must(err)
		o := call.CallOutcome{Status: call.Completed, Messages: turns}
		_, err = s.FinishCall(b.Context(), "acme", c.ID, o, nil, at)
		must(err)
	}
	u := &service.UseCases{Store: s}
	for b.Loop() {
		found, err := u.SearchCalls(b.Context(), "acme", store.CallFilter{Limit: 50, Sort: store.SortByDueTime}, "الفاتورة")
		if must(err); found.Examined != 500 || len(found.Items) > 0 {
			b.Fatalf("%d calls are examined", found.Examined)
		}
	}
}
