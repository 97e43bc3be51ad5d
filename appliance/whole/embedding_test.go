package whole_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestEmbedding checks that the program of docs/embedding.md, as a module of its own, serves and stops in order.
func TestEmbedding(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	_, code, there := strings.Cut(string(readProjectFile(t, "docs/embedding.md")), "```go\n")
	code, _, _ = strings.Cut(code, "```")
	if !there {
		t.Fatal("docs/embedding.md shows no program")
	}
	code = strings.Replace(code, "cfg.Data = os.Args[1]", "cfg.Data = os.Args[1]\n\t_ = cfg.Listen.UnmarshalText([]byte(\"127.0.0.1:0\"))", 1)
	mustSucceed(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(code), 0o600))
	mustSucceed(t, os.WriteFile(filepath.Join(dir, "go.mod"), hostModule(t), 0o600))
	mustSucceed(t, os.WriteFile(filepath.Join(dir, "go.sum"), readProjectFile(t, "go.sum"), 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-o", "host", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	host := exec.CommandContext(ctx, filepath.Join(dir, "host"), data)
	log, err := host.StderrPipe()
	mustSucceed(t, err)
	mustSucceed(t, host.Start())
	address := regexp.MustCompile(`\blistening addr=(\S+)`)
	var said []string
	for lines := bufio.NewScanner(log); lines.Scan(); {
		said = append(said, lines.Text())
		found := address.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		answer, err := http.Get("http://" + found[1] + "/livez")
		mustSucceed(t, err)
		_ = answer.Body.Close()
		mustSucceed(t, host.Process.Signal(syscall.SIGINT))
	}
	if err := host.Wait(); err != nil || !address.MatchString(strings.Join(said, "\n")) {
		t.Errorf("%v\n%s", err, strings.Join(said, "\n"))
	}
}

// hostModule returns the go.mod of a module that requires the project and all that the project requires.
func hostModule(t *testing.T) []byte {
	t.Helper()
	text := string(readProjectFile(t, "go.mod"))
	text = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(text, "module host")
	text = regexp.MustCompile(`(?ms)^tool (\([^)]*\)|.*?)$`).ReplaceAllString(text, "")
	return []byte(text + "\nrequire munadi v0.0.0\n\nreplace munadi => " + projectPath(t, ".") + "\n")
}
