package whole_test

import (
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// nightShift is the password of the console's first user in appliances of startWithOperator.
const nightShift = "night-shift-2026"

// startWithOperator starts an appliance with a console user and calls with several outcomes.
func startWithOperator(t *testing.T) *testInstance {
	t.Helper()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	variables := jsonObject{"variables": jsonObject{"name": "سارة", "date": "2026-12-03", "time": "17:30"}}
	var booked []string
	for _, ending := range []string{"94", "91", "90", "07"} {
		booked = append(booked, a.bookCall(t, simulatedNumber(ending), "appointment_confirmation", variables).textAt("id"))
	}
	for _, id := range booked {
		a.awaitEnded(t, id)
	}
	return a
}

// signIn opens the console in a language and signs in.
func signIn(t *testing.T, b *browsertest.TestBrowser, a *testInstance, lang string, v browsertest.PageView) *browsertest.BrowserPage {
	t.Helper()
	return signInAs(t, b, a, nightShift, lang, v)
}

// signInAs is signIn with another password of the user admin.
func signInAs(
	t *testing.T, b *browsertest.TestBrowser, a *testInstance, password, lang string, v browsertest.PageView,
) *browsertest.BrowserPage {
	t.Helper()
	p := b.OpenPage(t, a.URL+"/console?lang="+lang, v)
	p.WaitVisible("#password")
	p.CheckAccessibility()
	p.RunScript(`document.querySelector("#name").value = ""`)
	p.TypeText("#name", "admin")
	p.TypeText("#password", password)
	p.PressKeys(kb.Enter)
	p.WaitVisible("nav.sections")
	return p
}

// longNames adds scenarios, calls, a campaign and suppressed numbers with very long texts, with and without spaces.
func (a *testInstance) longNames(t *testing.T) {
	t.Helper()
	const name = "تأكيد موعد عيادات الأسنان في الفرع الشمالي الكبير الذي اسمه طويل جدا ولا يختصر"
	const id = "confirm_appointments_of_dental_clinics_of_the_north_branch_1"
	a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{
		"id": id, "name": name, "steps": []jsonObject{{"id": "hello", "type": "say", "say": []string{name}}, {"id": "bye", "type": "end"}},
	}).wantStatus(t, 201)
	a.awaitEnded(t, a.bookCall(t, simulatedNumber("90"), id, jsonObject{"metadata": jsonObject{id: strings.Repeat("x", 100)}}).textAt("id"))
	a.bookCall(t, simulatedNumber("21"), id, jsonObject{"scheduled_at": timeFromNow(time.Hour)})
	a.requestAPI(t, http.MethodPost, "/suppressions", jsonObject{"phone_number": "+966599999999", "reason": strings.Repeat(name, 3)}).wantStatus(t, 201)
	unbroken := strings.Repeat("x", 200)
	a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{
		"id": "unbroken", "name": unbroken, "steps": []jsonObject{{"id": "bye", "type": "end"}},
	}).wantStatus(t, 201)
	a.requestAPI(t, http.MethodPost, "/suppressions", jsonObject{"phone_number": "+966599999998", "reason": unbroken}).wantStatus(t, 201)
	a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": unbroken, "scenario_id": "unbroken", "calls": []jsonObject{{"phone_number": simulatedNumber("92")}},
	}).wantStatus(t, 201)
}

// TestConsoleHasNoFault visits every linked page at desktop width in one language and at telephone width in the other,
// in both themes: axe-core finds nothing, nothing is wider than the screen, and no request fails or leaves the origin.
func TestConsoleHasNoFault(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	a.longNames(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	views := map[string]browsertest.PageView{"ar": {Width: 360, Height: 740}, "en": {Width: 1440, Height: 900}}
	for lang, view := range views {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			p := signIn(t, browser, a, lang, view)
			seen := walkConsole(t, p, a.URL, func(at string) {
				checkPage(t, p, at, lang)
				p.SetView(browsertest.PageView{Width: view.Width, Height: view.Height, Dark: true})
				p.CheckColours()
				p.SetView(view)
			})
			if len(seen) < 15 {
				t.Errorf("only %d pages: %v", len(seen), seen)
			}
		})
	}
}

// checkPage runs the checks that every page must pass.
func checkPage(t *testing.T, p *browsertest.BrowserPage, at, lang string) {
	t.Helper()
	before := t.Failed()
	if got := browsertest.EvalExpression[string](p, `document.documentElement.lang`); got != lang {
		t.Errorf("%s is in %q, want %q", at, got, lang)
	}
	if n := browsertest.EvalExpression[int](p, `document.querySelectorAll("main h1").length`); n != 1 {
		t.Errorf("%s has %d headings of the first level", at, n)
	}
	const over = `document.documentElement.scrollWidth - document.documentElement.clientWidth`
	if n := browsertest.EvalExpression[int](p, over); n > 0 {
		t.Errorf("%s is %d pixels wider than the screen", at, n)
	}
	p.RunScript(`document.querySelectorAll("details").forEach((one) => one.open = true)`)
	if got := browsertest.EvalExpression[string](p, torn); got != "" {
		t.Errorf("%s has numbers that read backwards:\n%s", at, got)
	}
	if got := browsertest.EvalExpression[string](p, squeezed); got != "" {
		t.Errorf("%s is squeezed:\n%s", at, got)
	}
	p.CheckAccessibility()
	if t.Failed() && !before {
		t.Logf("the first fault was seen at %s", at)
	}
}

// TestListsPrint prints lists in both languages: no controls, and nothing is wider than the paper.
func TestListsPrint(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	a.longNames(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	for _, at := range []string{"", "/calls", "/campaigns", "/audit", "/queue", "/reports", "/scenarios"} {
		for _, lang := range []string{"ar", "en"} {
			p.NavigateTo(a.URL + "/console" + at + "?lang=" + lang)
			p.PrintPage()
		}
	}
}

// torn finds numbers, dates and telephone numbers that are drawn with their end left of their beginning, as the
// bidirectional algorithm does without markup.
const torn = `(() => {
	const out = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
	const edge = (node, at) => { range.setStart(node, at); range.setEnd(node, at + 1); return range.getClientRects()[0]; };
	for (let node; (node = walker.nextNode());) {
		for (const found of node.data.matchAll(/[+]?[0-9٠-٩]+(?:[-:.\/,+–][\u200e]?[0-9٠-٩]+)+|[+][0-9]+/g)) {
			const first = edge(node, found.index), last = edge(node, found.index + found[0].length - 1);
			if (first && last && first.top === last.top && last.left < first.left) out.push(found[0] + " in " + node.data.trim().slice(0, 80));
		}
	}
	return out.join("\n");
})()`

// squeezed finds badges that touch what follows them, lists that show less than half of the chosen word, and players
// whose seconds can't be hit.
const squeezed = `(() => {
	const out = [], pen = document.createElement("canvas").getContext("2d");
	const isShown = (one) => one?.checkVisibility() && one.getClientRects().length > 0;
	for (const badge of document.querySelectorAll("main .badge")) {
		const next = badge.nextElementSibling;
		if (!isShown(badge) || !isShown(next)) continue;
		const a = badge.getBoundingClientRect(), b = next.getClientRects()[0];
		const apart = Math.max(b.left - a.right, a.left - b.right);
		if (b.top < a.bottom && a.top < b.bottom && apart < 3) out.push(badge.innerText + " touches " + next.innerText);
	}
	for (const list of document.querySelectorAll("main select")) {
		const style = getComputedStyle(list), word = list.selectedOptions[0]?.text ?? "";
		pen.font = style.font;
		const room = list.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd);
		if (isShown(list) && room < Math.min(pen.measureText(word).width / 2, 120)) out.push(word + " in a list of " + room + " pixels");
	}
	for (const seek of document.querySelectorAll("main [data-part=seek]")) {
		if (isShown(seek) && seek.clientWidth < 120) out.push("a player of " + seek.clientWidth + " pixels");
	}
	return out.join("\n");
})()`

// TestNumbersInRightToLeftText checks that in right-to-left pages a date begins with its year, with either digits.
func TestNumbersInRightToLeftText(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	for _, digits := range []string{"latn", "arab"} {
		for _, at := range []string{"", "/calls", "/rules", "/scenarios/new", "/audit", "/system", "/account"} {
			p.NavigateTo(a.URL + "/console" + at + "?digits=" + digits)
			if got := browsertest.EvalExpression[string](p, torn); got != "" {
				t.Errorf("%s, %s: %s", at, digits, got)
			}
		}
	}
	if !strings.Contains(p.ElementText("main"), "٢٠٢٦") {
		t.Error("nothing is in Arabic-Indic digits")
	}
}

// status is the HTTP status of the open page.
const status = `performance.getEntriesByType("navigation")[0].responseStatus`

// walkConsole opens one page of each kind that is linked below /console, and returns the kinds.
func walkConsole(t *testing.T, p *browsertest.BrowserPage, base string, look func(at string)) map[string]bool {
	t.Helper()
	seen, queue := map[string]bool{kindOf("/console"): true}, []string{"/console"}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		p.NavigateTo(base + at)
		if code := browsertest.EvalExpression[int](p, status); code != 200 {
			t.Errorf("%s answers %d", at, code)
			continue
		}
		look(at)
		for _, next := range linksOf(p, "a") {
			if kind := kindOf(next); !seen[kind] {
				seen[kind] = true
				queue = append(queue, next)
			}
		}
	}
	return seen
}

// linksOf returns the console pages that the links of a selector lead to, without downloads, recordings and the
// switches of language and theme.
func linksOf(p *browsertest.BrowserPage, css string) []string {
	all := browsertest.EvalExpression[string](p, `[...document.querySelectorAll("`+css+`[href^='/console']:not([download])")]
		.map((a) => a.getAttribute("href")).join("\n")`)
	var pages []string
	for _, link := range strings.Fields(all) {
		u, err := url.Parse(link)
		if err != nil || path.Ext(u.Path) != "" || path.Base(u.Path) == "sound" || path.Base(u.Path) == "hear" ||
			u.Query().Has("lang") || u.Query().Has("theme") {
			continue
		}
		pages = append(pages, u.RequestURI())
	}
	return pages
}

// ids matches the parts of paths that differ between pages of one kind: ids with or without a prefix, and telephone
// numbers.
var ids = regexp.MustCompile(`/([a-z]+_)?([0-9a-f]{8}[0-9a-f-]*|\+\d+|%2B\d+)`)

func kindOf(at string) string {
	at, _, _ = strings.Cut(at, "?")
	return ids.ReplaceAllString(strings.TrimSuffix(at, "/"), "/*")
}

// TestConsoleTrouble checks that a missing page shows the request id of its log line, and that the field that a form was
// refused for is in hand.
func TestConsoleTrouble(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.ExpectStatuses(404)
	p.NavigateTo(a.URL + "/console/calls/call_00000000-0000-4000-8000-000000000000")
	p.WaitVisible("#request-id")
	id := strings.TrimSpace(p.ElementText("#request-id"))
	if !strings.Contains(a.log.String(), "request_id="+id) || len(id) != 36 {
		t.Errorf("the request's id is %q, which the log does not know", id)
	}
	p.CheckAccessibility()
	p.ExpectStatuses(422)
	p.NavigateTo(a.URL + "/console/inbound")
	p.TypeText("#f-to", "5")
	p.PressKeys(kb.Enter)
	p.WaitVisible("#f-to-error")
	p.WaitFor(`document.activeElement?.id === "f-to"`) // a fault at the foot of the page is seen
}
