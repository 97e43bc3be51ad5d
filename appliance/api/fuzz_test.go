package api_test

import (
	"context"
	"testing"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// FuzzBooking checks that no body causes a panic or a booking beyond the limits.
func FuzzBooking(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(withFields(`"retry":{"max_attempts":3,"delay_minutes":[1,2]},"metadata":{"a":"b"},"scheduled_at":"2026-11-21T12:30:00+03:00"`)))
	f.Add([]byte(`{"phone_number":[],"retry":{"delay_minutes":[null]},"variables":{"a":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := strictjson.ParseObject(data)
		if err != nil {
			return
		}
		booked, err := newFuzzed().BookCall(t.Context(), service.Caller{OrgID: "acme"}, api.BindBooking(parsed))
		if err != nil {
			return
		}
		b := booked.Call
		if len(b.PhoneNumber) < 8 || len(b.PhoneNumber) > 16 || b.PhoneNumber[0] != '+' || b.ScenarioID == "" ||
			b.Attempt.Max < 1 || b.Attempt.Max > call.MaxAttempts || len(b.Metadata) > 100 ||
			!call.IsBookable(b.ScheduledAt, began) {
			t.Errorf("%q becomes %+v", data, b)
		}
	})
}

// acceptingStore is a store that accepts everything.
type acceptingStore struct{ service.PlatformStore }

func (acceptingStore) FindRules(context.Context, string) (callrules.CallRules, error) {
	return callrules.CallRules{}, nil
}

func (acceptingStore) FindScenario(context.Context, string, string) (scenario.Scenario, error) {
	return scenario.Scenario{}, nil
}

func (acceptingStore) BookCall(
	_ context.Context, c call.Call, _ string, _ *store.IdempotencyReceipt,
) (store.IdempotencyReceipt, error) {
	return store.IdempotencyReceipt{CallID: c.ID}, nil
}

func (acceptingStore) AddSuppressions(context.Context, []callrules.SuppressionEntry, string, time.Time) error {
	return nil
}

func newFuzzed() *service.UseCases {
	return &service.UseCases{Store: acceptingStore{}, Now: func() time.Time { return began }}
}

// FuzzSuppressions checks that no file causes a panic or adds an invalid number.
func FuzzSuppressions(f *testing.F) {
	f.Add([]byte("phone_number,reason,until\n+966500000001,asked,2027-01-01T00:00:00Z\n"))
	f.Add([]byte("+966500000001\n\"+966500000002\",\"a\nb\"\n"))
	f.Add([]byte("\xef\xbb\xbfreason,phone_number\r\n'=1,+966500000001\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		requests, err := api.ReadSuppressions(data)
		if err != nil {
			return
		}
		entries, _, _ := newFuzzed().AddSuppressions(t.Context(), service.Caller{OrgID: "acme"}, "csv", requests, true)
		for _, e := range entries {
			if e.OrgID != "acme" || len(e.PhoneNumber) < 8 || e.Until != nil && !e.Until.After(began) {
				t.Errorf("%q becomes %+v", data, e)
			}
		}
	})
}

// FuzzQuery checks that the query of a list is parsed within its limits, or refused.
func FuzzQuery(f *testing.F) {
	f.Add("limit=200&phone_number=%2B966500000001&created_from=2026-11-21T12:30:00%2B03:00")
	f.Add("limit=-1&limit=2&x=%zz")
	f.Add("created_from=2026-11-21T12:30:00+03:00&phone_number=+966500000001;limit=5")
	f.Fuzz(func(t *testing.T, raw string) {
		q := api.NewQueryReader(raw, []string{"limit", "phone_number", "created_from"})
		limit, number, from, wrong := q.Read()
		if wrong > 0 {
			return
		}
		if limit < 1 || limit > 200 || number != "" && (number[0] != '+' || len(number) > 16) || from.Year() > 9999 {
			t.Errorf("%q becomes %d, %q, %v", raw, limit, number, from)
		}
	})
}
