package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

const (
	booked  = 100_000 // calls for later
	samples = 300     // webhooks that are timed
)

// benchReleases measures a start and the way from the due time to the webhook with 100,000 calls booked for later.
func benchReleases(b *callBench) ([]figureRow, error) {
	empty, err := b.startAppliance("--time-scale", "100")
	if err != nil {
		return nil, err
	}
	if _, err := runConcurrently(clients, func(n int64) (bool, error) {
		if n > booked {
			return false, nil
		}
		_, err := b.bookCall(phoneNumber(n, "94"), time.Now().Add(time.Hour+time.Duration(n)*20*time.Second))
		return true, err
	}); err != nil {
		return nil, err
	}
	b.stopAppliance()
	full, err := b.startAppliance("--time-scale", "100")
	if err != nil {
		return nil, err
	}
	lags, err := b.webhookLags()
	if err != nil {
		return nil, err
	}
	return []figureRow{
		{
			"start until ready, 100,000 calls booked",
			fmt.Sprintf("%.2f s", full.Seconds()), fmt.Sprintf("%.2f s with none; < 1 s more", empty.Seconds()),
		},
		{
			"booked for now until its webhook arrives (carrier fails at once), 100,000 others booked: p50, p99",
			fmt.Sprintf("%.0f ms, %.0f ms", quantileOf(lags, 0.5), quantileOf(lags, 0.99)), "",
		},
	}, nil
}

// webhookLags books calls that fail at once and returns the milliseconds until their webhooks, in order of length.
func (b *callBench) webhookLags() ([]float64, error) {
	arrived := make(chan string, samples)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct {
			CallID string `json:"call_id"`
		}
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			arrived <- body.CallID
		}
	}))
	defer hook.Close()
	setting := map[string]any{"url": hook.URL, "enabled": true}
	if err := b.requestJSON(http.MethodPut, "/webhook", apiKey, setting, nil); err != nil {
		return nil, err
	}
	var lags []float64
	for i := range int64(samples) {
		began := time.Now()
		c, err := b.bookCall(phoneNumber(i, "94"), time.Time{})
		if err != nil {
			return nil, err
		}
		for id := ""; id != c.ID; {
			select {
			case id = <-arrived:
			case <-time.After(time.Minute):
				return nil, fmt.Errorf("no webhook of %s", c.ID)
			}
		}
		lags = append(lags, 1000*time.Since(began).Seconds())
	}
	slices.Sort(lags)
	return lags, nil
}

// quantileOf returns a quantile of sorted values.
func quantileOf(sorted []float64, q float64) float64 { return sorted[int(q*float64(len(sorted)-1))] }
