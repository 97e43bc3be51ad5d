package console

import (
	"munadi/appliance/console/keys"
	"munadi/appliance/console/kit"
)

// AllSections returns the sections of the console. The navigation is in the order that they declare.
func (s *ConsoleService) AllSections() []kit.Section {
	return []kit.Section{
		s.dashboardSection(),
		s.callsSection(),
		s.campaignsSection(),
		s.liveSection(),
		s.queueSection(),
		s.reportsSection(),
		s.workbenchSection(),
		s.scenariosSection(),
		s.rulesSection(),
		s.phrasesSection(),
		s.webhookSection(),
		keys.DeclareSection(s.Console),
		s.usersSection(),
		s.auditSection(),
		s.alertsSection(),
		s.systemSection(),
		s.visitorSection(),
		s.accountSection(),
		s.welcomeSection(),
		s.organizationsSection(),
		s.paletteSection(),
	}
}
