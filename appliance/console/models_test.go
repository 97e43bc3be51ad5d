package console_test

import (
	"bytes"
	"errors"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/voiceinstall"
	"munadi/store"
	"munadi/store/account"
)

// newModelWorker returns a worker that does not run, over a data folder with one installed model.
func newModelWorker(t *testing.T, s store.Store) *modeljob.ModelWorker {
	t.Helper()
	shelf := models.OpenFolder(t.TempDir())
	if err := os.MkdirAll(shelf.Folder("large"), 0o700); err != nil {
		t.Fatal(err)
	}
	w, err := modeljob.NewWorker(modeljob.Dependencies{
		Models: shelf, Hub: func() *modelhub.Hub { return &modelhub.Hub{Base: "http://hub.test"} },
		Serving: func() modeljob.ServingEngine { return nil }, Fixed: func() string { return "" },
		Reload: func() error { return nil }, AddAudit: s.AddAudit, Publish: func(modeljob.JobEvent) {},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// newVoiceDesk returns the desk of a data folder with the voices spoken and other.
func newVoiceDesk(t *testing.T, s store.Store) *voiceinstall.VoicePuller {
	t.Helper()
	shelf := models.OpenVoices(t.TempDir())
	for _, name := range []string{"spoken", "other"} {
		err := os.MkdirAll(shelf.Folder(name), 0o700)
		err = errors.Join(err, os.WriteFile(filepath.Join(shelf.Folder(name), name+".onnx"), nil, 0o600))
		if err = errors.Join(err, models.RecordChecksums(shelf.Folder(name))); err != nil {
			t.Fatal(err)
		}
	}
	return &voiceinstall.VoicePuller{
		VoiceDesk: voiceinstall.VoiceDesk{
			VoiceInstaller: voiceinstall.VoiceInstaller{Voices: shelf}, AddAudit: s.AddAudit, Now: time.Now,
			Watch: &voiceinstall.VoiceWatch{Voices: shelf, Warn: func(string) {}, Log: slog.New(slog.DiscardHandler)},
		},
		Hub: func() *modelhub.Hub {
			return &modelhub.Hub{Base: "http://127.0.0.1:1", Transport: http.DefaultTransport}
		},
		Log: slog.New(slog.DiscardHandler), Publish: func(voiceinstall.VoicePull) {},
	}
}

func modelRoutes() map[string]routePromise {
	return map[string]routePromise{
		"GET /system/models/events":    {least: governor, flows: true},
		"GET /system/models/offer":     {least: governor, query: "?model=org/name"},
		"POST /system/models/install":  {least: governor, form: newForm("model", "org/name")},
		"POST /system/models/import":   {least: governor, form: newForm("path", "/nowhere.nemo"), silent: "nothing lies there"},
		"POST /system/models/upload":   {least: governor, silent: "no file"},
		"POST /system/models/cancel":   {least: governor, silent: "nothing is installed"},
		"POST /system/models/resume":   {least: governor, silent: "nothing is installed"},
		"POST /system/models/forget":   {least: governor, silent: "nothing is installed"},
		"POST /system/models/quantize": {least: governor, form: newForm("name", "large")},
		"POST /system/models/use":      {least: governor, form: newForm("name", "large")},
		"GET /system/models/remove":    {least: governor, query: "?name=large"},
		"POST /system/models/remove":   {least: governor, form: newForm("name", "large")},
		"POST /system/voices/import":   {least: governor, form: newForm("voice_path", "/nowhere.onnx"), silent: "nothing lies there", status: http.StatusUnprocessableEntity},
		"GET /system/voices/offer":     {least: governor, query: "?voice=nonsense", status: http.StatusSeeOther},
		"POST /system/voices/pull":     {least: governor, form: newForm("voice", "nonsense"), silent: "no such voice"},
		"POST /system/voices/cancel":   {least: governor, silent: "nothing is downloaded"},
		"POST /system/voices/forget":   {least: governor, silent: "nothing is downloaded"},
		"POST /system/voices/use":      {least: governor, form: newForm("name", "spoken")},
		"GET /system/voices/remove":    {least: governor, query: "?name=other"},
		"POST /system/voices/remove":   {least: governor, form: newForm("name", "other")},
		"GET /system/models/try":       {least: governor, query: "?name=large"},
		"POST /system/models/try": {
			least: governor, form: newForm("name", "large"), silent: "changes nothing", status: http.StatusUnprocessableEntity,
		},
	}
}

// sendCheckpoint uploads a checkpoint as a browser does.
func (w *consoleFixture) sendCheckpoint(who account.UserRole, token, name, content, accept string) testAnswer {
	w.t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	w.mustSucceed(m.WriteField("csrf", token))
	w.mustSucceed(m.WriteField("any_language", "1"))
	part, err := m.CreateFormFile("file", name)
	w.mustSucceed(err)
	_, err = part.Write([]byte(content))
	w.mustSucceed(err)
	w.mustSucceed(m.Close())
	r := httptest.NewRequest(http.MethodPost, "/console/system/models/upload", &body)
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.Header.Set("Accept", accept)
	return w.sendRequest(who, r)
}

func TestCheckpointIsSent(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.sendCheckpoint(governor, "csrf-wrong", "a.nemo", "x", "").wantStatus(http.StatusForbidden)
	w.sendCheckpoint(account.Owner, "csrf-owner", "a.nemo", "x", "").wantStatus(http.StatusNotFound)
	w.sendCheckpoint(governor, strings.Repeat("x", 300), "a.nemo", "x", "").wantStatus(http.StatusBadRequest)
	w.sendCheckpoint(governor, "csrf-governor", "a.txt", "x", "").wantStatus(http.StatusSeeOther)
	got := w.sendCheckpoint(governor, "csrf-governor", "carried.nemo", "x", "application/json").wantStatus(http.StatusOK)
	if !strings.Contains(got.Body.String(), "/console/system#models") {
		t.Errorf("answer %s", got.Body)
	}
	page := w.getPage(governor, "/system").wantStatus(http.StatusOK).Body.String()
	for _, part := range []string{"carried", `data-phase="testing"`, "/console/system/models/cancel"} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not on the page", part)
		}
	}
	w.sendCheckpoint(governor, "csrf-governor", "second.nemo", "x", "").wantStatus(http.StatusSeeOther) // refused: one at a time
}

func TestModelsAreForGovernorsAlone(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	if page := w.getPage(account.Owner, "/system").wantStatus(http.StatusOK).Body.String(); strings.Contains(page, "system/models") {
		t.Error("an owner who does not govern sees how to change the model")
	}
	page := w.getPage(governor, "/system").wantStatus(http.StatusOK).Body.String()
	for _, part := range []string{
		"nvidia/stt_ar_fastconformer_hybrid_large_pcd_v1.0", "CC BY 4.0", "1.55", "large", "/console/system/models/offer",
		"/console/system/models/upload", "/console/system/models/import",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not on the page", part)
		}
	}
	if page := w.getPage(governor, "/welcome").wantStatus(http.StatusOK).Body.String(); strings.Contains(page, "models/install") {
		t.Error("a model is offered where one was installed")
	}
	offer := w.getPage(governor, "/system/models/offer?model=nvidia/stt_fa_fastconformer_hybrid_large").wantStatus(http.StatusOK).Body.String()
	for _, part := range []string{"cc-by-4.0", "13.2", `name="any_language" value="1" checked`} {
		if !strings.Contains(offer, part) {
			t.Errorf("%q is not in the offer", part)
		}
	}
	w.getPage(governor, "/system/models/offer?model=nothing").wantStatus(http.StatusUnprocessableEntity)
}

// TestRefusedVoiceKeepsWhatWasTyped: the path and the licence of a voice that is not installed, and the name of one that
// is not found, stay in their fields.
func TestRefusedVoiceKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	sent := newForm("voice_path", "/nowhere/voice.onnx", "voice_license", "CC0")
	w.postForm(governor, "/system/voices/import", sent).wantStatus(http.StatusUnprocessableEntity).
		wantTexts(`value="/nowhere/voice.onnx"`, `value="CC0"`, "The voice was not installed.", `id="f-voice_path-error"`, "<details open>")
	w.getPage(governor, "/system/voices/offer?voice=nowhere").wantRedirect("/console/system?voice=nowhere#voices")
	w.getPage(governor, "/system?voice=nowhere").wantTexts(`value="nowhere"`, "<details open>")
}

// TestDamagedVoiceOnTheSystemPage changes a file of an installed voice: the page names it and what to do, and the voice
// can't be selected.
func TestDamagedVoiceOnTheSystemPage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	desk := w.deps.System.Voices.(*voiceinstall.VoicePuller)
	w.getPage(governor, "/system").wantTexts("spoken").wantNoTexts("files are damaged")
	file := filepath.Join(desk.Voices.Folder("spoken"), "spoken.onnx")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.getPage(governor, "/system").wantTexts("its files are damaged or missing", "spoken.onnx is damaged")
	w.postForm(governor, "/system/voices/use", newForm("name", "spoken")).wantRedirect("/console/system#voices")
	if used, err := desk.Voices.CurrentModel(); err != nil || used != "" {
		t.Errorf("%s is selected, %v", used, err)
	}
}
