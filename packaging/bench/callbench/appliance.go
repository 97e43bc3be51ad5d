package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"munadi/packaging/launcher"
)

const apiKey = "callbench-key-0123456789"

// callBench is one appliance under measurement.
type callBench struct {
	munadi, dir string
	stored      int // calls in the store of lists
	url         string
	process     *launcher.Process
	client      http.Client
	line        func(text string) // receives the log; may be nil

	hold           time.Duration // of bridged calls
	bridges, calls int           // at once
}

// startAppliance runs the appliance and returns how long it took to be ready.
func (b *callBench) startAppliance(args ...string) (took time.Duration, err error) {
	began := time.Now()
	folders := launcher.ServeArgs(filepath.Join(b.dir, "data"), filepath.Join(b.dir, "cache"), "--log-level", "info")
	if b.process, err = launcher.StartProcess(launcher.LaunchOptions{
		Program: b.munadi, Args: append(folders, args...), Log: b.line,
		Env: append(os.Environ(), "MUNADI_BOOTSTRAP_API_KEY="+apiKey, "MUNADI_BOOTSTRAP_ADMIN_PASSWORD="+listPassword),
	}); err != nil {
		return 0, err
	}
	b.url = b.process.URL
	b.client.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = b.process.AwaitReady(ctx)
	return time.Since(began), err
}

// stopAppliance ends it and waits.
func (b *callBench) stopAppliance() {
	if b.process != nil {
		_ = b.process.Stop(time.Minute) // the figures are already taken
	}
}

// requestJSON sends JSON and reads the answer's data.
func (b *callBench) requestJSON(method, path, key string, body, data any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, b.url+"/api/v1"+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	res, err := b.client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode > 299 {
		return fmt.Errorf("%s %s: %d %.300s", method, path, res.StatusCode, answer)
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(answer, &struct{ Data any }{data})
}

// benchCall holds the fields of a call that the figures use.
type benchCall struct {
	ID          string
	Status      string
	ScheduledAt time.Time  `json:"scheduled_at"`
	StartedAt   *time.Time `json:"started_at"`
	EndedAt     *time.Time `json:"ended_at"`
	Duration    *float64   `json:"total_duration"`
}

// bookCall books a call; a zero time means at once.
func (b *callBench) bookCall(number string, at time.Time) (benchCall, error) {
	body := map[string]any{"phone_number": number, "scenario_id": "appointment_confirmation"}
	if !at.IsZero() {
		body["scheduled_at"] = at.UTC().Format(time.RFC3339)
	}
	var c benchCall
	err := b.requestJSON(http.MethodPost, "/calls", apiKey, body, &c)
	return c, err
}

// runCommand runs another of munadi's commands on the folder.
func (b *callBench) runCommand(args ...string) (string, error) {
	out, err := exec.Command(b.munadi, append(args, "--data", filepath.Join(b.dir, "data"))...).Output()
	return strings.TrimSpace(string(out)), err
}
