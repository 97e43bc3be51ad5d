package whole_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	openai "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	sashabaranov "github.com/sashabaranov/go-openai"
)

// foreignOutput is the output of testdata/v1_clients.py and .mjs: of each client what it offers.
type foreignOutput struct {
	Text  string // transcribed
	Other string // the same with another model
	Heard string // the same inside a pipeline
	// Verbose are the text, the language and the words, or the whole text alone.
	Verbose  []any
	SRT      string
	Said     string // the transcript of the speech that was made
	PCM      int    // bytes of speech
	Models   []string
	Failures [][]any // the class of the error, the status, the text
}

// TestForeignClients checks that libraries and programs that were written for OpenAI's audio API work unchanged, with
// no more than its address and a key; and that their errors say what the API said.
func TestForeignClients(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	want := a.transcribeOrder(t)
	for name, command := range foreignClients(t, a) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got foreignOutput
			output := runForeign(t, command)
			mustSucceed(t, json.Unmarshal(output, &got))
			got.checkForeign(t, want)
			if t.Failed() {
				t.Logf("all of it: %s", output)
			}
		})
	}
}

// foreignClients returns the commands of the clients by their names.
func foreignClients(t *testing.T, a *testInstance) map[string]*exec.Cmd {
	t.Helper()
	python, packages := projectPath(t, ".cache/venv/bin/python"), projectPath(t, ".cache/node")
	recording := projectPath(t, "assets/web/samples/order.flac")
	if err := exec.Command(python, "-c", "import pydub, speech_recognition").Run(); err != nil {
		skipOrFail(t, "no clients in .cache/venv: packaging/setup test")
	}
	if _, err := os.Stat(filepath.Join(packages, "node_modules/@ai-sdk/openai/package.json")); err != nil {
		skipOrFail(t, "no clients in .cache/node: packaging/setup test")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		skipOrFail(t, "no ffmpeg: packaging/setup test")
	}
	all := map[string]*exec.Cmd{}
	for _, name := range []string{"litellm", "langchain", "speech_recognition", "agents", "whisper_srt", "home_assistant"} {
		all[name] = exec.Command(python, "testdata/v1_clients.py", name, a.URL+"/v1", bootstrapKey, recording, t.TempDir())
	}
	for _, name := range []string{"vercel", "n8n"} {
		all[name] = exec.Command("node", "testdata/v1_clients.mjs", name, packages, a.URL+"/v1", bootstrapKey, recording)
	}
	return all
}

// runForeign runs a client and returns the last line of its output.
func runForeign(t *testing.T, command *exec.Cmd) []byte {
	t.Helper()
	var told bytes.Buffer
	command.Stderr = &told
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s\n%s", command.Args[1:3], err, out, &told)
	}
	return out
}

// transcribeOrder returns the text of the recording that the clients transcribe.
func (a *testInstance) transcribeOrder(t *testing.T) string {
	t.Helper()
	body := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200).jsonBody(t)
	text, _ := body["text"].(string)
	if len(text) < 50 {
		t.Fatalf("the recording is heard as %q", text)
	}
	return text
}

// checkForeign checks what a client offers; what it does not, is empty.
func (o foreignOutput) checkForeign(t *testing.T, want string) {
	t.Helper()
	checks := map[string]string{"text": o.Text, "other model": o.Other, "pipeline": o.Heard, "srt": textOfSubtitles(o.SRT)}
	if len(o.Verbose) > 0 {
		checks["verbose_json"], _ = o.Verbose[0].(string)
	}
	for form, got := range checks {
		if got != "" && got != want {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
	if o.Text == "" && o.SRT == "" {
		t.Error("nothing was transcribed")
	}
	if o.Said != "" && o.Said != thanks {
		t.Errorf("the speech is heard as %q", o.Said)
	}
	if o.PCM != 0 && o.PCM < 48000 {
		t.Errorf("%d bytes of speech at 24 kHz", o.PCM)
	}
	for _, one := range o.Failures {
		checkForeignFailure(t, one)
	}
}

// checkForeignFailure checks that an error of a client has the status and the words of the API.
func checkForeignFailure(t *testing.T, failure []any) {
	t.Helper()
	text, _ := failure[2].(string)
	for says, status := range map[string]float64{
		"Missing or invalid API key": 401, "The model 'whisper-7' does not exist here": 404,
		"The model does not have the language 'fr'. It has: 'ar'": 400,
	} {
		if strings.Contains(text, says) && (failure[1] == nil || failure[1] == status) {
			return
		}
	}
	t.Errorf("an error that does not say why: %v", failure)
}

// cueTimes matches what stands before the text of a subtitle in srt and vtt.
var cueTimes = regexp.MustCompile(`(?m)^(\d+\n)?[\d:.,]{12} --> [\d:.,]{12}\n`)

// textOfSubtitles returns the text of subtitles in one line.
func textOfSubtitles(cues string) string {
	return strings.Join(strings.Fields(cueTimes.ReplaceAllString(strings.TrimPrefix(cues, "WEBVTT\n"), "")), " ")
}

// TestForeignClientOfficialGo runs OpenAI's own client for Go.
func TestForeignClientOfficialGo(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	want := a.transcribeOrder(t)
	client := openai.NewClient(option.WithBaseURL(a.URL+"/v1"), option.WithAPIKey(bootstrapKey), option.WithMaxRetries(0))
	order := func() openai.AudioTranscriptionNewParams {
		return openai.AudioTranscriptionNewParams{
			Model: "gpt-4o-transcribe", File: bytes.NewReader(demoSample(t, "order.flac")),
			Include: []openai.TranscriptionInclude{openai.TranscriptionIncludeLogprobs}, Language: openai.String("ar"),
		}
	}
	whole, err := client.Audio.Transcriptions.New(t.Context(), order())
	mustSucceed(t, err)
	if whole.Text != want || len(whole.Logprobs) != len(strings.Fields(want)) {
		t.Errorf("%q with %d log probabilities", whole.Text, len(whole.Logprobs))
	}
	stream, deltas, last := client.Audio.Transcriptions.NewStreaming(t.Context(), order()), "", ""
	for stream.Next() {
		event := stream.Current()
		deltas, last = deltas+event.Delta, event.Text
	}
	if mustSucceed(t, stream.Err()); deltas != want || last != want {
		t.Errorf("deltas %q, at the end %q", deltas, last)
	}
	speech, err := client.Audio.Speech.New(t.Context(), openai.AudioSpeechNewParams{
		Model: "tts-1", Input: thanks, ResponseFormat: openai.AudioSpeechNewParamsResponseFormatFLAC,
		Voice: openai.AudioSpeechNewParamsVoiceUnion{OfString: openai.String("coral")},
	})
	mustSucceed(t, err)
	defer speech.Body.Close()
	said := order()
	said.File, said.Include = speech.Body, nil
	if heard, err := client.Audio.Transcriptions.New(t.Context(), said); err != nil || heard.Text != thanks {
		t.Errorf("the speech is heard as %q: %v", heard.Text, err)
	}
	wrong := order()
	wrong.Language = openai.String("fr")
	_, err = client.Audio.Transcriptions.New(t.Context(), wrong)
	var refused *openai.Error
	if !errors.As(err, &refused) || refused.StatusCode != 400 || refused.Code != "unsupported_language" || refused.Param != "language" {
		t.Errorf("refused with %v", err)
	}
}

// TestForeignClientGoOpenAI runs the client for Go that is older than OpenAI's own, in all forms of the text.
func TestForeignClientGoOpenAI(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	want := a.transcribeOrder(t)
	settings := sashabaranov.DefaultConfig(bootstrapKey)
	settings.BaseURL = a.URL + "/v1"
	client := sashabaranov.NewClientWithConfig(settings)
	order := sashabaranov.AudioRequest{Model: sashabaranov.Whisper1, FilePath: projectPath(t, "assets/web/samples/order.flac")}
	for form, textOf := range map[sashabaranov.AudioResponseFormat]func(sashabaranov.AudioResponse) string{
		sashabaranov.AudioResponseFormatJSON: func(r sashabaranov.AudioResponse) string { return r.Text },
		sashabaranov.AudioResponseFormatText: func(r sashabaranov.AudioResponse) string { return strings.TrimSuffix(r.Text, "\n") },
		sashabaranov.AudioResponseFormatSRT:  func(r sashabaranov.AudioResponse) string { return textOfSubtitles(r.Text) },
		sashabaranov.AudioResponseFormatVTT:  func(r sashabaranov.AudioResponse) string { return textOfSubtitles(r.Text) },
		sashabaranov.AudioResponseFormatVerboseJSON: func(r sashabaranov.AudioResponse) string {
			var words []string
			for _, w := range r.Words {
				words = append(words, w.Word)
			}
			return strings.Join(words, " ")
		},
	} {
		order.Format = form
		order.TimestampGranularities = []sashabaranov.TranscriptionTimestampGranularity{"word", "segment"}
		if r, err := client.CreateTranscription(t.Context(), order); err != nil || textOf(r) != want {
			t.Errorf("%s: %q: %v", form, r.Text, err)
		}
	}
	sound, err := client.CreateSpeech(t.Context(), sashabaranov.CreateSpeechRequest{
		Model: sashabaranov.TTSModel1, Input: thanks, Voice: sashabaranov.VoiceOnyx, ResponseFormat: "wav",
	})
	mustSucceed(t, err)
	spoken, err := io.ReadAll(sound)
	mustSucceed(t, err)
	said := sashabaranov.AudioRequest{Model: sashabaranov.Whisper1, FilePath: "said.wav", Reader: bytes.NewReader(spoken)}
	if r, err := client.CreateTranscription(t.Context(), said); err != nil || r.Text != thanks {
		t.Errorf("the speech is heard as %q: %v", r.Text, err)
	}
	order.Model = "whisper-7"
	_, err = client.CreateTranscription(t.Context(), order)
	var refused *sashabaranov.APIError
	if !errors.As(err, &refused) || refused.HTTPStatusCode != 404 || refused.Code != "model_not_found" {
		t.Errorf("refused with %v", err)
	}
}
