package whole_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/store/bucket"
	"munadi/store/bucket/buckettest"
	"munadi/store/postgres/postgrestest"
)

// startBucket starts an S3 server with the bucket "recordings" and returns it with the setting for it.
func startBucket(t *testing.T) (s *buckettest.Server, setting string) {
	t.Helper()
	if buckettest.FindServer() == "" {
		skipOrFail(t, "the S3 server (SeaweedFS) is not installed")
	}
	s, err := buckettest.StartServer()
	mustSucceed(t, err)
	t.Cleanup(func() { _ = s.Close() })
	mustSucceed(t, s.MakeBucket(t.Context(), "recordings"))
	return s, s.URL("recordings", "clinic")
}

// playRecording returns a call's recording, after comparing it with a range request.
func (a *testInstance) playRecording(t *testing.T, id string) []byte {
	t.Helper()
	link := fetchWithoutKey(t, a.URL+v1+"/calls/"+id+"/recording", withKey(bootstrapKey)).wantStatus(t, 302).Header.Get("Location")
	whole := fetchWithoutKey(t, link).wantStatus(t, 200).Body
	if part := fetchWithoutKey(t, link, withHeader("Range", "bytes=1000-1999")).wantStatus(t, 206).Body; !bytes.Equal(part, whole[1000:2000]) {
		t.Error("a range of the recording is another one than in the whole")
	}
	if whole[0] != 'R' || len(whole) < 44 {
		t.Errorf("no WAV file: %d bytes", len(whole))
	}
	return whole
}

// awaitUploaded waits until a call's recording is uploaded and removed from the local disk.
func (a *testInstance) awaitUploaded(t *testing.T, id string) {
	t.Helper()
	path := filepath.Join(a.Data, "recordings", "default", id+".wav")
	for until := time.Now().Add(conversation); ; time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("the recording is still on the disk\n%s", a.log.lastLines())
		}
	}
}

// inBucket reports whether an object exists in the bucket.
func inBucket(t *testing.T, setting, name string) bool {
	t.Helper()
	b, err := bucket.OpenBucket(setting, buckettest.LookupKeys(buckettest.KeyID, buckettest.KeySecret))
	mustSucceed(t, err)
	o, err := b.OpenObject(t.Context(), name)
	if err != nil {
		return false
	}
	return o.Close() == nil
}

// TestRecordingsInABucket checks that recordings are uploaded to a bucket and played from there, also by range; that
// they wait on disk while it is unreachable, also after a kill, which health, doctor and metrics report; and that
// erasure and backups include them.
func TestRecordingsInABucket(t *testing.T) {
	t.Parallel()
	s, setting := startBucket(t)
	conf := instanceSettings{
		data: filepath.Join(t.TempDir(), "data"), env: buckettest.ListVariables(),
		args: []string{"--recordings", setting, "--time-scale", "20"},
	}
	a := startInstance(t, conf)
	a.tends = []string{"does not answer"} // the test stops the bucket
	first := a.awaitEnded(t, a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id")).textAt("id")
	before := a.playRecording(t, first)
	a.awaitUploaded(t, first)
	if !inBucket(t, setting, "recordings/default/"+first+".wav") {
		t.Error("the recording is not in the bucket")
	}
	if after := a.playRecording(t, first); !bytes.Equal(before, after) {
		t.Errorf("from the bucket %d bytes come, from the disk came %d", len(after), len(before))
	}
	mustSucceed(t, s.Kill())
	second := a.awaitEnded(t, a.bookCall(t, simulatedNumber("97"), "appointment_confirmation", nil).textAt("id")).textAt("id")
	kept := a.playRecording(t, second) // from the local disk
	a.requestAPI(t, http.MethodGet, "/calls/"+first+"/recording", nil).wantFailure(t, http.StatusServiceUnavailable, "unavailable")
	a.awaitHealthMessage(t, "does not answer")
	if status, body := a.probePath(t.Context(), "/metrics"); status != 200 || !strings.Contains(body, "munadi_recordings_waiting 1") ||
		!strings.Contains(body, "munadi_bucket_up 0") {
		t.Error("the metrics do not tell that the bucket is away and a recording waits")
	}
	told := runMunadi(t, buckettest.ListVariables(), "doctor", "--data", a.Data, "--cache", cacheDir(), "--recordings", setting)
	if !strings.Contains(told.stdout, "does not answer") || !strings.Contains(told.stdout, "1 recordings wait") {
		t.Errorf("doctor says %+v", told)
	}
	a.killProcess(t)
	a = startInstance(t, conf) // the bucket is unreachable
	mustSucceed(t, s.Start())
	a.awaitUploaded(t, second)
	if again := a.playRecording(t, second); !bytes.Equal(again, kept) {
		t.Errorf("the recording that waited had %d bytes, and has %d", len(kept), len(again))
	}
	a.awaitHealthMessage(t, "")

	file, without := filepath.Join(t.TempDir(), "all.backup"), filepath.Join(t.TempDir(), "without.backup")
	if got := runMunadi(t, buckettest.ListVariables(), "backup", "--plain", "--data", a.Data, "--recordings", setting,
		"--backup-bucket", file); got.code != 0 || strings.Contains(got.stderr, "are not included; --backup-bucket") {
		t.Fatalf("backup: %+v", got)
	}
	got := runMunadi(t, nil, "backup", "--plain", "--data", a.Data, "--recordings", setting, without)
	if got.code != 0 || !strings.Contains(got.stderr, "Recordings in the bucket s3://recordings/clinic") {
		t.Fatalf("backup without the bucket, and without its keys: %+v", got)
	}
	got = runMunadi(t, nil, "restore", "--verify", "--data", a.Data, without)
	if got.code != 0 || !strings.Contains(got.stderr, "s3://recordings/clinic") {
		t.Errorf("the backup without the bucket: %+v", got)
	}
	a.requestAPI(t, http.MethodDelete, "/people/"+strings.TrimPrefix(simulatedNumber("97"), "+"), nil).wantStatus(t, 200)
	for until := time.Now().Add(patience); inBucket(t, setting, "recordings/default/"+second+".wav"); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the recording of an erased person is still in the bucket")
		}
	}
	if log := a.log.String(); strings.Contains(log, buckettest.KeySecret) {
		t.Error("the secret key is in the log")
	}
	a.stopGracefully(t)
	back := filepath.Join(t.TempDir(), "restored")
	if got := runMunadi(t, nil, "restore", "--data", back, file); got.code != 0 {
		t.Fatalf("restore: %+v", got)
	}
	for _, id := range []string{first, second} {
		content, err := os.ReadFile(filepath.Join(back, "recordings", "default", id+".wav"))
		if err != nil || len(content) < 1000 {
			t.Errorf("the backup has %d bytes of the recording %s: %v", len(content), id, err)
		}
	}
}

// awaitHealthMessage waits until the message of /health contains a text; for an empty text, until it mentions no
// bucket.
func (a *testInstance) awaitHealthMessage(t *testing.T, text string) {
	t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		status, body := a.probePath(t.Context(), "/health")
		if strings.Contains(body, "127.0.0.1") || strings.Contains(body, "clinic") {
			t.Errorf("/health, which is public, names the bucket: %s", body)
		}
		if status == 200 && (text != "" && strings.Contains(body, text) || text == "" && !strings.Contains(body, "bucket")) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("/health says %d %s, not %q", status, body, text)
		}
	}
}

// TestBucketRefusals checks that the start is refused with an explanation for a missing bucket, for wrong or missing
// keys, and for a bucket of another installation.
func TestBucketRefusals(t *testing.T) {
	t.Parallel()
	s, setting := startBucket(t)
	for _, c := range []struct {
		setting, id, secret, says string
	}{
		{s.URL("nowhere", ""), buckettest.KeyID, buckettest.KeySecret, "does not exist"},
		{setting, buckettest.KeyID, "not-the-secret", "AWS_SECRET_ACCESS_KEY"},
		{setting, buckettest.ReaderID, buckettest.ReaderSecret, "PutObject"},
		{setting, "", "", "AWS_ACCESS_KEY_ID"},
	} {
		a, err := launchProcess(builtBinary(t), instanceSettings{
			data: filepath.Join(t.TempDir(), "data"), args: []string{"--recordings", c.setting},
			env: []string{"AWS_ACCESS_KEY_ID=" + c.id, "AWS_SECRET_ACCESS_KEY=" + c.secret},
		})
		if err == nil {
			_ = a.endInstance() // it started, and should not have
			t.Errorf("%+v starts", c)
		} else if text := err.Error(); !strings.Contains(text, c.says) || strings.Contains(text, "not-the-secret") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// startBucketPair starts a bucket, a database and two appliances that share both, and returns the settings of the
// second.
func startBucketPair(t *testing.T) (s *buckettest.Server, p appliancePair, second instanceSettings) {
	t.Helper()
	s, setting := startBucket(t)
	server := postgrestest.OpenServer(t, true)
	args := []string{"--store", server.URL(""), "--recordings", setting, "--time-scale", "20"}
	p = appliancePair{server: server, a: startInstance(t, instanceSettings{args: args, env: buckettest.ListVariables()})}
	second = instanceSettings{
		args: append(args, "--secret-file", filepath.Join(p.a.Data, "secret.key")), env: buckettest.ListVariables(), noKey: true,
	}
	p.b = startInstance(t, second)
	second.data = p.b.Data
	return s, p, second
}

// TestBucketOfTwo checks that two appliances with one bucket share recordings, recorded prompts, and the transcription
// jobs of one that stopped.
func TestBucketOfTwo(t *testing.T) {
	t.Parallel()
	s, p, _ := startBucketPair(t)
	checkPromptsOfTwo(t, p, s.URL("recordings", "clinic"))
	id := p.a.awaitEnded(t, p.a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id")).textAt("id")
	owner, other := p.ownerOf(t, id)
	before := owner.playRecording(t, id)
	owner.awaitUploaded(t, id)
	if !bytes.Equal(other.playRecording(t, id), before) {
		t.Error("the other appliance plays another recording")
	}
	var waiting []string
	for range 6 {
		waiting = append(waiting, p.a.enqueueJob(t, withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 60)))))
	}
	p.a.killProcess(t)
	for _, id := range waiting { // the running job starts again on the other appliance, so its progress may fall once
		for until := time.Now().Add(jobPatience()); p.b.fetchJob(t, id)["status"] != "done" && time.Now().Before(until); {
			time.Sleep(100 * time.Millisecond)
		}
		p.b.awaitJobResult(t, id)
	}
}

// TestRecordingsInAFolder checks a folder instead of a bucket.
func TestRecordingsInAFolder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "share")
	a := startInstance(t, instanceSettings{args: []string{"--recordings", folder, "--time-scale", "20"}})
	id := a.awaitEnded(t, a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id")).textAt("id")
	before := a.playRecording(t, id)
	a.awaitUploaded(t, id)
	content, err := os.ReadFile(filepath.Join(folder, "recordings", "default", id+".wav"))
	if err != nil || !bytes.Equal(content, before) || !bytes.Equal(a.playRecording(t, id), before) {
		t.Errorf("the folder has %d bytes of %d: %v", len(content), len(before), err)
	}
}
