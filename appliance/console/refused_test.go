package console_test

import (
	"testing"

	"munadi/appliance/console"
	"munadi/store/account"
	"munadi/store/call"
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
