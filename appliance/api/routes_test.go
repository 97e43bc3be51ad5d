package api_test

import (
	"net/http"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/store/call"
)

// TestUnknownParameters checks that every route refuses a parameter of the query that it does not have, and that the
// health check and the links to recordings, to which others add parameters, ignore it.
func TestUnknownParameters(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	recorded := b.addRecordedCall("acme", sound).ID
	to := b.askPath("POST", "/destinations", `{"url":"https://events.example/","events":["call.booked"]}`).want(201).text("data", "id")
	ids := strings.NewReplacer(":call_id", recorded, ":scenario_id", "reminder", ":destination_id", to)
	signed := b.links.DownloadURL("acme", recorded)
	for _, r := range b.echo.Routes() {
		path, own := strings.CutPrefix(r.Path, api.Root)
		if !own || isFixturePath(path) || r.Method == http.MethodHead {
			continue
		}
		switch path {
		case "/health":
			b.askPath("GET", "/health?x=1", "").want(200)
		case "/calls/:call_id/recording":
			b.askPath("GET", ids.Replace(path)+"?x=1", "").want(302)
		case "/recordings/:call_id":
			b.askPath("GET", strings.TrimPrefix(signed, "https://calls.example"+api.Root)+"&x=1", "").want(200)
		default:
			b.askPath(r.Method, ids.Replace(path)+"?x=1", "").failure(422, "validation_error", "x")
		}
	}
	if got := b.askPath("GET", "/calls/"+recorded, "").want(200).text("data", "status"); got != string(call.Completed) {
		t.Errorf("a refused request changed the call: %s", got)
	}
}

// isFixturePath reports whether a path is a route of the fixture.
func isFixturePath(path string) bool { return path == "/panics" || path == "/loads" }

// TestLocationBelowAPath checks that the header Location has the path of the public URL, which a proxy takes away.
func TestLocationBelowAPath(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for base, path := range map[string]string{
		"https://calls.example/munadi": "/munadi", "https://calls.example/a/b/": "/a/b", "https://calls.example/": "",
	} {
		b.links.PublicURL = func() string { return base }
		made := b.askPath("POST", "/calls", minimal).want(201)
		if got, want := made.Header().Get("Location"), path+api.Root+"/calls/"+made.text("data", "id"); got != want {
			t.Errorf("%s: Location %q, want %q", base, got, want)
		}
	}
}
