package scenariotest_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/scenariotest"
	"munadi/assets/scenarios"
	"munadi/store/call"
	"munadi/store/scenario"
)

// TestTemplatesInDialogue holds conversations with the templates on Sunday 29 November 2026, about a date on 3 December:
// what people answer, the report's values, and the step that the call ends with.
func TestTemplatesInDialogue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ template, says, report, last string }{
		{"payment", "لن أدفع", `"answer":"unable"`, "staff"},
		{"payment", "ما عندي فلوس الحين", `"answer":"unable"`, "staff"},
		{"payment", "ليش أدفع أنا", `"answer":null`, "later"},
		{"payment", "مسددة من زمان", `"answer":"paid"`, "goodbye"},
		{"payment", "بدفع يوم الأحد", `"answer":"pays","new_date":"2026-12-06"`, "goodbye"},
		{"payment", "أدفع الحين", `"answer":"pays"`, "goodbye"},
		{"payment", "دفعت نصها والباقي آخر الشهر", `"answer":null`, "later"},
		{"payment", "إذا نزل الراتب أدفع | نعم | بعد أسبوعين | نعم", `"answer":"later","new_date":"2026-12-13"`, "goodbye"},
		{"payment", "حولت المبلغ أمس", `"answer":"paid"`, "goodbye"},
		{"payment", "أبي أكلم موظف", `"answer":"staff"`, "staff"},
		{"payment", "لا أجلوها ليوم الأحد", `"answer":"later","new_date":"2026-12-06"`, "goodbye"},
		{"payment", "عطني مهلة | آخر الشهر | نعم", `"answer":"later","new_date":"2026-11-30"`, "goodbye"},
		{"payment", "موعد آخر | آخر الشهر | لا نص الشهر | إي", `"answer":"later","new_date":"2026-12-15"`, "goodbye"},
		{"payment", "موعد آخر | آخر الشهر", `"answer":"later","new_date":null`, "later"},
		{"survey", "نعم | أربعة من عشرة | أربعة من خمسة | خمسة | لا", `"service":4,"staff":5`, "goodbye"},
		{"delivery", "نعم بس يوم الأحد | لا | نعم | العليا", `"new_date":"2026-12-06","receives":false`, "goodbye"},
		{"delivery", "إيوه بس غيروا العنوان | حي الورود", `"address":"حي الورود","new_date":null,"receives":true`, "goodbye"},
		{"delivery", "ما أكون موجود | بكرة | العليا", `"new_date":"2026-11-30","receives":false`, "goodbye"},
		{"delivery", "لا أنا مسافر | الأحد | العليا", `"new_date":"2026-12-06","receives":false`, "goodbye"},
		{"survey", "نعم | تقريبا أربعة | نعم | نجمتين | لا", `"service":4,"staff":2`, "goodbye"},
		{"reminder", "إذا قدرت أجي", `"coming":null`, "goodbye"},
		{ // "the same order", which nobody knows here, is no answer
			"restaurant_order", "نفس الطلب | بيتزا | نفس الطلب | ثنتين | نفس الطلب | وسط | نفس الطلب | لا | نفس الطلب | استلام | محمد | كاش | نفس الطلب | نعم",
			`"confirmed":true,"delivery":"pickup","dish":"pizza","drink":"none","name":"محمد","payment":"cash","quantity":2,"size":"medium"`, "goodbye",
		},
		{"reminder", "كنت جاي بس صار لي ظرف", `"coming":false`, "goodbye"},
	} {
		got := holdTemplate(t, c.template, strings.Split(c.says, " | "))
		if !strings.Contains(string(got.Report), c.report) || got.Steps[len(got.Steps)-1] != c.last {
			t.Errorf("%s, %s: %s %v, want %s and %s", c.template, c.says, got.Report, got.Steps, c.report, c.last)
		}
	}
}

// TestRevisedAnswers takes earlier answers back: the report, the line that was said before the last reply, and the step
// that the call ends with.
func TestRevisedAnswers(t *testing.T) {
	t.Parallel()
	const toPayment = "بيتزا | ثنتين | وسط | لا | توصيل | العليا | محمد | "
	const pickedUp = "بيتزا | ثنتين | وسط | لا | استلام | محمد | كاش | "
	for _, c := range []struct{ scenario, says, report, said, last string }{
		{"restaurant_order", toPayment + "لا خلها ثلاثة | كاش | نعم", `"quantity":3,"size":"medium"`, "طلبكم ثلاثة بيتزا", "goodbye"},
		{"restaurant_order", toPayment + "غيرت رأيي كبسة | كاش | نعم", `"dish":"kabsa"`, "طلبكم اثنان كبسة", "goodbye"},
		{"restaurant_order", toPayment + "أبغى كبسة | نعم | كاش | نعم", `"dish":"kabsa"`, "هل هذا صحيح", "goodbye"},
		{"restaurant_order", toPayment + "أبغى كبسة | لا | كاش | نعم", `"dish":"pizza"`, "طلبكم اثنان بيتزا", "goodbye"},
		{"restaurant_order", toPayment + "كاش | لا ثلاثة مو ثنتين | نعم", `"confirmed":true,"delivery":"delivery","dish":"pizza",` +
			`"drink":"none","name":"محمد","payment":"cash","quantity":3`, "طلبكم ثلاثة بيتزا", "goodbye"},
		{
			"restaurant_order", toPayment + "كاش | لا مو توصيل استلام | نعم | نعم", `"address":null,"confirmed":true,"delivery":"pickup"`,
			"هل هذا صحيح", "goodbye",
		},
		{"restaurant_order", pickedUp + "لا وصلوه للبيت | نعم | حي النرجس | نعم", `"address":"حي النرجس","confirmed":true,` +
			`"delivery":"delivery","dish":"pizza","drink":"none","name":"محمد","payment":"cash"`, "عنوان التوصيل حي النرجس", "goodbye"},
		{"restaurant_order", pickedUp + "لا", `"confirmed":false,"delivery":"pickup"`, "هل نؤكد الطلب", "goodbye"},
		{"restaurant_order", pickedUp + "لا | خلها ثلاثة | نعم", `"confirmed":true,"delivery":"pickup","dish":"pizza","drink":"none",` +
			`"name":"محمد","payment":"cash","quantity":3,"size":"medium"`, "هل تريدون تغيير الطلب", "goodbye"},
		{"restaurant_order", pickedUp + "لا | ثلاثة كبار | نعم", `"quantity":3,"size":"large"`, "طلبكم ثلاثة بيتزا", "goodbye"},
		{"restaurant_order", pickedUp + "لا | نعم أبغى كبسة | نعم", `"confirmed":true,"delivery":"pickup","dish":"kabsa"`, "طلبكم اثنان كبسة", "goodbye"},
		{"restaurant_order", pickedUp + "لا | نعم | خمسة برجر كبير | نعم", `"confirmed":true,"delivery":"pickup","dish":"burger",` +
			`"drink":"none","name":"محمد","payment":"cash","quantity":5,"size":"large"`, "طلبكم خمسة برجر", "goodbye"},
		{"restaurant_order", pickedUp + "لا | الحجم | كبير | نعم", `"confirmed":true,"delivery":"pickup","dish":"pizza","drink":"none",` +
			`"name":"محمد","payment":"cash","quantity":2,"size":"large"`, "حجم كبير", "goodbye"},
		{"restaurant_order", pickedUp + "لا غلط الاسم | خالد | نعم", `"confirmed":true,"delivery":"pickup","dish":"pizza","drink":"none","name":"خالد"`, "ما هو الاسم", "goodbye"},
		{
			"restaurant_order", toPayment + "كاش | لا العنوان غلط | حي النرجس | نعم", `"address":"حي النرجس","confirmed":true`,
			"عنوان التوصيل حي النرجس", "goodbye",
		},
		{
			"restaurant_order", "بيتزا | ثنتين | وسط | لا | توصيل | لا | استلام | محمد | كاش | نعم", `"address":null,"confirmed":true,"delivery":"pickup"`,
			"ما هو عنوان التوصيل", "goodbye",
		},
		{"restaurant_order", pickedUp + "لا | وصلوه للبيت | لا | استلام | نعم", `"address":null,"confirmed":true,"delivery":"pickup","dish":"pizza",` +
			`"drink":"none","name":"محمد","payment":"cash"`, "ما هو عنوان التوصيل", "goodbye"},
		{"restaurant_order", pickedUp + "لا | لا شكرا", `"confirmed":false,"delivery":"pickup"`, "هل تريدون تغيير الطلب", "goodbye"},
		{"restaurant_order", pickedUp + "لا | ألغوا الطلب", `"confirmed":false,"delivery":"pickup"`, "هل تريدون تغيير الطلب", "goodbye"},
		{
			"restaurant_order", pickedUp + "لا | وصلوه للبيت | حي النرجس | نعم", `"address":"حي النرجس","confirmed":true,"delivery":"delivery"`,
			"عنوان التوصيل حي النرجس", "goodbye",
		},
		{"restaurant_order", pickedUp + "لا | مدري والله | شي ثاني | ممم", `"confirmed":false`, "هل تريدون تغيير الطلب", "goodbye"},
		{"restaurant_order", pickedUp + "لا | أعد السؤال | كولا | نعم", `"confirmed":true,"delivery":"pickup","dish":"pizza","drink":"cola"`, "طلبكم اثنان بيتزا", "goodbye"},
		{"restaurant_order", pickedUp + "ألغوا الطلب | خلها ثلاثة", `"confirmed":false,"delivery":"pickup","dish":"pizza","drink":"none",` +
			`"name":"محمد","payment":"cash","quantity":2`, "هل نؤكد الطلب", "goodbye"},
		{"restaurant_order", pickedUp + "لا | ثلاثة | لا | أربعة | لا | خمسة | لا", `"confirmed":false,"delivery":"pickup","dish":"pizza",` +
			`"drink":"none","name":"محمد","payment":"cash","quantity":5`, "طلبكم خمسة بيتزا", "goodbye"},
		{"restaurant_order", pickedUp + "الاسم غلط | خالد | نعم", `"confirmed":true,"delivery":"pickup","dish":"pizza","drink":"none",` +
			`"name":"خالد"`, "هل نؤكد الطلب", "goodbye"},
		{
			"restaurant_order", pickedUp + "لا | نعم | مدري | مدري | مدري | نعم", `"confirmed":true,"delivery":"pickup","dish":"pizza"`,
			"أي طبق تريدون", "goodbye",
		},
		{"restaurant_order", "برجر | خلاص ألغوا الطلب", `"confirmed":false,"delivery":null,"dish":"burger"`, "مع السلامة", "goodbye"},
		{"restaurant_order", "برجر | لا قصدي برجر | نعم", `"dish":"burger"`, "كم وجبة تريدون", "later"},
		{
			"appointment_confirmation", "لا | نعم | الخميس | لا قصدي الأحد | خمسة العصر", `"new_date":"2026-12-06","new_time":"17:00"`,
			"يوم الأحد السادس من ديسمبر", "goodbye",
		},
		{
			"appointment_confirmation", "لا | نعم | الخميس | لا قصدي الأحد الساعة خمسة العصر",
			`"new_date":"2026-12-06","new_time":"17:00"`, "يوم الأحد السادس من ديسمبر", "goodbye",
		},
		{
			"appointment_confirmation", "لا | نعم | لا خلاص ألغوه | ظروف",
			`"cancel_reason":"ظروف","confirmed":false,"new_date":null,"new_time":null,"wants_reschedule":false`,
			"تم إلغاء الموعد", "goodbye",
		},
		{
			"appointment_confirmation", "لا | نعم | خلاص سأحضر في موعدي", `"confirmed":true,"new_date":null,"new_time":null,"wants_reschedule":null`,
			"شكرا لكم تم تأكيد الموعد", "goodbye",
		},
	} {
		got := holdTemplate(t, c.scenario, strings.Split(c.says, " | "))
		said := slices.ContainsFunc(got.Messages, func(m call.Message) bool { return strings.Contains(m.Content, c.said) })
		if !strings.Contains(string(got.Report), c.report) || !said || got.Steps[len(got.Steps)-1] != c.last {
			t.Errorf("%s: %s %v said %v, want %s, %s and %s", c.says, got.Report, got.Steps, said, c.report, c.said, c.last)
		}
	}
}

// TestAnswersOfPeople checks what the built-in scenarios and templates report of what people say: testdata/answers.tsv
// has the scenario, the lines, and the values. A null means that the person is asked again.
func TestAnswersOfPeople(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/answers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		column := strings.Split(strings.TrimSpace(line), "\t")
		if len(column) != 3 {
			t.Fatalf("a row without three columns: %q", line)
		}
		var report map[string]any
		got := holdTemplate(t, column[0], strings.Split(column[1], " | "))
		if err := json.Unmarshal(got.Report, &report); err != nil {
			t.Fatal(err)
		}
		for want := range strings.FieldsSeq(column[2]) {
			name, value, _ := strings.Cut(want, "=")
			if said, err := json.Marshal(report[name]); err != nil || string(said) != value {
				t.Errorf("%s, %s: %s is %s, want %s", column[0], column[1], name, said, value)
			}
		}
	}
}

// holdTemplate runs a template, or a built-in scenario, with the answers of a person.
func holdTemplate(t *testing.T, name string, says []string) rehearsal.Outcome {
	t.Helper()
	source, err := fs.ReadFile(scenarios.ScenarioFiles(), "templates/"+name+".json")
	if errors.Is(err, fs.ErrNotExist) {
		source, err = fs.ReadFile(scenarios.ScenarioFiles(), "flow/"+name+".json")
	}
	if err != nil {
		t.Fatal(err)
	}
	s, faults, err := scenario.DecodeScenario(t.Context(), source)
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	at, variables := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), map[string]any{}
	for _, v := range s.Variables {
		variables[v.Name] = map[string]any{
			"text": "4821", "number": 350.0, "date": "2026-12-03", "time": "16:00",
		}[string(v.Type)]
	}
	test := scenario.ScenarioTest{Name: name, Says: says, Variables: variables, At: &at}
	out, err := scenariotest.TryTest(t.Context(), dependencies(t), s, test)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
