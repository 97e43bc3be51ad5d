package whole_test

import (
	"bytes"
	endian "encoding/binary"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestCall walks one call from its booking to its webhook and its recording, with a restart in the end.
func TestCall(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	made := a.book(t, simulated("07"), "appointment_confirmation", object{
		"variables": object{"name": "سارة", "date": "2026-12-03", "time": "17:30"}, "metadata": object{"crm": "42"},
	})
	id := made.text("id")
	if !strings.HasPrefix(id, "call_") || made.text("booking_outcome") != "immediate" {
		t.Errorf("booked: %v", made)
	}
	told := hook.await(t, id)
	c := a.ended(t, id)
	checkComplete(t, told, c)
	checkConversation(t, c)
	checkRecording(t, a, c)
	delivered := a.until(t, id, func(c object) bool { return c.text("webhook", "state") == "delivered" })
	if tries := delivered.list("webhook", "attempts"); len(tries) != 1 {
		t.Errorf("delivered in %d tries: %v", len(tries), tries)
	}

	a.stop(t)
	b := start(t, settings{data: a.Data, noKey: true})
	again := b.call(t, id)
	if again.text("status") != "completed" || again.text("webhook", "state") != "delivered" ||
		again.at("report") == nil || again.at("metadata", "crm") != "42" {
		t.Errorf("after a restart: %v", again)
	}
	checkRecording(t, b, again)
	if n := len(hook.of(id)); n != 1 {
		t.Errorf("%d webhooks of one call", n)
	}
}

// checkComplete holds a notification to the seed's complete variant and to the call.
func checkComplete(t *testing.T, told, c object) {
	t.Helper()
	p, d := told.object("payload"), told.object("payload", "call_data")
	if p.text("type") != "complete" || d.text("call_id") != c.text("id") || d.text("direction") != "outbound" ||
		d.text("phone_number") != c.text("phone_number") || d.text("status") != "completed" {
		t.Errorf("the notification %v of %v", told, c)
	}
	for _, name := range []string{"created_at", "started_at", "ended_at"} {
		timestamp(t, name, d.text(name))
		timestamp(t, name, c.text(name))
	}
	timestamp(t, "call_started", p.text("call_started"))
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
	if p.at("next_retry_at") != nil || p.at("attempt_number") != 1.0 || p.text("retry_chain_id") != c.text("id") {
		t.Errorf("attempt fields %v", p)
	}
	if len(d.list("enhanced_transcript", "transcript", "messages")) == 0 || d.object("report") == nil ||
		d.text("machine", "verdict") != c.text("machine", "verdict") || d.text("machine", "verdict") == "" {
		t.Errorf("call_data %v", d)
	}
	if d.list("enhanced_transcript", "errors") == nil {
		t.Errorf("errors are no list: %v", d)
	}
}

// checkConversation wants a talk between two: turns in order, confident words of the person, a report of them.
func checkConversation(t *testing.T, c object) {
	t.Helper()
	turns, last := map[string]int{}, -1.0
	for _, m := range c.list("enhanced_transcript", "transcript", "messages") {
		message := object(m.(map[string]any))
		begin, _ := message.at("start").(float64)
		end, _ := message.at("end").(float64)
		confidence, _ := message.at("confidence").(float64)
		if begin < last || end < begin || message.text("content") == "" || confidence <= 0 || confidence > 1 {
			t.Errorf("a message %v after %v s", message, last)
		}
		last = begin
		turns[message.text("role")]++
	}
	if turns["assistant"] < 2 || turns["user"] < 2 || len(turns) != 2 {
		t.Errorf("turns %v", turns)
	}
	if c.object("report") == nil || c.object("report").at("confirmed") != true {
		t.Errorf("report %v of %v", c.at("report"), c.at("enhanced_transcript"))
	}
	length, _ := c.at("total_duration").(float64)
	if length < 5 || length > 180 || last > length {
		t.Errorf("the call took %s, its last turn began at %s", seconds(length), seconds(last))
	}
}

// fetch is a GET without a key that follows no redirect.
func fetch(t *testing.T, url string, parts ...part) answer {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must(t, err)
	r.Header = newRequest(append([]part{key("")}, parts...)).header
	res, err := client.Do(r)
	must(t, err)
	defer res.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(res.Body)
	must(t, err)
	return answer{res.StatusCode, res.Header, body.Bytes()}
}

// checkPlayable follows the link as a player would and wants a stereo WAV; it returns where it is and what it holds.
func checkPlayable(t *testing.T, a *instance, c object) (download string, sound []byte) {
	t.Helper()
	link := c.text("recording_url")
	if link == "" {
		t.Fatalf("no recording of %v", c)
	}
	link = a.URL + link[strings.Index(link, v1):] // after a restart the port is another
	there := fetch(t, link).want(t, http.StatusFound)
	if len(there.Body) > 0 {
		t.Errorf("the redirect has a body %q", there.Body)
	}
	download = there.Header.Get("Location")
	sound = fetch(t, download).want(t, 200).Body
	if len(sound) < 44 || string(sound[:4]) != "RIFF" || string(sound[8:12]) != "WAVE" {
		t.Fatalf("no WAV: %q", sound[:min(len(sound), 12)])
	}
	if size := endian.LittleEndian.Uint32(sound[40:]); int(size) != len(sound)-44 {
		t.Errorf("its header says %d bytes of sound, %d are there", size, len(sound)-44)
	}
	return download, sound
}

// checkRecording wants a recording of the call's length with sound on both sides.
func checkRecording(t *testing.T, a *instance, c object) {
	t.Helper()
	download, sound := checkPlayable(t, a, c)
	format := endian.LittleEndian.Uint16(sound[20:])
	channels, rate := endian.LittleEndian.Uint16(sound[22:]), endian.LittleEndian.Uint32(sound[24:])
	if format != 1 || channels != 2 || (rate != 8000 && rate != 16000) || endian.LittleEndian.Uint16(sound[34:]) != 16 {
		t.Errorf("format %d, %d channels at %d Hz", format, channels, rate)
	}
	length, _ := c.at("total_duration").(float64)
	if got := float64(len(sound)-44) / float64(4*rate); got < length-1.5 || got > length+1.5 {
		t.Errorf("%.1f s recorded of a call of %s", got, seconds(length))
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
	part := fetch(t, download, header("Range", "bytes=0-99")).want(t, http.StatusPartialContent)
	if !bytes.Equal(part.Body, sound[:100]) {
		t.Error("the range is another")
	}
}

// TestCallsByOutcome: each ending of a simulated number has its outcome, in the call and in its notification.
func TestCallsByOutcome(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
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
			id := a.book(t, simulated(c.ending), "appointment_confirmation", nil).text("id")
			told := hook.await(t, id)
			got := a.ended(t, id)
			if got.text("status") != c.status || got.text("failure", "reason") != c.reason {
				t.Fatalf("%s %v, want %s %s: %v", got.text("status"), got.at("failure"), c.status, c.reason, got)
			}
			if c.status == "completed" {
				if told.text("payload", "type") != "complete" || got.at("failure") != nil {
					t.Errorf("notification %v", told)
				}
				return
			}
			p := told.object("payload")
			if p.text("type") != c.status || p.text("status") != c.status || p.text("call_id") != id ||
				p.text("failure", "reason") != c.reason || p.at("failure", "sip_code") != c.sip ||
				p.text("phone_number") != simulated(c.ending) || p.text("scenario_id") != "appointment_confirmation" {
				t.Errorf("notification %v", told)
			}
			if _, there := p["next_retry_at"]; !there {
				t.Errorf("no attempt fields in %v", p)
			}
		})
	}
}

// TestSilentAndLost: what a person does not do is said in errors, and what they did not say is null in the report.
func TestSilentAndLost(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	silent := a.book(t, simulated("97"), "appointment_confirmation", nil).text("id")
	lost := a.book(t, simulated("95"), "appointment_confirmation", nil).text("id")
	c := a.ended(t, silent)
	if errs := c.list("enhanced_transcript", "errors"); len(errs) == 0 || object(errs[0].(map[string]any)).text("code") == "" {
		t.Errorf("a silent person: %v", c)
	}
	c = a.ended(t, lost)
	empty := 0
	for _, v := range c.object("report") {
		if v == nil {
			empty++
		}
	}
	if empty == 0 {
		t.Errorf("somebody who hung up midway: report %v", c.at("report"))
	}
}

// TestOrder: the restaurant's scenario talks its way through more kinds of answers.
func TestOrder(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	id := a.book(t, simulated("12"), "restaurant_order", nil).text("id")
	c := a.ended(t, id)
	if c.text("status") != "completed" {
		t.Fatalf("%v", c)
	}
	filled := 0
	for _, v := range c.object("report") {
		if v != nil {
			filled++
		}
	}
	if filled < 3 {
		t.Errorf("report %v of %v", c.at("report"), c.at("enhanced_transcript"))
	}
}

// TestRetryChain: the number that answers only the second dial gets two calls, linked both ways.
func TestRetryChain(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	id := a.book(t, simulated("99"), "appointment_confirmation", object{
		"retry": object{"max_attempts": 3, "delay_minutes": []int{0}},
	}).text("id")
	told := hook.await(t, id).object("payload")
	next := told.text("next_call_id")
	if told.text("type") != "no_answer" || next == "" || told.at("attempt_number") != 1.0 ||
		told.at("max_attempts") != 3.0 || told.at("previous_call_id") != nil {
		t.Fatalf("first attempt %v", told)
	}
	timestamp(t, "next_retry_at", told.text("next_retry_at"))
	second := a.ended(t, next)
	if second.text("status") != "completed" || second.text("booking_outcome") != "retry_booked" ||
		second.text("previous_call_id") != id || second.text("retry_chain_id") != id || second.at("next_retry_at") != nil {
		t.Errorf("second attempt %v", second)
	}
	if p := hook.await(t, next).object("payload"); p.text("type") != "complete" || p.at("attempt_number") != 2.0 {
		t.Errorf("second notification %v", p)
	}
}

// TestRescheduleAndCancel: as long as a call waits it can be moved and ended; afterwards it can't.
func TestRescheduleAndCancel(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	made := a.book(t, simulated("01"), "appointment_confirmation", object{"scheduled_at": soon(time.Hour)})
	path := "/calls/" + made.text("id")
	if made.text("status") != "scheduled" || made.text("booking_outcome") != "booked" {
		t.Errorf("booked %v", made)
	}
	to := soon(2 * time.Hour)
	moved := a.ask(t, http.MethodPost, path+"/reschedule", object{"scheduled_at": to}).want(t, 200).data(t)
	if at := timestamp(t, "scheduled_at", moved.text("scheduled_at")); at.Format(time.RFC3339) != to {
		t.Errorf("moved to %v, want %s", at, to)
	}
	for _, at := range []string{soon(5 * time.Minute), soon(31 * 24 * time.Hour), "tomorrow", ""} {
		e := a.ask(t, http.MethodPost, path+"/reschedule", object{"scheduled_at": at}).failure(t, 422, "validation_error")
		if v := e.list("field_violations"); len(v) != 1 || object(v[0].(map[string]any)).text("field") != "scheduled_at" {
			t.Errorf("%q: %v", at, e)
		}
	}
	ended := a.ask(t, http.MethodPost, path+"/cancel", nil).want(t, 200).data(t)
	if ended.text("status") != "cancelled" || ended.text("webhook", "state") != "none" {
		t.Errorf("cancelled %v", ended)
	}
	for _, act := range []string{"/cancel", "/reschedule"} {
		a.ask(t, http.MethodPost, path+act, object{"scheduled_at": to}).failure(t, 409, "call_already_released")
	}
	a.ask(t, http.MethodPost, path+"/hangup", nil).failure(t, 409, "call_not_active")
	a.ask(t, http.MethodGet, path+"/recording", nil).failure(t, 404, "recording_not_available")
	if got := hook.of(made.text("id")); len(got) > 0 {
		t.Errorf("a cancelled call sent %v", got)
	}
}

// TestHangup: an operator ends a running call.
func TestHangup(t *testing.T) {
	t.Parallel()
	a := start(t, settings{args: []string{"--time-scale", "2"}})
	id := a.book(t, simulated("03"), "restaurant_order", nil).text("id")
	a.until(t, id, func(c object) bool { return c.text("status") == "in_progress" })
	a.ask(t, http.MethodPost, "/calls/"+id+"/hangup", nil).want(t, 202)
	if c := a.ended(t, id); c.text("status") != "completed" || c.text("ended_by") != "operator" || c.at("failure") != nil {
		t.Errorf("%v", c)
	}
}

// TestIdempotentBooking: a repeated request books once and answers the same.
func TestIdempotentBooking(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	body := object{"phone_number": simulated("02"), "scenario_id": "appointment_confirmation", "scheduled_at": soon(time.Hour)}
	first := a.ask(t, http.MethodPost, "/calls", body, header("Idempotency-Key", "k-1")).want(t, 201).data(t)
	second := a.ask(t, http.MethodPost, "/calls", body, header("Idempotency-Key", "k-1")).want(t, 201).data(t)
	if first.text("id") != second.text("id") {
		t.Errorf("%v and %v", first, second)
	}
	body["phone_number"] = simulated("04")
	a.ask(t, http.MethodPost, "/calls", body, header("Idempotency-Key", "k-1")).failure(t, 409, "idempotency_conflict")
}
