package tlscert_test

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// runOpenSSL runs the stranger's tool in a folder and returns what it says.
func runOpenSSL(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := tryOpenSSL(t, dir, args...)
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func tryOpenSSL(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not on this machine")
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// caConfig lets openssl ca sign a request with its own key; openssl req of 2022 takes no dates.
const caConfig = `[ca]
default_ca = own
[own]
new_certs_dir = .
database = index.txt
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
`

// selfSigned makes cert.pem and key.pem for a name in dir, good from one day to the other (19991231).
func selfSigned(t *testing.T, dir, name, from, to string) {
	t.Helper()
	writeFile(t, []byte(caConfig), dir, "ca.cnf")
	writeFile(t, nil, dir, "index.txt")
	runOpenSSL(t, dir, "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN="+name,
		"-addext", "subjectAltName=DNS:"+name, "-keyout", "key.pem", "-out", "request.pem")
	runOpenSSL(t, dir, "ca", "-config", "ca.cnf", "-selfsign", "-batch", "-notext", "-keyfile", "key.pem",
		"-startdate", from+"000000Z", "-enddate", to+"000000Z", "-in", "request.pem", "-out", "cert.pem")
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func writeFile(t *testing.T, content []byte, path ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path...), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// logBuffer is a log's text, which may be read while others write.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBuffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Reset()
}

func newLogger() (*slog.Logger, *logBuffer) {
	b := new(logBuffer)
	return slog.New(slog.NewTextHandler(b, nil)), b
}
