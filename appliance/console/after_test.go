package console_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"munadi/store/account"
	"munadi/store/call"
)

// ordered is a call of restaurant_order that has ended: a large burger, confirmed.
func (d *callDesk) ordered(number string) call.Call {
	d.t.Helper()
	c := d.booked("acme", number, nil)
	o := d.talk(c)
	o.Report = json.RawMessage(`{"address":null,"confirmed":true,"delivery":null,"dish":"برجر","drink":null,"name":null,` +
		`"payment":null,"quantity":2,"size":"large"}`)
	return d.ended(c, o)
}

// TestAfterACall: staff note a call, mark it, correct an answer and a turn; lists, chips, CSV and the queue follow.
func TestAfterACall(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	c, other := d.ordered(anyNumber), d.ordered("+966512345602")
	path := "/calls/" + c.ID
	d.get(account.Viewer, path).want(200).not("Add the note", "Correct the answers", "Needs a person")
	d.post(account.Viewer, path+"/note", form("text", "x")).want(403)
	d.get(account.Operator, path).want(200).says("Add the note", "Correct the answers", "Needs a person")
	d.post(account.Operator, path+"/note", form("text", "<Prefers> the evening")).want(303)
	d.get(account.Viewer, path).want(200).says("<Prefers> the evening").not("<Prefers>")
	d.post(account.Operator, path+"/note", form("text", " ")).want(303)

	d.get(account.Operator, "/queue").want(200).says("Nothing is waiting").not("section-count")
	d.post(account.Operator, path+"/need", form("action", "mark")).want(303)
	d.get(account.Operator, "/queue").want(200).says(anyNumber, "I take it", "Prefers", `section-count" dir="ltr">1<`)
	d.get(account.Viewer, "/queue").want(200).says(anyNumber).not("I take it")
	d.get(account.Operator, "").want(200).says("One call waits for a person.")
	d.post(account.Operator, path+"/need", form("action", "take", "back", "/console/queue")).want(303)
	d.get(account.Operator, "/queue").says("Leave it to others")
	d.get(account.Operator, "/queue?whose=mine").want(200).says(anyNumber)
	d.get(account.Operator, "/queue?whose=free").want(200).says("Nothing is waiting", "Nobody").not(anyNumber)
	d.get(account.Owner, "/queue?whose=mine").want(200).not(anyNumber)
	d.get(account.Operator, "/queue?from=-1&whose=other").want(200).says(anyNumber)
	d.post(account.Operator, path+"/need", form("action", "done", "text", "rung", "back", "https://evil.example")).leads("/console" + path)
	d.get(account.Operator, "/queue").says("Nothing is waiting").not(anyNumber)
	d.get(account.Operator, path).says("followed up by", "rung")
	d.post(account.Operator, path+"/need", form("action", "explode")).want(403)

	d.post(account.Operator, path+"/correct", form("answer.confirmed", "false", "was.confirmed", "true",
		"answer.quantity", "3", "was.quantity", "2", "answer.size", "large", "was.size", "large")).want(303)
	d.get(account.Operator, path).want(200).says("<del><bdi>Yes</bdi></del>", "<ins><bdi>No</bdi></ins>")
	d.post(account.Operator, path+"/correct", form("answer.quantity", "many", "was.quantity", "3")).want(303)
	d.get(account.Operator, path).not("many")
	for query, n := range map[string]int{"slot=confirmed&answer=true": 1, "slot=confirmed&answer=false": 1, "slot=quantity&answer=3": 1} {
		if got := strings.Count(d.get(account.Operator, "/calls?"+query).want(200).Body.String(), "<tr data-id="); got != n {
			t.Errorf("%s lists %d calls, want %d", query, got, n)
		}
	}
	d.get(account.Operator, "/calls.csv").want(200).says(`""quantity"":3`, `""quantity"":2`)

	d.post(account.Operator, path+"/turn", form("index", "1", "content", "لا أريده")).want(303)
	d.get(account.Operator, path).want(200).says("نعم أؤكد</del>", "أريده")
	d.post(account.Operator, path+"/turn", form("index", "0", "content", "overwritten")).want(303)
	d.get(account.Operator, path).not("overwritten")
	word := func(number, was, content string) {
		t.Helper()
		d.post(account.Operator, path+"/turn", form("index", "1", "word", number, "was", was, "content", content)).want(303)
	}
	word("1", "أريده", "أريد واحدا")
	d.get(account.Operator, path).says(`data-turn="1"`, "نعم أؤكد</del>", ">لا</span>", ">أريد</span>", ">واحدا</span>")
	word("1", "أريده", "غيره") // the page was opened before the last correction
	word("9", "غيره", "غيره")
	d.get(account.Operator, path).not("غيره</span>")
	word("2", "واحدا", "")
	d.get(account.Operator, path).says(">أريد</span>").not(">واحدا</span>")
	d.post(account.Operator, path+"/turn", form("index", "1", "word", "x", "was", "لا", "content", "x")).want(403)
	d.post(account.Viewer, path+"/turn", form("index", "1", "word", "0", "was", "لا", "content", "x")).want(403)
	d.get(account.Viewer, path).not("data-turn", "word-correction")
	d.post(account.Operator, "/calls/"+other.ID+"/turn", form("index", "x", "content", "x")).want(403)
}

// TestSearchInWords: the list of calls finds words that were said, marks them, and does nothing to all that it finds.
func TestSearchInWords(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	d.ordered(anyNumber)
	d.booked("acme", "+966512345602", nil)
	words := "said=" + url.QueryEscape("اؤكد")
	d.get(account.Operator, "/calls?"+words).want(200).says(anyNumber, "<mark>أؤكد</mark>", "One call was searched").
		not("+966512345602", "/calls/bulk", "data-live")
	d.get(account.Operator, "/calls?said="+url.QueryEscape("الفاتورة")).want(200).says("These words were not said").not(anyNumber)
	d.get(account.Operator, "/calls?said=%21").want(200).says(anyNumber, "+966512345602")
	d.get(account.Operator, "/calls/bulk?"+words).want(303)
	d.post(account.Operator, "/calls/bulk", form("query", words, "action", "cancel")).want(303)
	d.get(account.Operator, "/campaigns/new?from=calls&"+words).want(303)
}

// TestDoNotCallAgain: the form on a call's page suppresses its number with the reason, for this organization only. That
// a suppressed number's call fails at its release is tested over HTTP.
func TestDoNotCallAgain(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	c := d.ordered(anyNumber)
	path := "/calls/" + c.ID
	d.get(account.Viewer, path).want(200).not(`value="call"`)
	sent := d.get(account.Operator, path).want(200).form("/console/rules/suppressions")
	if sent.Get("from") != "call" || sent.Get("call") != c.ID || sent.Get("number") != anyNumber {
		t.Fatalf("the form holds %v", sent)
	}
	sent.Set("reason", "يرفض <الاتصال>")
	d.post(account.Viewer, "/rules/suppressions", sent).want(403)
	d.post(account.Operator, "/rules/suppressions", sent).leads("/console" + path + "#after")
	d.get(account.Operator, path).want(200).says("يرفض <الاتصال>").not(`name="from" value="call"`)
	list := d.suppressed()
	if len(list) != 1 || list[0].PhoneNumber != anyNumber || list[0].Reason != "يرفض <الاتصال>" {
		t.Fatalf("the list holds %+v", list)
	}
	for orgID, held := range map[string]bool{"acme": true, "other": false} {
		found, err := d.store.FindSuppression(t.Context(), orgID, anyNumber, d.now)
		d.must(err)
		if (found != nil) != held {
			t.Errorf("%s: suppressed is %v", orgID, found)
		}
	}
}
