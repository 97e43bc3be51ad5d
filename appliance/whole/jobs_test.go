package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// enqueueJob creates a transcription job and returns its id.
func (a *testInstance) enqueueJob(t testing.TB, parts ...requestPart) string {
	t.Helper()
	got := a.postForm(t, jobs, parts...).wantStatus(t, http.StatusAccepted)
	body := got.jsonBody(t)
	wantKeys(t, "the receipt", body, "id status")
	id, ok := body["id"].(string)
	if !ok || id == "" || body["status"] != "queued" {
		t.Fatalf("%s", got)
	}
	return id
}

func (a *testInstance) fetchJob(t testing.TB, id string) map[string]any {
	t.Helper()
	return a.getPath(t, jobs+"/"+id).wantStatus(t, 200).jsonBody(t)
}

// awaitJobResult waits for a job's end and returns its result.
func (a *testInstance) awaitJobResult(t testing.TB, id string) map[string]any {
	t.Helper()
	body := a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] == "done" || j["status"] == "failed" })
	if body["status"] != "done" || finiteNumber(t, body, "progress") != 1 {
		t.Fatalf("the job ended as %v", body)
	}
	result, ok := body["result"].(map[string]any)
	if !ok {
		t.Fatalf("the job's result is %v", body["result"])
	}
	return result
}

// awaitJob polls a job until it satisfies a condition, and checks that its progress never falls.
func (a *testInstance) awaitJob(t testing.TB, id string, wanted func(map[string]any) bool) map[string]any {
	t.Helper()
	deadline, reached := time.Now().Add(jobPatience()), 0.0
	for {
		body := a.fetchJob(t, id)
		progress := finiteNumber(t, body, "progress")
		if progress < reached || progress > 1 {
			t.Fatalf("progress went from %v to %v", reached, progress)
		}
		reached = progress
		if wanted(body) {
			return body
		}
		if time.Now().After(deadline) {
			t.Fatalf("the job still is %v\n%s", body, a.log.lastLines())
		}
		time.Sleep(30 * time.Millisecond)
	}
}

func jobPatience() time.Duration {
	if runsLongForms() {
		return 30 * time.Minute
	}
	return 4 * time.Minute
}

func TestJob(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(demoSample(t, "order.flac"))
	want := a.postForm(t, transcriptions, sound, withField("response_format", "verbose_json")).wantStatus(t, 200).jsonBody(t)
	got := a.awaitJobResult(t, a.enqueueJob(t, sound, withField("response_format", "verbose_json")))
	if got["text"] != want["text"] || len(objectList(t, got, "words")) != len(objectList(t, want, "words")) {
		t.Errorf("the job heard %v, the request %v", got, want)
	}
	a.getPath(t, jobs+"/nothing").wantStatus(t, 404).failureDetail(t)
	a.getPath(t, jobs+"/00000000-0000-0000-0000-000000000000").wantStatus(t, 404).failureDetail(t)
	if v := a.postForm(t, jobs, withFile([]byte("%PDF-1.7"))).violationEntries(t)[0]; v.Type != "audio_decode_error" {
		t.Errorf("%+v", v)
	}
}

// TestJobOfText checks that the result is the body of the synchronous request, as a string for text formats.
func TestJobOfText(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	id := a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav")), withField("response_format", "text"))
	body := a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] != "queued" && j["status"] != "running" })
	if body["result"] != goldenText+"\n" {
		t.Errorf("%v", body)
	}
}

// TestJobThatBreaksOff checks that a file with a fault that is found while decoding fails the job with an explanation.
func TestJobThatBreaksOff(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	whole := convertWithFFmpeg(t, encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 60)), "flac")
	broken := append([]byte(nil), whole[:len(whole)*2/3]...)
	answered := a.postForm(t, jobs, withFile(broken))
	if answered.Status == 422 {
		return // refused at once, which is accepted too
	}
	id := answered.wantStatus(t, 202).jsonBody(t)["id"].(string)
	body := a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] == "done" || j["status"] == "failed" })
	if body["status"] != "failed" || body["detail"] == nil || body["result"] != nil {
		t.Errorf("%v", body)
	}
}

// TestJobSurvivesAPowerCut checks that a job that a kill interrupted is done after the next start, from its beginning.
func TestJobSurvivesAPowerCut(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	recording := withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 600)))
	first := a.enqueueJob(t, recording)
	second := a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav")))
	a.awaitJob(t, first, func(j map[string]any) bool { return j["status"] == "running" && finiteNumber(t, j, "progress") > 0.05 })
	a.killProcess(t)

	b := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	if got := b.fetchJob(t, first); got["status"] != "queued" && got["status"] != "running" {
		t.Fatalf("after the power cut the job is %v", got)
	}
	result := b.awaitJobResult(t, first)
	words := strings.Count(result["text"].(string), "توصيل")
	if times := 600 / 17; words < times-2 {
		t.Errorf("a sentence that was said about %d times came out %d times", times, words)
	}
	if got := b.awaitJobResult(t, second); got["text"] != goldenText {
		t.Errorf("the second job heard %v", got)
	}
	if left := leftoverUploads(t, b); len(left) > 0 {
		t.Errorf("uploads of jobs that ended are left: %v", left)
	}
}

// TestJobSurvivesStops checks that any number of orderly stops does not fail a job.
func TestJobSurvivesStops(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	id := a.enqueueJob(t, withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 900))))
	for range 5 {
		a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] != "queued" })
		a.stopGracefully(t)
		a = startInstance(t, instanceSettings{data: a.Data, noKey: true})
	}
	if text := a.awaitJobResult(t, id)["text"].(string); !strings.Contains(text, "توصيل") {
		t.Errorf("heard %q", text)
	}
}
