package inbound_test

import (
	"slices"
	"strings"
	"testing"

	"munadi/store/inbound"
)

func TestCheckSettings(t *testing.T) {
	t.Parallel()
	good := func() inbound.Settings {
		return inbound.Settings{Routes: []inbound.Route{
			{Number: "+966112345678", ScenarioID: "order", Lines: new(2)}, {Number: "+96611*", ScenarioID: "order"}, {Number: "+9*", ScenarioID: "x"},
		}, CallbackDays: 90, Closed: "نحن مغلقون"}
	}
	if found := inbound.CheckSettings(good()); len(found) > 0 {
		t.Errorf("refused: %+v", found)
	}
	if found := inbound.CheckSettings(inbound.Settings{}); len(found) > 0 {
		t.Errorf("no settings are refused: %+v", found)
	}
	for _, wrong := range []struct {
		field string
		spoil func(*inbound.Settings)
	}{
		{"routes.0.number", func(s *inbound.Settings) { s.Routes[0].Number = "" }},
		{"routes.0.number", func(s *inbound.Settings) { s.Routes[0].Number = "0112345678" }},
		{"routes.1.number", func(s *inbound.Settings) { s.Routes[1].Number = "*" }},
		{"routes.1.number", func(s *inbound.Settings) { s.Routes[1].Number = "+*" }},
		{"routes.1.number", func(s *inbound.Settings) { s.Routes[1].Number = "+966*11*" }},
		{"routes.1.number", func(s *inbound.Settings) { s.Routes[1].Number = "+966112345678" }},
		{"routes.2.scenario_id", func(s *inbound.Settings) { s.Routes[2].ScenarioID = "" }},
		{"routes.0.lines", func(s *inbound.Settings) { s.Routes[0].Lines = new(0) }},
		{"routes.0.lines", func(s *inbound.Settings) { s.Routes[0].Lines = new(inbound.MaxLines + 1) }},
		{"routes", func(s *inbound.Settings) { s.Routes = make([]inbound.Route, inbound.MaxRoutes+1) }},
		{"callback_days", func(s *inbound.Settings) { s.CallbackDays = -1 }},
		{"callback_days", func(s *inbound.Settings) { s.CallbackDays = 91 }},
		{"closed", func(s *inbound.Settings) { s.Closed = " \n" }},
		{"closed", func(s *inbound.Settings) { s.Closed = "a\x00b" }},
		{"closed", func(s *inbound.Settings) { s.Closed = "{{name}}" }},
		{"closed", func(s *inbound.Settings) { s.Closed = strings.Repeat("م", inbound.MaxClosed+1) }},
	} {
		s := good()
		wrong.spoil(&s)
		found := inbound.CheckSettings(s)
		if len(found) != 1 || found[0].Field != wrong.field || found[0].Message == "" {
			t.Errorf("%s: found %+v", wrong.field, found)
		}
	}
}

func TestShareNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"+966112345678", "+966112345678", true},
		{"+966112345678", "+966112345679", false},
		{"+966112345678", "+96611*", true},
		{"+966112345678", "+96612*", false},
		{"+9661*", "+96611*", true},
		{"+9661*", "+9662*", false},
		{"+9661*", "+9661*", true},
	} {
		if inbound.ShareNumbers(c.a, c.b) != c.want || inbound.ShareNumbers(c.b, c.a) != c.want {
			t.Errorf("%s and %s: want %t", c.a, c.b, c.want)
		}
	}
}

// TestRouteNumbers checks that every route that a number matches is looked up, the most specific first.
func TestRouteNumbers(t *testing.T) {
	t.Parallel()
	if got := inbound.RouteNumbers("+966"); !slices.Equal(got, []string{"+966", "+966*", "+96*", "+9*"}) {
		t.Errorf("the routes of +966 are %v", got)
	}
	if got := inbound.RouteNumbers(""); !slices.Equal(got, []string{""}) {
		t.Errorf("the routes of nothing are %v", got)
	}
}
