package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
	"munadi/store/account"
	"munadi/store/freeport"
)

// keycloak is a Keycloak with the realm office and the client munadi.
type keycloak struct {
	t     *testing.T
	url   string
	token string // of its administrator
}

// keycloakRealm has people whose password is any; amal has the role munadi-admins.
const keycloakRealm = `{"realm":"office","enabled":true,"sslRequired":"none",
"roles":{"realm":[{"name":"munadi-admins"},{"name":"clinic-staff"}]},
"users":[{"username":"amal","enabled":true,"email":"amal@example.com","firstName":"Amal","lastName":"A","emailVerified":true,
"credentials":[{"type":"password","value":"any","temporary":false}],"realmRoles":["munadi-admins"]},
{"username":"nobody","enabled":true,"email":"nobody@example.com","firstName":"No","lastName":"Body","emailVerified":true,
"credentials":[{"type":"password","value":"any","temporary":false}]}],
"clients":[{"clientId":"munadi","secret":"secret of the test","publicClient":false,"standardFlowEnabled":true,"fullScopeAllowed":true,
"redirectUris":["BASE/callback"],"attributes":{"pkce.code.challenge.method":"S256","backchannel.logout.url":"BASE/logout",
"backchannel.logout.session.required":"true"}}]}`

// startKeycloak runs Keycloak on a copy of its folder until the test ends.
func startKeycloak(t *testing.T, base string) *keycloak {
	t.Helper()
	found, _ := filepath.Glob("../../.cache/keycloak/keycloak-*")
	if len(found) != 1 {
		t.Fatal("no Keycloak in .cache/keycloak: packaging/setup keycloak")
	}
	dir := filepath.Join(t.TempDir(), "keycloak")
	ports, err := freeport.FindPorts(1)
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(found[0]))
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "data/import"), 0o700)
	}
	if err == nil {
		realm := strings.ReplaceAll(keycloakRealm, "BASE", base)
		err = os.WriteFile(filepath.Join(dir, "data/import/office-realm.json"), []byte(realm), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", dir+"/bin/kc.sh", "start-dev", "--import-realm", "--http-host=127.0.0.1",
		fmt.Sprintf("--http-port=%d", ports[0]))
	cmd.Env = append(os.Environ(), "KC_BOOTSTRAP_ADMIN_USERNAME=admin", "KC_BOOTSTRAP_ADMIN_PASSWORD=admin")
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the script has become Java
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	k := &keycloak{t: t, url: fmt.Sprintf("http://127.0.0.1:%d", ports[0])}
	for range 300 {
		if res, err := http.Get(k.url + "/realms/office"); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return k
			}
		}
		time.Sleep(time.Second)
	}
	t.Fatalf("Keycloak did not start: %.2000s", log.String())
	return nil
}

// administer calls the administration API of the realm and decodes its answer into out, if there is one.
func (k *keycloak) administer(method, path string, in, out any) {
	k.t.Helper()
	if k.token == "" {
		res, err := http.PostForm(k.url+"/realms/master/protocol/openid-connect/token", url.Values{
			"grant_type": {"password"}, "client_id": {"admin-cli"}, "username": {"admin"}, "password": {"admin"},
		})
		var said struct {
			Token string `json:"access_token"`
		}
		if err == nil {
			err = json.NewDecoder(res.Body).Decode(&said)
			_ = res.Body.Close()
		}
		if k.token = said.Token; err != nil || k.token == "" {
			k.t.Fatalf("no token of the administrator: %v", err)
		}
	}
	body, err := json.Marshal(in)
	if err != nil {
		k.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(k.t.Context(), method, k.url+"/admin/realms/office"+path, bytes.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err == nil && out != nil {
		err = json.Unmarshal(answer, out)
	}
	if err != nil || res.StatusCode >= 300 {
		k.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, answer, err)
	}
}

// addToIDToken switches the mapper of realm roles on for ID tokens, as an administrator does.
func (k *keycloak) addToIDToken() {
	var scopes []struct {
		ID, Name        string
		ProtocolMappers []map[string]any
	}
	k.administer(http.MethodGet, "/client-scopes", nil, &scopes)
	for _, scope := range scopes {
		for _, mapper := range scope.ProtocolMappers {
			if scope.Name != "roles" || mapper["name"] != "realm roles" {
				continue
			}
			mapper["config"].(map[string]any)["id.token.claim"] = "true"
			k.administer(http.MethodPut, fmt.Sprintf("/client-scopes/%s/protocol-mappers/models/%s", scope.ID, mapper["id"]), mapper, nil)
		}
	}
}

// loopbackJar is a browser's: it sends Secure cookies to this machine without TLS.
type loopbackJar struct{ *cookiejar.Jar }

func (j loopbackJar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	for _, c := range cookies {
		c.Secure = false
	}
	j.Jar.SetCookies(u, cookies)
}

func (d *consoleServer) newKeycloakBrowser(t *testing.T) companyBrowser {
	b := d.newCompanyBrowser(t)
	b.Jar = loopbackJar{b.Jar.(*cookiejar.Jar)}
	return b
}

// TestKeycloak: people sign in with Keycloak, whose roles reach the console once its mapper adds them to the ID token;
// a role that is changed there counts at the next sign-in, and a sign-out there ends the session.
func TestKeycloak(t *testing.T) {
	if os.Getenv("MUNADI_LONG") != "1" {
		t.Skip("Keycloak takes a minute to start, and packaging/setup keycloak: MUNADI_LONG=1 runs it")
	}
	var k *keycloak
	d := startCompanyAt(t, func(base string) string {
		k = startKeycloak(t, base)
		return k.url + "/realms/office"
	}, func(cfg *config.Config) {
		cfg.OIDCScopes, cfg.OIDCClaim, cfg.OIDCRoles = "openid,profile,email", "realm_access.roles", "munadi-admins=owner,clinic-staff=operator"
	})
	d.newKeycloakBrowser(t).enter("amal").wantStatus(http.StatusForbidden).wantText("no role")
	k.addToIDToken()
	b := d.newKeycloakBrowser(t)
	b.enter("amal").wantRedirect("/console/calls")
	b.getPage("/console/users").wantStatus(http.StatusOK).wantText("amal")
	d.newKeycloakBrowser(t).enter("nobody").wantStatus(http.StatusForbidden).wantText("no role")
	var people []struct{ ID string }
	k.administer(http.MethodGet, "/users?username=amal", nil, &people)
	at := "/users/" + people[0].ID
	k.administer(http.MethodPost, at+"/logout", struct{}{}, nil)
	for tries := 0; tries < 100 && b.getPage("/console/users").Status != http.StatusSeeOther; tries++ {
		time.Sleep(100 * time.Millisecond) // Keycloak tells the console in its own time
	}
	b.getPage("/console/users").wantStatus(http.StatusSeeOther)
	var admins, staff map[string]any
	k.administer(http.MethodGet, "/roles/munadi-admins", nil, &admins)
	k.administer(http.MethodGet, "/roles/clinic-staff", nil, &staff)
	k.administer(http.MethodDelete, at+"/role-mappings/realm", []any{admins}, nil)
	k.administer(http.MethodPost, at+"/role-mappings/realm", []any{staff}, nil)
	b = d.newKeycloakBrowser(t)
	b.enter("amal").wantRedirect("/console/calls")
	b.getPage("/console/users").wantStatus(http.StatusForbidden)
	if u, err := d.store.UserByName(t.Context(), "amal"); err != nil || u.Role != account.Operator {
		t.Errorf("the account is %+v, %v", u, err)
	}
	b.confirm("amal", nil).wantRedirect("/console/account")
}
