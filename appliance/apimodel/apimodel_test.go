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

var update = flag.Bool("update", false, "write the golden bodies again")

// fixedLinks returns links with fixed tokens.
type fixedLinks struct{}

func (fixedLinks) RecordingURL(orgID, callID string) string {
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

func pointerTo[T any](v T) *T { return &v }

func bookedCall() call.Call {
	return call.Call{
		ID: id, OrgID: "acme", Status: call.Scheduled, PhoneNumber: "+966512345600", ScenarioID: "restaurant_order",
		Booking: call.Booked, CreatedAt: at, ScheduledAt: at.Add(time.Hour),
		Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}
}

func completedCall() call.Call {
	c := bookedCall()
	c.Status, c.Booking = call.Completed, call.RetryBooked
	c.Variables = map[string]any{"name": "سارة", "guests": 4.0, "vip": true, "table": nil}
	c.Metadata = map[string]string{"order": "A-17", "html": "<b>&</b>"}
	c.Attempt = call.AttemptChain{Number: 2, Max: 3, ChainID: previous, PreviousID: pointerTo(previous)}
	c.ReleasedAt, c.StartedAt, c.EndedAt = pointerTo(at), pointerTo(at.Add(5*time.Second)), pointerTo(at.Add(29*time.Second))
	c.Duration, c.Recording, c.Notify = pointerTo(24), "acme/rec.wav", true
	c.Messages = []call.Message{
		{Role: call.Assistant, Content: "مرحباً", Start: 0.5, End: 1.25, Confidence: 1},
		{Role: call.User, Content: "أهلاً", Start: 2, End: 2.5, Confidence: 0.93},
	}
	c.Errors = []call.CallError{{Code: "no_input", Message: "Nothing was answered to confirmed.", At: 9.5}}
	c.Line = &call.LineFacts{SIPCodes: []int{100, 180, 200}, Codec: "PCMA", Sent: 1200, Received: 1199, Lost: 1, Ignored: 9, Foreign: 9}
	c.Machine = &call.MachineVerdict{Verdict: "human", Cause: "phrase", At: 2.5}
	c.Report = json.RawMessage(`{"confirmed":true}`)
	c.ResponseBody = json.RawMessage(`{"order":["برجر"]}`)
	return c
}

func busyCall() call.Call {
	c := bookedCall()
	c.Status, c.EndedAt = call.UserRejected, pointerTo(at.Add(4*time.Second))
	c.Failure = &call.CallFailure{Reason: call.Busy, SIPCode: pointerTo(486)}
	c.Attempt = call.AttemptChain{
		Number: 1, Max: 2, ChainID: id, NextID: pointerTo(next), NextRetryAt: pointerTo(at.Add(10 * time.Minute)),
	}
	return c
}

func triedDelivery() *delivery.Delivery {
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
	running := completedCall()
	running.Status = call.InProgress
	erased := completedCall()
	erased.ErasedAt, erased.PhoneNumber = pointerTo(at), ""
	for name, body := range map[string]any{
		"call_scheduled": apimodel.CallOf(bookedCall(), nil, fixedLinks{}),
		"call_completed": apimodel.CallOf(completedCall(), triedDelivery(), fixedLinks{}),
		"call_busy":      apimodel.CallOf(busyCall(), nil, fixedLinks{}),
		"call_running":   apimodel.CallOf(running, nil, fixedLinks{}),
		"call_erased":    apimodel.CallOf(erased, nil, fixedLinks{}),
		"delivery":       apimodel.DeliveryOf(*triedDelivery()),
		"told_completed": toldDelivery(t, completedCall()),
		"told_busy":      toldDelivery(t, busyCall()),
		"told_sample":    toldDelivery(t, apimodel.SampleCall("acme", id, at)),
	} {
		compareGolden(t, name, body)
	}
}

func toldDelivery(t *testing.T, c call.Call) json.RawMessage {
	t.Helper()
	body, err := apimodel.BodyOf(c, fixedLinks{})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func compareGolden(t *testing.T, name string, body any) {
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

// TestEveryFinalStatusHasANotification checks that each final status has a notification except cancelled, and that no
// other status has one.
func TestEveryFinalStatusHasANotification(t *testing.T) {
	t.Parallel()
	for _, status := range call.AllStatuses() {
		c := busyCall()
		c.Status = status
		body, err := apimodel.BodyOf(c, fixedLinks{})
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

// TestBrokenReportIsAnError checks that a report that is not JSON is an error, and the body is not sent without it.
func TestBrokenReportIsAnError(t *testing.T) {
	t.Parallel()
	c := completedCall()
	c.Report = json.RawMessage(`{`)
	body, err := apimodel.BodyOf(c, fixedLinks{})
	if _, ok := errors.AsType[*json.MarshalerError](err); !ok {
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
		"/api/v1/people/+966512345601":               "/api/v1/people/+9665•••••01",
		"/api/v1/suppressions/96651234560":           "/api/v1/suppressions/96651•••••60",
		"/api/v1/calls/" + id:                        "/api/v1/calls/" + id,
		"/api/v1/people/1234567/x":                   "/api/v1/people/•••••/x",
		"/console/setup/a-b_c9966512345601":          "/console/setup/•••",
		"/x/Setup//a b%20/c":                         "/x/Setup//•••/•••",
		"/v1/mnd_abc123/x":                           "/v1/•••/x",
		"/":                                          "/",
		"/people/966-512-345-601":                    "/people/966-5•••••01",
		"/people/+966 51 234 5601/x":                 "/people/+966 •••••01/x",
		"/people/tel:+966512345601.json":             "/people/tel:+9665•••••01.json",
		"/people/%2B966512345601":                    "/people/%2B96651•••••01",
		"/people/٩٦٦٥١٢٣٤٥٦٠١":                       "/people/•••••",
		"/people/966512345601,97123456789":           "/people/96651•••••89",
		"/jobs/1b4e28ba-4793-9057-9057-123456789012": "/jobs/1b4e28ba-4793-9057-9057-123456789012",
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
