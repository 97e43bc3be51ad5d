package console

import (
	"munadi/appliance/console/accounts"
	"munadi/appliance/console/alerts"
	"munadi/appliance/console/audit"
	"munadi/appliance/console/calls"
	"munadi/appliance/console/campaigns"
	"munadi/appliance/console/dashboard"
	"munadi/appliance/console/destinations"
	"munadi/appliance/console/help"
	"munadi/appliance/console/inbound"
	"munadi/appliance/console/keys"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/live"
	"munadi/appliance/console/palette"
	"munadi/appliance/console/people"
	"munadi/appliance/console/phrases"
	"munadi/appliance/console/queue"
	"munadi/appliance/console/replays"
	"munadi/appliance/console/reports"
	"munadi/appliance/console/rules"
	"munadi/appliance/console/scenarios"
	"munadi/appliance/console/system"
	"munadi/appliance/console/trunks"
	"munadi/appliance/console/webhook"
	"munadi/appliance/console/workbench"
	"munadi/ui/models"
)

// AllSections returns the sections of the console. The navigation is in the order that they declare.
func (s *ConsoleService) AllSections() []kit.Section {
	visitors := accounts.Parts{
		OfferModel: func() *models.PitchView { return system.RecommendOffer(s.System.Models) }, Company: s.Company,
	}
	return []kit.Section{
		dashboard.DeclareSection(s.Console),
		calls.DeclareSection(s.Console, s.Calls),
		campaigns.DeclareSection(s.Console),
		live.DeclareSection(s.Console, s.Live),
		queue.DeclareSection(s.Console),
		reports.DeclareSection(s.Console),
		workbench.DeclareSection(s.Console, s.Workbench),
		scenarios.DeclareSection(s.Console, s.Scenarios),
		replays.DeclareSection(s.Console),
		rules.DeclareSection(s.Console),
		inbound.DeclareSection(s.Console, s.Inbound),
		phrases.DeclareSection(s.Console, s.Phrases),
		webhook.DeclareSection(s.Console),
		destinations.DeclareSection(s.Console),
		keys.DeclareSection(s.Console),
		accounts.DeclareUsers(s.Console, visitors),
		audit.DeclareSection(s.Console),
		alerts.DeclareSection(s.Console, s.Alerts),
		system.DeclareSection(s.Console, s.System),
		help.DeclareSection(s.Console),
		accounts.DeclareVisitor(s.Console, visitors),
		accounts.DeclareAccount(s.Console, visitors),
		accounts.DeclareWelcome(s.Console, visitors),
		accounts.DeclareOrganizations(s.Console, visitors),
		trunks.DeclareSection(s.Console, s.Trunks),
		palette.DeclareSection(s.Console),
		people.DeclareSection(s.Console),
	}
}
