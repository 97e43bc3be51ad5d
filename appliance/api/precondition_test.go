package api_test

import "testing"

// TestIfMatch: a change with an ETag that is not the current one is refused and changes nothing; each change gives the
// next ETag, which is that of the following GET.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	for path, c := range map[string]struct {
		method       string
		first, other string
	}{
		"/organization":  {"PUT", `{"attempts_per_day":2}`, `{"attempts_per_day":3}`},
		"/organization?": {"PATCH", `{"kill_switch":true}`, `{"attempts_per_day":3}`},
		"/webhook":       {"PUT", `{"url":"http://127.0.0.1:9/a"}`, `{"url":"http://127.0.0.1:9/b"}`},
		"/inbound":       {"PUT", `{"routes":[],"callback_days":2}`, `{"routes":[],"callback_days":3}`},
		"/scenarios/reminder": {
			"PUT", `{"name":"a","language":"ar","steps":[{"id":"bye","type":"end","say":"شكرا"}]}`,
			`{"name":"b","language":"ar","steps":[{"id":"bye","type":"end","say":"شكرا"}]}`,
		},
	} {
		t.Run(c.method+" "+path, func(t *testing.T) {
			t.Parallel()
			b := newAPIFixture(t)
			tag := func() string { return b.askPath("GET", path, "").want(200).Header().Get("ETag") }
			opened := tag()
			changed := b.askPath(c.method, path, c.first, withHeader{"If-Match", opened}).want(200)
			second := tag()
			if second == opened || opened == "" || second != changed.Header().Get("ETag") {
				t.Errorf("before %q, after the change %q, then %q", opened, changed.Header().Get("ETag"), second)
			}
			now := b.askPath("GET", path, "").want(200)
			for _, stale := range []string{opened, `"x"`, "W/" + second, second[1 : len(second)-1]} {
				b.askPath(c.method, path, c.other, withHeader{"If-Match", stale}).failure(412, "precondition_failed")
			}
			if kept := b.askPath("GET", path, "").want(200); rawData(kept) != rawData(now) || tag() != second {
				t.Errorf("a refused change changed something: %s", kept.Body)
			}
			b.askPath(c.method, path, `{"color":1}`, withHeader{"If-Match", second}).want(422)
			b.askPath(c.method, path, c.other, withHeader{"If-Match", `"x", ` + second}).want(200)
			b.askPath(c.method, path, c.first, withHeader{"If-Match", "*"}).want(200)
			b.askPath(c.method, path, c.other).want(200)
		})
	}
}
