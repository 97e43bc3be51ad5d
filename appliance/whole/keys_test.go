package whole_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// keysCommand runs "munadi keys ARGS" on the appliance's data folder and returns standard output and error.
func (a *testInstance) keysCommand(t testing.TB, args ...string) (stdout, stderr string) {
	t.Helper()
	got := runMunadi(t, nil, append([]string{"--data", a.Data, "keys"}, args...)...)
	if got.code != 0 {
		t.Fatalf("keys %v: %+v", args, got)
	}
	return got.stdout, got.stderr
}

// listedKey is a key as "keys list --json" prints it.
type listedKey struct {
	ID, Name, Prefix string
	Scopes           []string
	LastUsedAt       *string `json:"last_used_at"`
	RevokedAt        *string `json:"revoked_at"`
}

func (a *testInstance) listKeys(t testing.TB) []listedKey {
	t.Helper()
	out, _ := a.keysCommand(t, "list", "--json")
	var keys []listedKey
	mustSucceed(t, json.Unmarshal([]byte(out), &keys))
	return keys
}

// TestKeysOfARunningAppliance checks that a new key is valid at once, and a revoked one invalid at once.
func TestKeysOfARunningAppliance(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	models := func(k string) testAnswer { return a.getPath(t, "/compat/v1/models", withKey(k)) }
	out, _ := a.keysCommand(t, "create", "--name", "kitchen")
	made := strings.TrimSpace(out)
	models(made).wantStatus(t, 200)
	if strings.Contains(a.log.String(), made) {
		t.Error("the key is in the log")
	}
	out, _ = a.keysCommand(t, "create", "--name", "caller", "--scope", "calls")
	callsOnly := strings.TrimSpace(out)
	for _, got := range []testAnswer{
		models(callsOnly), a.postForm(t, transcriptions, withKey(callsOnly), withFile(goldenRecording(t, "g00.wav"))),
		a.postForm(t, debugDecode, withKey(callsOnly)), a.postForm(t, jobs, withKey(callsOnly)),
	} {
		if d := got.wantStatus(t, 403).failureDetail(t); !strings.Contains(d, "stt") {
			t.Errorf("403 says %q", d)
		}
	}
	keys := a.listKeys(t)
	if len(keys) != 3 {
		t.Fatalf("%+v", keys)
	}
	for _, k := range keys {
		if k.Name == "kitchen" {
			a.keysCommand(t, "revoke", k.ID)
		}
	}
	if got := models(made).wantStatus(t, 401); got.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Error(got.Header)
	}
	table, _ := a.keysCommand(t, "list")
	if strings.Contains(table, made) || strings.Contains(table, bootstrapKey) || !strings.Contains(table, "kitchen") {
		t.Errorf("%s", table)
	}
	damaged := made[:len(made)-1] + string(made[len(made)-1]^1)
	models(damaged).wantStatus(t, 401)
}

// TestKeysWithoutAnAppliance checks that the command opens the database itself, and that the appliance knows the key
// afterwards.
func TestKeysWithoutAnAppliance(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	made := runMunadi(t, nil, "keys", "create", "--data", data, "--name", "first")
	if made.code != 0 {
		t.Fatalf("%+v", made)
	}
	a := startInstance(t, instanceSettings{data: data}) // the first start also creates the bootstrap key
	a.getPath(t, "/compat/v1/models", withKey(strings.TrimSpace(made.stdout))).wantStatus(t, 200)
	a.getPath(t, "/compat/v1/models").wantStatus(t, 200)
	a.stopGracefully(t)
	keys := a.listKeys(t)
	if len(keys) != 2 {
		t.Fatalf("%+v", keys)
	}
	for _, k := range keys {
		a.keysCommand(t, "revoke", k.ID)
	}
	b := startInstance(t, instanceSettings{data: data, noKey: true})
	b.getPath(t, "/compat/v1/models", withKey(strings.TrimSpace(made.stdout))).wantStatus(t, 401)
	b.getPath(t, "/compat/v1/models").wantStatus(t, 401)
	runMunadi(t, nil, "keys", "revoke", "nothing", "--data", data).wantRefused(t, "an unknown id", `no key has the id "nothing"`, "munadi keys list")
	runMunadi(t, nil, "keys", "list", "--data", filepath.Join(t.TempDir(), "elsewhere")).wantRefused(t, "no database", "--data")
}

// TestBootstrapKeyOnTheFirstStartOnly checks that later starts ignore the variable and do not restore a revoked key.
func TestBootstrapKeyOnTheFirstStartOnly(t *testing.T) {
	t.Parallel()
	const late = "MUNADI_BOOTSTRAP_API_KEY=a-key-that-comes-too-late"
	a := startInstance(t, instanceSettings{})
	a.getPath(t, "/compat/v1/models").wantStatus(t, 200)
	a.keysCommand(t, "revoke", a.listKeys(t)[0].ID)
	a.stopGracefully(t)
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true, env: []string{late}})
	b.getPath(t, "/compat/v1/models", withKey("a-key-that-comes-too-late")).wantStatus(t, 401)
	b.stopGracefully(t)
	c := startInstance(t, instanceSettings{data: a.Data}) // with the same bootstrap key
	c.getPath(t, "/compat/v1/models").wantStatus(t, 401)
	without := startInstance(t, instanceSettings{noKey: true})
	without.stopGracefully(t)
	d := startInstance(t, instanceSettings{data: without.Data})
	d.getPath(t, "/compat/v1/models").wantStatus(t, 401)
}
