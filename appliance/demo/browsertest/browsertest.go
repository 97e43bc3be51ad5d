// Package browsertest drives a page in a real browser: Debian's Chromium, headless, over the DevTools protocol.
//
// A test starts a [TestBrowser] and opens [BrowserPage]s, each with its own profile. A page's methods wait for the
// expected element and fail the test at a timeout, so that a test reads like a user's actions. When a page's test ends,
// console errors and requests to other origins fail it; expected ones are announced by [BrowserPage.ExpectText] and
// [BrowserPage.ExpectStatuses].
//
// Without Chromium the tests are skipped with a message; under CI=true they fail. The package is independent of the
// pages that it drives.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// StepTimeout bounds each step; it is generous, because test machines are busy.
const StepTimeout = 2 * time.Minute

// BrowserOptions configure a browser.
type BrowserOptions struct {
	// Microphone is a WAV file that the fake microphone plays once; empty: Chromium's beeping device.
	Microphone string
	// DenyMicrophone denies all permission requests for the microphone.
	DenyMicrophone bool
	// Hosts are names that resolve to this machine; a page under one of them over http is not a secure context.
	Hosts []string
}

// TestBrowser is a running Chromium.
type TestBrowser struct{ ctx context.Context }

// StartBrowser starts a browser that ends with the test. Without Chromium it skips the test; under CI=true it fails.
func StartBrowser(t testing.TB, o BrowserOptions) *TestBrowser {
	t.Helper()
	if testing.Short() {
		t.Skip("-short starts no browser")
	}
	path, ok := findChromium()
	if !ok {
		SkipMissing(t, "no chromium on this machine: apt-get install -y --no-install-recommends chromium")
	}
	profile, err := os.MkdirTemp("", "browsertest") // not t.TempDir: Chromium may still write while it exits
	if err != nil {
		t.Fatal(err)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), chromiumFlags(path, profile, o)...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		cancel()
		stop()
		_ = os.RemoveAll(profile)
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	return &TestBrowser{ctx: ctx}
}

// SkipMissing skips the test with a reason; under CI=true it fails the test.
func SkipMissing(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

func findChromium() (string, bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// disabledFeatures are those that chromedp disables, and two renderers per window that prepare suggestions of an
// address bar: they took as much time as the rest of a browser with a page.
const disabledFeatures = "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

func chromiumFlags(path, profile string, o BrowserOptions) []chromedp.ExecAllocatorOption {
	out := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.WSURLReadTimeout(StepTimeout),
		chromedp.NoSandbox, // test machines run as root in containers, where Chromium's sandbox can't start
		chromedp.Flag("disable-features", disabledFeatures),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
		chromedp.Flag("use-fake-device-for-media-stream", true),
		chromedp.Flag("hide-scrollbars", true),
	)
	answer := any(true)
	if o.DenyMicrophone {
		answer = "deny"
	}
	out = append(out, chromedp.Flag("use-fake-ui-for-media-stream", answer))
	if o.Microphone != "" {
		out = append(out, chromedp.Flag("use-file-for-fake-audio-capture", o.Microphone+"%noloop"))
	}
	if len(o.Hosts) > 0 {
		rules := make([]string, len(o.Hosts))
		for i, host := range o.Hosts {
			rules[i] = "MAP " + host + " 127.0.0.1"
		}
		out = append(out, chromedp.Flag("host-resolver-rules", strings.Join(rules, ",")))
	}
	return out
}

// projectFile returns the path of a file below the module's root.
func projectFile(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, name)
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
	}
}
