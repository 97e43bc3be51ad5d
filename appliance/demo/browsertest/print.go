package browsertest

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A4 in CSS pixels and in PDF points. Chromium's default margin is 1 cm on each side.
const (
	a4Width, a4Height = 794, 1123
	printMargin       = 38
	a4WidthPoints     = 595
	a4HeightPoints    = 842
)

// PrintedPage is a page printed on A4.
type PrintedPage struct {
	Text   string // the visible text
	Sheets int
	PDF    []byte
}

// PrintPage prints the page as PDF on A4 portrait paper with its print styles. The test fails for elements without use
// on paper (navigation, buttons, fields), content wider than the paper, text against the page's direction, and sheets
// of another size.
func (p *BrowserPage) PrintPage() PrintedPage {
	p.t.Helper()
	p.runSteps("lay out for paper", chromedp.EmulateViewport(a4Width-2*printMargin, a4Height-2*printMargin),
		runCommand(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	defer p.SetView(p.view)
	if faults := EvalExpression[string](p, printFaults); faults != "" {
		p.t.Errorf("printed on A4, %s has:\n%s", EvalExpression[string](p, "location.pathname"), faults)
	}
	printed := PrintedPage{Text: EvalExpression[string](p, "document.body.innerText"), PDF: p.printPDF()}
	printed.Sheets = p.countSheets(printed.PDF)
	return printed
}

// printFaults returns the faults of a page in print layout, one a line. Elements only for screen readers are clipped to
// one pixel and ignored.
const printFaults = `(() => {
	const out = [], name = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + "." + e.getAttribute("class");
	const isLarge = (r) => r.width > 1 && r.height > 1;
	const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && isLarge(e.getBoundingClientRect());
	const shown = [...document.querySelectorAll("body, body *")].filter(seen);
	for (const e of shown) {
		const r = e.getBoundingClientRect(), says = name(e) + " " + e.textContent.trim().slice(0, 60);
		if (e.matches("nav, button, .button, input, select, textarea, dialog, audio")) out.push("a control: " + says);
		const over = Math.round(Math.max(-r.left, r.right - innerWidth));
		if (over > 1) out.push("beyond the paper by " + over + " px: " + says);
		const clips = getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1;
		if (clips) out.push("cut off by " + (e.scrollWidth - e.clientWidth) + " px: " + says);
	}
	const way = document.documentElement.lang === "ar" ? "rtl" : "ltr";
	if (getComputedStyle(document.body).direction !== way) out.push("the direction is not " + way);
	if (getComputedStyle(document.documentElement).colorScheme === "dark") out.push("the dark appearance");
	return out.join("\n");
})()`

// printPDF prints the page on A4 with a browser's default settings, without background colours.
func (p *BrowserPage) printPDF() []byte {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, StepTimeout)
	defer cancel()
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	if err != nil {
		p.t.Fatalf("print: %v", err)
	}
	return pdf
}

var mediaBox = regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`)

// countSheets counts the sheets of a PDF by Chromium, each of which must be A4 portrait.
func (p *BrowserPage) countSheets(pdf []byte) int {
	p.t.Helper()
	sheets := mediaBox.FindAllSubmatch(pdf, -1)
	for _, size := range sheets {
		if !isNearly(string(size[1]), a4WidthPoints) || !isNearly(string(size[2]), a4HeightPoints) {
			p.t.Errorf("a sheet of %s x %s points is no A4", size[1], size[2])
		}
	}
	if len(sheets) == 0 {
		p.t.Errorf("no sheet was printed: %.200s", pdf)
	}
	return len(sheets)
}

// isNearly reports whether a number equals another one up to rounding.
func isNearly(number string, want float64) bool {
	n, err := strconv.ParseFloat(number, 64)
	return err == nil && math.Abs(n-want) < 2
}

// WantTexts fails the test for each text that the paper does not show.
func (printed PrintedPage) WantTexts(p *BrowserPage, texts ...any) {
	p.t.Helper()
	for _, one := range texts {
		if text := fmt.Sprint(one); !strings.Contains(printed.Text, text) {
			p.t.Errorf("the paper does not show %q:\n%s", text, printed.Text)
		}
	}
}
