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

// TestUpgradeWithoutAStop: an appliance of an older version (MUNADI_OLD, its program; packaging/mixed-versions builds
// it) runs while one of this version starts beside it and migrates the tables. The old one's call goes on, both book,
// change, dial, tell and transcribe, each knows the other's, and the new one takes over what the old one leaves. The
// old version does not start again on the new tables, and says why.
func TestUpgradeWithoutAStop(t *testing.T) {
	t.Parallel()
	program := os.Getenv("MUNADI_OLD")
	if program == "" {
		t.Skip("MUNADI_OLD names no program of an older version: packaging/mixed-versions builds one")
	}
	if postgrestest.FindProgram("initdb") == "" {
		missing(t, "PostgreSQL is not installed")
	}
	server, err := postgrestest.StartServer(true)
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	conf := settings{
		data: filepath.Join(t.TempDir(), "data"), args: []string{"--store", server.URL(""), "--time-scale", "3"},
	}
	older := startOlder(t, program, conf)
	layout := server.Run(t, "SELECT max(version_id) FROM goose_db_version")
	hook := newReceiver(t, nil)
	older.listen(t, hook)
	later := object{"scheduled_at": soon(time.Hour)}
	kept := older.book(t, simulated("00"), "appointment_confirmation", later).text("id")
	up := older.book(t, simulated("05"), "restaurant_order", nil).text("id")
	older.until(t, up, isUp)

	newer := start(t, settings{args: append(conf.args, "--secret-file", filepath.Join(conf.data, "secret.key")), noKey: true})
	t.Logf("the old version made layout %s, the new one %s", layout,
		server.Run(t, "SELECT max(version_id) FROM goose_db_version"))
	if c := older.ended(t, up); c.text("status") != "completed" {
		t.Errorf("the call that was up while the tables were migrated ended as %v", c)
	}
	hook.await(t, up)
	if c := newer.call(t, kept); c.text("status") != "scheduled" {
		t.Errorf("the new version finds the booking as %v", c)
	}
	pair := []*instance{older, newer}
	for i, one := range pair {
		one.worksBeside(t, pair[1-i], hook, []string{"01", "02"}[i])
	}

	left := leaveCall(t, appliancePair{server: server, a: older, b: newer})
	if c := newer.ended(t, left); c.text("failure", "reason") != "interrupted" {
		t.Errorf("the call that the old version left ended as %v", c)
	}
	again, err := launch(program, conf)
	if err == nil {
		if layout != server.Run(t, "SELECT max(version_id) FROM goose_db_version") {
			t.Error("the old version starts on tables of the new one")
		}
		must(t, again.end())
	} else if !strings.Contains(err.Error(), "use a newer munadi") {
		t.Errorf("the old version does not say why it does not start: %v", err)
	}
	newer.ask(t, http.MethodPost, "/calls/"+kept+"/cancel", nil).want(t, http.StatusOK)
	newer.hears(t, "نعم أؤكد الموعد")
}

// startOlder starts the program of an older version.
func startOlder(t *testing.T, program string, conf settings) *instance {
	t.Helper()
	a, err := launch(program, conf)
	must(t, err)
	t.Cleanup(func() {
		if err := a.end(); err != nil {
			t.Errorf("the older version: %v\n%s", err, a.log.tail())
		}
	})
	if err := a.awaitReady(); err != nil {
		t.Fatalf("%v\n%s", err, a.log.tail())
	}
	return a
}

// leaveCall kills the first appliance of a pair while it has a call up, and returns the call.
func leaveCall(t *testing.T, p appliancePair) string {
	t.Helper()
	for range 20 {
		id := p.b.book(t, simulated("05"), "restaurant_order", nil).text("id")
		p.b.until(t, id, isUp)
		if owner, _ := p.ownerOf(t, id); owner == p.a {
			p.a.kill(t)
			return id
		}
		p.b.ask(t, http.MethodPost, "/calls/"+id+"/hangup", nil)
		p.b.ended(t, id)
	}
	t.Fatal("the first appliance dials none of 20 calls")
	return ""
}

// worksBeside does on one appliance what people do, and wants the other one, of another version, to know it.
func (a *instance) worksBeside(t *testing.T, other *instance, hook *receiver, ending string) {
	t.Helper()
	now := a.book(t, simulated(ending), "appointment_confirmation", nil).text("id")
	moved := a.book(t, simulated(ending), "appointment_confirmation", object{"scheduled_at": soon(time.Hour)}).text("id")
	other.ask(t, http.MethodPost, "/calls/"+moved+"/reschedule", object{"scheduled_at": soon(2 * time.Hour)}).
		want(t, http.StatusOK)
	a.ask(t, http.MethodPost, "/calls/"+moved+"/cancel", nil).want(t, http.StatusOK)
	if c := other.call(t, moved); c.text("status") != "cancelled" {
		t.Errorf("cancelled by one version, %s is %s to the other", moved, c.text("status"))
	}
	job := a.enqueue(t, file(sample(t, "confirm.flac")))
	a.finish(t, job)
	if got := other.job(t, job); got["status"] != "done" {
		t.Errorf("the other version says of the job %v", got)
	}
	c := other.ended(t, now)
	if c.text("status") != "completed" {
		t.Errorf("%s ended as %v", now, c)
	}
	hook.await(t, now)
}
