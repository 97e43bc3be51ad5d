package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"
)

const (
	receivers = 32
	hookFor   = time.Minute // how long webhooks are queued
)

// benchDeliveries sends many organizations' webhooks at once, for so long that a queue would show.
func benchDeliveries(b *callBench) ([]figureRow, error) {
	if _, err := b.startAppliance(); err != nil {
		return nil, err
	}
	limit, err := syncedWrites()
	if err != nil {
		return nil, err
	}
	var got atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got.Add(1) }))
	defer hook.Close()
	keys, err := b.createOrganizations(hook.URL)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	queued, err := runConcurrently(receivers, func(n int64) (bool, error) {
		if time.Since(began) > hookFor {
			return false, nil
		}
		return true, b.requestJSON(http.MethodPost, "/webhook/test", keys[n%receivers], nil, nil)
	})
	if err != nil {
		return nil, err
	}
	behind := queued - got.Load()
	for end := time.Now().Add(hookFor); got.Load() < queued; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return nil, fmt.Errorf("%d of %d webhooks arrived within %s", got.Load(), queued, hookFor)
		}
	}
	rate := float64(queued) / time.Since(began).Seconds()
	return []figureRow{{
		fmt.Sprintf("webhooks queued and delivered a second, %d receivers, for %.0f s", receivers, hookFor.Seconds()),
		fmt.Sprintf("%.0f", rate),
		fmt.Sprintf("%.2f × Badger's synced writes; each needs two; %d were waiting at the end", rate/limit, behind),
	}}, nil
}

// createOrganizations makes the receivers' organizations and returns their keys.
func (b *callBench) createOrganizations(url string) ([]string, error) {
	var keys []string
	for i := range receivers {
		id := fmt.Sprintf("org-%d", i)
		if _, err := b.runCommand("orgs", "create", id); err != nil {
			return nil, err
		}
		key, err := b.runCommand("keys", "create", "--org", id, "--scope", "calls,settings,people:erase")
		if err != nil {
			return nil, err
		}
		setting := map[string]any{"url": url, "enabled": true}
		if err := b.requestJSON(http.MethodPut, "/webhook", key, setting, nil); err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}
