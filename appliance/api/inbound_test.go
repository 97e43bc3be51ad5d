package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

func TestInboundSettings(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	fresh := b.askPath("GET", "/inbound", "").want(200)
	if rawData(fresh) != `"data":{"routes":[],"callback_days":0,"closed":null,"updated_at":null}` {
		t.Errorf("%s", fresh.Body)
	}
	body := `{"routes":[{"number":"+966112345678","scenario_id":"reminder","lines":2},{"number":"+96611*","scenario_id":"reminder"}],"callback_days":7,"closed":"نحن مغلقون"}`
	set := b.askPath("PUT", "/inbound", body).want(200)
	if set.at("data", "routes", 0, "lines") != 2.0 || set.at("data", "routes", 1, "lines") != nil || set.text("data", "closed") != "نحن مغلقون" ||
		set.text("data", "updated_at") != "2026-11-21T09:30:00.000Z" {
		t.Errorf("%s", set.Body)
	}
	got := b.askPath("GET", "/inbound", "").want(200)
	if rawData(got) != rawData(set) || got.Header().Get("ETag") == "" || got.Header().Get("ETag") != set.Header().Get("ETag") {
		t.Errorf("%s %v", got.Body, got.Header())
	}
	if again := b.askPath("PUT", "/inbound", strings.TrimPrefix(rawData(got), `"data":`)).want(200); rawData(again) != rawData(got) {
		t.Errorf("what was fetched, put back: %s", again.Body)
	}
	b.askPath("PUT", "/inbound", body, withHeader{"If-Match", fresh.Header().Get("ETag")}).failure(412, "precondition_failed")
	if other := b.askPath("GET", "/inbound", "", withKey(rival)).want(200); rawData(other) != rawData(fresh) {
		t.Errorf("another organization's: %s", other.Body)
	}
	if none := b.askPath("PUT", "/inbound", `{"routes":[]}`).want(200); none.at("data", "callback_days") != 0.0 || none.at("data", "closed") != nil {
		t.Errorf("reset: %s", none.Body)
	}
}

// muteChecker is a checker whose voices cannot speak.
type muteChecker struct{ service.ScenarioChecker }

func (muteChecker) CheckSaved(
	_ context.Context, s scenario.Scenario,
) (faults, warnings []strictjson.Violation, err error) {
	return nil, []strictjson.Violation{
		{Field: "language", Message: "is not known"}, {Field: "steps.0.say", Message: "cannot be spoken: " + s.Steps[0].Say[0].Text},
	}, nil
}

// TestClosedLineThatNobodySpeaks checks that saving a closed line warns if no voice can speak it, and only then.
func TestClosedLineThatNobodySpeaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		checker service.ScenarioChecker
		body    string
		warned  string
	}{
		{nil, `{"routes":[],"closed":"مغلق"}`, "[]"},
		{muteChecker{}, `{"routes":[]}`, "[]"},
		{muteChecker{}, `{"routes":[],"closed":"مغلق"}`, "[map[field:closed message:cannot be spoken: مغلق]]"},
	} {
		b := newAPIFixture(t, func(d *api.Dependencies) { d.UseCases.Scenarios = c.checker })
		if got := fmt.Sprint(b.askPath("PUT", "/inbound", c.body).want(200).at("meta", "warnings")); got != c.warned {
			t.Errorf("%s: warned of %s, want %s", c.body, got, c.warned)
		}
	}
}

// TestInboundViolations checks that every fault of the settings is named, and that a number of another organization is
// refused without a word about whose it is.
func TestInboundViolations(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("PUT", "/inbound", `[]`).failure(400, "malformed_request")
	b.askPath("PUT", "/inbound", `{}`).failure(422, "validation_error", "routes")
	b.askPath("PUT", "/inbound", `{"routes":null}`).failure(422, "validation_error", "routes")
	b.askPath("PUT", "/inbound", `{"routes":[{"number":"0112345678","scenario_id":"nobody","lines":0,"colour":1},{"number":"+966112345678"},
		{"number":"+966112345678","scenario_id":"reminder","lines":1.5},{"scenario_id":"reminder"},7],"callback_days":91,"closed":" "}`).
		failure(422, "validation_error", "routes.0.colour", "routes.2.lines", "routes.4", "routes.0.number", "routes.0.lines",
			"routes.1.scenario_id", "routes.2.number", "routes.3.number", "callback_days", "closed", "routes.0.scenario_id")
	many := strings.Repeat(`{"number":"+966112345678","scenario_id":"x"},`, 201)
	b.askPath("PUT", "/inbound", `{"routes":[`+strings.TrimSuffix(many, ",")+`]}`).failure(422, "validation_error", "routes")
	route := func(number string) string {
		return fmt.Sprintf(`{"routes":[{"number":"+15550001111","scenario_id":"reminder"},{"number":%q,"scenario_id":"reminder"}]}`, number)
	}
	b.askPath("PUT", "/inbound", route("+96611*")).want(200)
	b.askPath("PUT", "/inbound", strings.Replace(route("+966112345678"), "+15550001111", "+15550001112", 1), withKey(rival)).
		failure(422, "validation_error", "routes.1.number")
	refused := b.askPath("PUT", "/inbound", route("+971*"), withKey(rival)).failure(422, "validation_error", "routes.0.number")
	if strings.Contains(refused.Body.String(), "acme") {
		t.Errorf("it tells whose number it is: %s", refused.Body)
	}
}

// TestDirection checks direction and called number of calls, and the filter.
func TestDirection(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	out := b.bringCallTo("acme", call.Scheduled, nil).ID
	in, err := b.store.ReceiveCall(t.Context(), call.NewInbound(call.Call{
		OrgID: "acme", PhoneNumber: "+966500000007", ScenarioID: "reminder", CalledNumber: "+966112345678", Route: "+96611*",
	}, nil, b.now), store.Reception{}, b.now)
	mustSucceed(t, err)
	for id, want := range map[string]string{in.ID: "inbound +966112345678", out: "outbound <nil>"} {
		got := b.askPath("GET", "/calls/"+id, "").want(200)
		if text := fmt.Sprint(got.at("data", "direction"), " ", got.at("data", "called_number")); text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
	for way, want := range map[string]string{"inbound": in.ID, "outbound": out} {
		list := b.askPath("GET", "/calls?direction="+way, "").want(200)
		if all := list.at("data").([]any); len(all) != 1 || list.text("data", 0, "id") != want {
			t.Errorf("%s: %s", way, list.Body)
		}
	}
	b.askPath("GET", "/calls?direction=sideways", "").failure(422, "validation_error", "direction")
	if all := b.askPath("GET", "/calls?direction=", "").want(200).at("data").([]any); len(all) != 2 {
		t.Errorf("both: %v", all)
	}
	b.askPath("POST", "/calls/"+in.ID+"/cancel", "").failure(409, "call_already_released")
	b.askPath("POST", "/calls/"+in.ID+"/hangup", "").want(202)
	if _, err := b.store.FindRoute(t.Context(), "+966112345678"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a call makes a route: %v", err)
	}
}

// TestSimulatedCaller checks that a simulated person calls only numbers of their organization, and only at a simulator.
func TestSimulatedCaller(t *testing.T) {
	t.Parallel()
	heard, asked := 0, ""
	b := newAPIFixture(t, func(d *api.Dependencies) {
		d.UseCases.CallIn = func(_ context.Context, from, to string) (int, error) {
			asked = from + " " + to
			return heard, nil
		}
	})
	b.askPath("PUT", "/inbound", `{"routes":[{"number":"+96611*","scenario_id":"reminder"}]}`).want(200)
	const body = `{"from":"+966500000007","to":"+966112345678"}`
	rings := b.askPath("POST", "/inbound/simulate", body).want(202)
	if rings.at("data", "sip_code") != nil || rings.at("data", "simulated") != true || asked != "+966500000007 +966112345678" {
		t.Errorf("%s, asked %q", rings.Body, asked)
	}
	heard = 486
	if busy := b.askPath("POST", "/inbound/simulate", `{"to":"+966112345678"}`).want(202); busy.at("data", "sip_code") != 486.0 || asked != " +966112345678" {
		t.Errorf("%s, asked %q", busy.Body, asked)
	}
	b.askPath("POST", "/inbound/simulate", `{"from":"5","to":"5","x":1}`).failure(422, "validation_error", "x", "from", "to")
	b.askPath("POST", "/inbound/simulate", `{"to":"+15550001111"}`).failure(422, "validation_error", "to")
	b.askPath("POST", "/inbound/simulate", body, withKey(rival)).failure(422, "validation_error", "to")
	newAPIFixture(t).askPath("POST", "/inbound/simulate", body).failure(409, "conflict")
}
