package layout

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/ui/locale"
)

// ConsolePage is the frame data of a console page.
type ConsolePage struct {
	PageFrame
	Section   string // id of the current section
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
	Waiting   int // calls that need staff
}

// badgeOf returns the count shown at a section; empty without one.
func (p ConsolePage) badgeOf(s ConsoleSection) string {
	if !s.CountsWaiting || p.Waiting == 0 {
		return ""
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

// MarkIncomplete makes the pages rendered under the context say that records are missing from them, and why.
func MarkIncomplete(ctx context.Context, why locale.Text) context.Context {
	return context.WithValue(ctx, incompleteKey{}, why)
}

func isIncomplete(ctx context.Context) bool { return ctx.Value(incompleteKey{}) != nil }

func whyIncomplete(ctx context.Context) locale.Text { return ctx.Value(incompleteKey{}).(locale.Text) }

// ConsoleSection is what the navigation shows of a section of the console.
type ConsoleSection struct {
	ID            string // path element after /console/; empty: /console itself
	Name          locale.Text
	Icon          string // name of its glyph
	Group         SectionGroup
	CountsWaiting bool // it shows how many calls need staff
}

// SectionGroup is a group of sections in the navigation.
type SectionGroup int

// The groups, in order: what is done every day is always open, the others when they are opened or hold the page.
const (
	Work SectionGroup = iota + 1
	SetUp
	Administration
)

// GroupName returns the name of a group that can be closed.
func (g SectionGroup) GroupName(l locale.Language) string {
	return map[SectionGroup]locale.Text{SetUp: locale.ConsoleSetUp, Administration: locale.ConsoleAdministration}[g].In(l)
}

// SectionPath returns where the section lies.
func (s ConsoleSection) SectionPath() string { return strings.TrimSuffix("/console/"+s.ID, "/") }

// inBar is the number of sections in the bottom bar of a telephone, besides the stop switch and the menu button.
const inBar = 4

func (p ConsolePage) primarySections() []ConsoleSection {
	return p.Sections[:min(inBar, len(p.Sections))]
}

// hasStopSwitch reports whether the navigation has the kill switch: for users who may turn it on, and for all while it
// is on.
func (p ConsolePage) hasStopSwitch() bool { return p.MayStop || p.Stopped }

// groupSections returns the sections of a group that are not in the bar.
func (p ConsolePage) groupSections(g SectionGroup) (all []ConsoleSection) {
	for _, s := range p.Sections[min(inBar, len(p.Sections)):] {
		if s.Group == g {
			all = append(all, s)
		}
	}
	return all
}

// isOpen reports whether a group holds the page's section.
func (p ConsolePage) isOpen(g SectionGroup) bool {
	return slices.ContainsFunc(p.groupSections(g), func(s ConsoleSection) bool { return s.ID == p.Section })
}

func (f FlashMessage) iconName() string {
	if f.Bad {
		return "warn"
	}
	return "completed"
}

// WithStyle returns the frame with a style sheet of the section.
func (p ConsolePage) WithStyle(name string) ConsolePage {
	p.Styles = append(slices.Clip(p.Styles), name)
	return p
}
