package layout

import (
	"context"
	"strconv"
	"strings"
	"time"

	"munadi/ui/locale"
)

// ConsolePage is the frame data of a console page.
type ConsolePage struct {
	PageFrame
	Section   ConsoleSection // current section in the navigation
	Sections  []ConsoleSection
	User      string        // signed-in user; empty: none, and no navigation
	Org       string        // name of the selected organization
	CSRF      string        // token of every form that posts
	Simulated bool          // calls are simulated
	Flash     *FlashMessage // result of the previous action
	Numerals  locale.Numerals
	Stopped   bool // the organization's kill switch is on
	MayStop   bool // the user may turn it on
	Alerts    []AlertBanner
	Waiting   int // calls that need staff, counted up to [MostWaiting]
}

// MostWaiting is the number from which on calls that need staff are not counted exactly.
const MostWaiting = 100

// badgeOf returns the count shown at a section; empty without one.
func (p ConsolePage) badgeOf(s ConsoleSection) string {
	switch {
	case s != Queue || p.Waiting == 0:
		return ""
	case p.Waiting >= MostWaiting:
		return strconv.Itoa(MostWaiting-1) + "+"
	}
	return strconv.Itoa(p.Waiting)
}

// AlertBanner is an unacknowledged open alert, shown on every page.
type AlertBanner struct {
	Title, What, Do string
	Href            string // where something can be done about it
	Since           time.Time
	Zone            *time.Location
}

// mostBanners limits the alerts on every page; the page of alerts lists all.
const mostBanners = 2

func (p ConsolePage) shownAlerts() []AlertBanner { return p.Alerts[:min(mostBanners, len(p.Alerts))] }

// FlashMessage is a one-time message about the last action.
type FlashMessage struct {
	Bad  bool
	Text string
}

// incompleteKey is the context key of [MarkIncomplete].
type incompleteKey struct{}

// MarkIncomplete makes the pages rendered under the context say that damaged records are missing from them.
func MarkIncomplete(ctx context.Context) context.Context {
	return context.WithValue(ctx, incompleteKey{}, true)
}

func isIncomplete(ctx context.Context) bool { return ctx.Value(incompleteKey{}) != nil }

// ConsoleSection is a section of the console: the path element after /console/.
type ConsoleSection string

// Sections. The dashboard is /console itself.
const (
	Dashboard ConsoleSection = ""
	Calls     ConsoleSection = "calls"
	Campaigns ConsoleSection = "campaigns"
	Live      ConsoleSection = "live"
	Queue     ConsoleSection = "queue"
	Reports   ConsoleSection = "reports"
	Workbench ConsoleSection = "workbench"
	Scenarios ConsoleSection = "scenarios"
	Rules     ConsoleSection = "rules"
	Phrases   ConsoleSection = "phrases"
	Webhook   ConsoleSection = "webhook"
	Keys      ConsoleSection = "keys"
	Users     ConsoleSection = "users"
	Audit     ConsoleSection = "audit"
	Alerts    ConsoleSection = "alerts"
	System    ConsoleSection = "system"
)

// SectionPath returns where the section lies.
func (s ConsoleSection) SectionPath() string { return strings.TrimSuffix("/console/"+string(s), "/") }

// SectionName returns the display name.
func (s ConsoleSection) SectionName(l locale.Language) string {
	return map[ConsoleSection]locale.Text{
		Dashboard: locale.ConsoleDashboard, Calls: locale.ConsoleCalls, Campaigns: locale.ConsoleCampaigns,
		Live: locale.ConsoleLive, Reports: locale.ConsoleReports,
		Queue: locale.ConsoleQueue, Workbench: locale.ConsoleWorkbench,
		Scenarios: locale.ConsoleScenarios,
		Rules:     locale.ConsoleRules, Phrases: locale.ConsolePhrases, Webhook: locale.ConsoleWebhook,
		Keys: locale.ConsoleKeys, Users: locale.ConsoleUsers, Audit: locale.ConsoleAudit,
		Alerts: locale.ConsoleAlerts, System: locale.ConsoleSystem,
	}[s].In(l)
}

// iconName returns the name of the section's glyph.
func (s ConsoleSection) iconName() string {
	if s == Dashboard {
		return "dashboard"
	}
	return string(s)
}

// inBar is the number of sections in the bottom bar of a telephone, besides the stop switch and the menu button.
const inBar = 4

func (p ConsolePage) primarySections() []ConsoleSection {
	return p.Sections[:min(inBar, len(p.Sections))]
}

// hasStopSwitch reports whether the navigation has the kill switch: for users who may turn it on, and for all while it
// is on.
func (p ConsolePage) hasStopSwitch() bool { return p.MayStop || p.Stopped }

func (p ConsolePage) otherSections() []ConsoleSection {
	return p.Sections[min(inBar, len(p.Sections)):]
}

func (f FlashMessage) iconName() string {
	if f.Bad {
		return "warn"
	}
	return "completed"
}
