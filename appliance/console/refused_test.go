package console_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"munadi/appliance/console"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// TestRefusedCalls checks that who governs the installation sees the refused inbound calls with caller, cause, next step
// and messages, in both languages, and is led there; others find nothing.
func TestRefusedCalls(t *testing.T) {
	t.Parallel()
	var refused []call.RefusedCall
	b := openFixture(t, func(t *testing.T, change ...func(*console.Dependencies)) *consoleBench {
		return newBench(t, append(change, func(d *console.Dependencies) {
			d.Trunks.AreFixed = func() bool { return false }
			d.Inbound.RefusedCalls = func() []call.RefusedCall { return refused }
		})...)
	})
	b.addPeople()
	const path = "/inbound/refused"
	b.getPage(governor, path).wantStatus(200).wantTexts("No inbound call was refused")
	refused = []call.RefusedCall{
		{
			First: b.now, Last: b.now, Times: 3, Trunk: "stc", Caller: "+9665•••••07", Called: "+9661•••••78", Status: 404, Cause: call.RefusalNoRoute,
			Messages: []call.SIPMessage{{At: b.now, Line: "INVITE sip:+9661•••••78@h SIP/2.0"}, {At: b.now, Sent: true, Line: "SIP/2.0 404 Not Found"}},
		},
		{First: b.now, Last: b.now, Times: 1, Trunk: "stc", Status: 486, Cause: call.RefusalBusy},
	}
	b.getPage(governor, path).wantStatus(200).wantTexts("+9665•••••07", "+9661•••••78", "SIP 404", "No number of the inbound routes was called.",
		"3 times, first:", "404 Not Found", "withheld", "no number", "SIP 486").wantNoTexts("once:", "No inbound call was refused")
	b.getPage(governor, path+"?lang=ar").wantTexts("لا يطابق الرقم المطلوب أي رقم وارد.", "رقم محجوب")
	b.getPage(governor, "/inbound").wantTexts("/console" + path)
	b.getPage(governor, "/trunks").wantTexts("/console"+path, `href="/console/system" aria-current="page"`)
	b.getPage(governor, "/organizations").wantTexts(`href="/console/users" aria-current="page"`)
	b.getPage(account.Owner, path).wantStatus(404)
	b.getPage(account.Owner, "/inbound").wantStatus(200).wantNoTexts("/console" + path)
}

// muteChecker is a checker whose voices cannot speak a scenario's first line.
type muteChecker struct{ service.ScenarioChecker }

func (muteChecker) CheckSaved(context.Context, scenario.Scenario) (faults, warnings []strictjson.Violation, err error) {
	return nil, []strictjson.Violation{{Field: "steps.0.say", Message: "cannot be spoken"}}, nil
}

// TestClosedLineThatNobodySpeaks checks that saving a closed line that no voice can speak says so.
func TestClosedLineThatNobodySpeaks(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(d *console.Dependencies) { d.UseCases.Scenarios = muteChecker{} })
	saved := b.postForm(account.Owner, "/inbound", newForm("closed", "مغلق"))
	saved.wantRedirect("/console/inbound")
	next := httptest.NewRequest(http.MethodGet, "/console/inbound", nil)
	for _, one := range saved.Result().Cookies() {
		next.AddCookie(one)
	}
	b.sendRequest(account.Owner, next).wantStatus(200).wantTexts("Saved.", "callers will not hear it")
}
