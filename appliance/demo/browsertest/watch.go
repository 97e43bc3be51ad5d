package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// pageMonitor records console errors and requests to other origins.
type pageMonitor struct {
	origin string

	mu       sync.Mutex
	errors   []string
	foreign  []string
	expected []string
}

func startMonitor(ctx context.Context, t testing.TB, page string) *pageMonitor {
	t.Helper()
	w := &pageMonitor{origin: originOf(page)}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatalf("watch the network: %v", err)
	}
	console := chromedp.Console(ctx)
	requests := chromedp.Events(ctx, network.RequestWillBeSent)
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			w.noteConsole(m)
		}
	}()
	go func() {
		for r, err := range requests {
			if err != nil {
				return
			}
			w.noteRequest(r.Request.URL)
		}
	}()
	return w
}

// ExpectStatuses announces answers with these statuses, since Chromium writes each failed request to the console.
func (p *BrowserPage) ExpectStatuses(statuses ...int) {
	for _, status := range statuses {
		p.ExpectText(fmt.Sprintf("responded with a status of %d", status))
	}
}

// ExpectText announces console messages that contain a text.
func (p *BrowserPage) ExpectText(part string) {
	p.monitor.mu.Lock()
	defer p.monitor.mu.Unlock()
	p.monitor.expected = append(p.monitor.expected, part)
}

func (w *pageMonitor) noteConsole(m chromedp.ConsoleMessage) {
	if m.Type != chromedp.ConsoleError && m.Type != chromedp.ConsoleException && m.Type != chromedp.ConsoleWarning {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errors = append(w.errors, fmt.Sprintf("%s: %s (%s:%d)", m.Type, m.Text, m.URL, m.Line))
}

func (w *pageMonitor) noteRequest(to string) {
	if strings.HasPrefix(to, "blob:") || strings.HasPrefix(to, "data:") || originOf(to) == w.origin {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.foreign = append(w.foreign, to)
}

func (w *pageMonitor) checkFaults(t testing.TB) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.errors {
		if !w.isExpected(e) {
			t.Errorf("the console says: %s", e)
		}
	}
	for _, r := range w.foreign {
		t.Errorf("a request left the origin: %s", r)
	}
}

func (w *pageMonitor) isExpected(message string) bool {
	return slices.ContainsFunc(w.expected, func(part string) bool { return strings.Contains(message, part) })
}

func (w *pageMonitor) summarizeFaults() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return "console: " + strings.Join(w.errors, "\n")
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}
