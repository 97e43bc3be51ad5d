package whole_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// startPathProxy starts a reverse proxy that passes /munadi/… without that path, and /console and /assets as they are;
// target is where to.
func startPathProxy(t *testing.T) (proxy *httptest.Server, target *atomic.Pointer[url.URL]) {
	t.Helper()
	target = &atomic.Pointer[url.URL]{}
	passed := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target.Load())
		r.Out.Host = r.In.Host
		r.SetXForwarded()
	}}
	pages := http.NewServeMux()
	pages.Handle("/munadi/", http.StripPrefix("/munadi", passed))
	for _, path := range []string{"/console", "/console/", "/assets/"} {
		pages.Handle(path, passed)
	}
	proxy = httptest.NewServer(pages)
	t.Cleanup(proxy.Close)
	return proxy, target
}

// TestPublicURLWithAPath checks that behind a reverse proxy which takes the path of public-url away every link that is
// handed out leads where it says: those of the API have the path, those of the console and its pages do not.
func TestPublicURLWithAPath(t *testing.T) {
	t.Parallel()
	proxy, target := startPathProxy(t)
	a := startFastCalls(t, instanceSettings{args: []string{"--public-url", proxy.URL + "/munadi", "--trusted-proxies", "127.0.0.1"}})
	own, err := url.Parse(a.URL)
	mustSucceed(t, err)
	target.Store(own)
	link := a.setUpLink(t)
	if !strings.HasPrefix(link, proxy.URL+"/console/") {
		t.Errorf("the set-up link is %s", link)
	}
	o := a.newOperator(t)
	o.base = proxy.URL
	o.openPage(link)
	o.submitForm(link, http.StatusOK, "password", "صقر فوق الجبل", "again", "صقر فوق الجبل")
	if o.at != "/console/welcome" {
		t.Fatalf("the sign-in leads to %s", o.at)
	}
	for _, path := range append(ownLinks(t, proxy.URL+"/console/sign-in"), "/console/calls", "/console/campaigns") {
		o.openPage(path)
	}
	created := a.requestAPI(t, http.MethodPost, "/calls", jsonObject{
		"phone_number": simulatedNumber("00"), "scenario_id": "appointment_confirmation",
	}).wantStatus(t, http.StatusCreated)
	ended := a.awaitEnded(t, created.successData(t).textAt("id"))
	for what, at := range map[string]string{
		"Location": proxy.URL + created.Header.Get("Location"), "recording": ended.textAt("recording_url"),
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
		mustSucceed(t, err)
		if what == "Location" {
			r.Header.Set("Authorization", "Bearer "+bootstrapKey)
		}
		if got := sendRequest(t, r); got.Status != http.StatusOK || !strings.HasPrefix(at, proxy.URL+"/munadi/api/v1/calls/") {
			t.Errorf("%s: %s leads to %d", what, at, got.Status)
		}
	}
}

// ownLinks returns the links of a page and what it loads, as far as they are of the console.
func ownLinks(t *testing.T, page string) (paths []string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page, nil)
	mustSucceed(t, err)
	for _, found := range regexp.MustCompile(`(?:href|src)="(/(?:console|assets)[^"?#]*)`).FindAllStringSubmatch(string(sendRequest(t, r).Body), -1) {
		paths = append(paths, found[1])
	}
	if len(paths) < 5 {
		t.Fatalf("%s has only the links %q", page, paths)
	}
	return paths
}
