package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedRecording checks that a recording that is not the one that was written is never sent, that doctor names
// it, and that it is sent again once it was restored; also one of a call that a kill interrupted.
func TestDamagedRecording(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	c := a.awaitEnded(t, a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id"))
	a.wantVerifiedRecording(t, c.textAt("id"))

	slow := a.bookCall(t, simulatedNumber("97"), "appointment_confirmation", nil).textAt("id") // a callee who stays silent
	file := filepath.Join(a.Data, "recordings", "default", slow+".wav")
	a.awaitCall(t, slow, func(c jsonObject) bool {
		info, err := os.Stat(file)
		return err == nil && info.Size() > 64_000 && c.textAt("status") == "in_progress"
	})
	a.killProcess(t)
	b := startFastCalls(t, instanceSettings{data: a.Data})
	if cut := b.awaitEnded(t, slow); cut.textAt("status") != "failed" {
		t.Errorf("the call that the kill interrupted is %v", cut)
	}
	b.wantVerifiedRecording(t, slow)
}

// wantVerifiedRecording damages the recording of a call in several ways, and restores it.
func (a *testInstance) wantVerifiedRecording(t *testing.T, id string) {
	t.Helper()
	a.tends = append(a.tends, "is damaged")
	path, file := "/calls/"+id+"/recording", filepath.Join(a.Data, "recordings", "default", id+".wav")
	download := fetchWithoutKey(t, a.URL+v1+path, withKey(bootstrapKey)).wantStatus(t, 302).Header.Get("Location")
	whole, err := os.ReadFile(file)
	mustSucceed(t, err)
	flipped := []byte(string(whole))
	flipped[len(flipped)/2] ^= 0x10
	for what, content := range map[string][]byte{"flipped": flipped, "cut": whole[:len(whole)/2], "empty": {}} {
		mustSucceed(t, os.WriteFile(file, content, 0o600))
		for _, got := range []testAnswer{
			a.requestAPI(t, http.MethodGet, path, nil), fetchWithoutKey(t, download),
			fetchWithoutKey(t, download, withHeader("Range", "bytes=0-99")),
		} {
			got.wantFailure(t, 500, "internal_error")
			if !strings.Contains(got.String(), "is damaged") {
				t.Errorf("%s: %s", what, got)
			}
		}
		if said := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir()); !strings.Contains(said.stdout, id) ||
			!strings.Contains(said.stdout, "are damaged") || said.code == 0 {
			t.Errorf("%s: doctor, code %d: %s", what, said.code, said.stdout)
		}
	}
	mustSucceed(t, os.WriteFile(file, whole, 0o600))
	if got := fetchWithoutKey(t, download).wantStatus(t, 200); string(got.Body) != string(whole) {
		t.Errorf("restored: %d bytes of %d", len(got.Body), len(whole))
	}
	fetchWithoutKey(t, download, withHeader("Range", "bytes=10-19")).wantStatus(t, 206)
}
