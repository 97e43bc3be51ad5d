package browsertest

import (
	"context"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// SaveFullPage saves a screenshot of the whole page as PNG, in a window as high as the page, because in pictures beyond
// the window's edge right-to-left text is shifted.
func (p *BrowserPage) SaveFullPage(file string) {
	p.t.Helper()
	high := EvalExpression[int](p, "Math.max(innerHeight, document.documentElement.scrollHeight)")
	p.runSteps("heighten the window", chromedp.EmulateViewport(int64(EvalExpression[int](p, "innerWidth")), int64(high)))
	p.SaveViewport(file)
	p.SetView(p.view)
}

// SaveViewport saves a screenshot of the visible part of the page as PNG.
func (p *BrowserPage) SaveViewport(file string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, StepTimeout)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatalf("screenshot: %v", err)
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *BrowserPage) saveFailureScreenshot() string {
	dir, err := os.MkdirTemp("", "browsertest-failure")
	if err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(p.ctx, StepTimeout)
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
