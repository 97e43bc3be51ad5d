package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCurlsOfTheDocuments runs every example with curl of the documents, page by page, and checks that each is accepted.
func TestCurlsOfTheDocuments(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			skipOrFail(t, program+" is not installed")
		}
	}
	a := startFastCalls(t, instanceSettings{})
	booked := a.bookCall(t, "+966500000007", "appointment_confirmation", jsonObject{
		"variables": jsonObject{"date": "2026-12-03", "time": "17:30"},
	}).textAt("id")
	a.awaitStatus(t, booked, "completed")
	ran := 0
	for _, page := range documentPaths(t) {
		content, err := os.ReadFile(page)
		mustSucceed(t, err)
		for _, block := range curlExamples(string(content)) {
			ran++
			a.runCurlExample(t, filepath.Base(page), string(content), block, booked)
		}
	}
	if ran < 9 {
		t.Errorf("only %d examples were run", ran)
	}
}

// curlExamples returns the blocks with curl of a page.
func curlExamples(page string) (blocks []string) {
	for _, found := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page, -1) {
		// packaging/examples needs a receiver: by TestReadmeRuns
		if strings.Contains(found[1], "curl ") && !strings.Contains(found[1], "packaging/examples/") {
			blocks = append(blocks, found[1])
		}
	}
	return blocks
}

// runCurlExample runs a block in a folder that holds the files which it names.
func (a *testInstance) runCurlExample(t *testing.T, page, content, block, call string) {
	t.Helper()
	folder := t.TempDir()
	mustSucceed(t, os.WriteFile(filepath.Join(folder, "answer.wav"), goldenRecording(t, "g00.wav"), 0o600))
	if _, scenario, there := strings.Cut(content, "```json\n"); there {
		scenario, _, _ = strings.Cut(scenario, "```")
		mustSucceed(t, os.WriteFile(filepath.Join(folder, "checkup.json"), []byte(scenario), 0o600))
	}
	script := strings.NewReplacer(
		"http://127.0.0.1:8080", a.URL, "http://localhost:8080", a.URL, "a-key-of-sixteen-or-more", bootstrapKey,
		"assets/", projectPath(t, "assets")+"/", "evidence-call_….json", "evidence-call_*.json",
		`$(munadi evidence key)`, "$("+builtBinary(t)+" evidence key --data "+a.Data+")",
		"munadi scenario", builtBinary(t)+" scenario", "munadi evidence", builtBinary(t)+" evidence",
	).Replace(block)
	script = curls + "cd " + folder + "\nexport MUNADI=" + a.URL + " KEY=" + bootstrapKey + " CALL=" + call + "\n" + script +
		"\n" + `curl -o /dev/null -X PATCH -H "Authorization: Bearer $KEY" $MUNADI/api/v1/organization -d '{"kill_switch": false}'`
	answers := regexp.MustCompile(`(?m)(\S+ http\S+) \[(\d+)\]$`).FindAllStringSubmatch(runBash(t, script), -1)
	if len(answers) < strings.Count(block, "curl ")+1 {
		t.Errorf("%s: %d answers to\n%s", page, len(answers), block)
	}
	for _, answer := range answers {
		if !strings.HasPrefix(answer[2], "2") {
			t.Errorf("%s: %s: %s", page, answer[1], answer[2])
		}
	}
}
