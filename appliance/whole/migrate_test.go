package whole_test

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store/postgres/postgrestest"
)

// TestMigrateInstallation checks that an organization with a copied and edited scenario, a campaign with skipped rows
// and calls is moved to PostgreSQL and back by the command, and answers the same on either database.
func TestMigrateInstallation(t *testing.T) {
	t.Parallel()
	server := postgrestest.OpenServer(t, true)
	data := filepath.Join(t.TempDir(), "data")
	a := startInstance(t, instanceSettings{data: data, args: []string{"--time-scale", "3"}})
	own := a.requestAPI(t, http.MethodGet, "/scenarios/appointment_confirmation", nil).successData(t)
	own["id"] = "our_appointments"
	a.requestAPI(t, http.MethodPost, "/scenarios", own).wantStatus(t, http.StatusCreated)
	own["name"] = "موعدنا <الثاني>"
	a.requestAPI(t, http.MethodPut, "/scenarios/our_appointments", own).wantStatus(t, http.StatusOK)
	ended := a.bookCall(t, simulatedNumber("00"), "our_appointments", nil).textAt("id")
	a.awaitEnded(t, ended)
	later := jsonObject{"scheduled_at": timeFromNow(time.Hour)}
	waiting := a.bookCall(t, simulatedNumber("05"), "our_appointments", later).textAt("id")
	people := []jsonObject{{"phone_number": simulatedNumber("01")}, {"phone_number": "nobody"}, {"phone_number": simulatedNumber("01")}}
	many := a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "مواعيد", "scenario_id": "our_appointments", "calls": people, "skip_invalid": true, "starts_at": timeFromNow(time.Hour),
	}).wantStatus(t, http.StatusCreated).successData(t).textAt("id")
	read := func() (all []jsonObject) {
		for _, path := range []string{
			"/scenarios/our_appointments", "/calls/" + ended, "/calls/" + waiting, "/campaigns/" + many, "/organization",
		} {
			one := a.requestAPI(t, http.MethodGet, path, nil).wantStatus(t, http.StatusOK).successData(t)
			delete(one, "recording_url") // has the appliance's address and a signature
			all = append(all, one)
		}
		return all
	}
	want := read()
	back := filepath.Join(t.TempDir(), "data")
	for _, hop := range []struct {
		data, from, to string
		args           []string
	}{
		{data, "badger", server.URL(""), []string{"--store", server.URL("")}},
		{back, server.URL(""), "badger", []string{"--secret-file", filepath.Join(data, "secret.key")}},
	} {
		a.stopGracefully(t)
		moved := runMunadi(t, nil, "store", "migrate", "--data", hop.data, "--from", hop.from, "--to", hop.to)
		if moved.code != 0 {
			t.Fatalf("from %s to %s: %+v", hop.from, hop.to, moved)
		}
		a = startInstance(t, instanceSettings{data: hop.data, noKey: true, args: hop.args})
		if difference := cmp.Diff(want, read()); difference != "" {
			t.Errorf("moved to %s: %s", hop.to, difference)
		}
	}
}
