package whole_test

import (
	"archive/zip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unzipTexts returns the text of every file of a ZIP archive.
func unzipTexts(t *testing.T, path string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	mustSucceed(t, err)
	defer func() { _ = archive.Close() }()
	all := map[string]string{}
	for _, f := range archive.File {
		in, err := f.Open()
		mustSucceed(t, err)
		content, err := io.ReadAll(in)
		mustSucceed(t, err)
		all[filepath.Base(f.Name)] = string(content)
	}
	return all
}

// TestSupportBundleHasNoPersonalData checks that the support bundle of an appliance with keys, numbers and transcripts
// contains none of them.
func TestSupportBundleHasNoPersonalData(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	const token, password, number = "metrics-token-of-mine", "falcon over the ridge", "+966512345607"
	a := startFastCalls(t, instanceSettings{
		args: []string{
			"--metrics-token", token, "--speech-url", "http://127.0.0.1:9/v1", "--log-level", "debug",
			"--sip-user", "966501112223", "--sip-from", "account-of-mine",
		},
		env: []string{
			"MUNADI_SPEECH_KEY=speech-key-of-mine", "MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + password,
			"MUNADI_SIP_PASSWORD=trunk-password-of-mine",
		},
	})
	made := runMunadi(t, nil, "keys", "create", "--name", "kitchen", "--data", a.Data)
	plain := regexp.MustCompile(`mnd_\w{30,}`).FindString(made.stdout + made.stderr)
	if plain == "" {
		t.Fatalf("no key: %+v", made)
	}
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": receiver.URL + "/hook/secret-path", "enabled": true}).wantStatus(t, 200)
	c := a.bookCall(t, number, "appointment_confirmation", jsonObject{
		"variables": jsonObject{"date": "2026-12-03", "time": "17:30"}, "metadata": jsonObject{"patient": "Layla of Jeddah"},
	})
	id := c["id"].(string)
	a.awaitStatus(t, id, "completed")
	a.requestAPI(t, http.MethodDelete, "/suppressions/"+number, nil) // a request whose path has a number
	a.getPath(t, "/metrics", withHeader("X-Forwarded-For", "203.0.113.77"), withKey(token)).wantStatus(t, 200)
	o := a.newOperator(t)
	o.openPage("/console/sign-in")
	o.submitForm("/console/sign-in", http.StatusUnauthorized, "name", "admin", "password", "wrong-password-of-mine")

	secrets := []string{
		bootstrapKey, plain, token, password, "wrong-password-of-mine", "speech-key-of-mine", "secret-path",
		"966501112223", "account-of-mine", "trunk-password-of-mine",
		number[1:], "203.0.113.77", "Layla",
	}
	said := a.fetchCall(t, id).listAt("enhanced_transcript", "transcript", "messages")
	if len(said) < 3 {
		t.Errorf("the transcript is %v", said)
	}
	for _, message := range said {
		if text := jsonObject(message.(map[string]any)).textAt("content"); len(text) > 8 {
			secrets = append(secrets, text)
		}
	}
	path := filepath.Join(t.TempDir(), "bundle.zip")
	wrote := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir(), "--bundle", path)
	if !strings.Contains(wrote.stdout, path) {
		t.Fatalf("%+v", wrote)
	}
	all := unzipTexts(t, path)
	for name, text := range all {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s gives %q away", name, secret)
			}
		}
	}
	for name, says := range map[string]string{
		"versions.txt": "running:", "doctor.txt": "database", "settings.txt": "* speech-url", "metrics.txt": "munadi_calls_running",
		"log.txt": "call ended", "goroutines.txt": "goroutine profile",
	} {
		if !strings.Contains(all[name], says) {
			t.Errorf("%s does not say %q: %.300s", name, says, all[name])
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir(), "--bundle", path).wantRefused(t, "a file that is there", path)
}

// TestDoctorReportsDatabaseAndAppliance checks that doctor reports what only the database and the running appliance
// know.
func TestDoctorReportsDatabaseAndAppliance(t *testing.T) {
	t.Parallel()
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	a := startInstance(t, instanceSettings{})
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": dead.URL, "enabled": true}).wantStatus(t, 200)
	look := func() []string {
		got := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir(), "--listen", "127.0.0.1:0")
		if got.code != 0 {
			t.Errorf("%+v", got)
		}
		return strings.Split(got.stdout, "\n")
	}
	wants := func(lines []string, state, name, says string) {
		t.Helper()
		if !slices.ContainsFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, state) && strings.Contains(l, name) && strings.Contains(l, says)
		}) {
			t.Errorf("no line says %s %s … %s:\n%s", state, name, says, strings.Join(lines, "\n"))
		}
	}
	running := look()
	wants(running, "note", "webhook", "not reachable")
	wants(running, "ok", "storage", "writable")
	wants(running, "ok", "tables", "are intact")
	wants(running, "ok", "backups", "first is scheduled")
	wants(running, "ok", "disk", "free")
	a.stopGracefully(t)
	stopped := look()
	wants(stopped, "note", "webhook", "not reachable")
	wants(stopped, "ok", "database", "no acknowledged change was lost")
}

// TestDoctorAsksTheTrunk checks that doctor tests the SIP trunk, with and without a running appliance.
func TestDoctorAsksTheTrunk(t *testing.T) {
	t.Parallel()
	nobody := []string{"--carrier", "sip", "--sip-trunk", "sip:127.0.0.1:" + freePort(t) + ";transport=tcp"}
	a := startInstance(t, instanceSettings{args: nobody})
	a.getPath(t, "/readyz").wantStatus(t, http.StatusOK) // the recognizer works without the trunk
	for where, data := range map[string]string{"running": a.Data, "alone": filepath.Join(t.TempDir(), "data")} {
		got := runMunadi(t, nil, append([]string{
			"doctor", "--data", data, "--cache", cacheDir(), "--listen", "127.0.0.1:0",
		}, nobody...)...)
		if got.code != 1 || !regexp.MustCompile(`(?m)^FAIL  trunk .*nothing listens there`).MatchString(got.stdout) {
			t.Errorf("%s: %+v", where, got)
		}
	}
	asked := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir()) // without the flags of the appliance
	if !strings.Contains(asked.stdout, "calls are placed over "+nobody[3]) || strings.Contains(asked.stdout, "no real telephone") {
		t.Errorf("doctor does not say over what the running appliance calls: %s", asked.stdout)
	}
}
