package console_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
)

// TestDestinations adds a destination, whose secret is shown once, changes it and deletes it.
func TestDestinations(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	addOrganization(t, d, "bakery")
	d.addUser(t, account.Default, "amal", account.Owner)
	d.addUser(t, "bakery", "baker", account.Owner)
	b := d.signIn(t, "amal")
	b.getPage("/console/destinations").wantStatus(200).wantText("No destinations yet")
	b.postForm("/console/destinations", "url", "http://169.254.169.254/", "events", "").wantStatus(http.StatusUnprocessableEntity).
		wantText("is not valid").wantText("Choose at least one event")
	b.postForm("/console/destinations", "url", "https://example.com/events", "events", "call.booked", "enabled", "1").
		wantRedirect("/console/destinations")
	listed := b.getPage("/console/destinations").wantStatus(200).wantText("shown now").wantText("A call was booked").wantText(`data-state="good"`).mainText()
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`).FindString(listed)
	path := "/console/destinations/" + regexp.MustCompile(`dest_[0-9a-f-]+`).FindString(listed)
	if secret == "" || path == "/console/destinations/" {
		t.Fatal("the signing secret or the destination is not shown")
	}
	b.getPage("/console/destinations").wantStatus(200).wantNoText(secret)
	b.postForm(path, "url", "", "events", "job.finished").wantStatus(http.StatusUnprocessableEntity).wantText("is not valid")
	b.postForm(path, "url", "https://example.com/other", "events", "job.finished").wantRedirect(path)
	b.getPage(path).wantStatus(200).wantText("https://example.com/other").wantText("Off").wantNoText(secret)
	b.postForm(path + "/rotate").wantRedirect(path)
	rotated := b.getPage(path).wantStatus(200).wantText("signs beside it for one day").mainText()
	if second := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`).FindString(rotated); second == "" || second == secret {
		t.Errorf("rotated, the page shows %q", second)
	}
	b.getPage(path).wantStatus(200).wantNoText("whsec_")
	b.postForm(path+"/replay", "from", "2026-01-01T00:00").wantRedirect(path + "#deliveries") // it is off: a notice says so
	b.postForm(path, "url", "https://example.com/other", "events", "job.finished", "enabled", "1").wantRedirect(path)
	b.postForm(path+"/replay", "from", "2999-01-01T00:00").wantStatus(http.StatusUnprocessableEntity).wantText("Enter a time that has passed")
	b.postForm(path+"/replay", "from", "2026-01-01T00:00").wantRedirect(path + "#deliveries")
	b.getPage(path).wantStatus(200).wantText("Events that are sent again: 0")
	spy := d.signIn(t, "baker")
	spy.getPage(path).wantStatus(http.StatusNotFound)
	spy.postForm(path, "url", "https://example.com/spy", "events", "job.finished").wantStatus(http.StatusNotFound)
	spy.postForm(path + "/rotate").wantStatus(http.StatusNotFound)
	spy.postForm(path+"/replay", "from", "2026-01-01T00:00").wantStatus(http.StatusNotFound)
	spy.getPage(path + "/delete").wantStatus(http.StatusNotFound)
	spy.postForm(path + "/delete").wantStatus(http.StatusNotFound)
	b.getPage(path + "/delete").wantStatus(200).wantText("Delete the destination?").wantText("https://example.com/other")
	b.postForm(path + "/delete").wantRedirect("/console/destinations")
	b.getPage(path).wantStatus(http.StatusNotFound)
}

// TestDestinationLog checks that a failed delivery shows its attempts, and can be sent again while the destination is on.
func TestDestinationLog(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	path := "/destinations/" + w.destination
	owner := func(method, path string) testAnswer {
		return w.requestRoute(account.Owner, method+" "+path, routePromise{})
	}
	if page := owner("GET", path).Body.String(); !strings.Contains(page, w.over.ID) || !strings.Contains(page, "Delivered") {
		t.Errorf("the log is %s", page)
	}
	again := path + "/deliveries/" + w.event + "/redeliver"
	owner("POST", again)
	if got := owner("GET", path+"?state=pending").Body.String(); !strings.Contains(got, w.over.ID) || strings.Contains(got, "/redeliver") {
		t.Errorf("while it is sent the log is %s", got)
	}
	try := delivery.DeliveryTry{At: w.now, Error: "the connection was refused: <nothing> listens"}
	_, err := w.store.RecordEventTry(t.Context(), "acme", w.destination, w.event, try, w.now)
	w.mustSucceed(err)
	if got := owner("GET", path).Body.String(); !strings.Contains(got, "&lt;nothing&gt; listens") || !strings.Contains(got, "Failing") {
		t.Errorf("after a failure the log is %s", got)
	}
	if c, err := w.store.FindCall(t.Context(), "acme", w.over.ID); err != nil || c.Status != call.Completed {
		t.Error(err, c)
	}
}
