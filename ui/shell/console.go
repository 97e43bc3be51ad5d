package shell

import (
	"strings"

	"munadi/ui/text"
)

// ConsolePage is what the console's frame needs to know about a page.
type ConsolePage struct {
	Page
	Section   Section // the one that is marked in the navigation
	Sections  []Section
	User      string // who is signed in; empty: nobody, and no navigation
	Org       string // name of the organization that is looked at
	CSRF      string // token of every form that posts
	Simulated bool   // calls ring no telephone
	Flash     *Flash // what the act before this page did
	Numerals  text.Numerals
}

// Flash is one sentence about what was just done.
type Flash struct {
	Bad  bool
	Text string
}

// Section is a part of the console: the element of the path behind /console/.
type Section string

// The sections. The dashboard is /console itself.
const (
	Dashboard Section = ""
	Calls     Section = "calls"
	Live      Section = "live"
	Workbench Section = "workbench"
	Scenarios Section = "scenarios"
	Rules     Section = "rules"
	Phrases   Section = "phrases"
	Webhook   Section = "webhook"
	Keys      Section = "keys"
	Users     Section = "users"
	Audit     Section = "audit"
	System    Section = "system"
)

// Href is where the section lies.
func (s Section) Href() string { return strings.TrimSuffix("/console/"+string(s), "/") }

// Name is what people call it.
func (s Section) Name(w text.Console) string {
	return map[Section]string{
		Dashboard: w.Dashboard, Calls: w.Calls, Live: w.Live, Workbench: w.Workbench, Scenarios: w.Scenarios,
		Rules: w.Rules, Phrases: w.Phrases, Webhook: w.Webhook, Keys: w.Keys, Users: w.Users, Audit: w.Audit,
		System: w.System,
	}[s]
}

// icon is the name of the section's glyph.
func (s Section) icon() string {
	if s == Dashboard {
		return "dashboard"
	}
	return string(s)
}

// inBar is how many sections a telephone's bar holds beside the button for the rest.
const inBar = 4

func (p ConsolePage) first() []Section { return p.Sections[:min(inBar, len(p.Sections))] }

func (p ConsolePage) rest() []Section { return p.Sections[min(inBar, len(p.Sections)):] }

func (f Flash) icon() string {
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

func (p ConsolePage) console() text.Console { return text.ConsoleIn(p.Lang) }
