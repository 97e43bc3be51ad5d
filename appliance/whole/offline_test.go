package whole_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTranscribeOffline checks every format and mode without a server, network or ffmpeg.
func TestTranscribeOffline(t *testing.T) {
	t.Parallel()
	clip := projectPath(t, "engine/testdata/golden/g00.wav")
	run := func(args ...string) commandOutcome {
		t.Helper()
		data := filepath.Join(t.TempDir(), "data")
		got := runMunadi(t, []string{"PATH=/nowhere"}, append([]string{"transcribe", "--data", data, "--cache", cacheDir()}, args...)...)
		if got.code != 0 {
			t.Fatalf("%v: %+v", args, got)
		}
		if got.stderr != "" {
			t.Errorf("%v: standard error is no terminal and says %q", args, got.stderr)
		}
		return got
	}
	if got := run(clip).stdout; got != goldenText+"\n" {
		t.Errorf("text: %q", got)
	}
	for _, mode := range []string{"hybrid", "rnnt", "ctc"} {
		if got := run("--mode", mode, clip).stdout; got != goldenText+"\n" {
			t.Errorf("mode %s: %q", mode, got)
		}
	}
	if got := run("--format", "json", clip).stdout; strings.TrimSpace(got) !=
		`{"text":"`+goldenText+`","usage":{"type":"duration","seconds":2}}` {
		t.Errorf("json: %s", got)
	}
	var verbose map[string]any
	mustSucceed(t, json.Unmarshal([]byte(run("--format", "verbose_json", clip).stdout), &verbose))
	online := sharedInstance(t).postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav")), withField("response_format", "verbose_json")).jsonBody(t)
	a, err := json.Marshal(verbose)
	mustSucceed(t, err)
	b, err := json.Marshal(online)
	mustSucceed(t, err)
	if string(a) != string(b) {
		t.Errorf("offline %s\nonline %s", a, b)
	}
	order := projectPath(t, "assets/web/samples/order.flac")
	srt, vtt := run("--format", "srt", order).stdout, run("--format", "vtt", order).stdout
	if !strings.HasPrefix(srt, "1\n00:00:0") || !strings.Contains(srt, " --> 00:00:") || !strings.Contains(srt, "\n\n2\n") {
		t.Errorf("srt: %s", srt)
	}
	if !strings.HasPrefix(vtt, "WEBVTT\n\n") || !strings.Contains(vtt, ".") {
		t.Errorf("vtt: %s", vtt)
	}
	if got := run(clip, projectPath(t, "assets/web/samples/confirm.flac")).stdout; strings.Count(got, "\n") != 2 ||
		!strings.Contains(got, "g00.wav: "+goldenText) || !strings.Contains(got, confirmText) {
		t.Errorf("two files: %s", got)
	}
}

// TestTranscribeFaults checks that an unreadable file is named, that the others are transcribed, and that the exit code
// is not 0.
func TestTranscribeFaults(t *testing.T) {
	t.Parallel()
	clip := projectPath(t, "engine/testdata/golden/g00.wav")
	text := filepath.Join(t.TempDir(), "notes.txt")
	mustSucceed(t, os.WriteFile(text, []byte("these are words, no sound"), 0o600))
	missing := filepath.Join(t.TempDir(), "missing.wav")
	got := runMunadi(t, nil, "transcribe", "--cache", cacheDir(), text, clip, missing, t.TempDir())
	got.wantRefused(t, "faults", "notes.txt", "missing.wav")
	if !strings.Contains(got.stdout, goldenText) {
		t.Errorf("the good file among bad ones: %+v", got)
	}
	runMunadi(t, nil, "transcribe", "--format", "docx", clip).wantRefused(t, "a format", "docx", "verbose_json")
	runMunadi(t, nil, "transcribe", "--mode", "fast", clip).wantRefused(t, "a mode", "fast", "hybrid")
	runMunadi(t, nil, "transcribe").wantRefused(t, "no file", "file")
	runMunadi(t, nil, "transcribe", "--data", "/proc/munadi", clip).wantRefused(t, "no place to unpack", "/proc/munadi", "--cache")
}

// TestTranscribeStandardInput checks that - reads standard input.
func TestTranscribeStandardInput(t *testing.T) {
	t.Parallel()
	f, err := os.Open(projectPath(t, "engine/testdata/golden/g00.wav"))
	mustSucceed(t, err)
	defer f.Close()
	cmd := newCommand(builtBinary(t), "transcribe", "--cache", cacheDir(), "-")
	cmd.Stdin = f
	if got := finishCommand(t, cmd); got.code != 0 || got.stdout != goldenText+"\n" {
		t.Errorf("%+v", got)
	}
	piped := exec.Command("bash", "-c", `exec "$0" transcribe --cache "$1" <(cat "$2")`, builtBinary(t), cacheDir(), f.Name())
	if got := finishCommand(t, piped); got.code != 0 || got.stdout != goldenText+"\n" {
		t.Errorf("a pipe by name: %+v", got)
	}
}

// TestProgressOnATerminal checks that a terminal gets a progress bar on standard error, and that standard output holds
// only the text.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("no script(1) on this machine, which makes terminals")
	}
	out := filepath.Join(t.TempDir(), "out.txt")
	recording := filepath.Join(t.TempDir(), "order.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 120)), 0o600))
	line := builtBinary(t) + " transcribe --cache " + cacheDir() + " " + recording + " > " + out
	drawn, err := exec.Command(script, "-qec", line, "/dev/null").CombinedOutput()
	mustSucceed(t, err)
	text, err := os.ReadFile(out)
	mustSucceed(t, err)
	if !strings.Contains(string(drawn), "order.wav") || strings.Contains(string(text), "order.wav") || len(text) < 20 {
		t.Errorf("drawn %q, written %q", drawn, text)
	}
}

func TestModelCommands(t *testing.T) {
	t.Parallel()
	info := runMunadi(t, nil, "model", "info", "--cache", cacheDir())
	for _, fact := range []string{"name", "precision", "heads", "rnnt, ctc", "vocabulary", "espeak-ng"} {
		if !strings.Contains(info.stdout, fact) {
			t.Errorf("model info lacks %q: %s", fact, info.stdout)
		}
	}
	bundle := projectPath(t, "assets/model/bundle")
	verified := runMunadi(t, nil, "model", "verify", "--cache", cacheDir(), bundle)
	if verified.code != 0 || !strings.Contains(verified.stdout, "can be used") {
		t.Errorf("%+v", verified)
	}
	runMunadi(t, nil, "model", "verify", "--cache", cacheDir(), t.TempDir()).wantRefused(t, "an empty folder")
	runMunadi(t, nil, "model", "verify", "--cache", cacheDir(), "/nowhere/at/all").wantRefused(t, "no folder", "/nowhere/at/all")
	broken := t.TempDir()
	mustSucceed(t, os.CopyFS(filepath.Join(broken, "m"), os.DirFS(bundle)))
	mustSucceed(t, os.Remove(filepath.Join(broken, "m", "vocab.txt")))
	mustSucceed(t, os.WriteFile(filepath.Join(broken, "m", "vocab.txt"), []byte("x 0\n"), 0o600))
	runMunadi(t, nil, "model", "verify", "--cache", cacheDir(), filepath.Join(broken, "m")).wantRefused(t, "a vocabulary of another", "vocab")
}

// TestServeWithAModelFolder checks that the same model from disk gives the same transcript.
func TestServeWithAModelFolder(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--model", projectPath(t, "assets/model/bundle")}})
	if got := a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 200); got.jsonBody(t)["text"] != goldenText {
		t.Error(got)
	}
}
