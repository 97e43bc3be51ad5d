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
	a, b   *testInstance
}

// startPair starts a database and two appliances on it, the second with the secret of the first.
func startPair(t *testing.T, more ...string) appliancePair {
	t.Helper()
	server := postgrestest.OpenServer(t, true)
	args := append([]string{"--store", server.URL(""), "--time-scale", "3"}, more...)
	p := appliancePair{server: server, a: startInstance(t, instanceSettings{
		args: args, env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + adminPassword},
	})}
	secret := filepath.Join(p.a.Data, "secret.key")
	p.b = startInstance(t, instanceSettings{args: append(args, "--secret-file", secret), noKey: true})
	for _, one := range []*testInstance{p.a, p.b} {
		one.tends = []string{"database"} // these tests stop it
	}
	return p
}

// ownerOf returns the appliance that runs a call, and the other one.
func (p appliancePair) ownerOf(t *testing.T, id string) (owner, other *testInstance) {
	t.Helper()
	owned := p.server.Run(t, "SELECT owner FROM calls WHERE id = '"+id+"'")
	mine, err := os.ReadFile(filepath.Join(p.a.Data, "appliance", "id"))
	mustSucceed(t, err)
	if strings.TrimSpace(string(mine)) == owned {
		return p.a, p.b
	}
	return p.b, p.a
}

// isUp reports whether a call is in progress.
func isUp(c jsonObject) bool { return c.textAt("status") == "in_progress" }

// TestSharedStore checks that each appliance knows what the other acknowledged, that a hang-up request reaches the
// appliance with the call, and that an appliance with another secret is refused.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	stranger, err := launchProcess(builtBinary(t), instanceSettings{
		data: filepath.Join(t.TempDir(), "data"), noKey: true, args: []string{"--store", p.server.URL("")},
	})
	if err == nil {
		_ = stranger.endInstance() // it started, and should not have
		t.Error("an appliance without the installation's secret starts")
	}
	var ids []string
	for i, one := range []*testInstance{p.a, p.b} {
		ids = append(ids, one.bookCall(t, simulatedNumber([]string{"05", "06"}[i]), "restaurant_order", nil).textAt("id"))
	}
	for _, id := range ids {
		for _, one := range []*testInstance{p.a, p.b} {
			one.fetchCall(t, id) // the other's booking is known
		}
		p.a.awaitCall(t, id, isUp)
		_, other := p.ownerOf(t, id)
		other.requestAPI(t, "POST", "/calls/"+id+"/hangup", nil)
		if c := other.awaitEnded(t, id); c.textAt("ended_by") != "operator" {
			t.Errorf("hung up from the other appliance, it ended as %v", c)
		}
	}
}

// TestSharedStoreFaults checks that the calls of a killed appliance are taken over, and that without the database
// probes fail, a running call continues, and its outcome is stored when the database is back.
func TestSharedStoreFaults(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	hook := newReceiver(t, nil)
	p.a.setReceiver(t, hook)
	id := p.a.bookCall(t, simulatedNumber("05"), "restaurant_order", jsonObject{
		"retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{30}},
	}).textAt("id")
	p.a.awaitCall(t, id, isUp)
	owner, left := p.ownerOf(t, id)
	owner.killProcess(t)
	c := left.awaitEnded(t, id)
	if c.textAt("status") != "failed" || c.textAt("failure", "reason") != "interrupted" || c.textAt("next_call_id") == "" {
		t.Errorf("after its appliance was killed %v", c)
	}
	if told := hook.awaitNotification(t, id); told.textAt("payload", "type") != "failed" {
		t.Errorf("told %v", told)
	}

	id = left.bookCall(t, simulatedNumber("06"), "restaurant_order", nil).textAt("id")
	left.awaitCall(t, id, isUp)
	mustSucceed(t, p.server.Kill())
	awaitProbe(t, left, "/readyz", http.StatusServiceUnavailable)
	awaitProbe(t, left, "/health", http.StatusServiceUnavailable)
	if status, _ := left.probePath(t.Context(), "/livez"); status != http.StatusOK {
		t.Errorf("/livez answers %d while the database is away", status)
	}
	left.requestAPI(t, "GET", "/calls/"+id, nil).wantFailure(t, http.StatusServiceUnavailable, "unavailable")
	mustSucceed(t, p.server.Start())
	awaitProbe(t, left, "/readyz", http.StatusOK)
	if c := left.awaitEnded(t, id); c.textAt("status") != "completed" {
		t.Errorf("the call that was up while the database was away: %v", c)
	}
	hook.awaitNotification(t, id)
}

// awaitProbe waits until a probe answers with a status.
func awaitProbe(t *testing.T, a *testInstance, path string, want int) {
	t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		status, body := a.probePath(t.Context(), path)
		if status == want {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%s answers %d %s, want %d", path, status, body, want)
		}
	}
}
