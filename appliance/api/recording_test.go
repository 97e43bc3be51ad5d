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

func newToken(value string) withHeader { return withHeader{"X-Svc-Recording-Token", value} }

// TestRecordingCredentials checks that a key takes precedence over a token, and the header's token over the query's.
func TestRecordingCredentials(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	c, other := b.addRecordedCall("acme", sound), b.addRecordedCall("acme", sound)
	path := "/calls/" + c.ID + "/recording"
	url := b.askPath("GET", "/calls/"+c.ID, "").want(200).text("data", "recording_url")
	good, found := strings.CutPrefix(url, "https://calls.example/api/v1"+path+"?t=")
	if !found {
		t.Fatalf("recording_url %q", url)
	}
	forged, download := forgeToken(good), b.links.Signer.DownloadToken("acme", c.ID, b.now)
	stale := b.links.Signer.RecordingToken("acme", c.ID, b.now.Add(-7*24*time.Hour))
	none := withKey("")
	for name, w := range map[string]struct {
		path   string
		heads  []withHeader
		status int
		kind   string
	}{
		"key":                            {path, nil, 302, ""},
		"key beside a forged token":      {path + "?t=" + forged, []withHeader{newToken(forged)}, 302, ""},
		"token in the query":             {path + "?t=" + good, []withHeader{none}, 302, ""},
		"token in the header":            {path, []withHeader{none, newToken(good)}, 302, ""},
		"good header, forged query":      {path + "?t=" + forged, []withHeader{none, newToken(good)}, 302, ""},
		"forged header, good query":      {path + "?t=" + good, []withHeader{none, newToken(forged)}, 403, "permission_error"},
		"nothing":                        {path, []withHeader{none}, 401, "authentication_error"},
		"empty token":                    {path + "?t=", []withHeader{none}, 401, "authentication_error"},
		"bad key beside a good token":    {path + "?t=" + good, []withHeader{withKey("nobody")}, 401, "authentication_error"},
		"a proxy's password, a token":    {path + "?t=" + good, []withHeader{{"Authorization", "Basic dTpw"}}, 302, ""},
		"a proxy's password, no token":   {path, []withHeader{{"Authorization", "Basic dTpw"}}, 401, "authentication_error"},
		"a proxy's password, forged":     {path + "?t=" + forged, []withHeader{{"Authorization", "Basic dTpw"}}, 403, "permission_error"},
		"bearer without a key, a token":  {path + "?t=" + good, []withHeader{{"Authorization", "bearer"}}, 401, "authentication_error"},
		"another's key, a good token":    {path + "?t=" + good, []withHeader{withKey(rival)}, 404, "not_found"},
		"key without the scope, a token": {path + "?t=" + good, []withHeader{withKey(sttKey)}, 403, "permission_error"},
		"forged token":                   {path + "?t=" + forged, []withHeader{none}, 403, "permission_error"},
		"nonsense token":                 {path + "?t=%00%ff", []withHeader{none}, 403, "permission_error"},
		"stale token":                    {path, []withHeader{none, newToken(stale)}, 403, "permission_error"},
		"download's signature":           {path, []withHeader{none, newToken(download)}, 403, "permission_error"},
		"another call's token":           {"/calls/" + other.ID + "/recording", []withHeader{none, newToken(good)}, 403, "permission_error"},
		"a call that is not there":       {"/calls/" + call.NewID() + "/recording", nil, 404, "not_found"},
		"no id, key":                     {"/calls/x/recording", nil, 404, "not_found"},
		"no id, token":                   {"/calls/x/recording", []withHeader{none, newToken(good)}, 404, "not_found"},
	} {
		got := b.askPath("GET", w.path, "", w.heads...)
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
	b.askPath("GET", path, "", none, newToken(good)).want(302)
	b.now = b.now.Add(time.Millisecond)
	b.askPath("GET", path, "", none, newToken(good)).failure(403, "permission_error")
}

// forgeToken returns a signed token with one character of its signature changed.
func forgeToken(good string) string {
	at := len(good) - 3
	if good[at] == 'x' {
		return good[:at] + "y" + good[at+1:]
	}
	return good[:at] + "x" + good[at+1:]
}

// TestNoRecording checks the calls without a recording: not ended, never answered, erased, or with a missing file.
func TestNoRecording(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	erased := b.addRecordedCall("acme", sound)
	_, err := b.store.ErasePerson(t.Context(), "acme", erased.PhoneNumber, "test", b.now)
	mustSucceed(t, err)
	never, gone, running := b.addRecordedCall("acme", nil), b.addRecordedCall("acme", sound), b.bringCallTo("acme", call.InProgress, sound)
	mustSucceed(t, os.Remove(filepath.Join(string(b.files), gone.Recording)))
	for _, c := range []call.Call{never, erased, gone, running} {
		b.askPath("GET", "/calls/"+c.ID+"/recording", "").failure(404, "recording_not_available")
		signature := "?t=" + b.links.Signer.DownloadToken("acme", c.ID, b.now)
		b.askPath("GET", "/recordings/"+c.ID+signature, "").failure(404, "recording_not_available")
	}
	for i, c := range []call.Call{never, erased, running} {
		if got := b.askPath("GET", "/calls/"+c.ID, "").want(200).at("data", "recording_url"); got != nil {
			t.Errorf("%d: recording_url %v", i, got)
		}
	}
}

// TestDamagedRecording checks that a recording that is not the one that was written is refused at both paths.
func TestDamagedRecording(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	c := b.addRecordedCall("acme", sound)
	file := filepath.Join(string(b.files), c.Recording)
	link, download := "/calls/"+c.ID+"/recording", "/recordings/"+c.ID+"?"+strings.SplitN(b.links.DownloadURL("acme", c.ID), "?", 2)[1]
	flipped := bytes.Clone(sound)
	flipped[500] ^= 1
	for what, content := range map[string][]byte{"flipped": flipped, "cut": sound[:1000], "empty": {}} {
		b.askPath("GET", link, "").want(302)
		b.askPath("GET", download, "").want(200)
		mustSucceed(t, os.WriteFile(file, content, 0o600))
		for _, parts := range [][]withHeader{nil, {{"Range", "bytes=0-9"}}} {
			for _, path := range []string{link, download} {
				got := b.askPath("GET", path, "", parts...).failure(500, "internal_error")
				if !strings.Contains(got.Body.String(), "is damaged") || got.Header().Get("Location") != "" {
					t.Errorf("%s, %s: %s", what, path, got.Body)
				}
			}
		}
		mustSucceed(t, os.WriteFile(file, sound, 0o600))
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	c := b.addRecordedCall("acme", sound)
	where := b.askPath("GET", "/calls/"+c.ID+"/recording", "").want(302).Header().Get("Location")
	path := strings.TrimPrefix(where, "https://calls.example"+api.Root)
	none := withKey("")
	all := b.askPath("GET", path, "", none).want(200)
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
	part := b.askPath("GET", path, "", none, withHeader{"Range", "bytes=16-31"}).want(http.StatusPartialContent)
	if part.Body.String() != "RIFF....WAVE0123" || part.Header().Get("Content-Range") != "bytes 16-31/1024" {
		t.Errorf("%q %v", part.Body, part.Header())
	}
	b.askPath("GET", path, "", none, withHeader{"Range", "bytes=-10"}).want(206)
	b.askPath("GET", path, "", none, withHeader{"Range", "seconds=1-2"}).want(200)
	bad := b.askPath("GET", path, "", none, withHeader{"Range", "bytes=5000-"}).failure(416, "range_not_satisfiable")
	if bad.Header().Get("Content-Range") != "bytes */1024" {
		t.Errorf("%v", bad.Header())
	}
	if got := b.askPath("HEAD", path, "", none).want(200); got.Header().Get("Content-Length") != "1024" || got.Body.Len() > 0 {
		t.Errorf("HEAD: %v %q", got.Header(), got.Body)
	}
	for _, wrong := range []string{
		"/recordings/" + c.ID, "/recordings/" + c.ID + "?t=x", "/recordings/x?t=x",
		"/recordings/" + c.ID + "?t=" + b.links.Signer.RecordingToken("acme", c.ID, b.now),
		"/recordings/" + b.addRecordedCall("acme", sound).ID + path[strings.Index(path, "?"):],
	} {
		b.askPath("GET", wrong, "").failure(403, "permission_error")
	}
	b.now = b.now.Add(5 * time.Minute)
	b.askPath("GET", path, "", none).failure(403, "permission_error")
}
