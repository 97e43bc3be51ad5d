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
	each      = 60 // webhooks per receiver
)

// benchDeliveries sends many organizations' webhooks at once.
func benchDeliveries(b *callBench) ([]figureRow, error) {
	if _, err := b.startAppliance(); err != nil {
		return nil, err
	}
	limit, err := syncedWrites()
	if err != nil {
		return nil, err
	}
	var got atomic.Int64
	all := make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if got.Add(1) == receivers*each {
			close(all)
		}
	}))
	defer hook.Close()
	keys, err := b.createOrganizations(hook.URL)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if _, err := runConcurrently(receivers, func(n int64) (bool, error) {
		if n > receivers*each {
			return false, nil
		}
		return true, b.requestJSON(http.MethodPost, "/webhook/test", keys[n%receivers], nil, nil)
	}); err != nil {
		return nil, err
	}
	select {
	case <-all:
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%d of %d webhooks arrived within a minute", got.Load(), receivers*each)
	}
	rate := receivers * each / time.Since(began).Seconds()
	return []figureRow{{
		fmt.Sprintf("webhooks queued and delivered a second, %d receivers", receivers), fmt.Sprintf("%.0f", rate),
		fmt.Sprintf("%.2f × Badger's synced writes; each needs two", rate/limit),
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
