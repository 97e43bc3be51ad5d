package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
)

// addOrderCall adds an ended call of restaurant_order: a large burger, confirmed.
func (d *callBench) addOrderCall(number string) call.Call {
	d.t.Helper()
	c := d.bookCall("acme", number, nil)
	o := d.recordTalk(c)
	o.Report = json.RawMessage(`{"address":null,"confirmed":true,"delivery":null,"dish":"برجر","drink":null,"name":null,` +
		`"payment":null,"quantity":2,"size":"large"}`)
	return d.endCall(c, o)
}

// TestLongQueue checks that the pages of a queue hold each call once, longest wait first, also of a part and of what a
// search finds, and that parts have their exact counts.
func TestLongQueue(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	var want []string
	for i := range 2*kit.RowsPerPage + 7 {
		c := d.addOrderCall(fmt.Sprintf("+9665123%05d", i))
		for _, kind := range []call.AmendKind{call.AmendMark, call.AmendTake} {
			if kind == call.AmendTake && i%3 > 0 {
				continue
			}
			at := d.now.Add(-time.Duration(i) * time.Minute) // the last one waits longest
			_, err := d.store.AmendCall(t.Context(), "acme", c.ID, call.Amendment{Kind: kind}, "user:id-operator", at)
			d.mustSucceed(err)
		}
		want = append([]string{c.ID}, want...)
	}
	read := func(query string) (ids []string) {
		for path := "/queue?" + query; path != ""; {
			page := d.getPage(account.Operator, path).wantStatus(200).Body.String()
			for _, row := range regexp.MustCompile(`<tr data-id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
				ids = append(ids, row[1])
			}
			path = ""
			if next := regexp.MustCompile(`rel="next" href="/console(/queue\?[^"]*cursor=[^"]+)"`).FindStringSubmatch(page); next != nil {
				path = html.UnescapeString(next[1])
			}
		}
		return ids
	}
	every := func(keep func(i int) bool) (ids []string) {
		for i := range want {
			if keep(len(want) - 1 - i) {
				ids = append(ids, want[i])
			}
		}
		return ids
	}
	for query, keep := range map[string]func(i int) bool{
		"x=":            func(int) bool { return true },
		"whose=mine":    func(i int) bool { return i%3 == 0 },
		"whose=free":    func(i int) bool { return i%3 > 0 },
		"q=96651230000": func(i int) bool { return i < 10 },
		"q=1230009":     func(i int) bool { return i >= 90 && i < 100 },
	} {
		if got := read(query); !slices.Equal(got, every(keep)) {
			t.Errorf("%s: %d calls on all pages, want %d: %v", query, len(got), len(every(keep)), got)
		}
	}
	if csv := d.getPage(account.Viewer, "/queue.csv?whose=free").Body.String(); strings.Count(csv, "call_") != 71 {
		t.Errorf("the file of those that are not taken: %s", csv)
	}
	d.getPage(account.Operator, "/queue").wantTexts(`dir="ltr">107<`, `dir="ltr">36<`, `dir="ltr">71<`)
}

// TestAfterACall checks notes, marks and corrections of a call, and that lists, chips, CSV and the queue show them.
func TestAfterACall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c, other := d.addOrderCall(anyNumber), d.addOrderCall("+966512345602")
	path := "/calls/" + c.ID
	d.getPage(account.Viewer, path).wantStatus(200).wantNoTexts("Add the note", "Correct the answers", "Mark as needing staff")
	d.postForm(account.Viewer, path+"/note", newForm("text", "x")).wantStatus(403)
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("Add the note", "Correct the answers", "Mark as needing staff")
	d.postForm(account.Operator, path+"/note", newForm("text", "<Prefers> the evening")).wantStatus(303)
	d.getPage(account.Viewer, path).wantStatus(200).wantTexts("<Prefers> the evening").wantNoTexts("<Prefers>")
	d.postForm(account.Operator, path+"/note", newForm("text", " ")).wantStatus(303)

	d.getPage(account.Operator, "/queue").wantStatus(200).wantTexts("Nothing is waiting").wantNoTexts("section-count")
	d.postForm(account.Operator, path+"/need", newForm("action", "mark")).wantStatus(303)
	d.getPage(account.Operator, "/queue").wantStatus(200).wantTexts(anyNumber, "I take it", "Prefers", `section-count" dir="ltr">1<`)
	d.getPage(account.Viewer, "/queue").wantStatus(200).wantTexts(anyNumber).wantNoTexts("I take it")
	d.getPage(account.Operator, "").wantStatus(200).wantTexts("One call waits for staff.")
	d.postForm(account.Operator, path+"/need", newForm("action", "take", "back", "/console/queue")).wantStatus(303)
	d.getPage(account.Operator, "/queue").wantTexts("Leave it to others")
	d.getPage(account.Operator, "/queue?whose=mine").wantStatus(200).wantTexts(anyNumber)
	d.getPage(account.Operator, "/queue?whose=free").wantStatus(200).wantTexts("Nothing is waiting", "Not taken").wantNoTexts(anyNumber)
	d.getPage(account.Owner, "/queue?whose=mine").wantStatus(200).wantNoTexts(anyNumber)
	d.getPage(account.Operator, "/queue").wantStatus(200).wantTexts(anyNumber, "tel:"+anyNumber)
	d.getPage(account.Operator, "/queue?q=966512345601").wantStatus(200).wantTexts(anyNumber)
	d.getPage(account.Operator, "/queue?q=nobody").wantStatus(200).wantTexts("No line matches").wantNoTexts("tel:")
	d.getPage(account.Operator, "/queue.csv?whose=mine").wantStatus(200).wantTexts("id,name,phone_number,said,reason,note", anyNumber, "Prefers")
	d.getPage(account.Viewer, "/queue.csv?whose=free").wantStatus(200).wantNoTexts(anyNumber)
	d.postForm(account.Operator, path+"/need", newForm("action", "done", "text", "rung", "back", "https://evil.example")).wantRedirect("/console" + path)
	d.getPage(account.Operator, "/queue").wantTexts("Nothing is waiting").wantNoTexts(anyNumber)
	d.getPage(account.Operator, path).wantTexts("followed up by", "rung")
	d.postForm(account.Operator, path+"/need", newForm("action", "explode")).wantStatus(403)

	d.postForm(account.Operator, path+"/correct", newForm("answer.confirmed", "false", "was.confirmed", "true",
		"answer.quantity", "3", "was.quantity", "2", "answer.size", "large", "was.size", "large")).wantStatus(303)
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("<del><bdi>Yes</bdi></del>", "<ins><bdi>No</bdi></ins>")
	d.postForm(account.Operator, path+"/correct", newForm("answer.quantity", "many", "was.quantity", "3")).wantStatus(303)
	d.getPage(account.Operator, path).wantNoTexts("many")
	for query, n := range map[string]int{"slot=confirmed&answer=true": 1, "slot=confirmed&answer=false": 1, "slot=quantity&answer=3": 1} {
		if got := strings.Count(d.getPage(account.Operator, "/calls?"+query).wantStatus(200).Body.String(), "<tr data-id="); got != n {
			t.Errorf("%s lists %d calls, want %d", query, got, n)
		}
	}
	d.getPage(account.Operator, "/calls.csv").wantStatus(200).wantTexts(`""quantity"":3`, `""quantity"":2`)

	d.postForm(account.Operator, path+"/turn", newForm("index", "1", "content", "لا أريده")).wantStatus(303)
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("نعم أؤكد</del>", "أريده")
	d.postForm(account.Operator, path+"/turn", newForm("index", "0", "content", "overwritten")).wantStatus(303)
	d.getPage(account.Operator, path).wantNoTexts("overwritten")
	word := func(number, was, content string) {
		t.Helper()
		d.postForm(account.Operator, path+"/turn", newForm("index", "1", "word", number, "was", was, "content", content)).wantStatus(303)
	}
	word("1", "أريده", "أريد واحدا")
	d.getPage(account.Operator, path).wantTexts(`data-turn="1"`, "نعم أؤكد</del>", ">لا</span>", ">أريد</span>", ">واحدا</span>")
	word("1", "أريده", "غيره") // the page was opened before the last correction
	word("9", "غيره", "غيره")
	d.getPage(account.Operator, path).wantNoTexts("غيره</span>")
	word("2", "واحدا", "")
	d.getPage(account.Operator, path).wantTexts(">أريد</span>").wantNoTexts(">واحدا</span>")
	d.postForm(account.Operator, path+"/turn", newForm("index", "1", "word", "x", "was", "لا", "content", "x")).wantStatus(403)
	d.postForm(account.Viewer, path+"/turn", newForm("index", "1", "word", "0", "was", "لا", "content", "x")).wantStatus(403)
	d.getPage(account.Viewer, path).wantNoTexts("data-turn", "word-correction")
	d.postForm(account.Operator, "/calls/"+other.ID+"/turn", newForm("index", "x", "content", "x")).wantStatus(403)
}

// TestSearchInWords checks that the text search finds and marks words of transcripts, and offers no bulk change of its
// results.
func TestSearchInWords(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.addOrderCall(anyNumber)
	d.bookCall("acme", "+966512345602", nil)
	words := "said=" + url.QueryEscape("اؤكد")
	d.getPage(account.Operator, "/calls?"+words).wantStatus(200).wantTexts(anyNumber, "<mark>أؤكد</mark>", "One call was searched").
		wantNoTexts("+966512345602", "/calls/bulk", "data-live")
	d.getPage(account.Operator, "/calls?said="+url.QueryEscape("الفاتورة")).wantStatus(200).wantTexts("These words were not said").wantNoTexts(anyNumber)
	d.getPage(account.Operator, "/calls?said=%21").wantStatus(422).wantTexts("cannot be filtered by").wantNoTexts(anyNumber)
	d.getPage(account.Operator, "/calls/bulk?"+words).wantStatus(303)
	d.postForm(account.Operator, "/calls/bulk", newForm("query", words, "action", "cancel")).wantStatus(303)
	d.getPage(account.Operator, "/campaigns/new?people=calls&"+words).wantStatus(303)
}

// TestDoNotCallAgain checks that the form on a call's page suppresses its number with the reason, only for this
// organization. That a call to a suppressed number fails at its dial time is tested over HTTP.
func TestDoNotCallAgain(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.addOrderCall(anyNumber)
	path := "/calls/" + c.ID
	d.getPage(account.Viewer, path).wantStatus(200).wantNoTexts(`value="call"`)
	sent := d.getPage(account.Operator, path).wantStatus(200).formValues("/console/rules/suppressions")
	if sent.Get("from") != "call" || sent.Get("call") != c.ID || sent.Get("number") != anyNumber {
		t.Fatalf("the form holds %v", sent)
	}
	sent.Set("reason", "يرفض <الاتصال>")
	d.postForm(account.Viewer, "/rules/suppressions", sent).wantStatus(403)
	d.postForm(account.Operator, "/rules/suppressions", sent).wantRedirect("/console" + path + "#after")
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("يرفض <الاتصال>").wantNoTexts(`name="from" value="call"`)
	list := d.listSuppressed()
	if len(list) != 1 || list[0].PhoneNumber != anyNumber || list[0].Reason != "يرفض <الاتصال>" {
		t.Fatalf("the list holds %+v", list)
	}
	for orgID, held := range map[string]bool{"acme": true, "other": false} {
		found, err := d.store.FindSuppression(t.Context(), orgID, anyNumber, d.now)
		d.mustSucceed(err)
		if (found != nil) != held {
			t.Errorf("%s: suppressed is %v", orgID, found)
		}
	}
}

// TestTransfersOfACall checks that the page says who took a call over by name, and tells other targets as they are.
func TestTransfersOfACall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	amal := account.User{ID: "u1", OrgID: "acme", Name: "amal", Role: account.Operator, CreatedAt: d.now}
	d.mustSucceed(d.store.CreateUser(t.Context(), amal, "test"))
	c, seconds := d.bookCall("acme", anyNumber, nil), 65
	o := d.recordTalk(c)
	o.Transfers = []call.CallTransfer{
		{Way: call.BrowserWay, To: "user:u1", Outcome: call.Transferred, Duration: &seconds},
		{Way: call.BridgeWay, To: "sip:204@pbx", Outcome: call.TransferNoAnswer},
	}
	c = d.endCall(c, o)
	d.getPage(account.Viewer, "/calls/"+c.ID).wantStatus(200).
		wantTexts("Taken over in the console", "amal: took the call · 1:05", "sip:204@pbx: no answer").wantNoTexts("user:u1")
}

// TestWithheldCaller: the page of a caller who showed no number says so, and offers nothing that needs a number.
func TestWithheldCaller(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for number, offers := range map[string]bool{anyNumber: true, "": false} {
		came := call.NewInbound(call.Call{
			OrgID: "acme", PhoneNumber: number, ScenarioID: "visit", CalledNumber: "+966112000000", Route: "+96611*",
		}, nil, w.now)
		came, err := w.store.ReceiveCall(t.Context(), came, store.Reception{}, w.now)
		w.mustSucceed(err)
		page := w.getPage(account.Operator, "/calls/"+came.ID).wantStatus(200)
		if offers {
			page.wantTexts("Add to the suppression list")
		} else {
			page.wantTexts("Withheld").wantNoTexts("Add to the suppression list")
		}
	}
}
