package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/api/jsonbind"
	"munadi/store/call"
)

// FuzzBooking: whatever is sent neither panics nor becomes a booking beyond the bounds.
func FuzzBooking(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(with(`"retry":{"max_attempts":3,"delay_minutes":[1,2]},"metadata":{"a":"b"},"scheduled_at":"2026-11-21T12:30:00+03:00"`)))
	f.Add([]byte(`{"phone_number":[],"retry":{"delay_minutes":[null]},"variables":{"a":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := api.ParseObject(data)
		if err != nil {
			return
		}
		b, found := api.BindBooking(parsed, began)
		if len(found) > 0 {
			return
		}
		at := b.ScheduledAt
		if len(b.PhoneNumber) < 8 || len(b.PhoneNumber) > 16 || b.PhoneNumber[0] != '+' || b.ScenarioID == "" ||
			b.Retry != nil && (*b.Retry.MaxAttempts < 1 || *b.Retry.MaxAttempts > call.MaxAttempts) || len(b.Metadata) > 100 ||
			at != nil && !at.IsZero() && !call.IsBookable(*at, began) {
			t.Errorf("%q becomes %+v", data, b)
		}
	})
}

// FuzzSuppressions: a file of whatever bytes neither panics nor lists what is no number.
func FuzzSuppressions(f *testing.F) {
	f.Add([]byte("phone_number,reason,until\n+966500000001,asked,2027-01-01T00:00:00Z\n"))
	f.Add([]byte("+966500000001\n\"+966500000002\",\"a\nb\"\n"))
	f.Add([]byte("\xef\xbb\xbfreason,phone_number\r\n'=1,+966500000001\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := api.ReadSuppressions(data, "acme", began)
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.OrgID != "acme" || len(e.PhoneNumber) < 8 || e.Until != nil && !e.Until.After(began) {
				t.Errorf("%q becomes %+v", data, e)
			}
		}
	})
}

// FuzzObject: an object is one.
func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"a":1}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := api.ParseObject(data)
		if (err == nil) != (all != nil) {
			t.Errorf("%q: %v, %v", data, all, err)
		}
		if _, bad := jsonbind.ParseJSON(data); bad != nil && err == nil {
			t.Errorf("%q is no JSON", data)
		}
	})
}

// FuzzQuery: a list's query is read within its bounds, or refused.
func FuzzQuery(f *testing.F) {
	f.Add("limit=200&phone_number=%2B966500000001&created_from=2026-11-21T12:30:00%2B03:00")
	f.Add("limit=-1&limit=2&x=%zz")
	f.Add("created_from=2026-11-21T12:30:00+03:00&phone_number=+966500000001;limit=5")
	f.Fuzz(func(t *testing.T, raw string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.RawQuery = raw
		q := api.QueryOf(echo.New().NewContext(r, nil), "limit", "phone_number", "created_from")
		limit, number, from, wrong := q.Read()
		if wrong > 0 {
			return
		}
		if limit < 1 || limit > 200 || number != "" && (number[0] != '+' || len(number) > 16) || from.Year() > 9999 {
			t.Errorf("%q becomes %d, %q, %v", raw, limit, number, from)
		}
	})
}
