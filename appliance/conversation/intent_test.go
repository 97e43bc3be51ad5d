package conversation_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
)

const askAddress = `"questions":[{"phrases":["وين مكانكم"],"say":"نحن في شارع الملك"}],"steps":[
	{"id":"hello","type":"say","say":"مرحبا بكم"},
	{"id":"q","type":"ask","say":"ما هو العنوان","slot":{"name":"where","type":"text"}},
	{"id":"bye","type":"end","say":"شكرا"}]`

const askColour = `"identify":"معكم المتجر","opt_out_phrases":["انسوا رقمي"],
	"questions":[{"phrases":["وين مكانكم","أين المتجر"],"say":["نحن في شارع الملك","لحظة"]}],"steps":[
	{"id":"hello","type":"say","say":"مرحبا بكم في المتجر"},
	{"id":"q","type":"ask","say":"أي لون تريدون","max_reasks":1,"reask":"أحمر أم أخضر",
	 "slot":{"name":"colour","type":"choice","choices":[{"value":"red","phrases":["أحمر"]},{"value":"green","phrases":["أخضر"]}]}},
	{"id":"bye","type":"end","say":"شكرا"}]`

const askWithAgent = `"steps":[
	{"id":"q","type":"ask","say":"أي لون تريدون","slot":{"name":"colour","type":"choice","choices":[
		{"value":"red","phrases":["أحمر"]},{"value":"green","phrases":["أخضر"]}]},"on_failure":"desk"},
	{"id":"bye","type":"end","say":"شكرا"},
	{"id":"desk","type":"transfer","to":"+966500000000","on_failure":"bye"}]`

const askStay = `"steps":[
	{"id":"from","type":"ask","say":"أي لون تريدون","slot":{"name":"from","type":"date"}},
	{"id":"to","type":"ask","say":"إلى أي يوم","slot":{"name":"colour","type":"date"}},
	{"id":"bye","type":"end","say":["شكرا",{"text":"{{from|date}}","optional":true}]}]`

// TestIntents checks that requests of callees are recognized in the words of the bundled voices and others, and carried
// out.
func TestIntents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, form string
		answers    []string
		heard      string // what the platform says behind the first question, joined by |
		codes      string
		suppress   bool
		colour     any
	}{
		{"opt out", askColour, []string{"لا تتصلوا بي مرة أخرى"}, "حسنا لن نتصل بهذا الرقم مرة أخرى", "", true, nil},
		{
			"an answer that could also be an earlier one", askStay,
			[]string{"الأحد", "خليها الخميس"},
			"إلى أي يوم|شكرا|يوم الأحد الثاني والعشرين من نوفمبر", "", false, "2026-11-26",
		},
		{"opt out in dialect", askColour, []string{"يا أخي لا عاد تتصلون علي"}, "حسنا لن نتصل بهذا الرقم مرة أخرى", "", true, nil},
		{"opt out by the scenario's phrase", askColour, []string{"انسوا رقمي"}, "حسنا لن نتصل بهذا الرقم مرة أخرى", "", true, nil},
		{"wrong number", askColour, []string{"الرقم خطأ"}, "نعتذر عن الإزعاج|شكرا جزيلا مع السلامة", "wrong_number", false, nil},
		{"busy", askColour, []string{"أنا مشغول الآن اتصل لاحقا"}, "حسنا سنتصل بكم لاحقا|شكرا جزيلا مع السلامة", "call_later", false, nil},
		{"agent, and nobody there", askColour, []string{"حولني إلى الموظف"}, "حسنا سنتصل بكم لاحقا|شكرا جزيلا مع السلامة", "agent_requested", false, nil},
		{"who", askColour, []string{"من المتكلم", "أحمر"}, "معكم المتجر|أي لون تريدون|شكرا", "", false, "red"},
		{"details", askColour, []string{"كم المبلغ", "أحمر"}, "مرحبا بكم في المتجر|أي لون تريدون|شكرا", "", false, "red"},
		{"details in an open answer", askAddress, []string{"كم المبلغ"}, "شكرا", "", false, nil},
		{"options", askColour, []string{"وش عندكم", "أحمر"}, "أحمر|أخضر|أي لون تريدون|شكرا", "", false, "red"},
		{
			"options twice, and again", askColour,
			[]string{"وش عندكم", "ما سمعت", "شو الخيارات", "أخضر"},
			"أحمر|أخضر|أي لون تريدون|أحمر|أخضر|أي لون تريدون|أحمر|أخضر|أي لون تريدون|شكرا", "", false, "green",
		},
		{"options, with one named", askColour, []string{"وش عندكم أحمر"}, "شكرا", "", false, "red"},
		{"side question", askColour, []string{"طيب وين مكانكم", "أحمر"}, "نحن في شارع الملك|لحظة|أي لون تريدون|شكرا", "", false, "red"},
		{
			"side question to what is read back", strings.Replace(askColour, `"max_reasks"`, `"confirm":true,"max_reasks"`, 1),
			[]string{"أحمر", "وين مكانكم", "نعم"},
			"أحمر|هل هذا صحيح|نحن في شارع الملك|لحظة|أحمر|هل هذا صحيح|شكرا", "", false, nil,
		},
		{"side question beside an answer", askColour, []string{"أخضر وين مكانكم"}, "نحن في شارع الملك|لحظة|شكرا", "", false, "green"},
		{
			"side question to an open question", askAddress,
			[]string{"وين مكانكم", "شارع العليا"},
			"نحن في شارع الملك|ما هو العنوان|شكرا", "", false, nil,
		},
		{"side question within an open answer", askAddress, []string{"شارع التحلية جنب وين مكانكم"}, "شكرا", "", false, nil},
		{"repeat", askColour, []string{"أعد السؤال من فضلك", "أخضر"}, "أي لون تريدون|شكرا", "", false, "green"},
		{
			"repeat for ever", askColour,
			[]string{"أعد السؤال", "أعد السؤال", "أعد السؤال", "أعد السؤال", "أعد السؤال"},
			"أي لون تريدون|أي لون تريدون|أي لون تريدون|أحمر أم أخضر|أحمر اضغط واحد|أخضر اضغط اثنان|شكرا", "no_match no_match", false, nil,
		},
		{"goodbye to an open question", askAddress, []string{"مع السلامة"}, "شكرا جزيلا مع السلامة", "goodbye", false, nil},
		{"hello", askColour, []string{"ألو", "أحمر"}, "أي لون تريدون|شكرا", "", false, "red"},
		{"goodbye", askColour, []string{"شكرا مع السلامة"}, "شكرا جزيلا مع السلامة", "goodbye", false, nil},
		{"goodbye behind an answer", askColour, []string{"أحمر شكرا مع السلامة"}, "شكرا", "", false, "red"},
		{"who without identify", askAddress, []string{"مين معي", "شارع الملك"}, "مرحبا بكم|ما هو العنوان|شكرا", "", false, nil},
		{"busy is no wish in an open answer", askAddress, []string{"بجانب محل الرقم خطأ"}, "شكرا", "", false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			person := &scriptedCallee{script: scriptedAnswers(c.answers...)}
			o := holdTalk(t, person, conversation.ConversationInput{Scenario: readScenario(t, c.form), MayCallBack: true})
			if o.Status != call.Completed || o.Failure != nil || o.Suppress != c.suppress || outcomeCodes(o) != c.codes {
				t.Errorf("%s", formatOutcome(o))
			}
			if got := afterQuestion(o); got != c.heard {
				t.Errorf("heard %q, want %q", got, c.heard)
			}
			if got := readReport(t, o); c.form == askColour && got["colour"] != c.colour {
				t.Errorf("colour %v, want %v", got["colour"], c.colour)
			}
		})
	}
}

// TestIntentsInDialects reads testdata/intents.tsv.
func TestIntentsInDialects(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/intents.tsv")
	if err != nil {
		t.Fatal(err)
	}
	book := newPhraseBook(t)
	for line := range strings.Lines(string(table)) {
		said, want, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if got := conversation.FindIntent(book, said); ok && !strings.HasPrefix(said, "#") && got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

// afterQuestion returns what the platform said after the first question.
func afterQuestion(o conversation.ConversationOutcome) string {
	var said []string
	for _, m := range o.Messages {
		if m.Role == call.Assistant {
			said = append(said, m.Content)
		}
	}
	for i, text := range said {
		if strings.HasPrefix(text, "أي لون") || strings.HasPrefix(text, "ما هو") {
			return strings.Join(said[i+1:], "|")
		}
	}
	return "no question in " + strings.Join(said, "|")
}

func TestAWishIsHeededWhileThePlatformSpeaks(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{start: calleeReaction{after: 3 * time.Second, say: "لا تتصلوا بي مرة أخرى"}}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
	compareGolden(t, "opt_out_at_once", formatOutcome(o))
}

func TestHangingUpOnAWishKeepsIt(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{start: calleeReaction{after: 400 * time.Millisecond, say: "لا تتصلوا بي مرة أخرى", hangup: true}}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
	if !o.Suppress || o.Status != call.Completed {
		t.Errorf("%s", formatOutcome(o))
	}
}

func TestTransfer(t *testing.T) {
	t.Parallel()
	wish := scriptedAnswers("حولني إلى الموظف", "أكلم موظف")
	t.Run("succeeds", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{script: wish}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: readScenario(t, askWithAgent)})
		if o.Status != call.Completed || person.to != "+966500000000" || outcomeCodes(o) != "agent_requested" {
			t.Errorf("to %q: %s", person.to, formatOutcome(o))
		}
	})
	t.Run("fails", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{script: wish, moved: errors.New("nobody there")}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: readScenario(t, askWithAgent)})
		if o.Status != call.Completed || outcomeCodes(o) != "agent_requested transfer_failed" {
			t.Errorf("%s", formatOutcome(o))
		}
		if got := afterQuestion(o); got != "سأحولكم إلى الموظف الآن|شكرا" {
			t.Errorf("heard %q", got)
		}
	})
	t.Run("on failure of a question", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{script: scriptedAnswers("أزرق", "أصفر", "أسود")}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: readScenario(t, askWithAgent)})
		if o.Status != call.Completed || person.to == "" || outcomeCodes(o) != "no_match no_match no_match" {
			t.Errorf("%s", formatOutcome(o))
		}
	})
}

func TestOneMomentGivesTime(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{script: func(asked int, _ carrier.Speech) calleeReaction {
		if asked > 0 {
			return calleeReaction{}
		}
		return calleeReaction{after: time.Second, say: "لحظة من فضلك", then: &calleeReaction{after: 15 * time.Second, say: "أحمر"}}
	}}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: readScenario(t, askColour)})
	if got := readReport(t, o)["colour"]; got != "red" || outcomeCodes(o) != "" {
		t.Errorf("%s", formatOutcome(o))
	}
}
