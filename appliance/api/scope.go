package api

import (
	"net/http"
	"strings"

	"munadi/store/account"
)

// scopesFor are the scopes of which a key must have one for a route, the one that a refusal names first.
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
		if reads { // who books needs to know what may be booked, and when
			return []account.KeyScope{account.ScopeCallsRead, account.ScopeCallsWrite, account.ScopeSettings}
		}
	case "suppressions":
		if reads {
			return []account.KeyScope{account.ScopeCallsRead, account.ScopeSettings}
		}
		if method == http.MethodPost { // who calls may always keep a number from being called
			return []account.KeyScope{account.ScopeCallsWrite, account.ScopeSettings}
		}
	}
	return []account.KeyScope{account.ScopeSettings}
}
