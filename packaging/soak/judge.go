package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// settling is how long what was acknowledged may take to come to its end after the last cut.
const settling = 10 * time.Minute

// verdict is what the witness counts.
type verdict struct {
	Acknowledged counts         `json:"acknowledged"`
	Found        map[string]int `json:"found"` // faults by kind
	Faults       []fault        `json:"faults"`
}

// kinds of faults, as they are listed.
var kinds = []string{"lost", "phantom", "doubled", "wrong"}

func (v *verdict) print(out io.Writer) {
	fmt.Fprintf(out, "acknowledged: %+v\n", v.Acknowledged)
	for _, kind := range kinds {
		fmt.Fprintf(out, "%-8s %d\n", kind, v.Found[kind])
	}
	for _, f := range v.Faults {
		fmt.Fprintf(out, "%s: %s\n", f.Kind, f.What)
	}
}

// judge waits until all has come to its end, and compares what is there with what was acknowledged.
func judge(ctx context.Context, a *appliance, w *witness) (*verdict, error) {
	calls, err := settled(ctx, a)
	if err != nil {
		return nil, err
	}
	w.judgeCalls(calls)
	w.judgeWebhooks(calls)
	for _, check := range []func(context.Context, *appliance) error{
		w.judgeJobs, w.judgeKeys, w.judgeSuppressions,
		func(ctx context.Context, a *appliance) error { return w.judgeRecordings(ctx, a, calls) },
	} {
		if err := check(ctx, a); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	v := &verdict{Acknowledged: w.counts(), Found: map[string]int{}, Faults: w.faults}
	for _, f := range v.Faults {
		v.Found[f.Kind]++
	}
	return v, nil
}

// settled are all calls, as soon as each has ended and been told of, or lies in the future.
func settled(ctx context.Context, a *appliance) (map[string]object, error) {
	for deadline := time.Now().Add(settling); ; sleep(ctx, 200*time.Millisecond) {
		calls, err := everything(ctx, a, "/api/v1/calls", "id")
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		busy := 0
		for _, c := range calls {
			if !rests(c) {
				busy++
			}
		}
		if busy == 0 || time.Now().After(deadline) {
			return calls, nil
		}
	}
}

// rests says that nothing more is to happen to a call now.
func rests(c object) bool {
	switch at, err := time.Parse(time.RFC3339, c.text("scheduled_at")); {
	case c.text("status") == "scheduled":
		return err == nil && time.Until(at) > 10*time.Minute
	case c.text("status") == "dialing" || c.text("status") == "in_progress":
		return false
	}
	return c.text("webhook", "state") != "pending"
}

// everything walks all pages of a list.
func everything(ctx context.Context, a *appliance, path, name string) (map[string]object, error) {
	all := map[string]object{}
	for cursor := ""; ; {
		got, err := a.ask(ctx, http.MethodGet, path+"?limit=200&cursor="+url.QueryEscape(cursor), nil)
		if err != nil {
			return nil, err
		}
		if got.status != http.StatusOK {
			return nil, fmt.Errorf("%s: %d %s", path, got.status, got.raw)
		}
		for _, item := range got.body.list("data") {
			all[item.text(name)] = item
		}
		if cursor = got.body.text("meta", "next_cursor"); cursor == "" {
			return all, nil
		}
	}
}

func (w *witness) judgeJobs(ctx context.Context, a *appliance) error {
	for id, words := range w.jobs {
		var got answer
		for deadline := time.Now().Add(settling); ; sleep(ctx, 100*time.Millisecond) {
			var err error
			if got, err = a.ask(ctx, http.MethodGet, "/compat/v1/audio/jobs/"+id, nil); err != nil {
				return err
			}
			status := got.body.text("status")
			if status != "queued" && status != "running" || time.Now().After(deadline) {
				break
			}
		}
		if text := got.body.text("result", "text"); got.body.text("status") != "done" || text != words {
			w.fault("lost", "job %s answers %d %s", id, got.status, got.raw)
		}
	}
	return nil
}

func (w *witness) judgeKeys(ctx context.Context, a *appliance) error {
	for name, k := range w.keys {
		if k.plain == "" {
			continue
		}
		got, err := a.ask(ctx, http.MethodGet, "/api/v1/calls?limit=1", nil, "Authorization", "Bearer "+k.plain)
		if err != nil {
			return err
		}
		switch {
		case k.revoked && got.status != http.StatusUnauthorized:
			w.fault("lost", "key %s was revoked and answers %d", name, got.status)
		case !k.revoking && got.status != http.StatusOK:
			w.fault("lost", "key %s answers %d", name, got.status)
		}
	}
	said, _, err := a.munadi(ctx, "keys", "list", "--json")
	if err != nil {
		return err
	}
	var list []object
	if err := json.Unmarshal([]byte(said), &list); err != nil {
		return err
	}
	seen := map[string]int{}
	for _, k := range list {
		name := k.text("name")
		if seen[name]++; strings.HasPrefix(name, "soak-") && (w.keys[name] == nil || seen[name] > 1) {
			w.fault("phantom", "key %s is there %d times", name, seen[name])
		}
	}
	return nil
}

func (w *witness) judgeSuppressions(ctx context.Context, a *appliance) error {
	all, err := everything(ctx, a, "/api/v1/suppressions", "phone_number")
	if err != nil {
		return err
	}
	for number := range all {
		if _, asked := w.suppressed[number]; !asked {
			w.fault("phantom", "%s was never suppressed", number)
		}
	}
	for number, sure := range w.suppressed {
		if sure && all[number] == nil {
			w.fault("lost", "the suppression of %s is not there", number)
		}
	}
	return nil
}
