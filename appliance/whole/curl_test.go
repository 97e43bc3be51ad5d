package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runCurl runs curl and returns its output: the answers, each followed by its status; verbose is standard error.
func runCurl(t testing.TB, args ...string) (printed, verbose string) {
	t.Helper()
	program, err := exec.LookPath("curl")
	if err != nil {
		skipOrFail(t, "no curl on this machine")
	}
	all := append([]string{"--silent", "--show-error", "--max-time", "60", "--write-out", " [%{http_code}]"}, args...)
	var errs strings.Builder
	cmd := exec.Command(program, all...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("curl %v: %v\n%s\n%s", args, err, out, &errs)
	}
	return string(out), errs.String()
}

// bearer is the header with the bootstrap key.
const bearer = "Authorization: Bearer " + bootstrapKey

func TestCurl(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	clip := "file=@" + projectPath(t, "engine/testdata/golden/g00.wav")
	const heard = goldenText + "\n [200]"
	text := []string{"-H", bearer, "-F", "response_format=text", a.URL + transcriptions}
	for name, args := range map[string][]string{
		"-F":              {"-F", clip},
		"HTTP/1.0":        {"-0", "-F", clip},
		"chunked":         {"-H", "Transfer-Encoding: chunked", "-F", clip},
		"expects":         {"-H", "Expect: 100-continue", "-F", clip},
		"slowly":          {"--limit-rate", "30k", "-F", clip},
		"named and typed": {"-F", clip + ";type=audio/mpeg;filename=\"صوت.mp3\""},
		"closing":         {"-H", "Connection: close", "-F", clip},
		"compressed":      {"--compressed", "-F", clip},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, _ := runCurl(t, append(args, text...)...); got != heard {
				t.Errorf("%q", got)
			}
		})
	}
	got, _ := runCurl(t, "-N", "-H", bearer, "-H", "Accept: text/event-stream", "-F", clip, a.URL+transcriptions)
	if !strings.Contains(got, `"transcript.text.done"`) || !strings.HasSuffix(got, "[200]") {
		t.Errorf("%s", got)
	}
}

// TestCurlThatIsRefusedEarly checks that a client that sends Expect: 100-continue is refused before it sends the body,
// and that its connection is reusable or closed properly.
func TestCurlThatIsRefusedEarly(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--max-upload", "1MiB"}})
	large := filepath.Join(t.TempDir(), "large")
	mustSucceed(t, os.WriteFile(large, make([]byte, 30<<20), 0o600))
	expects := []string{"-v", "-H", "Expect: 100-continue", "-F", "file=@" + large}
	next := []string{"--next", "--silent", "--write-out", " [%{http_code}]", a.URL + "/livez"}
	for status, args := range map[string][]string{
		"[401]": {a.URL + transcriptions},
		"[413]": {"-H", bearer, a.URL + transcriptions},
	} {
		got, verbose := runCurl(t, append(append(append([]string{}, expects...), args...), next...)...)
		if !strings.Contains(got, status) || !strings.HasSuffix(got, `{"status":"alive"}`+"\n [200]") {
			t.Errorf("%s: %q", status, got)
		}
		if strings.Contains(verbose, "100 Continue") {
			t.Errorf("%s: the client was told to send what was refused:\n%s", status, verbose)
		}
		// Without Expect it sends the whole body and still gets the answer.
		blind := append([]string{"-H", "Expect:", "-F", "file=@" + large}, args...)
		if got, _ := runCurl(t, append(blind, next...)...); !strings.Contains(got, status) || !strings.HasSuffix(got, "[200]") {
			t.Errorf("%s without asking: %q", status, got)
		}
	}
}
