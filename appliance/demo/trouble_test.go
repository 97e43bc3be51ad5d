package demo_test

import (
	"io"
	"net/http"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// checkMessage uploads to a service that fails in this way and checks the page's message.
type checkMessage struct {
	name, lang string
	answer     func(http.ResponseWriter, *http.Request)
	status     int
	title, do  string
	detail     string
}

func failureAnswers() []checkMessage {
	broken := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"type\":\"transcript.text.delta\",\"delta\":\"نعم\"}\n\n")
	}
	late := func(w http.ResponseWriter, r *http.Request) {
		broken(w, r)
		_, _ = io.WriteString(w, "event: error\ndata: {\"type\":\"error\",\"error\":{\"code\":\"audio_decode_error\"},"+
			"\"detail\":[{\"type\":\"audio_decode_error\",\"loc\":[\"body\",\"file\"],\"msg\":\"breaks off\"}]}\n\n")
	}
	unreadable := `{"detail":[{"type":"audio_decode_error","loc":["body","file"],"msg":"a PDF document","input":null}]}`
	return []checkMessage{
		{"unknown key", "ar", answerFailure(401, `{"detail":"Invalid API key"}`), 401, "لم يُقبل المفتاح", "الصق مفتاحًا", ""},
		{"no scope", "en", answerFailure(403, `{"detail":"scope"}`), 403, "may not transcribe", "scope stt", ""},
		{"too large", "en", answerFailure(413, `{"detail":"too large"}`), 413, "too long or too large", "audio/jobs", ""},
		{"no audio", "en", answerFailure(422, unreadable), 422, "can't read this file", "holds audio", "a PDF document"},
		{"busy", "en", answerFailure(429, `{"detail":"busy"}`, "Retry-After", "7"), 429, "busy", "in 7 s", ""},
		{"draining", "ar", answerFailure(503, `{"detail":"draining"}`), 503, "تبدأ أو تتوقف", "بعد لحظات", ""},
		{"a fault", "en", answerFailure(500, `{"detail":"Internal error"}`), 500, "(500)", "request id", "Internal error"},
		{"a fault while streaming", "en", late, 0, "can't read this file", "holds audio", "breaks off"},
		{"broken stream", "ar", broken, 0, "انقطع البث", "ما وصل من النص", ""},
	}
}

func TestTroubleIsSaidWithWhatToDo(t *testing.T) {
	t.Parallel()
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, tt := range failureAnswers() {
		t.Run(tt.name, func(t *testing.T) {
			b := newBackend(t)
			b.answer = tt.answer
			p := browser.OpenPage(t, b.URL+"/?lang="+tt.lang, browsertest.PageView{})
			p.ExpectStatuses(tt.status)
			giveKey(p, goodKey)
			p.UploadFiles("#file", clipFile(t))
			p.WaitText("#notice-title", tt.title)
			p.WaitText("#notice-do", tt.do)
			p.WaitText("#notice-detail", tt.detail)
			p.WaitHidden("#cancel")
			open := browsertest.EvalExpression[bool](p, `document.activeElement.id === "key"`)
			if open != (tt.status == 401 || tt.status == 403) {
				t.Errorf("the key field has the focus: %v", open)
			}
			p.ClickElement("#notice-close")
			p.WaitHidden("#notice")
		})
	}
}

func TestServiceOutOfReach(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	b.answer = func(http.ResponseWriter, *http.Request) { b.CloseClientConnections() }
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL+"/?lang=en", browsertest.PageView{})
	p.ExpectText("net::ERR_")
	giveKey(p, goodKey)
	p.UploadFiles("#file", clipFile(t))
	p.WaitText("#notice-title", "can't reach the service")
}

func TestTooLargeIsRefusedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL+"/?lang=en", browsertest.PageView{})
	giveKey(p, goodKey)
	p.RunScript(`(() => {
		const transfer = new DataTransfer();
		transfer.items.add(new File([new Uint8Array(9 << 20)], "long.wav"));
		document.querySelector("#file").files = transfer.files;
		document.querySelector("#file").dispatchEvent(new Event("change"));
	})()`)
	p.WaitText("#notice-title", "too large")
	if n := len(b.receivedUploads()); n != 0 {
		t.Errorf("%d uploads", n)
	}
}

func TestWithoutKey(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL, browsertest.PageView{})
	p.ClickElement("#record")
	p.WaitText("#notice-title", "يلزم مفتاح API")
	p.WaitFor(`document.activeElement.id === "key"`)
}
