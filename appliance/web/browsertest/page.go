package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// View is how a page is looked at.
type View struct {
	Width, Height int  // CSS pixels; 0 is 1440 x 900
	Dark          bool // what the operating system prefers
	NoScript      bool // a browser that runs no scripts
}

// Page is one tab in a profile of its own.
type Page struct {
	t     testing.TB
	ctx   context.Context
	watch *watch
	view  View
}

// Open shows a URL and waits until it has loaded. The page closes when t ends.
func (b *Browser) Open(t testing.TB, url string, v View) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &Page{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	p.watch = startWatch(ctx, t, url)
	t.Cleanup(func() {
		p.watch.check(t)
		cancel()
	})
	p.Look(v)
	p.Go(url)
	return p
}

// Go leads the page elsewhere.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.do("go to "+url, chromedp.Navigate(url))
}

// Reload loads the page again.
func (p *Page) Reload() {
	p.t.Helper()
	p.do("reload", chromedp.Reload())
}

// Look changes the view.
func (p *Page) Look(v View) {
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
			{Name: "prefers-reduced-motion", Value: "reduce"}, // a click must not chase what still scrolls
		},
	}
	p.do("look", chromedp.EmulateViewport(int64(v.Width), int64(v.Height)),
		call(emulation.SetEmulatedMedia, media),
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.NoScript}))
}

// call is one command of the DevTools protocol whose answer does not matter.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, command, params)
		return chromedp.Void{}, err
	}
}

// Click presses the element that a CSS selector finds.
func (p *Page) Click(css string) {
	p.t.Helper()
	p.do("click "+css, chromedp.ScrollIntoView(chromedp.CSS(css)), chromedp.Click(chromedp.CSS(css), chromedp.NodeVisible))
}

// Type writes into a field, after what is there.
func (p *Page) Type(css, text string) {
	p.t.Helper()
	p.do("type into "+css, chromedp.SendKeys(chromedp.CSS(css), text, chromedp.NodeVisible))
}

// Press sends keys to what has the focus; names of special keys are in chromedp/kb.
func (p *Page) Press(keys string) {
	p.t.Helper()
	p.do("press", chromedp.KeyEvent(keys))
}

// Upload puts files into a file field, shown or not.
func (p *Page) Upload(css string, files ...string) {
	p.t.Helper()
	p.do("upload to "+css, chromedp.SetUploadFiles(chromedp.CSS(css), files))
}

// Drop lets a file of this machine fall onto the middle of the window.
func (p *Page) Drop(file string) {
	p.t.Helper()
	data := &input.DragData{Files: []string{file}, Items: []*input.DragDataItem{}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		p.do("drop "+file, call(input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: kind, X: 300, Y: 300, Data: data,
		}))
	}
}

// Text is what an element says, as it is laid out.
func (p *Page) Text(css string) string {
	p.t.Helper()
	return Eval[string](p, fmt.Sprintf("document.querySelector(%s)?.innerText ?? ''", quote(css)))
}

// WaitText waits until an element says something.
func (p *Page) WaitText(css, part string) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf("(document.querySelector(%s)?.innerText ?? '').includes(%s)", quote(css), quote(part)))
}

// WaitVisible waits until an element is on show.
func (p *Page) WaitVisible(css string) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf("document.querySelector(%s)?.checkVisibility() ?? false", quote(css)))
}

// WaitHidden waits until an element is gone or not on show.
func (p *Page) WaitHidden(css string) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf("!document.querySelector(%s)?.checkVisibility()", quote(css)))
}

// WaitFor waits until a JavaScript expression is truthy.
func (p *Page) WaitFor(js string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	js = "document.documentElement && (" + js + ")" // there is none between two pages
	ask := chromedp.Poll[bool]("Boolean("+js+")", chromedp.WithPollingTimeout(0))
	if p.view.NoScript { // nothing in such a page runs by itself, so that it is asked again from here
		ask = chromedp.Evaluate[bool]("Boolean(" + js + ")")
	}
	yes, err := chromedp.Run(ctx, ask)
	for ctx.Err() == nil && (err == nil && !yes || err != nil && leftPage(err)) {
		yes, err = chromedp.Run(ctx, ask)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		shot := p.failureShot()
		p.t.Fatalf("wait for %s: %v\n%s\npicture: %s", js, err, p.watch.summary(), shot)
	}
}

// leftPage says that a wait broke off because the page it waited on gave way to the next one.
func leftPage(err error) bool {
	for _, sign := range []string{"Cannot find context", "context was destroyed", "navigated or closed"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// Eval is the value of a JavaScript expression; a promise is waited for.
func Eval[T any](p *Page, js string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("evaluate %.200s: %v", js, err)
	}
	return v
}

// Eval runs a JavaScript expression for what it does.
func (p *Page) Eval(js string) {
	p.t.Helper()
	if p.view.NoScript { // where promises are never kept
		Eval[bool](p, "Boolean("+js+") || true")
		return
	}
	Eval[bool](p, "(async () => { await ("+js+"); return true; })()")
}

// Screenshot writes the whole page as PNG: in a window as high as the page, because a picture beyond the window's edge
// shifts what is written from right to left.
func (p *Page) Screenshot(file string) {
	p.t.Helper()
	high := Eval[int](p, "Math.max(innerHeight, document.documentElement.scrollHeight)")
	p.do("heighten the window", chromedp.EmulateViewport(int64(Eval[int](p, "innerWidth")), int64(high)))
	p.Picture(file)
	p.Look(p.view)
}

// Picture writes as PNG what is in the window.
func (p *Page) Picture(file string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatalf("screenshot: %v", err)
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *Page) failureShot() string {
	dir, err := os.MkdirTemp("", "browsertest-failure")
	if err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return err.Error()
	}
	file := filepath.Join(dir, "page.png")
	if err := os.WriteFile(file, png, 0o644); err != nil {
		return err.Error()
	}
	return file
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, Patience)
	defer cancel()
	err := chromedp.Do(ctx, steps...)
	for replaced(err) && ctx.Err() == nil {
		err = chromedp.Do(ctx, steps...)
	}
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", what, err, p.watch.summary())
	}
}

// replaced says that the page became another one after an element was found and before anything was done to it.
func replaced(err error) bool {
	refused, ok := errors.AsType[*cdproto.Error](err)
	return ok && refused.Message == "Could not find node with given id"
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
