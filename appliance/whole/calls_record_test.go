package whole_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestRecordingCredentials: a key counts before any token, the header's token before the query's, and without both
// nothing opens.
func TestRecordingCredentials(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	one := a.ended(t, a.book(t, simulated("00"), "appointment_confirmation", nil).text("id"))
	other := a.ended(t, a.book(t, simulated("97"), "appointment_confirmation", nil).text("id"))
	path := "/calls/" + one.text("id") + "/recording"
	base, good, found := strings.Cut(one.text("recording_url"), "?t=")
	_, foreign, _ := strings.Cut(other.text("recording_url"), "?t=")
	if !found || base != a.URL+v1+path {
		t.Fatalf("recording_url %q", one.text("recording_url"))
	}
	const token = "X-Svc-Recording-Token"
	forged := good[:len(good)-3] + "xyz"
	for name, c := range map[string]struct {
		query  string
		parts  []part
		status int
		kind   string
	}{
		"key":                       {"", nil, 302, ""},
		"key, forged token":         {"?t=" + forged, []part{header(token, forged)}, 302, ""},
		"bad key, good token":       {"?t=" + good, []part{key("nobody")}, 401, "authentication_error"},
		"header":                    {"", []part{key(""), header(token, good)}, 302, ""},
		"query":                     {"?t=" + good, []part{key("")}, 302, ""},
		"good header, forged query": {"?t=" + forged, []part{key(""), header(token, good)}, 302, ""},
		"forged":                    {"?t=" + forged, []part{key("")}, 403, "permission_error"},
		"another call's":            {"?t=" + foreign, []part{key("")}, 403, "permission_error"},
		"nothing":                   {"", []part{key("")}, 401, "authentication_error"},
	} {
		got := fetch(t, a.URL+v1+path+c.query, append([]part{key(bootstrapKey)}, c.parts...)...)
		if c.kind != "" {
			got.failure(t, c.status, c.kind)
			continue
		}
		got.want(t, c.status)
		if len(got.Body) > 0 || !strings.HasPrefix(got.Header.Get("Location"), a.URL+v1) {
			t.Errorf("%s: to %q with %q", name, got.Header.Get("Location"), got.Body)
		}
	}
	download := fetch(t, a.URL+v1+path, key(bootstrapKey)).want(t, 302).Header.Get("Location")
	whole := fetch(t, download).want(t, 200)
	if kind, ranges := whole.Header.Get("Content-Type"), whole.Header.Get("Accept-Ranges"); kind != "audio/wav" || ranges != "bytes" {
		t.Errorf("Content-Type %q, Accept-Ranges %q", kind, ranges)
	}
	fetch(t, download[:len(download)-3]+"xyz").failure(t, 403, "permission_error")
	fetch(t, download, header("Range", "bytes=99999999-")).failure(t, 416, "range_not_satisfiable")
	if last := fetch(t, download, header("Range", "bytes=-10")).want(t, 206); string(last.Body) != string(whole.Body[len(whole.Body)-10:]) {
		t.Error("the last bytes are others")
	}
	fresh := a.call(t, one.text("id")).text("recording_url")
	fetch(t, fetch(t, fresh, key("")).want(t, 302).Header.Get("Location"), key("")).want(t, 200)
	missed := a.ended(t, a.book(t, simulated("90"), "appointment_confirmation", nil).text("id"))
	a.ask(t, http.MethodGet, "/calls/"+missed.text("id")+"/recording", nil).failure(t, 404, "recording_not_available")
	if missed.at("recording_url") != nil {
		t.Errorf("recording_url of a call that nobody answered: %v", missed)
	}
}

// TestErasure: of a person nothing is left that says who they are or what they said, and what waited is cancelled.
func TestErasure(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	const number = "+966511100000"
	about := object{"variables": object{"name": "سارة"}, "metadata": object{"crm": "42"}}
	done := a.book(t, number, "appointment_confirmation", about).text("id")
	hook.await(t, done)
	link := a.ended(t, done).text("recording_url")
	about["scheduled_at"] = soon(time.Hour)
	waiting := a.book(t, number, "appointment_confirmation", about).text("id")
	stays := a.ended(t, a.book(t, simulated("00"), "appointment_confirmation", nil).text("id"))

	erased := a.ask(t, http.MethodDelete, "/people/"+number, nil).want(t, 200).data(t)
	if erased.at("calls_erased") != 1.0 || erased.at("recordings_removed") != 1.0 || erased.at("calls_cancelled") != 1.0 {
		t.Errorf("erased %v", erased)
	}
	for _, id := range []string{done, waiting} {
		got := a.ask(t, http.MethodGet, "/calls/"+id, nil).want(t, 200)
		for _, trace := range []string{"966511100000", "سارة", "موعد", "crm"} {
			if strings.Contains(strings.ReplaceAll(got.String(), "appointment_confirmation", ""), trace) {
				t.Errorf("%q is left in %s", trace, got)
			}
		}
	}
	if c := a.call(t, waiting); c.text("status") != "cancelled" {
		t.Errorf("what waited: %v", c)
	}
	fetch(t, link, key("")).failure(t, 404, "recording_not_available")
	log := a.ask(t, http.MethodGet, "/webhook/deliveries?limit=200", nil).want(t, 200).String()
	if strings.Contains(log, "966511100000") || strings.Contains(log, "سارة") {
		t.Error("the delivery log still knows the person")
	}
	fetch(t, stays.text("recording_url"), key("")).want(t, 302)
}

// TestRepeats: of requests under one key that come at once one books, and all of them get its answer; so does one
// that comes after a restart, and one after the dial time has passed.
func TestRepeats(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	body := object{"phone_number": simulated("91"), "scenario_id": "appointment_confirmation"}
	once := header("Idempotency-Key", "order-4711")
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		answers []string
	)
	for range 24 {
		group.Go(func() {
			got := a.ask(t, http.MethodPost, "/calls", body, once).want(t, 201)
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
	if n := len(a.ask(t, http.MethodGet, "/calls", nil).want(t, 200).object(t)["data"].([]any)); n != 1 {
		t.Errorf("%d calls were booked", n)
	}
	other := object{"phone_number": simulated("92"), "scenario_id": "appointment_confirmation"}
	a.ask(t, http.MethodPost, "/calls", other, once).failure(t, 409, "idempotency_conflict")
	a.stop(t)
	b := caller(t, settings{data: a.Data, noKey: true})
	again := b.ask(t, http.MethodPost, "/calls", body, once).want(t, 201)
	if data, _, _ := strings.Cut(again.String(), `,"meta":`); again.Header.Get("Location")+" "+data != answers[0] {
		t.Errorf("after a restart %s, first %s", again, answers[0])
	}
	b.ask(t, http.MethodPost, "/calls", other, once).failure(t, 409, "idempotency_conflict")
}

// TestEveryEnding holds both built-in scenarios to the list of simulated people: the ten endings that stand for
// something else, and some of the others; all hundred with MUNADI_LONG=1.
func TestEveryEnding(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"90": "no_answer", "91": "user_rejected", "92": "user_unavailable", "93": "automation", "94": "failed",
		"96": "user_rejected", "99": "no_answer",
	}
	a := caller(t, settings{})
	ids := map[string]string{}
	for n := range 100 {
		if !long() && n < 90 && n%29 != 0 {
			continue
		}
		for _, scenario := range []string{"appointment_confirmation", "restaurant_order"} {
			ending := string(rune('0'+n/10)) + string(rune('0'+n%10))
			ids[scenario+" "+ending] = a.book(t, simulated(ending), scenario, nil).text("id")
		}
	}
	a.quiet(t)
	for what, id := range ids {
		ending := what[len(what)-2:]
		status := want[ending]
		if status == "" {
			status = "completed"
		}
		c := a.ended(t, id)
		if c.text("status") != status {
			t.Errorf("%s: %s %v, want %s", what, c.text("status"), c.at("failure"), status)
			continue
		}
		if status != "completed" {
			continue
		}
		known, unknown := 0, 0
		for _, v := range c.object("report") {
			if v == nil {
				unknown++
			} else {
				known++
			}
		}
		said := len(c.list("enhanced_transcript", "errors"))
		switch {
		case ending < "90" && known == 0, ending == "97" && (known > 0 || said == 0), ending == "95" && unknown == 0:
			t.Errorf("%s: report %v, errors %v", what, c.at("report"), c.at("enhanced_transcript", "errors"))
		}
	}
}

// quiet waits until no call waits or runs. However many there are, and however busy the machine is: only a time in
// which none of them ends is too long.
func (a *instance) quiet(t testing.TB) {
	t.Helper()
	left, since := -1, time.Now()
	for {
		n := 0
		for _, status := range running {
			all := a.ask(t, http.MethodGet, "/calls?limit=200&status="+status, nil).want(t, 200).object(t)
			n += len(all["data"].([]any))
		}
		switch {
		case n == 0:
			return
		case n != left:
			left, since = n, time.Now()
		case time.Since(since) > conversation:
			t.Fatalf("%d calls do not end\n%s", n, a.log.tail())
		}
		time.Sleep(200 * time.Millisecond)
	}
}
