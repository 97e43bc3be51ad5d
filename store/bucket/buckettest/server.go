// Package buckettest runs a third-party S3 server (SeaweedFS) for tests.
package buckettest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/store/freeport"
)

// The keys of the server, and those of a user with read-only access.
const (
	KeyID        = "testkey"
	KeySecret    = "testsecret"
	ReaderID     = "readkey"
	ReaderSecret = "readsecret"
)

// identities is the server's list of users.
const identities = `{"identities": [
	{"name": "munadi", "credentials": [{"accessKey": "testkey", "secretKey": "testsecret"}],
	 "actions": ["Admin", "Read", "Write", "List", "Tagging"]},
	{"name": "reader", "credentials": [{"accessKey": "readkey", "secretKey": "readsecret"}],
	 "actions": ["Read", "List"]}]}`

// Server is an S3 server with its own folder. Stored objects survive Kill and Start.
type Server struct {
	folder  string
	ports   []int // master, volume, filer, S3, each followed by that of its gRPC
	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{}
	log     bytes.Buffer
}

// startTimeout bounds how long the server may take to answer.
const startTimeout = 2 * time.Minute

// FindServer returns the path of the server's program, in the folder of test programs or on the search path; empty
// without one.
func FindServer() string {
	_, here, _, _ := runtime.Caller(0)
	own := filepath.Join(filepath.Dir(here), "../../../.cache/venv/bin/weed")
	if _, err := os.Stat(own); err == nil {
		return own
	}
	if dir, err := os.Getwd(); err == nil { // the path above is not one of this machine in a build with -trimpath
		for ; dir != "/"; dir = filepath.Dir(dir) {
			if own = filepath.Join(dir, ".cache/venv/bin/weed"); isFile(own) {
				return own
			}
		}
	}
	path, _ := exec.LookPath("weed") // empty without one
	return path
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// NeedServer skips the test where the server is not installed, and fails it on CI.
func NeedServer(t testing.TB) {
	t.Helper()
	const reason = "the S3 server (SeaweedFS) is not installed: packaging/setup test installs it"
	switch {
	case FindServer() != "":
	case os.Getenv("CI") == "true":
		t.Fatal(reason)
	default:
		t.Skip(reason)
	}
}

// StartServer starts a server on free ports of the loopback.
func StartServer() (*Server, error) {
	folder, err := os.MkdirTemp("", "munadi-bucket")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder}
	if s.ports, err = freeport.FindPorts(8); err == nil {
		err = os.WriteFile(filepath.Join(folder, "identities.json"), []byte(identities), 0o600)
	}
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

// Start starts the server, on the same ports as before, and waits until it answers. SeaweedFS sometimes exits when its
// components start slowly; it is then started again, up to four times in all.
func (s *Server) Start() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 4 {
		if err = s.startOnce(); err == nil {
			return nil
		}
	}
	return err
}

// startOnce starts the server's process.
func (s *Server) startOnce() error {
	args := []string{
		"-logtostderr=true", "server", "-dir", s.folder, "-ip", "127.0.0.1", "-ip.bind", "127.0.0.1", "-volume.max", "40",
		"-master.telemetry=false",
		"-master.volumeSizeLimitMB", "64", "-filer", "-s3", "-s3.port.iceberg", "0", "-s3.port.lance", "0",
		"-s3.autoCreateBucket=false", "-s3.iam=false",
		"-s3.config", filepath.Join(s.folder, "identities.json"),
	}
	for i, name := range []string{"master", "volume", "filer", "s3"} {
		args = append(args, "-"+name+".port", strconv.Itoa(s.ports[2*i]), "-"+name+".port.grpc", strconv.Itoa(s.ports[2*i+1]))
	}
	s.process = exec.Command(FindServer(), args...)
	s.process.Dir, s.process.Env = s.folder, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.folder, "WEED_S3_SSE_KEK_PASSPHRASE=for tests alone",
	}
	s.log.Reset()
	s.process.Stdout, s.process.Stderr = &s.log, &s.log
	if err := s.process.Start(); err != nil {
		return err
	}
	process, ended := s.process, make(chan struct{})
	s.ended = ended
	go func() { _ = process.Wait(); close(ended) }() // killed by this package
	return s.awaitAnswer(ended)
}

// awaitAnswer waits until the server answers requests.
func (s *Server) awaitAnswer(ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Endpoint()+"/status", nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(r); err == nil {
			_ = answer.Body.Close() // only that it answers matters
			if answer.StatusCode < http.StatusInternalServerError {
				return s.staysUp(ended)
			}
		}
		select {
		case <-ended:
			return fmt.Errorf("the S3 server ended: %s", s.log.String())
		case <-ctx.Done():
			return errors.New("the S3 server did not answer in time")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// staysUp reports whether the server is still running shortly after its start; on a busy machine it may exit.
func (s *Server) staysUp(ended <-chan struct{}) error {
	select {
	case <-ended:
		return fmt.Errorf("the S3 server ended: %s", s.log.String())
	case <-time.After(time.Second):
		return nil
	}
}

// Kill ends the server as a power cut would.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.process.Process.Kill()
	<-s.ended
	return err
}

// Close stops the server and removes its data.
func (s *Server) Close() error {
	return errors.Join(s.Kill(), os.RemoveAll(s.folder))
}

// Endpoint is the server's base URL.
func (s *Server) Endpoint() string { return fmt.Sprintf("http://127.0.0.1:%d", s.ports[6]) }

// URL is the value of --recordings for a bucket, with a prefix if it is not empty.
func (s *Server) URL(bucket, prefix string) string {
	return "s3://" + strings.TrimSuffix(bucket+"/"+prefix, "/") + "?endpoint=" + s.Endpoint() + "&region=us-east-1"
}

// ListVariables returns the variables with the server's keys.
func ListVariables() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + KeyID, "AWS_SECRET_ACCESS_KEY=" + KeySecret}
}

// LookupKeys looks keys up as os.LookupEnv does.
func LookupKeys(id, secret string) func(string) (string, bool) {
	keys := map[string]string{"AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret}
	return func(name string) (string, bool) { value, ok := keys[name]; return value, ok }
}
