package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// PageView is the viewport and the preferences of a page.
type PageView struct {
	Width, Height int  // CSS pixels; 0 is 1440 x 900
	Dark          bool // prefers-color-scheme
	NoScript      bool // scripts are disabled
}

// BrowserPage is one tab with its own profile.
type BrowserPage struct {
	t       testing.TB
	ctx     context.Context
	monitor *pageMonitor
	view    PageView
}

// OpenPage opens a URL in a new tab and waits until it has loaded. The tab closes when t ends.
func (b *TestBrowser) OpenPage(t testing.TB, url string, v PageView) *BrowserPage {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &BrowserPage{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	p.monitor = startMonitor(ctx, t, url)
	t.Cleanup(func() {
		p.monitor.checkFaults(t)
		cancel()
	})
	p.SetView(v)
	p.NavigateTo(url)
	return p
}

// NavigateTo opens another URL in the tab.
func (p *BrowserPage) NavigateTo(url string) {
	p.t.Helper()
	p.runSteps("go to "+url, chromedp.Navigate(url))
}

// ReloadPage reloads the page.
func (p *BrowserPage) ReloadPage() {
	p.t.Helper()
	p.runSteps("reload", chromedp.Reload())
}

// SetView changes viewport and preferences.
func (p *BrowserPage) SetView(v PageView) {
	p.t.Helper()
	if v.Width == 0 {
		v.Width, v.Height = 1440, 900
	}
	p.view = v
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}, // a click would miss an element that still scrolls
		},
	}
	p.runSteps("look", chromedp.EmulateViewport(int64(v.Width), int64(v.Height)),
		runCommand(emulation.SetEmulatedMedia, media),
		runCommand(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.NoScript}))
}

// runCommand runs a command of the DevTools protocol and drops its result.
func runCommand[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, command, params)
		return chromedp.Void{}, err
	}
}

// ClickElement clicks the element that a CSS selector finds, in a page that has loaded whole: before, a click may miss
// its script. It is scrolled to the middle, where no bar lies over it.
func (p *BrowserPage) ClickElement(css string) {
	p.t.Helper()
	p.WaitFor("true")
	p.runSteps(
		"click "+css,
		chromedp.ScrollIntoView(chromedp.CSS(css)),
		scrollToMiddle(css),
		chromedp.Click(chromedp.CSS(css), chromedp.NodeVisible),
	)
}

func scrollToMiddle(css string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		js := fmt.Sprintf(`!document.querySelector(%q)?.scrollIntoView({block: "center", behavior: "instant"})`, css)
		_, err := chromedp.Evaluate[bool](js)(ctx, t)
		return chromedp.Void{}, err
	}
}

// TypeText appends text to a field of a page that has loaded whole.
func (p *BrowserPage) TypeText(css, text string) {
	p.t.Helper()
	p.WaitFor("true")
	p.runSteps("type into "+css, chromedp.SendKeys(chromedp.CSS(css), text, chromedp.NodeVisible))
}

// PressKeys sends keys to the focused element; the names of special keys are in chromedp/kb.
func (p *BrowserPage) PressKeys(keys string) {
	p.t.Helper()
	p.runSteps("press", chromedp.KeyEvent(keys))
}

// UploadFiles puts files into a file field, visible or not.
func (p *BrowserPage) UploadFiles(css string, files ...string) {
	p.t.Helper()
	p.WaitFor("true")
	p.runSteps("upload to "+css, chromedp.SetUploadFiles(chromedp.CSS(css), files))
}

// DropFile drops a file of this machine onto the window.
func (p *BrowserPage) DropFile(file string) {
	p.t.Helper()
	data := &input.DragData{Files: []string{file}, Items: []*input.DragDataItem{}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		p.runSteps("drop "+file, runCommand(input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: kind, X: 300, Y: 300, Data: data,
		}))
	}
}

// ElementText returns an element's rendered text.
func (p *BrowserPage) ElementText(css string) string {
	p.t.Helper()
	return EvalExpression[string](p, fmt.Sprintf("document.querySelector(%s)?.innerText ?? ''", quoteJS(css)))
}

// WaitText waits until an element's text contains a part.
func (p *BrowserPage) WaitText(css, part string) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf("(document.querySelector(%s)?.innerText ?? '').includes(%s)", quoteJS(css), quoteJS(part)))
}

// WaitVisible waits until an element is visible.
func (p *BrowserPage) WaitVisible(css string) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf("document.querySelector(%s)?.checkVisibility() ?? false", quoteJS(css)))
}

// WaitHidden waits until an element is missing or invisible.
func (p *BrowserPage) WaitHidden(css string) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf("!document.querySelector(%s)?.checkVisibility()", quoteJS(css)))
}

// WaitFor waits until a JavaScript expression is truthy in a page that has loaded whole: one that is still arriving
// shows its head before its end, and has no scripts yet.
func (p *BrowserPage) WaitFor(js string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, StepTimeout)
	defer cancel()
	js = "document.readyState === 'complete' && (" + js + ")"
	ask := chromedp.Poll[bool]("Boolean("+js+")", chromedp.WithPollingTimeout(0))
	if p.view.NoScript { // polled from here, since the page runs no scripts
		ask = chromedp.Evaluate[bool]("Boolean(" + js + ")")
	}
	yes, err := chromedp.Run(ctx, ask)
	for ctx.Err() == nil && (err == nil && !yes || err != nil && isNavigationError(err)) {
		yes, err = chromedp.Run(ctx, ask)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		shot := p.saveFailureScreenshot()
		p.t.Fatalf("wait for %s: %v\n%s\npicture: %s", js, err, p.monitor.summarizeFaults(), shot)
	}
}

// isNavigationError reports whether an evaluation failed because its page was replaced by the next one.
func isNavigationError(err error) bool {
	for _, sign := range []string{"Cannot find context", "context was destroyed", "navigated or closed"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// EvalExpression returns the value of a JavaScript expression; a promise is awaited.
func EvalExpression[T any](p *BrowserPage, js string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, StepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("evaluate %.200s: %v", js, err)
	}
	return v
}

// RunScript runs a JavaScript expression and drops its result.
func (p *BrowserPage) RunScript(js string) {
	p.t.Helper()
	if p.view.NoScript { // promises are not settled in such a page
		EvalExpression[bool](p, "Boolean("+js+") || true")
		return
	}
	EvalExpression[bool](p, "(async () => { await ("+js+"); return true; })()")
}

func (p *BrowserPage) runSteps(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, StepTimeout)
	defer cancel()
	err := chromedp.Do(ctx, steps...)
	for isPageReplaced(err) && ctx.Err() == nil {
		err = chromedp.Do(ctx, steps...)
	}
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", what, err, p.monitor.summarizeFaults())
	}
}

// isPageReplaced reports whether the page was replaced after an element was found and before it was used.
func isPageReplaced(err error) bool {
	refused, ok := errors.AsType[*cdproto.Error](err)
	return ok && refused.Message == "Could not find node with given id"
}

func quoteJS(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// DragAcross presses the mouse on an element, moves it and releases it; from and to are parts of the element's width
// from its left edge (0..1).
func (p *BrowserPage) DragAcross(css string, from, to float64) {
	p.t.Helper()
	p.runSteps("scroll to "+css, chromedp.ScrollIntoView(chromedp.CSS(css)))
	box := EvalExpression[[]float64](p, `(({left, top, width, height}) => [left, width, top + height / 2])(`+
		`document.querySelector(`+strconv.Quote(css)+`).getBoundingClientRect())`)
	for _, step := range []struct {
		kind input.DispatchMouseEventType
		part float64
	}{
		{input.DispatchMouseEventTypeMousePressed, from},
		{input.DispatchMouseEventTypeMouseMoved, (from + to) / 2},
		{input.DispatchMouseEventTypeMouseMoved, to},
		{input.DispatchMouseEventTypeMouseReleased, to},
	} {
		p.runSteps("drag across "+css, runCommand(input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: step.kind, X: box[0] + step.part*box[1], Y: box[2], Button: input.MouseButtonLeft, ClickCount: 1,
		}))
	}
}
