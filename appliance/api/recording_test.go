package api_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/api"
	"munadi/store/call"
)

var sound = bytes.Repeat([]byte("RIFF....WAVE0123"), 64)

func token(value string) head { return head{"X-Svc-Recording-Token", value} }

// TestRecordingCredentials: a key counts before a token, the header's token before the query's.
func TestRecordingCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, other := b.recorded("acme", sound), b.recorded("acme", sound)
	path := "/calls/" + c.ID + "/recording"
	url := b.ask("GET", "/calls/"+c.ID, "").want(200).text("data", "recording_url")
	good, found := strings.CutPrefix(url, "https://calls.example/api/v1"+path+"?t=")
	if !found {
		t.Fatalf("recording_url %q", url)
	}
	forged, download := good[:len(good)-2]+"AA", b.links.Signer.DownloadToken("acme", c.ID, b.now)
	stale := b.links.Signer.RecordingToken("acme", c.ID, b.now.Add(-7*24*time.Hour))
	none := as("")
	for name, w := range map[string]struct {
		path   string
		heads  []head
		status int
		kind   string
	}{
		"key":                            {path, nil, 302, ""},
		"key beside a forged token":      {path + "?t=" + forged, []head{token(forged)}, 302, ""},
		"token in the query":             {path + "?t=" + good, []head{none}, 302, ""},
		"token in the header":            {path, []head{none, token(good)}, 302, ""},
		"good header, forged query":      {path + "?t=" + forged, []head{none, token(good)}, 302, ""},
		"forged header, good query":      {path + "?t=" + good, []head{none, token(forged)}, 403, "permission_error"},
		"nothing":                        {path, []head{none}, 401, "authentication_error"},
		"empty token":                    {path + "?t=", []head{none}, 401, "authentication_error"},
		"bad key beside a good token":    {path + "?t=" + good, []head{as("nobody")}, 401, "authentication_error"},
		"another scheme, a good token":   {path + "?t=" + good, []head{{"Authorization", "Basic x"}}, 401, "authentication_error"},
		"another's key, a good token":    {path + "?t=" + good, []head{as(rival)}, 404, "not_found"},
		"key without the scope, a token": {path + "?t=" + good, []head{as(sttKey)}, 403, "permission_error"},
		"forged token":                   {path + "?t=" + forged, []head{none}, 403, "permission_error"},
		"nonsense token":                 {path + "?t=%00%ff", []head{none}, 403, "permission_error"},
		"stale token":                    {path, []head{none, token(stale)}, 403, "permission_error"},
		"download's signature":           {path, []head{none, token(download)}, 403, "permission_error"},
		"another call's token":           {"/calls/" + other.ID + "/recording", []head{none, token(good)}, 403, "permission_error"},
		"a call that is not there":       {"/calls/" + call.NewID() + "/recording", nil, 404, "not_found"},
		"no id, key":                     {"/calls/x/recording", nil, 404, "not_found"},
		"no id, token":                   {"/calls/x/recording", []head{none, token(good)}, 404, "not_found"},
	} {
		got := b.ask("GET", w.path, "", w.heads...)
		if w.kind == "" {
			where := got.want(302).Header().Get("Location")
			if !strings.HasPrefix(where, "https://calls.example/api/v1/recordings/"+c.ID+"?t=") || got.Body.Len() > 0 {
				t.Errorf("%s: to %q with %q", name, where, got.Body)
			}
			continue
		}
		got.failure(w.status, w.kind)
		if challenge := got.Header().Get("WWW-Authenticate"); (w.status == 401) != (challenge == "Bearer") {
			t.Errorf("%s: challenge %q", name, challenge)
		}
	}
	if strings.Contains(b.log.String(), good) {
		t.Error("a token is in the log")
	}
	b.now = b.now.Add(7*24*time.Hour - time.Millisecond)
	b.ask("GET", path, "", none, token(good)).want(302)
	b.now = b.now.Add(time.Millisecond)
	b.ask("GET", path, "", none, token(good)).failure(403, "permission_error")
}

// TestNoRecording: not ended, never answered, erased, or gone from the folder.
func TestNoRecording(t *testing.T) {
	t.Parallel()
	b := setup(t)
	erased := b.recorded("acme", sound)
	_, err := b.store.ErasePerson(t.Context(), "acme", erased.PhoneNumber, "test", b.now)
	must(t, err)
	never, gone, running := b.recorded("acme", nil), b.recorded("acme", sound), b.reach("acme", call.InProgress, sound)
	must(t, os.Remove(filepath.Join(string(b.files), gone.Recording)))
	for _, c := range []call.Call{never, erased, gone, running} {
		b.ask("GET", "/calls/"+c.ID+"/recording", "").failure(404, "recording_not_available")
		signature := "?t=" + b.links.Signer.DownloadToken("acme", c.ID, b.now)
		b.ask("GET", "/recordings/"+c.ID+signature, "").failure(404, "recording_not_available")
	}
	for i, c := range []call.Call{never, erased, running} {
		if got := b.ask("GET", "/calls/"+c.ID, "").want(200).at("data", "recording_url"); got != nil {
			t.Errorf("%d: recording_url %v", i, got)
		}
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.recorded("acme", sound)
	where := b.ask("GET", "/calls/"+c.ID+"/recording", "").want(302).Header().Get("Location")
	path := strings.TrimPrefix(where, "https://calls.example"+api.Root)
	none := as("")
	all := b.ask("GET", path, "", none).want(200)
	if !bytes.Equal(all.Body.Bytes(), sound) {
		t.Errorf("%d bytes, not %d", all.Body.Len(), len(sound))
	}
	for name, want := range map[string]string{
		"Content-Type": "audio/wav", "Accept-Ranges": "bytes", "Cache-Control": "no-store",
		"X-Content-Type-Options": "nosniff", "Content-Length": "1024",
		"Content-Disposition": `inline; filename="` + c.ID + `.wav"`,
	} {
		if got := all.Header().Get(name); got != want {
			t.Errorf("%s %q, not %q", name, got, want)
		}
	}
	part := b.ask("GET", path, "", none, head{"Range", "bytes=16-31"}).want(http.StatusPartialContent)
	if part.Body.String() != "RIFF....WAVE0123" || part.Header().Get("Content-Range") != "bytes 16-31/1024" {
		t.Errorf("%q %v", part.Body, part.Header())
	}
	b.ask("GET", path, "", none, head{"Range", "bytes=-10"}).want(206)
	b.ask("GET", path, "", none, head{"Range", "seconds=1-2"}).want(200)
	bad := b.ask("GET", path, "", none, head{"Range", "bytes=5000-"}).failure(416, "range_not_satisfiable")
	if bad.Header().Get("Content-Range") != "bytes */1024" {
		t.Errorf("%v", bad.Header())
	}
	if got := b.ask("HEAD", path, "", none).want(200); got.Header().Get("Content-Length") != "1024" || got.Body.Len() > 0 {
		t.Errorf("HEAD: %v %q", got.Header(), got.Body)
	}
	for _, wrong := range []string{
		"/recordings/" + c.ID, "/recordings/" + c.ID + "?t=x", "/recordings/x?t=x",
		"/recordings/" + c.ID + "?t=" + b.links.Signer.RecordingToken("acme", c.ID, b.now),
		"/recordings/" + b.recorded("acme", sound).ID + path[strings.Index(path, "?"):],
	} {
		b.ask("GET", wrong, "").failure(403, "permission_error")
	}
	b.now = b.now.Add(5 * time.Minute)
	b.ask("GET", path, "", none).failure(403, "permission_error")
}
