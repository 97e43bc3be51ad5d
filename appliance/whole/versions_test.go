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

// TestUpgradeWithoutAStop checks that an appliance of an older version (MUNADI_OLD, its program;
// packaging/mixed-versions builds it) keeps running while one of this version starts beside it and migrates the tables.
// The old one's call continues; both book, change, dial, notify and transcribe, and each knows the other's; the new one
// takes over the old one's calls. The old version refuses to start again on the new tables, with the reason.
func TestUpgradeWithoutAStop(t *testing.T) {
	t.Parallel()
	program := os.Getenv("MUNADI_OLD")
	if program == "" {
		t.Skip("MUNADI_OLD names no program of an older version: packaging/mixed-versions builds one")
	}
	server := postgrestest.OpenServer(t, true)
	conf := instanceSettings{
		data: filepath.Join(t.TempDir(), "data"), args: []string{"--store", server.URL(""), "--time-scale", "3"},
	}
	older := startOlder(t, program, conf)
	layout := server.Run(t, "SELECT max(version_id) FROM goose_db_version")
	hook := newReceiver(t, nil)
	older.setReceiver(t, hook)
	later := jsonObject{"scheduled_at": timeFromNow(time.Hour)}
	kept := older.bookCall(t, simulatedNumber("00"), "appointment_confirmation", later).textAt("id")
	up := older.bookCall(t, simulatedNumber("05"), "restaurant_order", nil).textAt("id")
	older.awaitCall(t, up, isUp)

	newer := startInstance(t, instanceSettings{args: append(conf.args, "--secret-file", filepath.Join(conf.data, "secret.key")), noKey: true})
	t.Logf("the old version made layout %s, the new one %s", layout,
		server.Run(t, "SELECT max(version_id) FROM goose_db_version"))
	if c := older.awaitEnded(t, up); c.textAt("status") != "completed" {
		t.Errorf("the call that was up while the tables were migrated ended as %v", c)
	}
	hook.awaitNotification(t, up)
	if c := newer.fetchCall(t, kept); c.textAt("status") != "scheduled" {
		t.Errorf("the new version finds the booking as %v", c)
	}
	pair := []*testInstance{older, newer}
	for i, one := range pair {
		one.worksBeside(t, pair[1-i], hook, []string{"01", "02"}[i])
	}

	left := leaveCall(t, appliancePair{server: server, a: older, b: newer})
	if c := newer.awaitEnded(t, left); c.textAt("failure", "reason") != "interrupted" {
		t.Errorf("the call that the old version left ended as %v", c)
	}
	again, err := launchProcess(program, conf)
	if err == nil {
		if layout != server.Run(t, "SELECT max(version_id) FROM goose_db_version") {
			t.Error("the old version starts on tables of the new one")
		}
		mustSucceed(t, again.endInstance())
	} else if !strings.Contains(err.Error(), "newer munadi") {
		t.Errorf("the old version does not say why it does not start: %v", err)
	}
	newer.requestAPI(t, http.MethodPost, "/calls/"+kept+"/cancel", nil).wantStatus(t, http.StatusOK)
	newer.wantTranscript(t, "نعم أؤكد الموعد")
}

// startOlder starts the program of an older version.
func startOlder(t *testing.T, program string, conf instanceSettings) *testInstance {
	t.Helper()
	a, err := launchProcess(program, conf)
	mustSucceed(t, err)
	t.Cleanup(func() {
		if err := a.endInstance(); err != nil {
			t.Errorf("the older version: %v\n%s", err, a.log.lastLines())
		}
	})
	if err := a.awaitReady(); err != nil {
		t.Fatalf("%v\n%s", err, a.log.lastLines())
	}
	return a
}

// leaveCall kills the first appliance of a pair during a call, and returns the call.
func leaveCall(t *testing.T, p appliancePair) string {
	t.Helper()
	for range 20 {
		id := p.b.bookCall(t, simulatedNumber("05"), "restaurant_order", nil).textAt("id")
		p.b.awaitCall(t, id, isUp)
		if owner, _ := p.ownerOf(t, id); owner == p.a {
			p.a.killProcess(t)
			return id
		}
		p.b.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil)
		p.b.awaitEnded(t, id)
	}
	t.Fatal("the first appliance dials none of 20 calls")
	return ""
}

// worksBeside makes the usual changes on one appliance and checks that the other one, of another version, knows them.
func (a *testInstance) worksBeside(t *testing.T, other *testInstance, hook *webhookReceiver, ending string) {
	t.Helper()
	now := a.bookCall(t, simulatedNumber(ending), "appointment_confirmation", nil).textAt("id")
	moved := a.bookCall(t, simulatedNumber(ending), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)}).textAt("id")
	other.requestAPI(t, http.MethodPost, "/calls/"+moved+"/reschedule", jsonObject{"scheduled_at": timeFromNow(2 * time.Hour)}).
		wantStatus(t, http.StatusOK)
	a.requestAPI(t, http.MethodPost, "/calls/"+moved+"/cancel", nil).wantStatus(t, http.StatusOK)
	if c := other.fetchCall(t, moved); c.textAt("status") != "cancelled" {
		t.Errorf("cancelled by one version, %s is %s to the other", moved, c.textAt("status"))
	}
	job := a.enqueueJob(t, withFile(demoSample(t, "confirm.flac")))
	a.awaitJobResult(t, job)
	if got := other.fetchJob(t, job); got["status"] != "done" {
		t.Errorf("the other version says of the job %v", got)
	}
	c := other.awaitEnded(t, now)
	if c.textAt("status") != "completed" {
		t.Errorf("%s ended as %v", now, c)
	}
	hook.awaitNotification(t, now)
}
