// Package whole_test proves the finished binary from outside, as a stranger would: it is built once with plain
// `go build`, started on a free port with a folder of its own, and spoken to over its listener, its signals and its
// command line. Nothing of the product is called in-process; what is imported of it only makes and reads
// sound (engine/audio, the bundled voice), and browsertest and sipptest drive strangers.
//
// Files are by idea: what a user does, and what an operator does. Tests that only ask share one appliance, so that the
// model loads once; tests that stop, break or fill one start their own. When an appliance ends, its exit code must be
// 0 and its log must hold no error.
//
// Strangers run as they are published: OpenAI's clients for Python, Node and Go, curl, schemathesis, Chromium, SIPp. One
// that is not installed skips its tests with a message; under CI=true that is a failure. Recordings of real people lie
// in ../shared/speech beside the project; without them their tests are skipped.
//
// MUNADI_LONG=1 runs the long forms: four hours of audio, all takes of all speakers, the Go client's own module.
// MUNADI_ARTIFACTS names a folder that keeps what tests wrote down; without it that is the test's own folder.
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

// project is the module's root, seen from this package.
const project = "../.."

// bootstrapKey opens everything in an appliance that start made.
const bootstrapKey = "test-key-0123456789abcdef"

// scratch is a folder for the whole run: the binary, the unpacked ONNX Runtime, the shared appliance's data.
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

// leastParallel is how many tests run at once on a small machine: most of them wait most of the time.
const leastParallel = 4

// raiseParallelism runs leastParallel tests at once or more, unless -parallel says otherwise.
func raiseParallelism() {
	chosen := runtime.GOMAXPROCS(0) >= leastParallel
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		_ = flag.Set("test.parallel", strconv.Itoa(leastParallel)) // a number is always taken
	}
}

// soundSlots are held by tests that play sound at its pace or measure answers by the clock.
var soundSlots = make(chan struct{}, 2)

// takeSoundSlot lets two such tests run at once until they end, however many others run beside them: a starved
// browser's microphone leaves sound out.
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

// skipOrFail skips the test with a reason, or fails it where CI=true says that everything must be there.
func skipOrFail(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// runsLongForms tells whether the long forms are wanted.
func runsLongForms() bool { return os.Getenv("MUNADI_LONG") == "1" }

// artifactPath is where a test writes a file down for people.
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
