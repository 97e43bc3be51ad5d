package whole_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestRecordingCredentials checks the precedence of credentials: key, token in the header, token in the query; without
// any the answer is 401.
func TestRecordingCredentials(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	one := a.awaitEnded(t, a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id"))
	other := a.awaitEnded(t, a.bookCall(t, simulatedNumber("97"), "appointment_confirmation", nil).textAt("id"))
	path := "/calls/" + one.textAt("id") + "/recording"
	base, good, found := strings.Cut(one.textAt("recording_url"), "?t=")
	_, foreign, _ := strings.Cut(other.textAt("recording_url"), "?t=")
	if !found || base != a.URL+v1+path {
		t.Fatalf("recording_url %q", one.textAt("recording_url"))
	}
	const token = "X-Svc-Recording-Token"
	forged := forgeToken(good)
	for name, c := range map[string]struct {
		query  string
		parts  []requestPart
		status int
		kind   string
	}{
		"key":                       {"", nil, 302, ""},
		"key, forged token":         {"?t=" + forged, []requestPart{withHeader(token, forged)}, 302, ""},
		"bad key, good token":       {"?t=" + good, []requestPart{withKey("nobody")}, 401, "authentication_error"},
		"header":                    {"", []requestPart{withKey(""), withHeader(token, good)}, 302, ""},
		"query":                     {"?t=" + good, []requestPart{withKey("")}, 302, ""},
		"good header, forged query": {"?t=" + forged, []requestPart{withKey(""), withHeader(token, good)}, 302, ""},
		"forged":                    {"?t=" + forged, []requestPart{withKey("")}, 403, "permission_error"},
		"another call's":            {"?t=" + foreign, []requestPart{withKey("")}, 403, "permission_error"},
		"nothing":                   {"", []requestPart{withKey("")}, 401, "authentication_error"},
	} {
		got := fetchWithoutKey(t, a.URL+v1+path+c.query, append([]requestPart{withKey(bootstrapKey)}, c.parts...)...)
		if c.kind != "" {
			got.wantFailure(t, c.status, c.kind)
			continue
		}
		got.wantStatus(t, c.status)
		if len(got.Body) > 0 || !strings.HasPrefix(got.Header.Get("Location"), a.URL+v1) {
			t.Errorf("%s: to %q with %q", name, got.Header.Get("Location"), got.Body)
		}
	}
	download := fetchWithoutKey(t, a.URL+v1+path, withKey(bootstrapKey)).wantStatus(t, 302).Header.Get("Location")
	whole := fetchWithoutKey(t, download).wantStatus(t, 200)
	if kind, ranges := whole.Header.Get("Content-Type"), whole.Header.Get("Accept-Ranges"); kind != "audio/wav" || ranges != "bytes" {
		t.Errorf("Content-Type %q, Accept-Ranges %q", kind, ranges)
	}
	fetchWithoutKey(t, forgeToken(download)).wantFailure(t, 403, "permission_error")
	fetchWithoutKey(t, download, withHeader("Range", "bytes=99999999-")).wantFailure(t, 416, "range_not_satisfiable")
	if last := fetchWithoutKey(t, download, withHeader("Range", "bytes=-10")).wantStatus(t, 206); string(last.Body) != string(whole.Body[len(whole.Body)-10:]) {
		t.Error("the last bytes are others")
	}
	fresh := a.fetchCall(t, one.textAt("id")).textAt("recording_url")
	fetchWithoutKey(t, fetchWithoutKey(t, fresh, withKey("")).wantStatus(t, 302).Header.Get("Location"), withKey("")).wantStatus(t, 200)
	missed := a.awaitEnded(t, a.bookCall(t, simulatedNumber("90"), "appointment_confirmation", nil).textAt("id"))
	a.requestAPI(t, http.MethodGet, "/calls/"+missed.textAt("id")+"/recording", nil).wantFailure(t, 404, "recording_not_available")
	if missed.valueAt("recording_url") != nil {
		t.Errorf("recording_url of an unanswered call: %v", missed)
	}
}

// forgeToken returns a signed token, or an address that ends with one, with one character of its signature changed.
func forgeToken(good string) string {
	at := len(good) - 3
	if good[at] == 'x' {
		return good[:at] + "y" + good[at+1:]
	}
	return good[:at] + "x" + good[at+1:]
}

// TestErasure checks that no personal data of an erased person is left, and that scheduled calls are cancelled.
func TestErasure(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	const number = "+966511100000"
	about := jsonObject{"variables": jsonObject{"name": "سارة"}, "metadata": jsonObject{"crm": "42"}}
	done := a.bookCall(t, number, "appointment_confirmation", about).textAt("id")
	hook.awaitNotification(t, done)
	link := a.awaitEnded(t, done).textAt("recording_url")
	about["scheduled_at"] = timeFromNow(time.Hour)
	waiting := a.bookCall(t, number, "appointment_confirmation", about).textAt("id")
	stays := a.awaitEnded(t, a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id"))

	erased := a.requestAPI(t, http.MethodDelete, "/people/"+number, nil).wantStatus(t, 200).successData(t)
	if erased.valueAt("calls_erased") != 1.0 || erased.valueAt("recordings_removed") != 1.0 || erased.valueAt("calls_cancelled") != 1.0 {
		t.Errorf("erased %v", erased)
	}
	for _, id := range []string{done, waiting} {
		got := a.requestAPI(t, http.MethodGet, "/calls/"+id, nil).wantStatus(t, 200)
		for _, trace := range []string{"966511100000", "سارة", "موعد", "crm"} {
			if strings.Contains(strings.ReplaceAll(got.String(), "appointment_confirmation", ""), trace) {
				t.Errorf("%q is left in %s", trace, got)
			}
		}
	}
	if c := a.fetchCall(t, waiting); c.textAt("status") != "cancelled" {
		t.Errorf("what waited: %v", c)
	}
	fetchWithoutKey(t, link, withKey("")).wantFailure(t, 404, "recording_not_available")
	log := a.requestAPI(t, http.MethodGet, "/webhook/deliveries?limit=200", nil).wantStatus(t, 200).String()
	if strings.Contains(log, "966511100000") || strings.Contains(log, "سارة") {
		t.Error("the delivery log still knows the person")
	}
	fetchWithoutKey(t, stays.textAt("recording_url"), withKey("")).wantStatus(t, 302)
}

// TestRepeats checks that concurrent requests with one idempotency key book one call and get the same answer; so do
// repeats after a restart and after the dial time.
func TestRepeats(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	body := jsonObject{"phone_number": simulatedNumber("91"), "scenario_id": "appointment_confirmation"}
	once := withHeader("Idempotency-Key", "order-4711")
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		answers []string
	)
	for range 24 {
		group.Go(func() {
			got := a.requestAPI(t, http.MethodPost, "/calls", body, once).wantStatus(t, 201)
			data, _, _ := strings.Cut(got.String(), `,"meta":`)
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, got.Header.Get("Location")+" "+data)
		})
	}
	group.Wait()
	slices.Sort(answers)
	if all := slices.Compact(answers); len(all) != 1 {
		t.Fatalf("%d different answers: %v", len(all), all)
	}
	if n := len(a.requestAPI(t, http.MethodGet, "/calls", nil).wantStatus(t, 200).jsonBody(t)["data"].([]any)); n != 1 {
		t.Errorf("%d calls were booked", n)
	}
	other := jsonObject{"phone_number": simulatedNumber("92"), "scenario_id": "appointment_confirmation"}
	a.requestAPI(t, http.MethodPost, "/calls", other, once).wantFailure(t, 409, "idempotency_conflict")
	a.stopGracefully(t)
	b := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	again := b.requestAPI(t, http.MethodPost, "/calls", body, once).wantStatus(t, 201)
	if data, _, _ := strings.Cut(again.String(), `,"meta":`); again.Header.Get("Location")+" "+data != answers[0] {
		t.Errorf("after a restart %s, first %s", again, answers[0])
	}
	b.requestAPI(t, http.MethodPost, "/calls", other, once).wantFailure(t, 409, "idempotency_conflict")
}

// TestEveryEnding runs both built-in scenarios against the list of simulated callees: the ten endings with a special
// meaning, and some others; all hundred with MUNADI_LONG=1.
func TestEveryEnding(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"90": "no_answer", "91": "user_rejected", "92": "user_unavailable", "93": "automation", "94": "failed",
		"96": "user_rejected", "99": "no_answer",
	}
	a := startFastCalls(t, instanceSettings{})
	ids := map[string]string{}
	for n := range 100 {
		if !runsLongForms() && n < 90 && n%29 != 0 {
			continue
		}
		for _, scenario := range []string{"appointment_confirmation", "restaurant_order"} {
			ending := string(rune('0'+n/10)) + string(rune('0'+n%10))
			ids[scenario+" "+ending] = a.bookCall(t, simulatedNumber(ending), scenario, nil).textAt("id")
		}
	}
	a.awaitIdle(t)
	for what, id := range ids {
		ending := what[len(what)-2:]
		status := want[ending]
		if status == "" {
			status = "completed"
		}
		c := a.awaitEnded(t, id)
		if c.textAt("status") != status {
			t.Errorf("%s: %s %v, want %s", what, c.textAt("status"), c.valueAt("failure"), status)
			continue
		}
		if status != "completed" {
			continue
		}
		known, unknown := 0, 0
		for _, v := range c.objectAt("report") {
			if v == nil {
				unknown++
			} else {
				known++
			}
		}
		said := len(c.listAt("enhanced_transcript", "errors"))
		switch {
		case ending < "90" && known == 0, ending == "97" && (known > 0 || said == 0), ending == "95" && unknown == 0:
			t.Errorf("%s: report %v, errors %v", what, c.valueAt("report"), c.valueAt("enhanced_transcript", "errors"))
		}
	}
}

// awaitIdle waits until no call is waiting or running. It fails only when no call ends for too long, so that the number
// of calls and the machine's load do not matter.
func (a *testInstance) awaitIdle(t testing.TB) {
	t.Helper()
	left, since := -1, time.Now()
	for {
		n := 0
		for _, status := range running {
			all := a.requestAPI(t, http.MethodGet, "/calls?limit=200&status="+status, nil).wantStatus(t, 200).jsonBody(t)
			n += len(all["data"].([]any))
		}
		switch {
		case n == 0:
			return
		case n != left:
			left, since = n, time.Now()
		case time.Since(since) > conversation:
			t.Fatalf("%d calls do not end\n%s", n, a.log.lastLines())
		}
		time.Sleep(200 * time.Millisecond)
	}
}
