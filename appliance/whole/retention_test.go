package whole_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munadi/store/bucket/buckettest"
	"munadi/store/postgres/postgrestest"
)

// ageCall moves the end of a call in the database into the past.
func ageCall(t *testing.T, server *postgrestest.Server, id string, by time.Duration) {
	t.Helper()
	server.Run(t, fmt.Sprintf("UPDATE calls SET ended = ended - %d WHERE id = '%s'", by.Nanoseconds(), id))
}

// TestRetentionInABucket checks with PostgreSQL and an S3 bucket that recordings or transcripts are deleted when their days
// are over, by the rules of each organization, and nothing else.
func TestRetentionInABucket(t *testing.T) {
	t.Parallel()
	_, setting := startBucket(t)
	server := postgrestest.OpenServer(t, true)
	conf := instanceSettings{
		data: filepath.Join(t.TempDir(), "data"), env: buckettest.ListVariables(),
		args: []string{"--store", server.URL(""), "--recordings", setting, "--time-scale", "20"},
	}
	a := startInstance(t, conf)
	for began := time.Now(); time.Since(began) < patience; time.Sleep(50 * time.Millisecond) { // commands need its socket
		if _, err := os.Stat(filepath.Join(a.Data, "munadi.sock")); err == nil {
			break
		}
	}
	clinic := a.addOrganization(t, "clinic")
	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"retention_days": jsonObject{"audio": 1}}).wantStatus(t, 200)
	clinic.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"retention_days": jsonObject{"transcript": 3}}).wantStatus(t, 200)
	ended := func(of *testInstance) string {
		id := of.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id")
		of.awaitEnded(t, id)
		return id
	}
	young, dayOld, recent, old := ended(a), ended(a), ended(clinic), ended(clinic)
	object := func(org, id string) string { return "recordings/" + org + "/" + id + ".wav" }
	awaitObject := func(name string, want bool) {
		for began := time.Now(); inBucket(t, setting, name) != want; time.Sleep(100 * time.Millisecond) {
			if time.Since(began) > patience {
				t.Fatalf("%s is in the bucket: %t", name, !want)
			}
		}
	}
	for _, id := range []string{young, dayOld, recent, old} {
		awaitObject(object(map[bool]string{true: "clinic", false: "default"}[id == recent || id == old], id), true)
	}
	ageCall(t, server, young, 23*time.Hour)
	ageCall(t, server, dayOld, 25*time.Hour)
	ageCall(t, server, recent, 71*time.Hour)
	ageCall(t, server, old, 73*time.Hour)
	a.stopGracefully(t)
	conf.noKey = true
	again := startInstance(t, conf)
	clinic = &testInstance{URL: again.URL, key: clinic.key, log: again.log}
	awaitObject(object("default", dayOld), false)
	clinic.awaitCall(t, old, func(c jsonObject) bool { return len(c.listAt("enhanced_transcript", "transcript", "messages")) == 0 })
	for _, c := range []struct {
		name, org, id string
		of            *testInstance
		sound, words  bool
	}{
		{"a young call", "default", young, again, true, true},
		{"a call of yesterday", "default", dayOld, again, false, true},
		{"a recent call", "clinic", recent, clinic, true, true},
		{"an old call", "clinic", old, clinic, true, false},
	} {
		kept := c.of.fetchCall(t, c.id)
		words := len(kept.listAt("enhanced_transcript", "transcript", "messages")) > 0
		if has := kept.textAt("recording_url") != ""; has != c.sound || inBucket(t, setting, object(c.org, c.id)) != c.sound || words != c.words {
			t.Errorf("%s: recording %t, words %t, want %t and %t", c.name, has, words, c.sound, c.words)
		}
		if kept.textAt("phone_number") == "" || kept.textAt("status") != "completed" {
			t.Errorf("%s: %v", c.name, kept)
		}
	}
	if left, err := os.ReadDir(filepath.Join(conf.data, "recordings", "default")); err == nil && len(left) > 0 {
		t.Errorf("left on the disk: %v", left)
	}
}
