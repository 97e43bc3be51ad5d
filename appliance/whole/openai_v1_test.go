package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/subtitle"
)

// openAIOutput is the output of the test programs on OpenAI's clients with the API below /v1, see testdata.
type openAIOutput struct {
	Models         []string
	Model          string
	JSON           string
	Text, SRT, VTT string
	Verbose        []any // text, language, seconds, segments, words
	Words          []string
	Diarized       []any // type, segments
	Deltas         []string
	Done           []any // type, text, log probabilities
	Speech         map[string][]string

	Default  string
	WAV      []float64 // rate, channels, bytes of a sample, length at half the speed
	PCM      bool
	Voices   map[string]any
	Async    []string
	Sizes    []int
	Failures [][]any
}

// thanks is a text that is recorded, and that the built-in model understands in the recorded voice.
const thanks = "شكرا جزيلا مع السلامة"

// checkOpenAI checks the results that all clients have.
func (s openAIOutput) checkOpenAI(t *testing.T, a *testInstance) {
	t.Helper()
	order := []requestPart{withFile(demoSample(t, "order.flac")), withField("response_format", "verbose_json")}
	verbose := a.postForm(t, transcriptions, order...).wantStatus(t, 200).jsonBody(t)
	text, _ := verbose["text"].(string)
	segments, _ := verbose["segments"].([]any)
	for _, name := range []string{"svc-stt", "whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"} {
		if !slices.Contains(s.Models, name) {
			t.Errorf("no %s among the models %v", name, s.Models)
		}
	}
	if s.Model != "gpt-4o-transcribe" || s.JSON != text || s.Text != text+"\n" || strings.Join(s.Words, " ") != text {
		t.Errorf("model %s, json %q, text %q, words %q, want %q", s.Model, s.JSON, s.Text, s.Words, text)
	}
	var cues []subtitle.SubtitleCue
	for _, one := range segments {
		one := one.(map[string]any)
		cues = append(cues, subtitle.SubtitleCue{Start: one["start"].(float64), End: one["end"].(float64), Text: one["text"].(string)})
	}
	var srt, vtt strings.Builder
	mustSucceed(t, subtitle.WriteSRT(&srt, cues))
	mustSucceed(t, subtitle.WriteVTT(&vtt, cues))
	if s.SRT != srt.String() || s.VTT != vtt.String() {
		t.Errorf("srt %q, vtt %q", s.SRT, s.VTT)
	}
	wantList(t, s.Verbose, text, "ar", verbose["duration"], float64(len(segments)), nil)
	if len(s.Deltas) < 4 || strings.Join(s.Deltas, "") != text {
		t.Errorf("deltas %q, want %q", s.Deltas, text)
	}
	wantList(t, s.Done, "transcript.text.done", text, float64(len(s.Words)))
	speakers := ""
	for i, one := range s.Diarized[1:] {
		segment := one.([]any)
		if segment[0] != "transcript.text.segment" || segment[1] == "" || segment[3] != true || segment[4] == "" {
			t.Errorf("segment %d: %v", i, segment)
		}
		if speaker := segment[2].(string); !strings.HasSuffix(speakers, speaker) {
			speakers += speaker
		}
	}
	if s.Diarized[0] != "TranscriptionDiarized" || speakers != "ABA" {
		t.Errorf("speakers %s in %v", speakers, s.Diarized)
	}
	if got := s.Speech["flac"]; !reflect.DeepEqual(got, []string{"audio/flac", thanks}) {
		t.Errorf("speech in flac: %q", got)
	}
	for i, want := range [][]any{
		{"AuthenticationError", 401.0, "invalid_request_error", nil, "invalid_api_key"},
		{"NotFoundError", 404.0, "invalid_request_error", "model", "model_not_found"},
		{"BadRequestError", 400.0, "invalid_request_error", "language", "unsupported_language"},
		{"BadRequestError", 400.0, "invalid_request_error", "response_format", "diarization_unavailable"},
	} {
		wantList(t, s.Failures[i], want...)
	}
}

// twoChannelFile writes the conversation of two speakers, one in each channel.
func twoChannelFile(t *testing.T) string {
	t.Helper()
	left, right := twoSpeakers(t)
	path := filepath.Join(t.TempDir(), "two.wav")
	mustSucceed(t, os.WriteFile(path, stereoWAV(left, right, 1, 1<<15), 0o600))
	return path
}

func TestOpenAIFacePython(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	if err := exec.Command(python, "-c", "import openai").Run(); err != nil {
		skipOrFail(t, "no openai package in .cache/venv: packaging/setup test")
	}
	a := sharedInstance(t)
	var got openAIOutput
	tellsOf(t, exec.Command(python, "testdata/openai_v1.py", a.URL+"/v1", bootstrapKey,
		projectPath(t, "assets/web/samples/order.flac"), twoChannelFile(t), t.TempDir()), &got)
	got.checkOpenAI(t, a)
	mp3 := []string{"audio/mpeg", thanks}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		mp3 = []string{"invalid_value", "response_format"}
	}
	for format, want := range map[string][]string{"wav": {"audio/wav", thanks}, "opus": {"audio/ogg", thanks}, "mp3": mp3} {
		if !reflect.DeepEqual(got.Speech[format], want) {
			t.Errorf("speech in %s: %q, want %q", format, got.Speech[format], want)
		}
	}
	if want := map[bool]string{true: "audio/mpeg", false: "audio/wav"}[mp3[0] == "audio/mpeg"]; got.Default != want {
		t.Errorf("the default is %s, want %s", got.Default, want)
	}
	if w := got.WAV; w[0] != 24000 || w[1] != 1 || w[2] != 2 || w[3] < 1.999 || w[3] > 2.001 || !got.PCM {
		t.Errorf("wav %v, pcm %v", w, got.PCM)
	}
	if voices, _ := got.Voices["data"].([]any); got.Voices["object"] != "list" || len(voices) < 2 {
		t.Errorf("voices %v", got.Voices)
	}
	for i, text := range got.Async {
		if text != got.JSON || got.Sizes[i] < 10000 {
			t.Errorf("asynchronous: %q, %d bytes", text, got.Sizes[i])
		}
	}
	for i, want := range [][]any{
		{"BadRequestError", 400.0, "invalid_request_error", "response_format", "invalid_value"},
		{"BadRequestError", 400.0, "invalid_request_error", "file", "audio_decode_error"},
		{"NotFoundError", 404.0, "invalid_request_error", nil, "not_found"},
		{"BadRequestError", 400.0, "invalid_request_error", "voice", "invalid_value"},
		{"NotFoundError", 404.0, "invalid_request_error", "model", "model_not_found"},
		{"NotFoundError", 404.0, "invalid_request_error", "model", "model_not_found"},
		{"NotFoundError", 404.0, "invalid_request_error", nil, "not_found"},
	} {
		wantList(t, got.Failures[4+i], want...)
	}
}

func TestOpenAIFaceNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	folder := projectPath(t, ".cache/node")
	if _, gone := os.Stat(filepath.Join(folder, "node_modules/openai/package.json")); err != nil || gone != nil {
		skipOrFail(t, "no node, or no openai package in .cache/node: packaging/setup test")
	}
	a := sharedInstance(t)
	var got openAIOutput
	tellsOf(t, exec.Command(node, "testdata/openai_v1.mjs", folder, a.URL+"/v1", bootstrapKey,
		projectPath(t, "assets/web/samples/order.flac"), twoChannelFile(t)), &got)
	got.checkOpenAI(t, a)
}
