package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/store/postgres/postgrestest"
)

// appliancePair is two appliances on one PostgreSQL database.
type appliancePair struct {
	server *postgrestest.Server
	a, b   *instance
}

// startPair starts a database and two appliances on it, the second with the secret of the first.
func startPair(t *testing.T, more ...string) appliancePair {
	t.Helper()
	if postgrestest.FindProgram("initdb") == "" {
		missing(t, "PostgreSQL is not installed")
	}
	server, err := postgrestest.StartServer(true)
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	args := append([]string{"--store", server.URL(""), "--time-scale", "3"}, more...)
	p := appliancePair{server: server, a: start(t, settings{
		args: args, env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + adminPassword},
	})}
	secret := filepath.Join(p.a.Data, "secret.key")
	p.b = start(t, settings{args: append(args, "--secret-file", secret), noKey: true})
	for _, one := range []*instance{p.a, p.b} {
		one.tends = []string{"database"} // it goes away in these tests
	}
	return p
}

// ownerOf returns the appliance that has a call on a line, and the other one.
func (p appliancePair) ownerOf(t *testing.T, id string) (owner, other *instance) {
	t.Helper()
	owned := p.server.Run(t, "SELECT owner FROM calls WHERE id = '"+id+"'")
	mine, err := os.ReadFile(filepath.Join(p.a.Data, "appliance", "id"))
	must(t, err)
	if strings.TrimSpace(string(mine)) == owned {
		return p.a, p.b
	}
	return p.b, p.a
}

// isUp says that a call is up.
func isUp(c object) bool { return c.text("status") == "in_progress" }

// TestSharedStore: what one appliance acknowledges the other knows; a hang-up asked of one reaches the call of the
// other; another secret is refused.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	stranger, err := launch(binary(t), settings{
		data: filepath.Join(t.TempDir(), "data"), noKey: true, args: []string{"--store", p.server.URL("")},
	})
	if err == nil {
		_ = stranger.end() // it listens, and should not
		t.Error("an appliance without the installation's secret starts")
	}
	var ids []string
	for i, one := range []*instance{p.a, p.b} {
		ids = append(ids, one.book(t, simulated([]string{"05", "06"}[i]), "restaurant_order", nil).text("id"))
	}
	for _, id := range ids {
		for _, one := range []*instance{p.a, p.b} {
			one.call(t, id) // the other's booking is found
		}
		p.a.until(t, id, isUp)
		_, other := p.ownerOf(t, id)
		other.ask(t, "POST", "/calls/"+id+"/hangup", nil)
		if c := other.ended(t, id); c.text("ended_by") != "operator" {
			t.Errorf("hung up from the other appliance, it ended as %v", c)
		}
	}
}

// TestSharedStoreFaults: an appliance that is killed during a call leaves it to the other; while the database is away,
// probes say so, the call that is up goes on, and its outcome is stored when the database is back.
func TestSharedStoreFaults(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	hook := newReceiver(t, nil)
	p.a.listen(t, hook)
	id := p.a.book(t, simulated("05"), "restaurant_order", object{
		"retry": object{"max_attempts": 2, "delay_minutes": []int{30}},
	}).text("id")
	p.a.until(t, id, isUp)
	owner, left := p.ownerOf(t, id)
	owner.kill(t)
	c := left.ended(t, id)
	if c.text("status") != "failed" || c.text("failure", "reason") != "interrupted" || c.text("next_call_id") == "" {
		t.Errorf("after its appliance was killed %v", c)
	}
	if told := hook.await(t, id); told.text("payload", "type") != "failed" {
		t.Errorf("told %v", told)
	}

	id = left.book(t, simulated("06"), "restaurant_order", nil).text("id")
	left.until(t, id, isUp)
	must(t, p.server.Kill())
	awaitProbe(t, left, "/readyz", http.StatusServiceUnavailable)
	awaitProbe(t, left, "/health", http.StatusServiceUnavailable)
	if status, _ := left.probe(t.Context(), "/livez"); status != http.StatusOK {
		t.Errorf("/livez answers %d while the database is away", status)
	}
	left.ask(t, "GET", "/calls/"+id, nil).failure(t, http.StatusServiceUnavailable, "unavailable")
	must(t, p.server.Start())
	awaitProbe(t, left, "/readyz", http.StatusOK)
	if c := left.ended(t, id); c.text("status") != "completed" {
		t.Errorf("the call that was up while the database was away: %v", c)
	}
	hook.await(t, id)
}

// awaitProbe waits until a probe answers with a status.
func awaitProbe(t *testing.T, a *instance, path string, want int) {
	t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		status, body := a.probe(t.Context(), path)
		if status == want {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%s answers %d %s, want %d", path, status, body, want)
		}
	}
}
