package console_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// TestSectionsAreComplete checks that no section leaves anything out of its declaration.
func TestSectionsAreComplete(t *testing.T) {
	t.Parallel()
	all := console.NewService(newBench(t).deps).AllSections()
	if len(all) < 16 {
		t.Fatalf("only %d sections are declared", len(all))
	}
	for _, fault := range kit.FindSectionFaults(all) {
		t.Error(fault)
	}
}

// completeSection returns a section that leaves nothing out.
func completeSection() kit.Section {
	serve := func(echo.Context) error { return nil }
	return kit.Section{
		ConsoleSection: layout.ConsoleSection{ID: "tills", Name: locale.Text{"الصناديق", "Tills"}, Icon: "keys", Group: layout.Work},
		Role:           account.Owner, Order: 7,
		Routes: []kit.Route{kit.GetPage(account.Owner, "/tills", serve), kit.PostForm("", "/tills", serve)},
	}
}

// TestFaultsOfSectionsAreFound checks that each thing that a declaration leaves out is named.
func TestFaultsOfSectionsAreFound(t *testing.T) {
	t.Parallel()
	if faults := kit.FindSectionFaults([]kit.Section{completeSection()}); len(faults) > 0 {
		t.Errorf("a complete section has faults: %q", faults)
	}
	for want, leaveOut := range map[string]func(s *kit.Section){
		"no name in Arabic":           func(s *kit.Section) { s.Name[0] = " " },
		"no name in English":          func(s *kit.Section) { s.Name[1] = "" },
		`no icon: "till"`:             func(s *kit.Section) { s.Icon = "till" },
		"is in no group":              func(s *kit.Section) { s.Group = 0 },
		"has no role":                 func(s *kit.Section) { s.Role = "" },
		`no page at "/tills"`:         func(s *kit.Section) { s.Routes = s.Routes[1:] },
		`no page at "/till"`:          func(s *kit.Section) { s.ID = "till" },
		`no page at "/tills" for its`: func(s *kit.Section) { s.Role = account.Viewer },
		"has no routes":               func(s *kit.Section) { s.Order, s.Routes = 0, nil },
		`no handler for "/tills"`:     func(s *kit.Section) { s.Routes[1].Serve = nil },
		`"nobody" for a role of`:      func(s *kit.Section) { s.Routes[1].Role = "nobody" },
	} {
		s := completeSection()
		leaveOut(&s)
		faults := kit.FindSectionFaults([]kit.Section{s})
		if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, want) }) {
			t.Errorf("%q is not among the faults %q", want, faults)
		}
	}
	faults := kit.FindSectionFaults([]kit.Section{completeSection(), completeSection()})
	if len(faults) != 2 {
		t.Errorf("two sections of one id and place have the faults %q", faults)
	}
}
