// Package console serves the admin console: the pages below /console, with sign-in, sessions, CSRF protection and
// roles.
//
// A handler maps a request to a view model of package ui, or a form to a use case of package service; it never calls a
// worker, and contains no HTML. One file holds one action (call_cancel.go, key_create.go). An action is a POST that
// redirects to the page with its result, with a flash message. Everything works without scripts, except live audio.
//
// Roles: a session cookie names a user. Viewers read; operators book and change calls; owners change keys, webhook,
// rules and users; an owner of the organization "default" governs the appliance and may select any organization, where
// it has an owner's rights. Data of other organizations is not found (404).
package console

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/accounts"
	"munadi/appliance/console/alerts"
	"munadi/appliance/console/calls"
	"munadi/appliance/console/inbound"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/live"
	"munadi/appliance/console/phrases"
	"munadi/appliance/console/scenarios"
	"munadi/appliance/console/system"
	"munadi/appliance/console/trunks"
	"munadi/appliance/console/workbench"
)

// Dependencies is what the console needs.
type Dependencies struct {
	kit.Shared
	Parts
}

// Parts is what single sections need beside what all share.
type Parts struct {
	Company   accounts.CompanyProvider // nil: there is no identity provider
	Live      live.Parts
	Phrases   phrases.Parts
	Scenarios scenarios.Parts
	System    system.Parts
	Workbench workbench.Parts
	Calls     calls.Parts
	Alerts    alerts.Parts
	Inbound   inbound.Parts
	Trunks    trunks.Parts
}

// ConsoleService holds the handlers of the console. It is safe for concurrent use.
type ConsoleService struct {
	*kit.Console
	Parts
}

// NewService returns the console's handlers.
func NewService(d Dependencies) *ConsoleService {
	return &ConsoleService{Console: kit.NewConsole(d.Shared), Parts: d.Parts}
}

// MountRoutes adds the routes of all sections to e.
func (s *ConsoleService) MountRoutes(e *echo.Echo) { s.MountSections(e, s.AllSections()) }
