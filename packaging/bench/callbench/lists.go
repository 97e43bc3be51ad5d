package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// listCalls is the number of calls in the store under measurement.
const listCalls = 1_000_000

// measuredPage is a page that is opened, and what its time is compared with.
type measuredPage struct{ what, path, beside string }

// benchLists measures the console's and the API's lists with a million calls in the store: a page is opened eleven
// times, and the median and longest time to its first byte are written.
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
	if err := b.signInConsole(); err != nil {
		return nil, err
	}
	defer b.stopAppliance()
	campaign, err := b.ensureCampaign()
	if err == nil {
		err = b.awaitNames()
	}
	if err != nil {
		return nil, err
	}
	day := time.Now().UTC().AddDate(0, 0, -3).Format(time.DateOnly)
	var rows []figureRow
	for _, page := range append(namePages(), []measuredPage{
		{"Today", "/console", "100 ms"},
		{"list of calls", "/console/calls", "50 ms"},
		{"… by status", "/console/calls?status=failed", "50 ms"},
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
	}...) {
		got, err := b.timePage(page.path)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", page.path, err)
		}
		rows = append(rows, figureRow{fmt.Sprintf("%d calls stored: %s", listCalls, page.what), got, page.beside})
	}
	return rows, nil
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
	create := exec.Command(b.munadi, "users", "create", "bench", "--role", "owner", "--data", filepath.Join(b.dir, "data"))
	create.Stdin = strings.NewReader(listPassword + "\n")
	if out, err := create.CombinedOutput(); err != nil {
		return fmt.Errorf("create a user: %w: %s", err, out)
	}
	began := time.Now()
	if err := fillCalls(filepath.Join(b.dir, "data", "db"), listCalls, time.Now().UTC()); err != nil {
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
	res, err := b.client.PostForm(b.url+"/console/sign-in", url.Values{"name": {"bench"}, "password": {listPassword}})
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK || strings.Contains(res.Request.URL.Path, "sign-in") {
		return errors.New("the sign-in is refused")
	}
	return nil
}

// timePage opens a page and returns the median and longest time to its first byte.
func (b *callBench) timePage(path string) (string, error) {
	var times []time.Duration
	for range 11 {
		r, err := http.NewRequest(http.MethodGet, b.url+path, nil)
		if err != nil {
			return "", err
		}
		r.Header.Set("Authorization", "Bearer "+apiKey)
		began := time.Now()
		res, err := b.client.Do(r)
		if err != nil {
			return "", err
		}
		times = append(times, time.Since(began))
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return "", fmt.Errorf("status %d", res.StatusCode)
		}
	}
	slices.Sort(times)
	return fmt.Sprintf("%.0f ms, longest %.0f ms", 1000*times[5].Seconds(), 1000*times[10].Seconds()), nil
}
