package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// codeBlock returns the first code block of a language below a heading of a document, adapted to this appliance.
func codeBlock(t *testing.T, a *testInstance, file, heading, language string) string {
	t.Helper()
	_, section, there := strings.Cut(string(readProjectFile(t, file)), "\n## "+heading+"\n")
	_, block, coded := strings.Cut(section, "```"+language+"\n")
	block, _, _ = strings.Cut(block, "```")
	if !there || !coded {
		t.Fatalf("%s has no %s below %q", file, language, heading)
	}
	return strings.NewReplacer(
		"http://127.0.0.1:8080", a.URL, "a-key-of-sixteen-or-more", bootstrapKey,
		"bin/munadi", builtBinary(t), "assets/", projectPath(t, "assets")+"/", "packaging/", projectPath(t, "packaging")+"/",
	).Replace(block)
}

// runBash runs a script, and kills what it leaves running.
func runBash(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "said")
	said, err := os.Create(path)
	mustSucceed(t, err)
	cmd := exec.Command("bash", "-c", "set -euo pipefail\n"+script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), said, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	mustSucceed(t, cmd.Start())
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if nothing is left
	mustSucceed(t, said.Close())
	out, readErr := os.ReadFile(path)
	mustSucceed(t, readErr)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// curls makes curl print the status of each answer.
const curls = `curl() { command curl --silent --show-error --write-out '%{stderr}%{method} %{url_effective} [%{http_code}]\n' "$@"; }
`

// TestReadmeRuns runs the README's examples and checks their results.
func TestReadmeRuns(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "python3", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			skipOrFail(t, program+" is not installed")
		}
	}
	a := startFastCalls(t, instanceSettings{})
	minute := codeBlock(t, a, "README.md", "One minute", "sh")
	minute = regexp.MustCompile(`(?m)^.*\bmake\b.*$`).ReplaceAllString(minute, "")
	if said := runBash(t, "export MUNADI_CACHE="+cacheDir()+"\n"+minute); strings.Count(said, "عصير") != 2 || !strings.Contains(said, " --> ") {
		t.Errorf("in one minute: %s", said)
	}
	short := codeBlock(t, a, "README.md", "The API by example", "sh") + codeBlock(t, a, "README.md", "A call by example", "sh")
	hearing := codeBlock(t, a, "docs/speech-to-text.md", "Recordings", "sh")
	calling := strings.ReplaceAll(codeBlock(t, a, "docs/webhooks.md", "The webhook by example", "sh"), "9000", freePort(t)) +
		codeBlock(t, a, "docs/calls.md", "A call by example", "sh")
	events := strings.ReplaceAll(codeBlock(t, a, "docs/webhooks.md", "A destination by example", "sh"), "9001", freePort(t))
	said := runBash(t, curls+short+hearing+calling+events)
	for _, want := range []string{`"words":`, "transcript.text.done", `"status":"queued"`, "ended: completed", "recorded: call_", "/hangup"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %s:\n%s", want, said)
		}
	}
	answers := regexp.MustCompile(`(?m)(\S+ http\S+) \[(\d+)\]$`).FindAllStringSubmatch(said, -1)
	if len(answers) < 8 {
		t.Errorf("only %d answers:\n%s", len(answers), said)
	}
	for _, answer := range answers {
		late := strings.HasSuffix(answer[1], "/hangup") && answer[2] == "409" // the call has ended, or has not begun
		if !strings.HasPrefix(answer[2], "2") && !late {
			t.Errorf("%s: %s", answer[1], answer[2])
		}
	}
}

// TestReadmePython runs the README's Python example with OpenAI's client.
func TestReadmePython(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	if err := exec.Command(python, "-c", "import openai").Run(); err != nil {
		skipOrFail(t, "no openai package in .cache/venv: packaging/setup test")
	}
	said, err := exec.Command(python, "-c", codeBlock(t, sharedInstance(t), "README.md", "The API by example", "python")).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "عصير") {
		t.Errorf("%v: %s", err, said)
	}
}

// documentPaths returns the paths of all pages: the READMEs, CONTRIBUTING and docs with its Arabic pages.
func documentPaths(t *testing.T) (paths []string) {
	t.Helper()
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "README*.md", "CONTRIBUTING.md"} {
		found, err := filepath.Glob(projectPath(t, pattern))
		mustSucceed(t, err)
		paths = append(paths, found...)
	}
	return paths
}

// headingAnchors returns the anchors that GitHub makes of a page's headings.
func headingAnchors(content string) map[string]bool {
	anchors := map[string]bool{}
	content = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(content, "")
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(content, -1) {
		words := regexp.MustCompile(`[^\pL\pN\pM _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		anchors[strings.ReplaceAll(words, " ", "-")] = true
	}
	return anchors
}

// TestDocumentsLeadSomewhere checks that every link with its anchor, every picture and path in the documents exists,
// and that the README names every part of the product.
func TestDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, name := range documentPaths(t) {
		content, err := os.ReadFile(name)
		mustSucceed(t, err)
		links := regexp.MustCompile(`(?:\]\(|src=")([\w/.-]*)(?:#([\pL\pM\w-]*))?[)"]`)
		for _, found := range links.FindAllStringSubmatch(string(content), -1) {
			path := filepath.Join(filepath.Dir(name), found[1])
			if found[1] == "" {
				path = name
			}
			target, err := os.ReadFile(path)
			if stat, there := os.Stat(path); there == nil && stat.IsDir() {
				err = nil
			}
			if err != nil || found[2] != "" && !headingAnchors(string(target))[found[2]] {
				t.Errorf("%s leads to %s#%s, which is not there", filepath.Base(name), found[1], found[2])
			}
		}
		paths := regexp.MustCompile(`\b((?:packaging|assets|engine|appliance|store|ui)/[\w/.-]*\w)`)
		for _, found := range paths.FindAllStringSubmatch(string(content), -1) {
			if _, err := os.Stat(projectPath(t, found[1])); err != nil {
				t.Errorf("%s names %s, which is not there", filepath.Base(name), found[1])
			}
		}
	}
	text := string(readProjectFile(t, "README.md"))
	_, table, _ := strings.Cut(text, "\n## Folders\n")
	for _, room := range []string{"appliance", "engine", "store"} {
		parts, err := os.ReadDir(projectPath(t, room))
		mustSucceed(t, err)
		for _, part := range parts {
			named := regexp.MustCompile("`" + part.Name() + "[`/]").MatchString(table)
			if part.IsDir() && part.Name() != "testdata" && !named {
				t.Errorf("%s/%s has no place in the README's folders", room, part.Name())
			}
		}
	}
}
