package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// enqueue books a job and returns its id.
func (a *instance) enqueue(t testing.TB, parts ...part) string {
	t.Helper()
	got := a.post(t, jobs, parts...).want(t, http.StatusAccepted)
	body := got.object(t)
	keys(t, "the receipt", body, "id status")
	id, ok := body["id"].(string)
	if !ok || id == "" || body["status"] != "queued" {
		t.Fatalf("%s", got)
	}
	return id
}

// job asks how a job stands.
func (a *instance) job(t testing.TB, id string) map[string]any {
	t.Helper()
	return a.get(t, jobs+"/"+id).want(t, 200).object(t)
}

// finish waits for a job's end and returns its result.
func (a *instance) finish(t testing.TB, id string) map[string]any {
	t.Helper()
	body := a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] == "done" || j["status"] == "failed" })
	if body["status"] != "done" || number(t, body, "progress") != 1 {
		t.Fatalf("the job ended as %v", body)
	}
	result, ok := body["result"].(map[string]any)
	if !ok {
		t.Fatalf("the job's result is %v", body["result"])
	}
	return result
}

// awaitJob asks until the job is as wanted. Progress never falls while it is asked.
func (a *instance) awaitJob(t testing.TB, id string, wanted func(map[string]any) bool) map[string]any {
	t.Helper()
	deadline, reached := time.Now().Add(jobPatience()), 0.0
	for {
		body := a.job(t, id)
		progress := number(t, body, "progress")
		if progress < reached || progress > 1 {
			t.Fatalf("progress went from %v to %v", reached, progress)
		}
		reached = progress
		if wanted(body) {
			return body
		}
		if time.Now().After(deadline) {
			t.Fatalf("the job still is %v\n%s", body, a.log.tail())
		}
		time.Sleep(30 * time.Millisecond)
	}
}

func jobPatience() time.Duration {
	if long() {
		return 30 * time.Minute
	}
	return 4 * time.Minute
}

func TestJob(t *testing.T) {
	t.Parallel()
	a := shared(t)
	sound := file(sample(t, "order.flac"))
	want := a.post(t, transcriptions, sound, field("response_format", "verbose_json")).want(t, 200).object(t)
	got := a.finish(t, a.enqueue(t, sound, field("response_format", "verbose_json")))
	if got["text"] != want["text"] || len(list(t, got, "words")) != len(list(t, want, "words")) {
		t.Errorf("the job heard %v, the request %v", got, want)
	}
	a.get(t, jobs+"/nothing").want(t, 404).detail(t)
	a.get(t, jobs+"/00000000-0000-0000-0000-000000000000").want(t, 404).detail(t)
	if v := a.post(t, jobs, file([]byte("%PDF-1.7"))).violations(t)[0]; v.Type != "audio_decode_error" {
		t.Errorf("%+v", v)
	}
}

// TestJobOfText: the result is the body that a request would have had, a string then.
func TestJobOfText(t *testing.T) {
	t.Parallel()
	a := shared(t)
	id := a.enqueue(t, file(golden(t, "g00.wav")), field("response_format", "text"))
	body := a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] != "queued" && j["status"] != "running" })
	if body["result"] != goldenText+"\n" {
		t.Errorf("%v", body)
	}
}

// TestJobThatBreaksOff: a file whose fault shows up only while it is decoded fails the job, with a helpful sentence.
func TestJobThatBreaksOff(t *testing.T) {
	t.Parallel()
	a := shared(t)
	whole := ffmpeg(t, wav(t, repeated(t, sample(t, "order.flac"), 60)), "flac")
	broken := append([]byte(nil), whole[:len(whole)*2/3]...)
	answered := a.post(t, jobs, file(broken))
	if answered.Status == 422 {
		return // found at once: as good
	}
	id := answered.want(t, 202).object(t)["id"].(string)
	body := a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] == "done" || j["status"] == "failed" })
	if body["status"] != "failed" || body["detail"] == nil || body["result"] != nil {
		t.Errorf("%v", body)
	}
}

// TestJobSurvives: a power cut in the middle, and the job is done after the next start, from its beginning, whole.
func TestJobSurvivesAPowerCut(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	recording := file(wav(t, repeated(t, sample(t, "order.flac"), 600)))
	first := a.enqueue(t, recording)
	second := a.enqueue(t, file(golden(t, "g00.wav")))
	a.awaitJob(t, first, func(j map[string]any) bool { return j["status"] == "running" && number(t, j, "progress") > 0.05 })
	a.kill(t)

	b := start(t, settings{data: a.Data, noKey: true})
	if got := b.job(t, first); got["status"] != "queued" && got["status"] != "running" {
		t.Fatalf("after the power cut the job is %v", got)
	}
	result := b.finish(t, first)
	words := strings.Count(result["text"].(string), "توصيل")
	if times := 600 / 17; words < times-2 {
		t.Errorf("a sentence that was said about %d times came out %d times", times, words)
	}
	if got := b.finish(t, second); got["text"] != goldenText {
		t.Errorf("the second job heard %v", got)
	}
	if left := leftovers(t, b); len(left) > 0 {
		t.Errorf("uploads of jobs that ended are left: %v", left)
	}
}

// TestJobSurvivesStops: orderly stops, however many, are no reason to give a job up.
func TestJobSurvivesStops(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	id := a.enqueue(t, file(wav(t, repeated(t, sample(t, "order.flac"), 900))))
	for range 5 {
		a.awaitJob(t, id, func(j map[string]any) bool { return j["status"] != "queued" })
		a.stop(t)
		a = start(t, settings{data: a.Data, noKey: true})
	}
	if text := a.finish(t, id)["text"].(string); !strings.Contains(text, "توصيل") {
		t.Errorf("heard %q", text)
	}
}
