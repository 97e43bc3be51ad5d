package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

const apiKey = "callbench-key-0123456789"

// callBench is one appliance under measurement.
type callBench struct {
	munadi, dir string
	url         string
	cmd         *exec.Cmd
	client      http.Client
	line        func(text string) // receives the log; may be nil
}

// startAppliance runs the appliance and returns how long it took to be ready.
func (b *callBench) startAppliance(args ...string) (time.Duration, error) {
	began := time.Now()
	all := append([]string{
		"serve", "--listen", "127.0.0.1:0", "--log-level", "info", "--data", filepath.Join(b.dir, "data"),
		"--cache", filepath.Join(b.dir, "cache"),
	}, args...)
	b.cmd = exec.Command(b.munadi, all...)
	b.cmd.Env = append(b.cmd.Environ(), "MUNADI_BOOTSTRAP_API_KEY="+apiKey)
	log, err := b.cmd.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := b.cmd.Start(); err != nil {
		return 0, err
	}
	b.client.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	lines := bufio.NewScanner(log)
	address := regexp.MustCompile(`msg=listening addr=(\S+)`)
	for b.url = ""; b.url == "" && lines.Scan(); {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			b.url = "http://" + found[1]
		}
	}
	go func() {
		for lines.Scan() {
			if b.line != nil {
				b.line(lines.Text())
			}
		}
		_, _ = io.Copy(io.Discard, log) // a line too long for the scanner must not stop it
	}()
	if b.url == "" {
		return 0, errors.New("it ended before it listened")
	}
	for {
		if res, err := b.client.Get(b.url + "/readyz"); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return time.Since(began), nil
			}
		}
		if time.Since(began) > time.Minute {
			return 0, errors.New("it is not ready after a minute")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// stopAppliance ends it and waits.
func (b *callBench) stopAppliance() {
	if b.cmd == nil || b.cmd.ProcessState != nil {
		return
	}
	_ = b.cmd.Process.Signal(syscall.SIGTERM)
	_ = b.cmd.Wait()
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

// benchCall is what the figures need of one.
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
