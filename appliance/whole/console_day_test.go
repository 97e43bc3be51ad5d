package whole_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"munadi/appliance/demo/browsertest"
	"munadi/ui/locale"
)

// Times of a person's acts, from the keystroke-level model (Card, Moran, Newell 1980): to decide, to point and press, to
// type a letter; and reading at 200 words a minute, finding a file in a dialogue.
const (
	decideTime = 1350 * time.Millisecond
	pressTime  = 1300 * time.Millisecond
	letterTime = 280 * time.Millisecond
	wordTime   = 300 * time.Millisecond
	fileTime   = 8 * time.Second
)

// clerk uses the console as a person does, and counts clicks and the time of the acts without the machine's.
type clerk struct {
	*browsertest.BrowserPage
	clicks int
	acts   time.Duration
}

func (c *clerk) click(css string) {
	c.clicks++
	c.acts += decideTime + pressTime
	c.ClickElement(css)
}

// upload chooses a file: the click that opens the dialogue, and the search in it.
func (c *clerk) upload(css, file string) {
	c.clicks++
	c.acts += decideTime + pressTime + fileTime
	c.UploadFiles(css, file)
}

// typeText types into a field that is clicked first.
func (c *clerk) typeText(css, text string) {
	c.click(css)
	c.acts += decideTime + time.Duration(len([]rune(text)))*letterTime
	c.PressKeys(text)
}

// read returns the text of an element after the time that reading it takes.
func (c *clerk) read(css string) string {
	text := c.ElementText(css)
	c.acts += time.Duration(len(strings.Fields(text))) * wordTime
	return text
}

// TestAClerksDay books the calls of a clinic's workbook of 500 rows, from the file to the results, with at most eight
// clicks and two minutes of a person's acts, and compares each fact on the screen with the file and with the API.
func TestAClerksDay(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{Width: 1440, Height: 900})
	file := artifactPath(t, "كشف المواعيد.xlsx")
	people := writeClinicBook(t, file, func(day time.Time) string { return hijriDay(p, day) })
	c := &clerk{BrowserPage: p}
	p.NavigateTo(a.URL + "/console/campaigns")
	began := time.Now()
	c.click(".page-head .button.primary")
	p.WaitVisible("#f-file")
	c.upload("#f-file", file)
	c.click("form.stack button.primary")
	p.WaitVisible(`[name="sheet"]`)
	if text := c.read("main form"); !strings.Contains(text, clinicSheet) || !strings.Contains(text, otherSheet) {
		t.Errorf("the sheets are %q", text)
	}
	p.CheckAccessibility()
	c.click("main form button.primary")
	p.WaitVisible("#columns")
	c.read(".columns-table tbody tr:first-child")
	c.read(".columns-table tbody tr:nth-child(2)")
	for column, field := range []string{"", "name", "phone_number", "date", "time", "doctor"} {
		p.WaitFor(fmt.Sprintf(`document.querySelector('[name="col.%d"]').value === %q`, column, field))
	}
	c.click("#columns button.primary")
	p.WaitVisible("#check")
	checkClinicRows(t, c, people)
	c.click(`[name="shared"][value="each"]`)
	c.click(`[name="sure"]`)
	p.ExpectText("/console/campaigns/camp_") // the page requests the campaign before it exists if booking is slow
	c.click("#check button.primary")
	p.WaitVisible("#campaign")
	id := browsertest.EvalExpression[string](p, `location.pathname.split("/").pop()`)
	p.WaitFor(`document.querySelector("#answers .answer-list a")`)
	c.read("#progress")
	c.read("#answers .answer-list")
	t.Logf("from file to results: %d clicks, %s of a person's acts, %s with the machine's",
		c.clicks, c.acts.Round(time.Second), time.Since(began).Round(time.Second))
	if c.clicks > 8 || c.acts > 2*time.Minute {
		t.Errorf("%d clicks and %s, at most 8 and 2 minutes are allowed", c.clicks, c.acts)
	}
	checkClinicBooking(t, a, people, id)
	one := awaitFinished(t, a, id)
	checkClinicPage(t, p, one)
	checkClinicSpeech(t, a, people, id)
	checkClinicResults(t, p, people, one)
	p.CheckAccessibility()
	checkClinicCalls(t, p, a, id)
}

// TestAClerksScenario makes a scenario of a template without its JSON, from the list of scenarios to the published
// version and a call that speaks it, with at most five minutes of a person's acts.
func TestAClerksScenario(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{Width: 1440, Height: 900})
	c := &clerk{BrowserPage: p}
	submit := func(css string) {
		t.Helper()
		p.RunScript(`document.body.dataset.old = "1"`)
		c.click(css)
		p.WaitFor(`!document.body.dataset.old && document.readyState === "complete" && document.querySelector("main h1")`)
	}
	p.NavigateTo(a.URL + "/console/scenarios")
	began := time.Now()
	c.click(`a[href="/console/scenarios/new"]`)
	p.WaitVisible(".templates")
	c.read(".templates")
	c.click(`input[value="template:payment"]`)
	p.RunScript(`document.querySelector("#f-name").value = ""`)
	c.typeText("#f-name", "تذكير بالقسط")
	c.click(`form.new-scenario button[type="submit"]`)
	p.WaitVisible("#editor .chip-line")
	c.read("#editor .card")
	const line = "#card-0 .say-line:last-child"
	value := browsertest.EvalExpression[string](p, `document.querySelector("`+line+` .chip-menu li button").textContent`)
	c.typeText(line+" .chip-line", " مع الشكر يا ")
	c.click(line + " .chip-menu summary")
	c.click(line + " .chip-menu li button")
	p.WaitText(line+" .chip-line", "مع الشكر يا "+value)
	c.click(`details:has([value="add-ask:0"]) > summary`)
	submit(`[value="add-ask:0"]`)
	p.WaitFor(`document.activeElement?.matches("#card-1 .chip-line")`)
	c.typeText("#card-1 .chip-line", "هل يناسبكم الدفع هذا الأسبوع")
	c.typeText(`[name="steps.1.label"]`, "الدفع هذا الأسبوع")
	c.typeText(`[name="steps.1.slot.label"]`, "يدفع هذا الأسبوع")
	submit(`.editor-bar [value="check"]`)
	p.WaitText(".flash:not(.alert-banner)", "لا أخطاء")
	submit(".editor-bar .primary")
	p.WaitVisible(`form[action$="/try"]`)
	c.click(`form[action$="/try"] button`)
	p.WaitVisible("#call")
	p.WaitText("main", "هل يناسبكم الدفع هذا الأسبوع")
	t.Logf("from the list to a call of the published scenario: %d clicks, %s of a person's acts, %s with the machine's",
		c.clicks, c.acts.Round(time.Second), time.Since(began).Round(time.Second))
	if c.acts > 5*time.Minute {
		t.Errorf("%s, at most 5 minutes are allowed", c.acts)
	}
	id := browsertest.EvalExpression[string](p, `location.pathname.split("/").pop()`)
	call := a.requestAPI(t, "GET", "/calls/"+id, nil).wantStatus(t, 200).successData(t)
	stored := a.requestAPI(t, "GET", "/scenarios/"+call.textAt("scenario_id"), nil).wantStatus(t, 200).successData(t)
	if stored.textAt("name") != "تذكير بالقسط" || stored.textAt("status") == "draft" {
		t.Errorf("the scenario is stored as %v", stored)
	}
}

// hijriDay is a day in the Umm al-Qura calendar of Chromium (ICU).
func hijriDay(p *browsertest.BrowserPage, day time.Time) string {
	return browsertest.EvalExpression[string](p, fmt.Sprintf(`(() => {
		const parts = new Intl.DateTimeFormat("en-u-ca-islamic-umalqura-nu-latn", {timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit"})
			.formatToParts(new Date(%q));
		const part = (kind) => parts.find((one) => one.type === kind).value;
		return part("year") + "/" + part("month") + "/" + part("day");
	})()`, day.Format(time.RFC3339)))
}

// checkClinicRows compares the page before the start with the workbook: how many rows are ready, faulty and duplicates,
// who shares a number, and what the first three calls will say.
func checkClinicRows(t *testing.T, c *clerk, people []expectedPerson) {
	t.Helper()
	sums := c.read(".check-sums")
	ready, bad := countFault(people, ""), countFault(people, "past", "missing", "number")
	for state, want := range map[string]int{"good": ready - 2, "bad": bad, "warn": 3} { // before the choice the children count as duplicates
		if got := c.ElementText(`.check-sums [data-state="` + state + `"] b`); got != strconv.Itoa(want) {
			t.Errorf("%s rows: the page says %q, the file has %d (%s)", state, got, want, sums)
		}
	}
	c.RunScript(`document.querySelectorAll("#check details").forEach((list) => { list.open = true })`)
	text := c.ElementText("#check")
	if want := clinicRows / 125; !strings.Contains(text, fmt.Sprintf("صفوف مجموع لا يُتصل بها: %d", want)) || strings.Count(text, "المجموع · 125") != want {
		t.Errorf("the page does not say that %d rows are totals: %s", want, text)
	}
	shared := c.read(`#ask-shared`) // read whole: it decides who is called
	for _, i := range []int{39, 40, 41} {
		if !strings.Contains(shared, people[i].name) || !strings.Contains(shared, people[i].number) {
			t.Errorf("the question about shared numbers does not name %v: %s", people[i], shared)
		}
	}
	preview := c.ElementText("#previews")
	c.read("#previews blockquote")
	c.read("#check fieldset:last-of-type p")
	for _, p := range people[:3] {
		if !strings.Contains(preview, p.number) || !strings.Contains(preview, p.name) || !strings.Contains(preview, spokenDay(p.day)) {
			t.Errorf("the preview lacks %v or %q: %s", p, spokenDay(p.day), preview)
		}
	}
	for i := range 3 {
		sound := browsertest.EvalExpression[string](c.BrowserPage, fmt.Sprintf(
			`fetch(document.querySelectorAll("#previews audio")[%d].src).then((r) => r.ok ? r.arrayBuffer() : null).then((b) => String(b?.byteLength > 20000))`, i))
		if sound != "true" {
			t.Errorf("the preview's sound %d is not served", i+1)
		}
	}
	c.CheckAccessibility()
}

// spokenDay is a day as the scenario says it.
func spokenDay(day time.Time) string {
	ordinals := []string{
		"الأول", "الثاني", "الثالث", "الرابع", "الخامس", "السادس", "السابع", "الثامن", "التاسع", "العاشر", "الحادي عشر", "الثاني عشر",
		"الثالث عشر", "الرابع عشر", "الخامس عشر", "السادس عشر", "السابع عشر", "الثامن عشر", "التاسع عشر", "العشرين",
		"الحادي والعشرين", "الثاني والعشرين", "الثالث والعشرين", "الرابع والعشرين", "الخامس والعشرين", "السادس والعشرين",
		"السابع والعشرين", "الثامن والعشرين", "التاسع والعشرين", "الثلاثين", "الحادي والثلاثين",
	}
	return ordinals[day.Day()-1] + " من " + arabicMonths[day.Month()-1]
}

// campaignCalls returns all calls of a campaign from the API, page by page.
func campaignCalls(t *testing.T, a *testInstance, id string) (all []jsonObject) {
	t.Helper()
	for cursor := ""; ; {
		body := jsonObject(a.requestAPI(t, "GET", "/calls?limit=200&campaign_id="+id+"&cursor="+url.QueryEscape(cursor), nil).
			wantStatus(t, 200).jsonBody(t))
		for _, one := range body.listAt("data") {
			all = append(all, one.(map[string]any))
		}
		if cursor = body.textAt("meta", "next_cursor"); cursor == "" {
			return all
		}
	}
}

// checkClinicBooking compares every booked call with its row: number, name, day, hour and doctor.
func checkClinicBooking(t *testing.T, a *testInstance, people []expectedPerson, id string) {
	t.Helper()
	booked := map[string]int{}
	for _, one := range campaignCalls(t, a, id) {
		if one.countAt("attempt_number") == 1 {
			booked[strings.Join([]string{
				one.textAt("phone_number"), one.textAt("variables", "name"), one.textAt("variables", "date"),
				one.textAt("variables", "time"), one.textAt("variables", "doctor"),
			}, "|")]++
		}
	}
	want := 0
	for _, p := range people {
		key := strings.Join([]string{p.number, p.name, p.day.Format(time.DateOnly), p.clock, p.doctor}, "|")
		if p.fault != "" {
			continue
		}
		if want++; booked[key] != 1 {
			t.Errorf("row %d is booked %d times: %s", p.row, booked[key], key)
		}
	}
	if len(booked) != want {
		t.Log(booked)
		t.Errorf("%d people are booked, the file has %d", len(booked), want)
	}
}

// awaitFinished waits until a campaign has ended.
func awaitFinished(t *testing.T, a *testInstance, id string) jsonObject {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Second) {
		c := a.requestAPI(t, "GET", "/campaigns/"+id, nil).wantStatus(t, 200).successData(t)
		if c.textAt("status") == "finished" {
			return c
		}
		if time.Since(began) > 3*conversation {
			t.Fatalf("the campaign has not ended: %v", c)
		}
	}
}

// checkClinicPage compares the campaign's page with the API, without a reload.
func checkClinicPage(t *testing.T, p *browsertest.BrowserPage, one jsonObject) {
	t.Helper()
	people := one.objectAt("people")
	total := people.countAt("total")
	p.WaitText("#progress", fmt.Sprintf("انتهى %d من %d", total, total))
	for status, n := range people.objectAt("counts") {
		shown := fmt.Sprintf(`.campaign-parts a[data-state="%s"] b`, status)
		p.WaitFor(fmt.Sprintf(`(document.querySelector(%q)?.textContent ?? "0") === %q`, shown, fmt.Sprint(n)))
	}
	text := p.ElementText("#campaign")
	if strings.Contains(text, "لم يُعرف") {
		t.Errorf("questions that were not asked are shown as unknown: %s", text)
	}
}

// spokenClock is how the scenario says the hours of the workbook.
var spokenClock = map[string]string{
	"16:30": "الساعة الرابعة والنصف مساء", "09:15": "الساعة التاسعة والربع صباحا", "17:00": "الساعة الخامسة مساء",
}

// checkClinicSpeech expects that every call that was answered said the person's name, day, hour and doctor.
func checkClinicSpeech(t *testing.T, a *testInstance, people []expectedPerson, id string) {
	t.Helper()
	heard := 0
	for _, one := range campaignCalls(t, a, id) {
		if one.textAt("status") != "completed" {
			continue
		}
		call := a.requestAPI(t, "GET", "/calls/"+one.textAt("id"), nil).wantStatus(t, 200).successData(t)
		said := ""
		for _, m := range call.listAt("enhanced_transcript", "transcript", "messages") {
			if m := jsonObject(m.(map[string]any)); m.textAt("role") != "customer" {
				said += m.textAt("content") + "\n"
			}
		}
		at := slices.IndexFunc(people, func(p expectedPerson) bool {
			return p.number == one.textAt("phone_number") && p.name == one.textAt("variables", "name") && p.fault == ""
		})
		if at < 0 {
			t.Errorf("the call to %s is of nobody in the file", one.textAt("phone_number"))
			continue
		}
		for _, fact := range []string{people[at].name, spokenDay(people[at].day), spokenClock[people[at].clock], people[at].doctor} {
			if !strings.Contains(said, fact) {
				t.Errorf("the call to %s does not say %q: %s", one.textAt("phone_number"), fact, said)
			}
		}
		heard++
	}
	if heard == 0 {
		t.Error("no call was answered")
	}
}

// checkClinicCalls opens the page of one call of each outcome, and of its person, and compares what they show with the
// API: name, number, outcome, values, what was said, and the answers; the person's recordings have the console's player.
func checkClinicCalls(t *testing.T, p *browsertest.BrowserPage, a *testInstance, id string) {
	t.Helper()
	seen := map[string]bool{}
	for _, one := range campaignCalls(t, a, id) {
		status := one.textAt("status")
		if seen[status] || status == "scheduled" {
			continue
		}
		seen[status] = true
		call := a.requestAPI(t, "GET", "/calls/"+one.textAt("id"), nil).wantStatus(t, 200).successData(t)
		facts := []string{call.textAt("phone_number"), call.textAt("variables", "name"), locale.StatusWord(locale.Arabic, status)}
		var said []string
		for _, m := range call.listAt("enhanced_transcript", "transcript", "messages") {
			said = append(said, jsonObject(m.(map[string]any)).textAt("content"))
		}
		p.NavigateTo(a.URL + "/console/calls/" + one.textAt("id"))
		p.WaitVisible("#call")
		p.RunScript(`document.querySelectorAll("main details").forEach((part) => { part.open = true })`)
		values := []string{call.textAt("variables", "date"), call.textAt("variables", "time"), call.textAt("variables", "doctor")}
		wantFacts(t, p, "the call's page", slices.Concat(facts, values, said))
		p.NavigateTo(a.URL + "/console/people/" + url.PathEscape(call.textAt("phone_number")))
		wantFacts(t, p, "the person's page", slices.Concat(facts, said))
		if len(said) > 0 {
			p.WaitFor(`(() => { const player = document.querySelector(".conversation [data-player]");
				return player && player.querySelector("audio").hidden && !player.querySelector(".audio-bar").hidden; })()`)
			p.CheckAccessibility()
		}
	}
	if len(seen) < 4 || !seen["completed"] {
		t.Errorf("the campaign has only calls of the outcomes %v", seen)
	}
}

// wantFacts expects texts on a page, whatever the spaces between their words.
func wantFacts(t *testing.T, p *browsertest.BrowserPage, page string, facts []string) {
	t.Helper()
	plain := func(text string) string { return strings.Join(strings.Fields(text), "") }
	shown := plain(p.ElementText("main"))
	for _, fact := range facts {
		if fact == "" || !strings.Contains(shown, plain(fact)) {
			t.Errorf("%s does not show %q: %s", page, fact, p.ElementText("main"))
		}
	}
}

// checkClinicResults downloads the workbook of results and compares it with the file: a row for each person with name,
// number as text and local time, and on the second sheet each row that was not booked, with its sheet, number and name.
func checkClinicResults(t *testing.T, p *browsertest.BrowserPage, people []expectedPerson, one jsonObject) {
	t.Helper()
	link := browsertest.EvalExpression[string](p, `document.querySelector('a[href$="results.xlsx"]').href`)
	answer := browsertest.EvalExpression[[]int](p, `fetch(`+strconv.Quote(link)+`).then((r) => r.arrayBuffer()).then((b) => [...new Uint8Array(b)])`)
	content := make([]byte, len(answer))
	for i, b := range answer {
		content[i] = byte(b)
	}
	file := artifactPath(t, "results.xlsx")
	mustSucceed(t, os.WriteFile(file, content, 0o600))
	book, err := excelize.OpenFile(file)
	mustSucceed(t, err)
	defer func() { _ = book.Close() }()
	if len(book.GetSheetList()) != 2 {
		t.Fatalf("the results have the sheets %v", book.GetSheetList())
	}
	called, err := book.GetRows(book.GetSheetList()[0])
	mustSucceed(t, err)
	left, err := book.GetRows(book.GetSheetList()[1])
	mustSucceed(t, err)
	listed := func(rows [][]string, cells ...string) bool {
		return slices.ContainsFunc(rows, func(row []string) bool {
			for _, cell := range cells {
				if !slices.Contains(row, cell) {
					return false
				}
			}
			return true
		})
	}
	if want := one.countAt("people", "total"); len(called) < want+1 {
		t.Errorf("%d rows of results, %d people", len(called)-1, want)
	}
	for _, p := range people {
		switch p.fault {
		case "":
			if !listed(called, p.name, p.number) {
				t.Errorf("the results lack %v", p)
			}
		default:
			if !listed(left, clinicSheet, strconv.Itoa(p.row), p.name) {
				t.Errorf("the rows that were not booked lack %v", p)
			}
		}
	}
	checkStrangersRead(t, file, map[string][][]string{book.GetSheetList()[0]: called, book.GetSheetList()[1]: left})
}

// checkStrangersRead opens a workbook with openpyxl and LibreOffice, which must read the same cells.
func checkStrangersRead(t *testing.T, file string, sheets map[string][][]string) {
	t.Helper()
	count := 0
	for _, rows := range sheets {
		count += len(rows)
	}
	python := projectPath(t, ".cache/venv/bin/python")
	if out, err := exec.Command(python, "-W", "error", "testdata/read_workbook.py", file).CombinedOutput(); err != nil {
		t.Errorf("openpyxl: %v: %s", err, out)
	} else if got := strings.TrimSpace(string(out)); got != strconv.Itoa(count) {
		t.Errorf("openpyxl reads %s rows, want %d", got, count)
	}
	folder := t.TempDir()
	limited, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	convert := exec.CommandContext(limited, "soffice", "-env:UserInstallation=file://"+folder, "--headless", "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", "--outdir", folder, file)
	if out, err := convert.CombinedOutput(); err != nil {
		t.Fatalf("LibreOffice: %v: %s", err, out)
	}
	for sheet, rows := range sheets {
		content, err := os.ReadFile(filepath.Join(folder, "results-"+sheet+".csv"))
		mustSucceed(t, err)
		read, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
		mustSucceed(t, err)
		for i, row := range rows {
			if i >= len(read) || !slices.EqualFunc(trimEmpty(read[i]), trimEmpty(row), isSameCell) {
				t.Fatalf("LibreOffice reads row %d of %s as\n%q, want\n%q", i+1, sheet, read[min(i, len(read)-1)], row)
			}
		}
	}
}

// isSameCell reports whether LibreOffice read a cell: it writes times with the seconds that the cell does not show.
func isSameCell(read, cell string) bool {
	at, err := time.Parse(time.DateTime, read)
	return read == cell || err == nil && at.Format("2006-01-02 15:04") == cell
}

// trimEmpty leaves out the empty cells at the end of a row.
func trimEmpty(row []string) []string {
	for len(row) > 0 && row[len(row)-1] == "" {
		row = row[:len(row)-1]
	}
	return row
}
