package layout

import (
	"strings"

	"munadi/ui/locale"
)

// ConsolePage is what the console's frame needs to know about a page.
type ConsolePage struct {
	PageFrame
	Section   ConsoleSection // the one that is marked in the navigation
	Sections  []ConsoleSection
	User      string        // who is signed in; empty: nobody, and no navigation
	Org       string        // name of the organization that is looked at
	CSRF      string        // token of every form that posts
	Simulated bool          // calls ring no telephone
	Flash     *FlashMessage // what the act before this page did
	Numerals  locale.Numerals
}

// FlashMessage is one sentence about what was just done.
type FlashMessage struct {
	Bad  bool
	Text string
}

// ConsoleSection is a part of the console: the element of the path behind /console/.
type ConsoleSection string

// The sections. The dashboard is /console itself.
const (
	Dashboard ConsoleSection = ""
	Calls     ConsoleSection = "calls"
	Live      ConsoleSection = "live"
	Workbench ConsoleSection = "workbench"
	Scenarios ConsoleSection = "scenarios"
	Rules     ConsoleSection = "rules"
	Phrases   ConsoleSection = "phrases"
	Webhook   ConsoleSection = "webhook"
	Keys      ConsoleSection = "keys"
	Users     ConsoleSection = "users"
	Audit     ConsoleSection = "audit"
	System    ConsoleSection = "system"
)

// SectionPath returns where the section lies.
func (s ConsoleSection) SectionPath() string { return strings.TrimSuffix("/console/"+string(s), "/") }

// SectionName returns what people call it.
func (s ConsoleSection) SectionName(w locale.ConsoleWords) string {
	return map[ConsoleSection]string{
		Dashboard: w.Dashboard, Calls: w.Calls, Live: w.Live, Workbench: w.Workbench, Scenarios: w.Scenarios,
		Rules: w.Rules, Phrases: w.Phrases, Webhook: w.Webhook, Keys: w.Keys, Users: w.Users, Audit: w.Audit,
		System: w.System,
	}[s]
}

// iconName returns the name of the section's glyph.
func (s ConsoleSection) iconName() string {
	if s == Dashboard {
		return "dashboard"
	}
	return string(s)
}

// inBar is how many sections a telephone's bar holds beside the button for the rest.
const inBar = 4

func (p ConsolePage) primarySections() []ConsoleSection {
	return p.Sections[:min(inBar, len(p.Sections))]
}

func (p ConsolePage) otherSections() []ConsoleSection {
	return p.Sections[min(inBar, len(p.Sections)):]
}

func (f FlashMessage) iconName() string {
	if f.Bad {
		return "warn"
	}
	return "completed"
}

func consoleStyles() []string {
	return []string{
		"css/controls.css", "css/state.css", "css/console.css", "css/form.css", "css/table.css", "css/chart.css",
	}
}

func (p ConsolePage) consoleWords() locale.ConsoleWords { return locale.ConsoleIn(p.Lang) }
