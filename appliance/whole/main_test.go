// Package whole_test tests the finished binary from outside: it is built once with plain `go build`, started on a free
// port with its own folder, and used through its listener, signals and command line. Nothing of the product is called
// in-process, except to make and read audio (engine/audio, the bundled voice) and to drive other programs (browsertest,
// sipptest).
//
// Read-only tests share one appliance, so that the model is loaded once; tests that stop, break or fill one start their
// own. When an appliance ends, its exit code must be 0 and its log must hold no error.
//
// Other programs run as they are published: OpenAI's clients for Python, Node and Go, curl, schemathesis, Chromium,
// SIPp. The tests of one that is not installed are skipped with a message; under CI=true that is a failure. Recordings
// of real people are in ../shared/speech beside the project; without them their tests are skipped.
//
// MUNADI_LONG=1 runs the long forms: four hours of audio, all takes of all speakers, the Go client's own module.
// MUNADI_ARTIFACTS names a folder for files that tests write for people; by default it is the test's temporary folder.
package whole_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"munadi/engine/heldout"
)

// project is the module's root, relative to this package.
const project = "../.."

// bootstrapKey is the API key of the appliances that tests start, with all scopes.
const bootstrapKey = "test-key-0123456789abcdef"

// scratch is the folder of the whole run: the binary, the unpacked ONNX Runtime, the shared appliance's data.
var scratch string

func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(runAll(m))
	}
}

func runAll(m *testing.M) int {
	if flag.Parse(); testing.Short() {
		fmt.Println("-short leaves the end-to-end tests out")
		return 0
	}
	raiseParallelism()
	var err error
	if scratch, err = os.MkdirTemp("", "munadi-whole-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, "the shared appliance:", err)
		return 1
	}
	return code
}

// leastParallel is the least number of parallel tests; on a small machine most of them wait most of the time.
const leastParallel = 4

// raiseParallelism runs at least leastParallel tests at once, unless -parallel is given.
func raiseParallelism() {
	chosen := runtime.GOMAXPROCS(0) >= leastParallel
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		_ = flag.Set("test.parallel", strconv.Itoa(leastParallel)) // a number is always valid
	}
}

// soundSlots limits the tests that play audio in real time or measure response times.
var soundSlots = make(chan struct{}, 2)

// takeSoundSlot holds a sound slot until the test ends: two such tests run at once, beside any number of others. On a
// starved machine the browser's fake microphone drops audio. A test with parallel subtests must leave it to them: they
// wait for tests that wait for the slot.
func takeSoundSlot(t *testing.T) {
	t.Helper()
	soundSlots <- struct{}{}
	t.Cleanup(func() { <-soundSlots })
}

// built builds the binary once and returns its path.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "munadi")
	build := exec.Command("go", "build", "-o", path, "./appliance/cmd/munadi")
	build.Dir = project
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func builtBinary(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// skipOrFail skips the test with a reason, or fails it under CI=true.
func skipOrFail(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// runsLongForms reports whether MUNADI_LONG=1 is set.
func runsLongForms() bool { return os.Getenv("MUNADI_LONG") == "1" }

// artifactPath returns the path of a file that a test writes for people.
func artifactPath(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("MUNADI_ARTIFACTS")
	if dir == "" {
		dir = t.TempDir()
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}
