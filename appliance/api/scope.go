package api

import (
	"net/http"
	"strings"

	"munadi/store/account"
)

// scopesFor returns the scopes of which a key must have one for a route; the error (403) names the first.
func scopesFor(method, route string) []account.KeyScope {
	reads := method == http.MethodGet || method == http.MethodHead
	section, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(route, Root), "/"), "/")
	switch section {
	case "calls", "campaigns":
		if reads {
			return []account.KeyScope{account.ScopeCallsRead}
		}
		return []account.KeyScope{account.ScopeCallsWrite}
	case "people":
		return []account.KeyScope{account.ScopeErasePeople}
	case "scenarios", "organization":
		if reads { // clients that book calls need the scenarios and calling hours
			return []account.KeyScope{account.ScopeCallsRead, account.ScopeCallsWrite, account.ScopeSettings}
		}
	case "suppressions":
		if reads {
			return []account.KeyScope{account.ScopeCallsRead, account.ScopeSettings}
		}
		if method == http.MethodPost { // a key that may book calls may also suppress a number
			return []account.KeyScope{account.ScopeCallsWrite, account.ScopeSettings}
		}
	}
	return []account.KeyScope{account.ScopeSettings}
}
