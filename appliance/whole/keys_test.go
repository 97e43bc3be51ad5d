package whole_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// keysCommand runs "munadi keys ARGS" on the appliance's data folder and returns standard output and error.
func (a *instance) keysCommand(t testing.TB, args ...string) (stdout, stderr string) {
	t.Helper()
	got := munadi(t, nil, append([]string{"--data", a.Data, "keys"}, args...)...)
	if got.code != 0 {
		t.Fatalf("keys %v: %+v", args, got)
	}
	return got.stdout, got.stderr
}

// listed is a key as `keys list --json` shows it.
type listed struct {
	ID, Name, Prefix string
	Scopes           []string
	LastUsedAt       *string `json:"last_used_at"`
	RevokedAt        *string `json:"revoked_at"`
}

func (a *instance) keys(t testing.TB) []listed {
	t.Helper()
	out, _ := a.keysCommand(t, "list", "--json")
	var keys []listed
	must(t, json.Unmarshal([]byte(out), &keys))
	return keys
}

// TestKeysOfARunningAppliance: a key works the moment it is made, and the moment it is revoked no more.
func TestKeysOfARunningAppliance(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	models := func(k string) answer { return a.get(t, "/compat/v1/models", key(k)) }
	out, _ := a.keysCommand(t, "create", "--name", "kitchen")
	made := strings.TrimSpace(out)
	models(made).want(t, 200)
	if strings.Contains(a.log.String(), made) {
		t.Error("the key is in the log")
	}
	out, _ = a.keysCommand(t, "create", "--name", "caller", "--scope", "calls")
	callsOnly := strings.TrimSpace(out)
	for _, got := range []answer{
		models(callsOnly), a.post(t, transcriptions, key(callsOnly), file(golden(t, "g00.wav"))),
		a.post(t, debugDecode, key(callsOnly)), a.post(t, jobs, key(callsOnly)),
	} {
		if d := got.want(t, 403).detail(t); !strings.Contains(d, "stt") {
			t.Errorf("403 says %q", d)
		}
	}
	keys := a.keys(t)
	if len(keys) != 3 {
		t.Fatalf("%+v", keys)
	}
	for _, k := range keys {
		if k.Name == "kitchen" {
			a.keysCommand(t, "revoke", k.ID)
		}
	}
	if got := models(made).want(t, 401); got.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Error(got.Header)
	}
	table, _ := a.keysCommand(t, "list")
	if strings.Contains(table, made) || strings.Contains(table, bootstrapKey) || !strings.Contains(table, "kitchen") {
		t.Errorf("%s", table)
	}
	damaged := made[:len(made)-1] + string(made[len(made)-1]^1)
	models(damaged).want(t, 401)
}

// TestKeysWithoutAnAppliance: the command opens the database itself; the appliance knows the key afterwards.
func TestKeysWithoutAnAppliance(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	made := munadi(t, nil, "keys", "create", "--data", data, "--name", "first")
	if made.code != 0 {
		t.Fatalf("%+v", made)
	}
	a := start(t, settings{data: data}) // the first start: the bootstrap key is made besides
	a.get(t, "/compat/v1/models", key(strings.TrimSpace(made.stdout))).want(t, 200)
	a.get(t, "/compat/v1/models").want(t, 200)
	a.stop(t)
	keys := a.keys(t)
	if len(keys) != 2 {
		t.Fatalf("%+v", keys)
	}
	for _, k := range keys {
		a.keysCommand(t, "revoke", k.ID)
	}
	b := start(t, settings{data: data, noKey: true})
	b.get(t, "/compat/v1/models", key(strings.TrimSpace(made.stdout))).want(t, 401)
	b.get(t, "/compat/v1/models").want(t, 401)
	munadi(t, nil, "keys", "revoke", "nothing", "--data", data).refused(t, "an unknown id", "no such key")
	munadi(t, nil, "keys", "list", "--data", filepath.Join(t.TempDir(), "elsewhere")).refused(t, "no database", "--data")
}

// TestBootstrapKeyOnTheFirstStartOnly: later ones change nothing, and do not bring a revoked key back.
func TestBootstrapKeyOnTheFirstStartOnly(t *testing.T) {
	t.Parallel()
	const late = "MUNADI_BOOTSTRAP_API_KEY=a-key-that-comes-too-late"
	a := start(t, settings{})
	a.get(t, "/compat/v1/models").want(t, 200)
	a.keysCommand(t, "revoke", a.keys(t)[0].ID)
	a.stop(t)
	b := start(t, settings{data: a.Data, noKey: true, env: []string{late}})
	b.get(t, "/compat/v1/models", key("a-key-that-comes-too-late")).want(t, 401)
	b.stop(t)
	c := start(t, settings{data: a.Data}) // the same key once more
	c.get(t, "/compat/v1/models").want(t, 401)
	without := start(t, settings{noKey: true})
	without.stop(t)
	d := start(t, settings{data: without.Data})
	d.get(t, "/compat/v1/models").want(t, 401)
}
