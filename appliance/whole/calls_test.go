package whole_test

import (
	"bytes"
	endian "encoding/binary"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestCall follows one call from its booking to its webhook and recording, and restarts the appliance at the end.
func TestCall(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	made := a.bookCall(t, simulatedNumber("07"), "appointment_confirmation", jsonObject{
		"variables": jsonObject{"name": "سارة", "date": "2026-12-03", "time": "17:30"}, "metadata": jsonObject{"crm": "42"},
	})
	id := made.textAt("id")
	if !strings.HasPrefix(id, "call_") || made.textAt("booking_outcome") != "immediate" {
		t.Errorf("booked: %v", made)
	}
	told := hook.awaitNotification(t, id)
	c := a.awaitEnded(t, id)
	checkComplete(t, told, c)
	checkConversation(t, c)
	checkRecording(t, a, c)
	delivered := a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("webhook", "state") == "delivered" })
	if tries := delivered.listAt("webhook", "attempts"); len(tries) != 1 {
		t.Errorf("delivered in %d tries: %v", len(tries), tries)
	}

	a.stopGracefully(t)
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	again := b.fetchCall(t, id)
	if again.textAt("status") != "completed" || again.textAt("webhook", "state") != "delivered" ||
		again.valueAt("report") == nil || again.valueAt("metadata", "crm") != "42" {
		t.Errorf("after a restart: %v", again)
	}
	checkRecording(t, b, again)
	if n := len(hook.notificationsOf(id)); n != 1 {
		t.Errorf("%d webhooks of one call", n)
	}
}

// checkComplete compares a notification with the contract's complete variant and with the call.
func checkComplete(t *testing.T, told, c jsonObject) {
	t.Helper()
	p, d := told.objectAt("payload"), told.objectAt("payload", "call_data")
	if p.textAt("type") != "complete" || d.textAt("call_id") != c.textAt("id") || d.textAt("direction") != "outbound" ||
		d.textAt("phone_number") != c.textAt("phone_number") || d.textAt("status") != "completed" {
		t.Errorf("the notification %v of %v", told, c)
	}
	for _, name := range []string{"created_at", "started_at", "ended_at"} {
		checkTimestamp(t, name, d.textAt(name))
		checkTimestamp(t, name, c.textAt(name))
	}
	checkTimestamp(t, "call_started", p.textAt("call_started"))
	for _, name := range []string{
		"attempt_number", "max_attempts", "retry_chain_id", "previous_call_id", "next_call_id", "next_retry_at",
	} {
		if _, there := p[name]; !there {
			t.Errorf("payload without %s", name)
		}
		if _, there := c[name]; !there {
			t.Errorf("call without %s", name)
		}
	}
	if p.valueAt("next_retry_at") != nil || p.valueAt("attempt_number") != 1.0 || p.textAt("retry_chain_id") != c.textAt("id") {
		t.Errorf("attempt fields %v", p)
	}
	if len(d.listAt("enhanced_transcript", "transcript", "messages")) == 0 || d.objectAt("report") == nil ||
		d.textAt("machine", "verdict") != c.textAt("machine", "verdict") || d.textAt("machine", "verdict") == "" {
		t.Errorf("call_data %v", d)
	}
	if d.listAt("enhanced_transcript", "errors") == nil {
		t.Errorf("errors are no list: %v", d)
	}
}

// checkConversation expects a conversation of two speakers: turns in order, confidence for the person's words, and a
// report.
func checkConversation(t *testing.T, c jsonObject) {
	t.Helper()
	turns, last := map[string]int{}, -1.0
	for _, m := range c.listAt("enhanced_transcript", "transcript", "messages") {
		message := jsonObject(m.(map[string]any))
		begin, _ := message.valueAt("start").(float64)
		end, _ := message.valueAt("end").(float64)
		confidence, _ := message.valueAt("confidence").(float64)
		if begin < last || end < begin || message.textAt("content") == "" || confidence <= 0 || confidence > 1 {
			t.Errorf("a message %v after %v s", message, last)
		}
		last = begin
		turns[message.textAt("role")]++
	}
	if turns["assistant"] < 2 || turns["user"] < 2 || len(turns) != 2 {
		t.Errorf("turns %v", turns)
	}
	if c.objectAt("report") == nil || c.objectAt("report").valueAt("confirmed") != true {
		t.Errorf("report %v of %v", c.valueAt("report"), c.valueAt("enhanced_transcript"))
	}
	length, _ := c.valueAt("total_duration").(float64)
	if length < 5 || length > 180 || last > length {
		t.Errorf("the call took %s, its last turn began at %s", formatSeconds(length), formatSeconds(last))
	}
}

// fetchWithoutKey is a GET without a key that follows no redirect.
func fetchWithoutKey(t *testing.T, url string, parts ...requestPart) testAnswer {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	mustSucceed(t, err)
	r.Header = newRequest(append([]requestPart{withKey("")}, parts...)).header
	res, err := client.Do(r)
	mustSucceed(t, err)
	defer res.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(res.Body)
	mustSucceed(t, err)
	return testAnswer{res.StatusCode, res.Header, body.Bytes()}
}

// checkPlayable follows the recording link as a player does and expects a stereo WAV; it returns the final URL and the
// file.
func checkPlayable(t *testing.T, a *testInstance, c jsonObject) (download string, sound []byte) {
	t.Helper()
	link := c.textAt("recording_url")
	if link == "" {
		t.Fatalf("no recording of %v", c)
	}
	link = a.URL + link[strings.Index(link, v1):] // the port differs after a restart
	there := fetchWithoutKey(t, link).wantStatus(t, http.StatusFound)
	if len(there.Body) > 0 {
		t.Errorf("the redirect has a body %q", there.Body)
	}
	download = there.Header.Get("Location")
	sound = fetchWithoutKey(t, download).wantStatus(t, 200).Body
	if len(sound) < 44 || string(sound[:4]) != "RIFF" || string(sound[8:12]) != "WAVE" {
		t.Fatalf("no WAV: %q", sound[:min(len(sound), 12)])
	}
	if size := endian.LittleEndian.Uint32(sound[40:]); int(size) != len(sound)-44 {
		t.Errorf("its header says %d bytes of sound, %d are there", size, len(sound)-44)
	}
	return download, sound
}

// checkRecording expects a recording of the call's duration with sound in both channels.
func checkRecording(t *testing.T, a *testInstance, c jsonObject) {
	t.Helper()
	download, sound := checkPlayable(t, a, c)
	format := endian.LittleEndian.Uint16(sound[20:])
	channels, rate := endian.LittleEndian.Uint16(sound[22:]), endian.LittleEndian.Uint32(sound[24:])
	if format != 1 || channels != 2 || (rate != 8000 && rate != 16000) || endian.LittleEndian.Uint16(sound[34:]) != 16 {
		t.Errorf("format %d, %d channels at %d Hz", format, channels, rate)
	}
	length, _ := c.valueAt("total_duration").(float64)
	if got := float64(len(sound)-44) / float64(4*rate); got < length-1.5 || got > length+1.5 {
		t.Errorf("%.1f s recorded of a call of %s", got, formatSeconds(length))
	}
	var loud [2]int
	for i := 44; i+3 < len(sound); i += 4 {
		for side := range loud {
			if v := int16(endian.LittleEndian.Uint16(sound[i+2*side:])); v > 1500 || v < -1500 {
				loud[side]++
			}
		}
	}
	if loud[0] < 1000 || loud[1] < 1000 {
		t.Errorf("loud samples: customer %d, platform %d", loud[0], loud[1])
	}
	part := fetchWithoutKey(t, download, withHeader("Range", "bytes=0-99")).wantStatus(t, http.StatusPartialContent)
	if !bytes.Equal(part.Body, sound[:100]) {
		t.Error("the range is another")
	}
}

// TestCallsByOutcome checks the outcome of each kind of simulated number, in the call and in its notification.
func TestCallsByOutcome(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	for _, c := range []struct {
		ending, status, reason string
		sip                    any
	}{
		{"90", "no_answer", "ring_timeout", nil},
		{"91", "user_rejected", "declined", 603.0},
		{"92", "user_unavailable", "unavailable", 480.0},
		{"93", "automation", "voicemail", nil},
		{"94", "failed", "no_carrier", nil},
		{"95", "completed", "", nil},
		{"96", "user_rejected", "busy", 486.0},
		{"97", "completed", "", nil},
		{"98", "completed", "", nil},
	} {
		t.Run(c.ending, func(t *testing.T) {
			t.Parallel()
			id := a.bookCall(t, simulatedNumber(c.ending), "appointment_confirmation", nil).textAt("id")
			told := hook.awaitNotification(t, id)
			got := a.awaitEnded(t, id)
			if got.textAt("status") != c.status || got.textAt("failure", "reason") != c.reason {
				t.Fatalf("%s %v, want %s %s: %v", got.textAt("status"), got.valueAt("failure"), c.status, c.reason, got)
			}
			if c.status == "completed" {
				if told.textAt("payload", "type") != "complete" || got.valueAt("failure") != nil {
					t.Errorf("notification %v", told)
				}
				return
			}
			p := told.objectAt("payload")
			if p.textAt("type") != c.status || p.textAt("status") != c.status || p.textAt("call_id") != id ||
				p.textAt("failure", "reason") != c.reason || p.valueAt("failure", "sip_code") != c.sip ||
				p.textAt("phone_number") != simulatedNumber(c.ending) || p.textAt("scenario_id") != "appointment_confirmation" {
				t.Errorf("notification %v", told)
			}
			if _, there := p["next_retry_at"]; !there {
				t.Errorf("no attempt fields in %v", p)
			}
		})
	}
}

// TestSilentAndLost checks that missing answers are listed in errors and are null in the report.
func TestSilentAndLost(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	silent := a.bookCall(t, simulatedNumber("97"), "appointment_confirmation", nil).textAt("id")
	lost := a.bookCall(t, simulatedNumber("95"), "appointment_confirmation", nil).textAt("id")
	c := a.awaitEnded(t, silent)
	if errs := c.listAt("enhanced_transcript", "errors"); len(errs) == 0 || jsonObject(errs[0].(map[string]any)).textAt("code") == "" {
		t.Errorf("a silent person: %v", c)
	}
	c = a.awaitEnded(t, lost)
	empty := 0
	for _, v := range c.objectAt("report") {
		if v == nil {
			empty++
		}
	}
	if empty == 0 {
		t.Errorf("a call that was hung up midway: report %v", c.valueAt("report"))
	}
}

// TestOrder checks the restaurant scenario, which has other kinds of answers.
func TestOrder(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	id := a.bookCall(t, simulatedNumber("12"), "restaurant_order", nil).textAt("id")
	c := a.awaitEnded(t, id)
	if c.textAt("status") != "completed" {
		t.Fatalf("%v", c)
	}
	filled := 0
	for _, v := range c.objectAt("report") {
		if v != nil {
			filled++
		}
	}
	if filled < 3 {
		t.Errorf("report %v of %v", c.valueAt("report"), c.valueAt("enhanced_transcript"))
	}
}

// TestRetryChain checks that the number that answers only the second attempt gets two calls, linked in both directions.
func TestRetryChain(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	id := a.bookCall(t, simulatedNumber("99"), "appointment_confirmation", jsonObject{
		"retry": jsonObject{"max_attempts": 3, "delay_minutes": []int{0}},
	}).textAt("id")
	told := hook.awaitNotification(t, id).objectAt("payload")
	next := told.textAt("next_call_id")
	if told.textAt("type") != "no_answer" || next == "" || told.valueAt("attempt_number") != 1.0 ||
		told.valueAt("max_attempts") != 3.0 || told.valueAt("previous_call_id") != nil {
		t.Fatalf("first attempt %v", told)
	}
	checkTimestamp(t, "next_retry_at", told.textAt("next_retry_at"))
	second := a.awaitEnded(t, next)
	if second.textAt("status") != "completed" || second.textAt("booking_outcome") != "retry_booked" ||
		second.textAt("previous_call_id") != id || second.textAt("retry_chain_id") != id || second.valueAt("next_retry_at") != nil {
		t.Errorf("second attempt %v", second)
	}
	if p := hook.awaitNotification(t, next).objectAt("payload"); p.textAt("type") != "complete" || p.valueAt("attempt_number") != 2.0 {
		t.Errorf("second notification %v", p)
	}
}

// TestRescheduleAndCancel checks that a scheduled call can be rescheduled and cancelled, and an ended one cannot.
func TestRescheduleAndCancel(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	made := a.bookCall(t, simulatedNumber("01"), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)})
	path := "/calls/" + made.textAt("id")
	if made.textAt("status") != "scheduled" || made.textAt("booking_outcome") != "booked" {
		t.Errorf("booked %v", made)
	}
	to := timeFromNow(2 * time.Hour)
	moved := a.requestAPI(t, http.MethodPost, path+"/reschedule", jsonObject{"scheduled_at": to}).wantStatus(t, 200).successData(t)
	if at := checkTimestamp(t, "scheduled_at", moved.textAt("scheduled_at")); at.Format(time.RFC3339) != to {
		t.Errorf("moved to %v, want %s", at, to)
	}
	for _, at := range []string{timeFromNow(5 * time.Minute), timeFromNow(31 * 24 * time.Hour), "tomorrow", ""} {
		e := a.requestAPI(t, http.MethodPost, path+"/reschedule", jsonObject{"scheduled_at": at}).wantFailure(t, 422, "validation_error")
		if v := e.listAt("field_violations"); len(v) != 1 || jsonObject(v[0].(map[string]any)).textAt("field") != "scheduled_at" {
			t.Errorf("%q: %v", at, e)
		}
	}
	ended := a.requestAPI(t, http.MethodPost, path+"/cancel", nil).wantStatus(t, 200).successData(t)
	if ended.textAt("status") != "cancelled" || ended.textAt("webhook", "state") != "none" {
		t.Errorf("cancelled %v", ended)
	}
	for _, act := range []string{"/cancel", "/reschedule"} {
		a.requestAPI(t, http.MethodPost, path+act, jsonObject{"scheduled_at": to}).wantFailure(t, 409, "call_already_released")
	}
	a.requestAPI(t, http.MethodPost, path+"/hangup", nil).wantFailure(t, 409, "call_not_active")
	a.requestAPI(t, http.MethodGet, path+"/recording", nil).wantFailure(t, 404, "recording_not_available")
	if got := hook.notificationsOf(made.textAt("id")); len(got) > 0 {
		t.Errorf("a cancelled call sent %v", got)
	}
}

// TestHangup checks that an operator can end a running call.
func TestHangup(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--time-scale", "2"}})
	id := a.bookCall(t, simulatedNumber("03"), "restaurant_order", nil).textAt("id")
	a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "in_progress" })
	a.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil).wantStatus(t, 202)
	if c := a.awaitEnded(t, id); c.textAt("status") != "completed" || c.textAt("ended_by") != "operator" || c.valueAt("failure") != nil {
		t.Errorf("%v", c)
	}
}

// TestIdempotentBooking checks that a repeated request books one call and gets the same answer.
func TestIdempotentBooking(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	body := jsonObject{"phone_number": simulatedNumber("02"), "scenario_id": "appointment_confirmation", "scheduled_at": timeFromNow(time.Hour)}
	first := a.requestAPI(t, http.MethodPost, "/calls", body, withHeader("Idempotency-Key", "k-1")).wantStatus(t, 201).successData(t)
	second := a.requestAPI(t, http.MethodPost, "/calls", body, withHeader("Idempotency-Key", "k-1")).wantStatus(t, 201).successData(t)
	if first.textAt("id") != second.textAt("id") {
		t.Errorf("%v and %v", first, second)
	}
	body["phone_number"] = simulatedNumber("04")
	a.requestAPI(t, http.MethodPost, "/calls", body, withHeader("Idempotency-Key", "k-1")).wantFailure(t, 409, "idempotency_conflict")
}
