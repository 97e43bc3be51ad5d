package calls

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/scenarios"
)

// showCall shows one call: live while it runs (SSE), the record afterwards.
func (s handlers) showCall(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	p := callRecord(found, k)
	if p.Recording != "" {
		s.addWaveform(ctx, found, v.Lang, &p)
	}
	if err := s.addHistory(ctx, v, found, k, &p); err != nil {
		return err
	}
	if err := s.addAmendments(ctx, v, found, k, &p); err != nil {
		return err
	}
	p.Trace, err = s.Store.FindTrace(ctx, found.OrgID, found.ID)
	if err != nil && !store.IsUnreadable(err) { // the page's notice says so
		return err
	}
	setPermissions(&p, found, v.User.Role, k)
	p.Rings = kit.RingsVisitor(v)
	if p.TakeOver = p.Listen && s.TakeOver != nil; p.TakeOver {
		p.Steps = takeOverSteps(found, k.Labels())
	}
	title := found.PhoneNumber
	if title == "" {
		title = calls.CallTitle.In(v.Lang)
	}
	p.ConsolePage = s.ConsoleFrame(c, title)
	p.Styles, p.Module = append(p.Styles, "css/console-call.css", "css/console-player.css"), "js/console-call.js"
	return kit.RenderPage(c, http.StatusOK, calls.CallPage(p))
}

// callRecord returns the view of a call's record.
func callRecord(c call.Call, k booking.Context) calls.CallView {
	labels := k.Labels()
	p := calls.CallView{
		CallRow: kit.CallRow(c, labels), Zone: k.Zone,
		ReportJSON: kit.ReportText(c.Report), Variables: labels.VariableFacts(c), Metadata: metadataFacts(labels, c.Metadata),
	}
	if !c.Status.IsFinal() {
		p.Labels = labels.LiveLabels(c.ScenarioID)
	}
	for i, m := range c.CurrentMessages() {
		p.Turns = append(p.Turns, calls.CallTurn{Message: m, Index: i, Words: timedWords(m)})
	}
	slices.SortStableFunc(p.Turns, func(a, b calls.CallTurn) int { return cmp.Compare(a.Start, b.Start) })
	plan, _ := kit.FindScenario(labels.Scenarios, c.ScenarioID)
	for _, t := range c.Errors {
		t.Message = labels.ErrorText(plan, t.Message)
		p.Troubles = append(p.Troubles, t)
	}
	if apimodel.HasRecording(c) {
		p.Recording = p.CallPath() + "/recording"
	}
	return p
}

// timedWords estimates the time of each word of a turn by its length, for following the playback and clicking.
func timedWords(m call.Message) []calls.MessageWord {
	words := strings.Fields(m.Content)
	letters := 0
	for _, w := range words {
		letters += utf8.RuneCountInString(w) + 1
	}
	at, each := m.Start, (m.End-m.Start)/float64(max(letters, 1))
	out := make([]calls.MessageWord, len(words))
	for i, w := range words {
		end := at + each*float64(utf8.RuneCountInString(w)+1)
		out[i] = calls.MessageWord{Text: w, Start: at, End: end}
		at = end
	}
	return out
}

// metadataFacts returns the metadata of a booking, with names as words.
func metadataFacts(l kit.ScenarioLabels, m map[string]string) []calls.CallFact {
	var facts []calls.CallFact
	for _, name := range slices.Sorted(maps.Keys(m)) {
		facts = append(facts, calls.CallFact{Label: scenarios.LabelText(l.Lang, scenario.Label{}, name), Text: m[name]})
	}
	return facts
}

// setPermissions sets which actions the visitor may perform on the call now.
func setPermissions(p *calls.CallView, c call.Call, role account.UserRole, k booking.Context) {
	if !role.Allows(account.Operator) {
		return
	}
	waits, running := c.Status == call.Scheduled, c.Status.IsRunning()
	p.MayCancel, p.MayMove, p.MayHangUp, p.Listen = waits, waits, running, running
	p.MayTest = c.Status == call.Completed && len(c.Report) > 0 && c.ErasedAt == nil && !c.IsCallBack()
	p.MayTestVoice = p.MayTest && p.Recording != ""
	p.MayErase = c.Status.IsFinal() && (c.PhoneNumber != "" || c.Trial && c.ErasedAt == nil)
	p.MayProve = c.Status.IsFinal()
	p.MayCallBack = c.Status.IsFinal() && !c.Trial && p.Number != ""
	p.Earliest = k.Now.Add(call.MinLead + time.Minute).In(k.Zone).Format(kit.DatetimeLocal)
	p.Latest = k.Now.Add(call.MaxAhead).In(k.Zone).Format(kit.DatetimeLocal)
	p.MoveTo = kit.LaterTime(c.ScheduledAt, k.Now.Add(call.MinLead+time.Minute)).In(k.Zone).Format(kit.DatetimeLocal)
}
