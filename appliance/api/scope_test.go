package api_test

import (
	"context"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/store/account"
)

// scopedKeys accepts keys that consist of their scopes, separated by commas.
type scopedKeys struct{}

func (scopedKeys) VerifyHeader(_ context.Context, value string) (auth.Principal, error) {
	who := auth.Principal{OrgID: "acme", KeyID: value}
	for name := range strings.SplitSeq(strings.TrimPrefix(value, "Bearer "), ",") {
		who.Scopes = append(who.Scopes, account.KeyScope(name))
	}
	return who, nil
}

// TestScopes checks that each scope permits its operations, and that others are a permission_error that names the
// missing scope.
func TestScopes(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t, func(d *api.Dependencies) { d.Auth = scopedKeys{} })
	all := []string{"stt", "calls", "calls:read", "calls:write", "settings", "people:erase", "admin"}
	for route, open := range map[string]string{
		"GET /calls": "calls calls:read", "HEAD /calls": "calls calls:read", "GET /calls/x": "calls calls:read",
		"GET /calls/x/trace": "calls calls:read",
		"POST /calls":        "calls calls:write", "POST /calls/x/cancel": "calls calls:write",
		"POST /calls/x/reschedule": "calls calls:write", "POST /calls/x/hangup": "calls calls:write",
		"POST /calls/x/notes": "calls calls:write", "POST /calls/x/needs_person": "calls calls:write",
		"POST /calls/x/corrections": "calls calls:write",
		"GET /scenarios":            "calls calls:read calls:write settings", "GET /scenarios/x": "calls calls:read calls:write settings",
		"GET /scenarios/x/talk": "calls calls:write", "POST /scenarios/x/ring": "calls calls:write",
		"POST /scenarios": "settings", "PUT /scenarios/x": "settings", "DELETE /scenarios/x": "settings",
		"GET /organization": "calls calls:read calls:write settings", "PUT /organization": "settings",
		"GET /suppressions": "calls calls:read settings", "POST /suppressions": "calls calls:write settings",
		"DELETE /suppressions/x": "settings", "GET /webhook": "settings", "PUT /webhook": "settings",
		"POST /webhook/test": "settings", "GET /webhook/deliveries": "settings",
		"POST /webhook/deliveries/x/redeliver": "settings", "DELETE /people/x": "people:erase",
	} {
		method, path, _ := strings.Cut(route, " ")
		for _, scope := range all {
			got := b.askPath(method, path, "{}", withKey(scope))
			opens := strings.Contains(" "+open+" ", " "+scope+" ")
			if (got.Code == 403) == opens {
				t.Errorf("%s with %s: %d %s", route, scope, got.Code, got.Body)
			}
			if !opens && method != "HEAD" && !strings.Contains(got.Body.String(), `"permission_error"`) {
				t.Errorf("%s with %s: %s", route, scope, got.Body)
			}
		}
	}
}
