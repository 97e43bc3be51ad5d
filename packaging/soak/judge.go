package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// settling is the time without completed work after the last fault after which the rest counts as lost.
const settling = 5 * time.Minute

// soakVerdict is the result of the comparison.
type soakVerdict struct {
	Acknowledged acknowledgedCounts `json:"acknowledged"`
	Found        map[string]int     `json:"found"` // faults by kind
	Faults       []soakFault        `json:"faults"`
}

// kinds of faults, as they are listed.
var kinds = []string{"lost", "phantom", "doubled", "wrong"}

func (v *soakVerdict) printVerdict(out io.Writer) {
	fmt.Fprintf(out, "acknowledged: %+v\n", v.Acknowledged)
	for _, kind := range kinds {
		fmt.Fprintf(out, "%-8s %d\n", kind, v.Found[kind])
	}
	for _, f := range v.Faults {
		fmt.Fprintf(out, "%s: %s\n", f.Kind, f.What)
	}
}

// judgeLosses waits until all work is complete, and compares the stored state with what was acknowledged.
func judgeLosses(ctx context.Context, a *soakAppliance, w *soakWitness) (*soakVerdict, error) {
	calls, err := awaitSettled(ctx, a)
	if err != nil {
		return nil, err
	}
	w.judgeCalls(calls)
	w.judgeWebhooks(calls)
	if err := errors.Join(
		w.judgeJobs(ctx, a), w.judgeKeys(ctx, a), w.judgeSuppressions(ctx, a), w.judgeRecordings(ctx, a, calls),
	); err != nil {
		return nil, err
	}
	return w.countFaults(), nil
}

// countFaults is the verdict.
func (w *soakWitness) countFaults() *soakVerdict {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := &soakVerdict{Acknowledged: w.countAcknowledged(), Found: map[string]int{}, Faults: w.faults}
	for _, f := range v.Faults {
		v.Found[f.Kind]++
	}
	return v
}

// awaitSettled returns all calls, as soon as each has ended and been notified, or is in the future; or when none has
// settled for some time.
func awaitSettled(ctx context.Context, a apiClient) (map[string]jsonObject, error) {
	least := math.MaxInt
	for deadline := time.Now().Add(settling); ; sleepContext(ctx, time.Second) {
		calls, err := listAll(ctx, a, "/api/v1/calls", "id")
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		busy := 0
		for _, c := range calls {
			if !isAtRest(c) {
				busy++
			}
		}
		if busy < least {
			least, deadline = busy, time.Now().Add(settling)
		}
		if busy == 0 || time.Now().After(deadline) {
			return calls, nil
		}
	}
}

// isAtRest reports whether a call needs no further work now.
func isAtRest(c jsonObject) bool {
	switch at, err := time.Parse(time.RFC3339, c.textAt("scheduled_at")); {
	case c.textAt("status") == "scheduled":
		return err == nil && time.Until(at) > 10*time.Minute
	case c.textAt("status") == "dialing" || c.textAt("status") == "in_progress":
		return false
	}
	return c.textAt("webhook", "state") != "pending"
}

// listAll walks all pages of a list.
func listAll(ctx context.Context, a apiClient, path, name string) (map[string]jsonObject, error) {
	all := map[string]jsonObject{}
	for cursor := ""; ; {
		got, err := a.requestJSON(ctx, http.MethodGet, path+"?limit=200&cursor="+url.QueryEscape(cursor), nil)
		if err != nil {
			return nil, err
		}
		if got.status != http.StatusOK {
			return nil, fmt.Errorf("%s: %d %s", path, got.status, got.raw)
		}
		for _, item := range got.body.listAt("data") {
			all[item.textAt(name)] = item
		}
		if cursor = got.body.textAt("meta", "next_cursor"); cursor == "" {
			return all, nil
		}
	}
}

func (w *soakWitness) judgeJobs(ctx context.Context, a apiClient) error {
	for id, words := range w.jobs {
		var got httpAnswer
		for deadline := time.Now().Add(settling); ; sleepContext(ctx, 100*time.Millisecond) {
			var err error
			if got, err = a.requestJSON(ctx, http.MethodGet, "/compat/v1/audio/jobs/"+id, nil); err != nil {
				return err
			}
			status := got.body.textAt("status")
			if status != "queued" && status != "running" || time.Now().After(deadline) {
				break
			}
		}
		if text := got.body.textAt("result", "text"); got.body.textAt("status") != "done" || text != words {
			w.addFault("lost", "job %s answers %d %s", id, got.status, got.raw)
		}
	}
	return nil
}

func (w *soakWitness) judgeKeys(ctx context.Context, a *soakAppliance) error {
	for name, k := range w.keys {
		if k.plain == "" {
			continue
		}
		got, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/calls?limit=1", nil, "Authorization", "Bearer "+k.plain)
		if err != nil {
			return err
		}
		switch {
		case k.revoked && got.status != http.StatusUnauthorized:
			w.addFault("lost", "key %s was revoked and answers %d", name, got.status)
		case !k.revoking && got.status != http.StatusOK:
			w.addFault("lost", "key %s answers %d", name, got.status)
		}
	}
	said, _, err := a.runCommand(ctx, "keys", "list", "--json")
	if err != nil {
		return err
	}
	var list []jsonObject
	if err := json.Unmarshal([]byte(said), &list); err != nil {
		return err
	}
	seen := map[string]int{}
	for _, k := range list {
		name := k.textAt("name")
		if seen[name]++; strings.HasPrefix(name, "soak-") && (w.keys[name] == nil || seen[name] > 1) {
			w.addFault("phantom", "key %s is there %d times", name, seen[name])
		}
	}
	return nil
}

func (w *soakWitness) judgeSuppressions(ctx context.Context, a apiClient) error {
	all, err := listAll(ctx, a, "/api/v1/suppressions", "phone_number")
	if err != nil {
		return err
	}
	for number := range all {
		if _, asked := w.suppressed[number]; !asked {
			w.addFault("phantom", "%s was never suppressed", number)
		}
	}
	for number, sure := range w.suppressed {
		if sure && all[number] == nil {
			w.addFault("lost", "the suppression of %s is not there", number)
		}
	}
	return nil
}
