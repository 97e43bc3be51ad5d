package api_test

import (
	"testing"
	"time"

	"munadi/store/call"
)

// TestCallTrace checks the SIP ladder and the quality of a call: empty before its end, not found by others.
func TestCallTrace(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	id := b.askPath("POST", "/calls", `{"phone_number":"+966500000001","scenario_id":"reminder","variables":{"name":"Sara"}}`).want(201).text("data", "id")
	path := "/calls/" + id + "/trace"
	if got := b.askPath("GET", path, "").want(200); len(got.at("data", "messages").([]any))+len(got.at("data", "quality").([]any)) != 0 {
		t.Errorf("before the end: %s", got.Body)
	}
	_, err := b.store.ReleaseCall(t.Context(), "acme", id, b.now)
	mustSucceed(t, err)
	_, err = b.store.FinishCall(t.Context(), "acme", id, call.CallOutcome{Status: call.UserRejected, Trace: &call.LineTrace{
		Messages: []call.SIPMessage{
			{At: b.now, Sent: true, Peer: "udp 192.0.2.7:5060", Line: "INVITE sip:a SIP/2.0", SDP: []string{"v=0"}},
			{At: b.now.Add(time.Second), Leg: 2, Line: "SIP/2.0 486 Busy Here", Headers: []string{"Reason: Q.850"}, Repeats: 2, Cut: true},
		}, Omitted: 4, Quality: []call.QualitySample{{At: 5, Seconds: 5, Inbound: &call.MediaQuality{Loss: 0.5, MOS: 2}}},
	}}, nil, b.now)
	mustSucceed(t, err)
	got := b.askPath("GET", path, "").want(200)
	for want, at := range map[string][]any{
		id: {"call_id"}, "sent": {"messages", 0, "direction"}, "received": {"messages", 1, "direction"},
		"SIP/2.0 486 Busy Here": {"messages", 1, "start_line"}, "v=0": {"messages", 0, "sdp", 0},
		"Reason: Q.850": {"messages", 1, "headers", 0},
	} {
		if text := got.text(append([]any{"data"}, at...)...); text != want {
			t.Errorf("%v is %q, want %q", at, text, want)
		}
	}
	if got.at("data", "messages", 0, "leg") != 0.0 || got.at("data", "messages", 1, "leg") != 2.0 ||
		got.at("data", "omitted") != 4.0 || got.at("data", "quality", 0, "inbound", "mos") != 2.0 {
		t.Errorf("the answer is %s", got.Body)
	}
	b.askPath("GET", path, "", withKey(rival)).failure(404, "not_found", "")
}
