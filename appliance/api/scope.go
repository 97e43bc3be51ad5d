package api

import (
	"net/http"
	"strings"

	"munadi/store/org"
)

// scopesFor are the scopes of which a key must have one for a route, the one that a refusal names first.
func scopesFor(method, route string) []org.Scope {
	reads := method == http.MethodGet || method == http.MethodHead
	section, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(route, Root), "/"), "/")
	switch section {
	case "calls", "campaigns":
		if reads {
			return []org.Scope{org.ScopeCallsRead}
		}
		return []org.Scope{org.ScopeCallsWrite}
	case "people":
		return []org.Scope{org.ScopeErasePeople}
	case "scenarios", "organization":
		if reads { // who books needs to know what may be booked, and when
			return []org.Scope{org.ScopeCallsRead, org.ScopeCallsWrite, org.ScopeSettings}
		}
	case "suppressions":
		if reads {
			return []org.Scope{org.ScopeCallsRead, org.ScopeSettings}
		}
		if method == http.MethodPost { // who calls may always keep a number from being called
			return []org.Scope{org.ScopeCallsWrite, org.ScopeSettings}
		}
	}
	return []org.Scope{org.ScopeSettings}
}
