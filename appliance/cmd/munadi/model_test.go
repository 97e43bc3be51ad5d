package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
)

// modelCommand runs "munadi model ARGS" on a data folder and returns what it printed.
func modelCommand(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	var cli struct {
		config.Config
		Model ModelCmd `cmd:"" settings:"model,model-hub,proxy,threads,cache,data"`
	}
	return runParsed(t, &cli, &cli.Config, append([]string{"--data=" + data, "model"}, args...)...)
}

// TestDamagedModelFiles flips a bit in the middle of files that were unpacked or installed: the built-in ones are
// unpacked again, an installed model is refused with the file's name.
func TestDamagedModelFiles(t *testing.T) {
	data := t.TempDir()
	if said, err := modelCommand(t, data, "verify"); err != nil || !strings.Contains(said, "verified by SHA-256 (built-in)") {
		t.Fatalf("verify said %q, %v", said, err)
	}
	for _, pattern := range []string{"model-*/encoder-model.onnx", "model-*/word-verifier.onnx", "libonnxruntime-*.so"} {
		path := flipBit(t, filepath.Join(data, "cache", pattern))
		for _, want := range []string{"unpacked again, check the disk and the memory: " + path, "verified by SHA-256 (built-in)\n"} {
			if said, err := modelCommand(t, data, "verify"); err != nil || !strings.Contains(said, want) {
				t.Errorf("%s: verify said %q, %v, want %q", pattern, said, err, want)
			}
		}
	}
	if out, err := modelCommand(t, data, "import", "../../../engine/model/testdata/checkpoints/hybrid.nemo", "--any-language"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if said, err := modelCommand(t, data, "verify", "--any-language"); err != nil || !strings.Contains(said, "(recorded at the installation)") {
		t.Errorf("verify said %q, %v", said, err)
	}
	flipBit(t, filepath.Join(data, "models", "hybrid", "encoder-model.onnx"))
	for _, args := range [][]string{{"verify"}, {"info"}} {
		_, err := modelCommand(t, data, args...)
		if err == nil || !strings.Contains(err.Error(), "encoder-model.onnx is damaged") || !strings.Contains(err.Error(), "munadi model import") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// flipBit flips a bit in the middle of the one file that matches the pattern, and returns its path.
func flipBit(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatal(pattern, found, err)
	}
	content, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := errors.Join(os.Chmod(found[0], 0o700), os.WriteFile(found[0]+".new", content, 0o600), os.Rename(found[0]+".new", found[0])); err != nil {
		t.Fatal(err)
	}
	return found[0]
}

const testCommit = "0123456789abcdef0123456789abcdef01234567"

// serveModel starts a hub with one model, organization/small, whose checkpoint is in storage.
func serveModel(t *testing.T, checkpoint []byte) string {
	t.Helper()
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(checkpoint))
	}))
	mux := http.NewServeMux()
	mux.HandleFunc("/api/models/organization/small", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"sha":%q,"siblings":[{"rfilename":"small.nemo"}],"cardData":{"license":"cc-by-4.0"}}`, testCommit)
	})
	mux.HandleFunc("/organization/small/resolve/"+testCommit+"/small.nemo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(checkpoint)))
		w.Header().Set("X-Linked-Etag", fmt.Sprintf(`"%x"`, sha256.Sum256(checkpoint)))
		http.Redirect(w, r, storage.URL, http.StatusFound)
	})
	hub := httptest.NewServer(mux)
	t.Cleanup(func() { hub.Close(); storage.Close() })
	return hub.URL
}

// TestModelInUseIsVerified checks that without a path the model that the appliance would open is verified.
func TestModelInUseIsVerified(t *testing.T) {
	data := t.TempDir()
	said, err := modelCommand(t, data, "verify")
	if err != nil || !strings.Contains(said, "The model can be used.") || !strings.Contains(said, "munadi-demo-ar") {
		t.Errorf("verify said %q, %v", said, err)
	}
	if said, err = modelCommand(t, data, "verify", "--model="+t.TempDir()); err == nil {
		t.Errorf("an empty folder: %q", said)
	}
}

// TestModelIsPulledListedAndRemoved runs on an empty data folder: one command downloads, verifies, installs and selects a
// model; the others list, deselect and remove it.
func TestModelIsPulledListedAndRemoved(t *testing.T) {
	checkpoint, err := os.ReadFile("../../../engine/model/testdata/checkpoints/hybrid.nemo")
	if err != nil {
		t.Fatal(err)
	}
	hub, data := "--model-hub="+serveModel(t, checkpoint), filepath.Join(t.TempDir(), "data")
	if out, err := modelCommand(t, data, "pull", "organization/small", hub); err == nil || !strings.Contains(out, "cc-by-4.0") {
		t.Fatalf("without a yes: %v\n%s", err, out)
	}
	out, err := modelCommand(t, data, "pull", "organization/small", hub, "--yes", "--any-language", "--name=mine")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	containsAll(t, out, "revision  "+testCommit, "licence   cc-by-4.0", "The model can be used", "uses mine")
	if out, err = modelCommand(t, data, "list"); err != nil {
		t.Fatal(err)
	}
	containsAll(t, out, "mine", "organization/small at 0123456789ab, cc-by-4.0", "KNOWN TO WORK", "source: ")
	if _, err := modelCommand(t, data, "pull", "organization/small", hub, "--yes", "--name=mine"); err == nil {
		t.Error("a name was taken twice")
	}
	if _, err := modelCommand(t, data, "remove", "mine"); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("remove: %v", err)
	}
	fixed := "--model=" + filepath.Join(data, "models", "mine")
	if _, err := modelCommand(t, data, "use", "built-in", fixed); err == nil || !strings.Contains(err.Error(), "setting model") {
		t.Errorf("use while the setting model names another: %v", err)
	}
	if out, err := modelCommand(t, data, "use", "built-in"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := modelCommand(t, data, "remove", "mine", fixed); err == nil || !strings.Contains(err.Error(), "setting model") {
		t.Errorf("remove of the folder that the setting model names: %v", err)
	}
	for _, args := range [][]string{{"use", "built-in"}, {"remove", "mine"}} {
		if out, err := modelCommand(t, data, args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(data, "models")); len(entries) > 0 {
		t.Errorf("%s is left", entries[0].Name())
	}
}

func containsAll(t *testing.T, out string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in\n%s", part, out)
		}
	}
}

func TestPullWithoutANetworkSaysHow(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	server.Close()
	_, err := modelCommand(t, t.TempDir(), "pull", "organization/small", "--model-hub="+server.URL, "--yes")
	if err == nil {
		t.Fatal("no error")
	}
	containsAll(t, err.Error(), "can't be reached", server.URL+"/organization/small", "munadi model import FILE.nemo")
}

func TestTokenOfSeveralLinesIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("a\nb: c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := modelCommand(t, t.TempDir(), "pull", "organization/small", "--yes", "--token-file="+file)
	if err == nil || strings.Contains(err.Error(), "b: c") || !strings.Contains(err.Error(), "token") {
		t.Errorf("error = %v", err)
	}
}
