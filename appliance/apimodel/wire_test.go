package apimodel_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munadi/appliance/apimodel"
	"munadi/store/call"
	"munadi/store/delivery"
)

var update = flag.Bool("update", false, "write the golden bodies anew")

// links are addresses that a test can foresee.
type links struct{}

func (links) RecordingURL(orgID, callID string) string {
	return "https://calls.example/api/v1/calls/" + callID + "/recording?t=" + orgID
}

const (
	id       = "call_11111111-1111-4111-8111-111111111111"
	previous = "call_22222222-2222-4222-8222-222222222222"
	next     = "call_33333333-3333-4333-8333-333333333333"
)

var (
	riyadh = time.FixedZone("", 3*60*60)
	at     = time.Date(2026, 11, 21, 12, 30, 0, 123_999_999, riyadh)
)

func ptr[T any](v T) *T { return &v }

func booked() call.Call {
	return call.Call{
		ID: id, OrgID: "acme", Status: call.Scheduled, PhoneNumber: "+966512345600", ScenarioID: "restaurant_order",
		Booking: call.Booked, CreatedAt: at, ScheduledAt: at.Add(time.Hour),
		Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}
}

func completed() call.Call {
	c := booked()
	c.Status, c.Booking = call.Completed, call.RetryBooked
	c.Variables = map[string]any{"name": "سارة", "guests": 4.0, "vip": true, "table": nil}
	c.Metadata = map[string]string{"order": "A-17", "html": "<b>&</b>"}
	c.Attempt = call.AttemptChain{Number: 2, Max: 3, ChainID: previous, PreviousID: ptr(previous)}
	c.ReleasedAt, c.StartedAt, c.EndedAt = ptr(at), ptr(at.Add(5*time.Second)), ptr(at.Add(29*time.Second))
	c.Duration, c.Recording, c.Notify = ptr(24), "acme/rec.wav", true
	c.Messages = []call.Message{
		{Role: call.Assistant, Content: "مرحباً", Start: 0.5, End: 1.25, Confidence: 1},
		{Role: call.User, Content: "أهلاً", Start: 2, End: 2.5, Confidence: 0.93},
	}
	c.Errors = []call.CallError{{Code: "no_input", Message: "nobody spoke", At: 9.5}}
	c.Line = &call.LineFacts{SIPCodes: []int{100, 180, 200}, Codec: "PCMA", Sent: 1200, Received: 1199, Lost: 1, Ignored: 9, Foreign: 9}
	c.Machine = &call.MachineVerdict{Verdict: "human", Cause: "phrase", At: 2.5}
	c.Report = json.RawMessage(`{"confirmed":true}`)
	c.ResponseBody = json.RawMessage(`{"order":["برجر"]}`)
	return c
}

func busy() call.Call {
	c := booked()
	c.Status, c.EndedAt = call.UserRejected, ptr(at.Add(4*time.Second))
	c.Failure = &call.CallFailure{Reason: call.Busy, SIPCode: ptr(486)}
	c.Attempt = call.AttemptChain{
		Number: 1, Max: 2, ChainID: id, NextID: ptr(next), NextRetryAt: ptr(at.Add(10 * time.Minute)),
	}
	return c
}

func tried() *delivery.Delivery {
	return &delivery.Delivery{
		ID: "dlv_1", Kind: delivery.CallEnded, CallID: id, State: delivery.Pending, CreatedAt: at, NextAt: at.Add(time.Second),
		Tries: []delivery.DeliveryTry{
			{At: at, URL: "https://hooks.example/x", Error: "connection refused", Duration: 1500 * time.Microsecond},
			{
				At: at, URL: "https://hooks.example/x", StatusCode: 500, Error: "the receiver answered 500",
				Duration: 42 * time.Millisecond, Request: "{}", Response: "sorry",
			},
			{At: at, URL: "https://hooks.example/x", StatusCode: 204, Duration: time.Millisecond, Request: "{}"},
		},
	}
}

func TestGoldenBodies(t *testing.T) {
	t.Parallel()
	running := completed()
	running.Status = call.InProgress
	erased := completed()
	erased.ErasedAt, erased.PhoneNumber = ptr(at), ""
	for name, body := range map[string]any{
		"call_scheduled": apimodel.CallOf(booked(), nil, links{}),
		"call_completed": apimodel.CallOf(completed(), tried(), links{}),
		"call_busy":      apimodel.CallOf(busy(), nil, links{}),
		"call_running":   apimodel.CallOf(running, nil, links{}),
		"call_erased":    apimodel.CallOf(erased, nil, links{}),
		"delivery":       apimodel.DeliveryOf(*tried()),
		"told_completed": told(t, completed()),
		"told_busy":      told(t, busy()),
		"told_sample":    told(t, apimodel.SampleCall("acme", id, at)),
	} {
		golden(t, name, body)
	}
}

func told(t *testing.T, c call.Call) json.RawMessage {
	t.Helper()
	body, err := apimodel.BodyOf(c, links{})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func golden(t *testing.T, name string, body any) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(body); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s is\n%s\nnot\n%s", name, &got, want)
	}
}

// TestEveryEnd: each final status has its notification, but for a cancelled call, and none that goes on.
func TestEveryEnd(t *testing.T) {
	t.Parallel()
	for _, status := range call.AllStatuses() {
		c := busy()
		c.Status = status
		body, err := apimodel.BodyOf(c, links{})
		if wanted := status.IsFinal() && status != call.Cancelled; (err == nil) != wanted {
			t.Errorf("%s: %s, %v", status, body, err)
			continue
		} else if !wanted {
			continue
		}
		var told struct {
			CallID  string `json:"call_id"`
			Payload struct {
				Type string `json:"type"`
			} `json:"payload"`
		}
		if err := json.Unmarshal(body, &told); err != nil {
			t.Fatal(err)
		}
		want := string(status)
		if status == call.Completed {
			want = "complete"
		}
		if told.CallID != id || told.Payload.Type != want {
			t.Errorf("%s: %+v", status, told)
		}
	}
}

// TestBrokenReportIsAnError: a report that is no JSON stops the body; it is not sent half.
func TestBrokenReportIsAnError(t *testing.T) {
	t.Parallel()
	c := completed()
	c.Report = json.RawMessage(`{`)
	body, err := apimodel.BodyOf(c, links{})
	var broken *json.MarshalerError
	if !errors.As(err, &broken) {
		t.Errorf("%s, %v", body, err)
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"+966512345601": "+9665•••••01", "+1234567890": "+1234•••••90", "+123456789": "+1234•••••89",
		"+12345678": "•••••", "": "•••••",
	} {
		if got := apimodel.MaskNumber(number); got != want {
			t.Errorf("%q: %q", number, got)
		}
	}
	for path, want := range map[string]string{
		"/api/v1/people/+966512345601":     "/api/v1/people/+9665•••••01",
		"/api/v1/suppressions/96651234560": "/api/v1/suppressions/96651•••••60",
		"/api/v1/calls/" + id:              "/api/v1/calls/" + id,
		"/api/v1/people/1234567/x":         "/api/v1/people/•••••/x",
		"/":                                "/",
	} {
		if got := apimodel.MaskPath(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	if got := apimodel.Timestamp(at).String(); got != "2026-11-21T09:30:00.123Z" {
		t.Error(got)
	}
	if apimodel.TimestampOrNull(time.Time{}) != nil {
		t.Error("the zero time is one")
	}
}
