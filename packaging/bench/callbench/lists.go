package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// measuredPage is a page that is opened, and what its time is compared with.
type measuredPage struct{ what, path, beside string }

// benchLists measures the console's and the API's lists with many calls in the store: a page is opened eleven times,
// and the median and longest time to its first byte and the processor time of a request are written; the pages that a
// clerk works on also while 1,000 calls a minute run.
func benchLists(b *callBench) ([]figureRow, error) {
	if folder := os.Getenv("CALLBENCH_LISTS"); folder != "" { // filled before, and kept
		b.dir = folder
	}
	if err := b.prepareLists(); err != nil {
		return nil, err
	}
	if _, err := b.startAppliance("--lines", "1"); err != nil {
		return nil, err
	}
	defer b.stopAppliance()
	if err := b.signInConsole(); err != nil {
		return nil, err
	}
	campaign, err := b.ensureCampaign()
	if err == nil {
		err = b.awaitNames()
	}
	if err != nil {
		return nil, err
	}
	pages := slices.Concat(namePages(), dayPages(), listPages(campaign))
	rows, err := b.timePages(fmt.Sprintf("%d calls stored: ", b.stored), pages)
	if err != nil {
		return rows, err
	}
	b.stopAppliance()
	if _, err = b.startAppliance(); err == nil {
		err = b.signInConsole()
	}
	if err != nil {
		return rows, err
	}
	busy, err := b.timeWhileCalling(dayPages())
	return append(rows, busy...), err
}

// dayPages are the pages that a clerk works on all day, and the workbooks of many rows.
func dayPages() []measuredPage {
	last := time.Now().UTC().AddDate(0, 0, -3)
	from, to := last.AddDate(0, 0, -1).Format(time.DateOnly), last.Format(time.DateOnly)
	return []measuredPage{
		{"Today", "/console", "100 ms"},
		{"list of calls", "/console/calls", "100 ms"},
		{"queue", "/console/queue", "100 ms"},
		{"reports of eight weeks", "/console/reports", "100 ms"},
		{"reports of six months", "/console/reports?by=month", "100 ms"},
		{"Ctrl-K by name", "/console/palette?q=" + url.QueryEscape("نورة العتيبي"), "100 ms"},
		{"workbook of two days, begins", "/console/calls.xlsx?from=" + from + "&to=" + to, "300 ms"},
	}
}

// listPages are the lists with their filters, and those of a campaign.
func listPages(campaign string) []measuredPage {
	day := time.Now().UTC().AddDate(0, 0, -3).Format(time.DateOnly)
	return []measuredPage{
		{"calls by status", "/console/calls?status=failed", "50 ms"},
		{"… of a day", "/console/calls?from=" + day + "&to=" + day, "50 ms"},
		{"… by the end of a number", "/console/calls?number=87919", "50 ms"},
		{"… by a whole number", "/console/calls?number=%2B966500007919", "50 ms"},
		{"… by an answer", "/console/calls?scenario=restaurant_order&slot=confirmed&answer=false", "50 ms"},
		{"… that staff ended", "/console/calls?status=stopped", "50 ms"},
		{"API, newest first", "/api/v1/calls?limit=50", "50 ms"},
		{"API, `number_contains` of many calls", "/api/v1/calls?limit=50&number_contains=965", "50 ms"},
		{
			"API, `number_contains` of few calls", "/api/v1/calls?limit=50&number_contains=50000791",
			"50 ms; 20,000 calls a page",
		},
		{"list of campaigns, one of 10,000 people", "/console/campaigns", "50 ms"},
		{"a campaign of 10,000 people", "/console/campaigns/" + campaign, "50 ms"},
		{"… its people by status", "/console/campaigns/" + campaign + "/people?status=scheduled", "50 ms"},
		{"… whom no call reached", "/console/campaigns/" + campaign + "/people?status=unreached", "50 ms"},
		{"… the question before a retry", "/console/campaigns/" + campaign + "/retry", "50 ms"},
		{"… in the API", "/api/v1/campaigns/" + campaign, "50 ms"},
		{"… its people in the API", "/api/v1/calls?people=all&campaign_id=" + campaign, "50 ms"},
	}
}

// timePages measures pages; before stands before each name.
func (b *callBench) timePages(before string, pages []measuredPage) (rows []figureRow, err error) {
	for _, page := range pages {
		got, err := b.timePage(page.path)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", page.path, err)
		}
		rows = append(rows, figureRow{before + page.what, got, page.beside})
		fmt.Fprintln(os.Stderr, "callbench:", page.what, got)
	}
	return rows, nil
}

// callsEachMinute are dialled while pages are measured.
const callsEachMinute = 1000

// timeWhileCalling measures pages while calls are booked that end unanswered: each is dialled, rings, ends and is
// reported, without a conversation.
func (b *callBench) timeWhileCalling(pages []measuredPage) ([]figureRow, error) {
	ctx, stop := context.WithCancel(context.Background())
	booked := make(chan int, 1)
	var failed error
	began := time.Now()
	go func() {
		tick, n := time.NewTicker(time.Minute/callsEachMinute), 0
		defer tick.Stop()
		for ; ctx.Err() == nil && failed == nil; n++ {
			<-tick.C
			_, failed = b.bookCall(fmt.Sprintf("+96652%06d%d", n, 91), time.Time{})
		}
		booked <- n
	}()
	for i := range pages {
		pages[i].beside = "300 ms"
	}
	rows, err := b.timePages(fmt.Sprintf("… while %d calls a minute run: ", callsEachMinute), pages)
	stop()
	n := <-booked
	fmt.Fprintf(os.Stderr, "callbench: %d calls booked in %s\n", n, time.Since(began).Round(time.Second))
	return rows, errors.Join(err, failed)
}

// prepareLists makes an installation with a user and the calls, unless the folder has them.
func (b *callBench) prepareLists() error {
	done := filepath.Join(b.dir, "filled")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if _, err := b.startAppliance(); err != nil {
		return err
	}
	b.stopAppliance()
	began := time.Now()
	if err := fillCalls(filepath.Join(b.dir, "data", "db"), b.stored, time.Now().UTC()); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "callbench: filled in", time.Since(began).Round(time.Second))
	return os.WriteFile(done, nil, 0o600)
}

// ensureCampaign books a paused campaign of 10,000 people, unless there is one, and returns its id.
func (b *callBench) ensureCampaign() (id string, err error) {
	var found []struct{ ID string }
	if err := b.requestJSON(http.MethodGet, "/campaigns", apiKey, nil, &found); err != nil || len(found) > 0 {
		if err == nil {
			id = found[0].ID
		}
		return id, err
	}
	var rows []map[string]string
	for i := range 10_000 {
		rows = append(rows, map[string]string{"phone_number": fmt.Sprintf("+9665%08d", i*7919%100_000_000)})
	}
	var made struct{ ID string }
	err = b.requestJSON(http.MethodPost, "/campaigns", apiKey, map[string]any{
		"name": "Visits", "scenario_id": "appointment_confirmation", "paused": true, "calls": rows,
	}, &made)
	return made.ID, err
}

const listPassword = "callbench measures lists"

// signInConsole signs the client in.
func (b *callBench) signInConsole() error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	b.client.Jar = jar
	var refused error
	for _, name := range []string{"admin", "bench"} { // the second in a folder that an earlier version filled
		form := url.Values{"name": {name}, "password": {listPassword}}
		res, err := b.client.PostForm(b.url+"/console/sign-in", form)
		if err != nil {
			return err
		}
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK && !strings.Contains(res.Request.URL.Path, "sign-in") {
			return nil
		}
		why := fmt.Errorf("the sign-in of %s ends with %s at %s", name, res.Status, res.Request.URL.Path)
		refused = errors.Join(refused, why)
	}
	return refused
}

// timePage opens a page eleven times and returns the median and longest time to its first byte, and the mean processor
// time of the appliance from request to end.
func (b *callBench) timePage(path string) (string, error) {
	const tries = 11
	var times []time.Duration
	before := b.process.ProcessorTime()
	for range tries {
		took, err := b.openPage(path)
		if err != nil {
			return "", err
		}
		times = append(times, took)
	}
	spent := (b.process.ProcessorTime() - before) / tries
	slices.Sort(times)
	return fmt.Sprintf("%.0f ms, longest %.0f ms; processor %.0f ms",
		1000*times[tries/2].Seconds(), 1000*times[tries-1].Seconds(), 1000*spent.Seconds()), nil
}

// openPage requests a page, reads it to its end and returns the time to its first byte.
func (b *callBench) openPage(path string) (time.Duration, error) {
	r, err := http.NewRequest(http.MethodGet, b.url+path, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+apiKey)
	began := time.Now()
	res, err := b.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, 1)); err != nil {
		return 0, err
	}
	took := time.Since(began)
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d", res.StatusCode)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return took, err
}
