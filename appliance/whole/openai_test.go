package whole_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// clientOutput is the output of the test programs on OpenAI's clients, see testdata.
type clientOutput struct {
	Models   []string
	Model    string
	JSON     string
	Text     string
	Verbose  string
	Duration float64
	Language string
	Segments [][]any
	Words    [][]any
	Stream   heardStream

	Logprobs         [][]any
	StreamedLogprobs int `json:"streamed_logprobs"`

	Async       []string
	AsyncStream heardStream `json:"async_stream"`
	Failures    [][]any
}

type heardStream struct {
	Deltas []string
	Done   struct {
		Text    string
		Seconds float64
	}
}

func (s heardStream) wantText(t testing.TB, what, text string) {
	t.Helper()
	if len(s.Deltas) < 4 || strings.Join(s.Deltas, "") != text || s.Done.Text != text || s.Done.Seconds != 16 {
		t.Errorf("%s: %d deltas %q, done %+v, want %q", what, len(s.Deltas), s.Deltas, s.Done, text)
	}
}

// runClient runs a test program and decodes its output.
func runClient(t testing.TB, program string, args ...string) clientOutput {
	t.Helper()
	cmd := exec.Command(program, args...)
	said, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if ok := asExit(err, &exit); ok {
			t.Fatalf("%v: %v\n%s", args, err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var out clientOutput
	mustSucceed(t, json.Unmarshal(said, &out))
	return out
}

func asExit(err error, to **exec.ExitError) bool {
	exit, ok := err.(*exec.ExitError) //nolint:errorlint // exec returns it unwrapped
	*to = exit
	return ok
}

// checkCommon checks the results that all clients have.
func (s clientOutput) checkCommon(t testing.TB, a *testInstance) (text string) {
	t.Helper()
	text, _ = a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200).jsonBody(t)["text"].(string)
	if !reflect.DeepEqual(s.Models, []string{"svc-stt"}) || s.Model != "svc-stt" {
		t.Errorf("models %v, %q", s.Models, s.Model)
	}
	if s.JSON != text || s.Verbose != text || s.Duration < 15.9 || s.Duration > 16 {
		t.Errorf("json %q, verbose_json %q of %v s, want %q", s.JSON, s.Verbose, s.Duration, text)
	}
	s.Stream.wantText(t, "stream", text)
	return text
}

// checkDetails checks the results of clients with types for verbose_json and text.
func (s clientOutput) checkDetails(t testing.TB, text string) {
	t.Helper()
	if s.Text != text+"\n" || s.Language != "ar" {
		t.Errorf("text %q, language %q", s.Text, s.Language)
	}
	if len(s.Words) != len(strings.Fields(text)) || len(s.Segments) < 4 {
		t.Errorf("%d words, %d segments of %q", len(s.Words), len(s.Segments), text)
	}
}

func TestOpenAIPython(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	if err := exec.Command(python, "-c", "import openai").Run(); err != nil {
		skipOrFail(t, "no openai package in .cache/venv: packaging/setup test")
	}
	a := sharedInstance(t)
	got := runClient(t, python, "testdata/openai_client.py", a.URL+"/compat/v1", bootstrapKey, projectPath(t, "assets/web/samples/order.flac"))
	text := got.checkCommon(t, a)
	got.checkDetails(t, text)
	joined := ""
	for _, l := range got.Logprobs {
		token, written, value := l[0].(string), l[1].(string), l[2].(float64)
		if joined += token; token != written || value > 0 || value < -20 {
			t.Errorf("log probability %v", l)
		}
	}
	if joined != text || got.StreamedLogprobs != len(got.Logprobs) {
		t.Errorf("%d tokens streamed of %q, want those of %q", got.StreamedLogprobs, joined, text)
	}
	got.AsyncStream.wantText(t, "asynchronous stream", text)
	for _, one := range got.Async {
		if one != text {
			t.Errorf("asynchronous: %q", one)
		}
	}
	want := [][]any{
		{"AuthenticationError", 401.0},
		{"UnprocessableEntityError", 422.0},
		{"UnprocessableEntityError", 422.0},
		{"UnprocessableEntityError", 422.0},
	}
	if len(got.Async) != 4 || !reflect.DeepEqual(got.Failures, want) {
		t.Errorf("%d asynchronous answers, failures %v", len(got.Async), got.Failures)
	}
}

func TestOpenAINode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	folder := projectPath(t, ".cache/node")
	if _, gone := os.Stat(filepath.Join(folder, "node_modules/openai/package.json")); err != nil || gone != nil {
		skipOrFail(t, "no node, or no openai package in .cache/node: packaging/setup test")
	}
	a := sharedInstance(t)
	got := runClient(t, node, "testdata/openai_client.mjs", folder, a.URL+"/compat/v1", bootstrapKey, projectPath(t, "assets/web/samples/order.flac"))
	got.checkDetails(t, got.checkCommon(t, a))
	if len(got.Failures) < 2 || !reflect.DeepEqual(got.Failures[:2], [][]any{{"AuthenticationError", 401.0}, {"UnprocessableEntityError", 422.0}}) {
		t.Errorf("failures %v", got.Failures)
	}
}

// TestOpenAIGo builds the client from its own module, which takes minutes the first time.
func TestOpenAIGo(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("compiling OpenAI's Go client takes minutes: MUNADI_LONG=1 runs it")
	}
	program := filepath.Join(t.TempDir(), "goclient")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "testdata/goclient"
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := build.CombinedOutput(); err != nil {
		skipOrFail(t, "the Go client cannot be built: "+string(out))
	}
	a := sharedInstance(t)
	runClient(t, program, a.URL+"/compat/v1", bootstrapKey, projectPath(t, "assets/web/samples/order.flac")).checkCommon(t, a)
}
