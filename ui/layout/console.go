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

// MarkIncomplete makes the pages rendered under the context say that damaged records are missing from them.
func MarkIncomplete(ctx context.Context) context.Context {
	return context.WithValue(ctx, incompleteKey{}, true)
}

func isIncomplete(ctx context.Context) bool { return ctx.Value(incompleteKey{}) != nil }

// ConsoleSection is what the navigation shows of a section of the console.
type ConsoleSection struct {
	ID            string // path element after /console/; empty: /console itself
	Name          locale.Text
	Icon          string // name of its glyph
	CountsWaiting bool   // it shows how many calls need staff
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

func (p ConsolePage) otherSections() []ConsoleSection {
	return p.Sections[min(inBar, len(p.Sections)):]
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
