package console_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console"
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
	for _, fault := range console.FindSectionFaults(all) {
		t.Error(fault)
	}
}

// completeSection returns a section that leaves nothing out.
func completeSection() console.Section {
	serve := func(echo.Context) error { return nil }
	return console.Section{
		ConsoleSection: layout.ConsoleSection{ID: "tills", Name: locale.Text{"الصناديق", "Tills"}, Icon: "keys"},
		Role:           account.Owner, Order: 7,
		Routes: []console.Route{console.GetPage(account.Owner, "/tills", serve), console.PostForm("", "/tills", serve)},
	}
}

// TestFaultsOfSectionsAreFound checks that each thing that a declaration leaves out is named.
func TestFaultsOfSectionsAreFound(t *testing.T) {
	t.Parallel()
	if faults := console.FindSectionFaults([]console.Section{completeSection()}); len(faults) > 0 {
		t.Errorf("a complete section has faults: %q", faults)
	}
	for want, leaveOut := range map[string]func(s *console.Section){
		"no name in Arabic":           func(s *console.Section) { s.Name[0] = " " },
		"no name in English":          func(s *console.Section) { s.Name[1] = "" },
		`no icon: "till"`:             func(s *console.Section) { s.Icon = "till" },
		"has no role":                 func(s *console.Section) { s.Role = "" },
		`no page at "/tills"`:         func(s *console.Section) { s.Routes = s.Routes[1:] },
		`no page at "/till"`:          func(s *console.Section) { s.ID = "till" },
		`no page at "/tills" for its`: func(s *console.Section) { s.Role = account.Viewer },
		"has no routes":               func(s *console.Section) { s.Order, s.Routes = 0, nil },
		`no handler for "/tills"`:     func(s *console.Section) { s.Routes[1].Serve = nil },
		`"nobody" for a role of`:      func(s *console.Section) { s.Routes[1].Role = "nobody" },
	} {
		s := completeSection()
		leaveOut(&s)
		faults := console.FindSectionFaults([]console.Section{s})
		if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, want) }) {
			t.Errorf("%q is not among the faults %q", want, faults)
		}
	}
	faults := console.FindSectionFaults([]console.Section{completeSection(), completeSection()})
	if len(faults) != 2 {
		t.Errorf("two sections of one id and place have the faults %q", faults)
	}
}
