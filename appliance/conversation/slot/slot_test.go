package slot_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/conversation/slot"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

var saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func spokenNumber(n float64) *float64 { return &n }

var (
	attend = scenario.AnswerSlot{
		Name: "ok", Type: scenario.YesNo, Yes: []string{"سأحضر"}, No: []string{"تغيير الموعد", "لا أستطيع الحضور"},
	}
	amount        = scenario.AnswerSlot{Name: "n", Type: scenario.Number, Min: spokenNumber(1), Max: spokenNumber(50)}
	day           = scenario.AnswerSlot{Name: "d", Type: scenario.Date}
	hour          = scenario.AnswerSlot{Name: "t", Type: scenario.Time}
	parseFreeText = scenario.AnswerSlot{Name: "x", Type: scenario.Text}
	extras        = scenario.AnswerSlot{Name: "e", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "none", Phrases: []string{"لا", "ما أبغى شي"}}, {Value: "onion", Phrases: []string{"بصل"}},
	}}
	size = scenario.AnswerSlot{Name: "s", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "small", Phrases: []string{"صغير"}}, {Value: "large", Phrases: []string{"كبير"}},
	}}
)

const none = "none" // there is no answer

func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slot     scenario.AnswerSlot
		text     string
		clarity  float64
		want     any
		doubtful bool
	}{
		{attend, "نعم", 0.9, true, false},
		{attend, "أيوه", 0.9, true, false},
		{attend, "أيوا أكيد", 0.9, true, false},
		{attend, "لا", 0.9, false, false},
		{attend, "لا ما أبغى", 0.9, false, false},
		{attend, "نعم", 0.3, true, true},
		{attend, "لا", 0.49, false, true},
		{attend, "ممكن", 0.9, true, true},
		{attend, "ما راح أحضر", 0.9, false, false},
		{attend, "ماراح أحضر", 0.9, false, false},
		{attend, "نعم أؤكد الموعد", 0.3, true, false},
		{attend, "سأحضر", 0.3, true, false},
		{attend, "أريد تغيير الموعد", 0.3, false, false},
		{attend, "نعم أريد تغيير الموعد", 0.9, false, false},
		{attend, "لا أستطيع الحضور", 0.9, false, false},
		{attend, "أيوه بس أبغى أغير الوقت", 0.9, false, false},
		{attend, "أجلوه لو سمحتم", 0.9, false, false},
		{attend, "لا تغيرونه", 0.9, true, false},
		{attend, "نعم بس ألغوا الحجز", 0.9, none, false}, // no phrase of the slot cancels
		{attend, "سأحضر لا أستطيع الحضور", 0.9, none, false},
		{attend, "لا سأحضر", 0.9, none, false},
		{attend, "نعم لا", 0.9, none, false},
		{attend, "الجو جميل", 0.9, none, false},
		{amount, "ثلاثة", 0.9, 3.0, false},
		{amount, "خمسة وعشرين", 0.9, 25.0, false},
		{amount, "مئة", 0.9, none, false},
		{amount, "صفر", 0.9, none, false},
		{day, "بكرة", 0.9, "2026-11-22", false},
		{day, "يوم الخميس", 0.9, "2026-11-26", false},
		{day, "خمسة ديسمبر", 0.9, "2026-12-05", false},
		{day, "متى ما تحب", 0.9, none, false},
		{day, "الخميس ما أقدر", 0.9, none, false},
		{day, "الأسبوع القادم", 0.9, "2026-11-28", true},
		{day, "بعد شهر", 0.9, "2026-12-21", true},
		{day, "الأحد الأسبوع القادم", 0.9, "2026-11-22", false},
		{day, "خمسة شهر ديسمبر", 0.9, "2026-12-05", false},
		{day, "خمسة الشهر القادم", 0.9, "2026-12-05", false},
		{hour, "الساعة خمسة ونص", 0.9, "17:30", true},
		{hour, "الساعة العاشرة", 0.9, "10:00", true},
		{hour, "الساعة اثنا عشر", 0.9, "12:00", true},
		{hour, "الساعة الخامسة مساء", 0.9, "17:00", false},
		{hour, "الساعة الخامسة صباحا", 0.9, "05:00", false},
		{size, "كبير", 0.9, "large", false},
		{size, "الكبيرة من فضلك", 0.9, "large", false},
		{size, "أخضر", 0.9, none, false},
		{extras, "ما أبغى شي", 0.9, "none", false},
		{extras, "ما أبغى بصل", 0.9, none, false},
		{size, "الخيار الثاني", 0.9, "large", false},
		{size, "الأول", 0.9, "small", false},
		{size, "رقم اتنين", 0.9, "large", false},
		{size, "الأخير لو سمحت", 0.9, "large", false},
		{size, "الخيار العاشر", 0.9, none, false},
		{size, "الأول أو الثاني", 0.9, none, false},
		{size, "مو الأول الثاني", 0.9, "large", false},
		{hour, "الحين", 0.9, "09:00", true},
		{hour, "مو الحين", 0.9, none, false},
		{day, "دلوقتي", 0.9, "2026-11-21", false},
		{parseFreeText, " شارع الملك فهد ", 0.9, "شارع الملك فهد", false},
		{parseFreeText, "لا شكرا", 0.9, nil, false},
		{parseFreeText, "لا أستطيع الحضور", 0.9, "لا أستطيع الحضور", false},
		{parseFreeText, "نعم", 0.9, none, false},
		{parseFreeText, "", 0.9, none, false},
	} {
		a, ok := slot.UnderstandAnswer(c.slot, slot.HeardAnswer{Text: c.text, Confidence: c.clarity}, saturday)
		got := a.Value
		if !ok {
			got, a.Doubtful = none, false
		}
		if got != c.want || a.Doubtful != c.doubtful {
			t.Errorf("%s %q at %.2f: %v, doubtful %t; want %v, %t", c.slot.Type, c.text, c.clarity, got, a.Doubtful, c.want, c.doubtful)
		}
	}
}

// TestTimesNamedByPrayers: sunset in Riyadh on that day is at 17:04, the night prayer 90 minutes later.
func TestTimesNamedByPrayers(t *testing.T) {
	t.Parallel()
	riyadh, _ := callrules.FindCity("riyadh")
	day := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.FixedZone("", 3*3600))
	for text, want := range map[string]any{
		"صلاة المغرب": "17:04", "بعد صلاة المغرب": "17:35", "قبل المغرب": "16:30", "بعد العشا": "19:05",
		"المغرب": none, "بعد الظهر": none, "نعم": none,
	} {
		a, ok := slot.UnderstandPrayerTime(slot.HeardAnswer{Text: text}, riyadh, day)
		got := a.Value
		if !ok {
			got = none
		}
		if got != want || ok && !a.Doubtful {
			t.Errorf("%s: %v, doubtful %t; want %v, doubtful", text, got, a.Doubtful, want)
		}
	}
	north := callrules.City{Latitude: 60}
	if a, ok := slot.UnderstandPrayerTime(slot.HeardAnswer{Text: "بعد العشاء"}, north, day.AddDate(0, 7, 0)); ok {
		t.Errorf("a night prayer without a night: %v", a.Value)
	}
}

// TestAnswerToAnotherQuestion checks what an answer to one question says about another one that was not asked yet.
func TestAnswerToAnotherQuestion(t *testing.T) {
	t.Parallel()
	moves := scenario.AnswerSlot{Type: scenario.YesNo, Yes: []string{"تغيير الموعد"}, No: []string{"إلغاء الموعد"}}
	drink := scenario.AnswerSlot{Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "none", Phrases: []string{"لا", "لا شكرا", "بدون مشروب"}}, {Value: "cola", Phrases: []string{"كولا"}},
	}}
	for _, c := range []struct {
		slot scenario.AnswerSlot
		text string
		want any
	}{
		{moves, "أريد تغيير الموعد", true},
		{moves, "أريد إلغاء الموعد", false},
		{moves, "لا أريد تغيير الموعد", none},
		{moves, "ألغوه لو سمحتم", false},
		{moves, "نعم", none},
		{drink, "برجر بدون مشروب", "none"},
		{drink, "مشروب بارد", none},
		{moves, "لا", none},
		{amount, "اثنان برجر", 2.0},
		{amount, "برجر", none},
		{size, "بيتزا واحدة كبيرة", "large"},
		{drink, "برجر لا بيتزا", none},
		{drink, "بيتزا بدون مشروب", "none"},
		{drink, "ما أبغى كولا", none},
		{day, "أريد تغيير الموعد إلى يوم الأحد", "2026-11-22"},
		{hour, "الأحد الساعة العاشرة صباحا", "10:00"},
		{hour, "الأحد الساعة العاشرة", "10:00"}, // doubtful: it is read back
		{parseFreeText, "أي شيء", none},
	} {
		a, ok := slot.UnderstandAside(c.slot, slot.HeardAnswer{Text: c.text, Confidence: 0.9}, saturday)
		got := a.Value
		if !ok {
			got = none
		}
		if got != c.want {
			t.Errorf("%s in %q: %v, want %v", c.slot.Type, c.text, got, c.want)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	keyed := scenario.AnswerSlot{Type: scenario.Choice, Choices: []scenario.ChoiceOption{{Value: "a", Key: "5"}, {Value: "b"}}}
	four := scenario.AnswerSlot{Type: scenario.Number, Digits: 4}
	for _, c := range []struct {
		slot  scenario.AnswerSlot
		keys  string
		ended bool
		want  any
		state slot.KeyState
	}{
		{attend, "1", false, true, slot.Done},
		{attend, "2", false, false, slot.Done},
		{attend, "3", false, nil, slot.NoKeys},
		{size, "2", false, "large", slot.Done},
		{size, "3", false, nil, slot.NoKeys},
		{size, "*", false, nil, slot.NoKeys},
		{keyed, "5", false, "a", slot.Done},
		{keyed, "1", false, nil, slot.NoKeys},
		{amount, "1", false, nil, slot.More},
		{amount, "12", true, 12.0, slot.Done},
		{amount, "12#", false, 12.0, slot.Done},
		{amount, "99#", false, nil, slot.NoKeys},
		{amount, "#", false, nil, slot.NoKeys},
		{amount, "1*", false, nil, slot.NoKeys},
		{four, "123", false, nil, slot.More},
		{four, "0123", false, 123.0, slot.Done},
		{four, "123", true, nil, slot.NoKeys},
		{four, "123#", false, nil, slot.NoKeys},
		{four, "12345", false, nil, slot.NoKeys},
		{amount, "1234567890123456", true, nil, slot.NoKeys},
		{day, "1", true, nil, slot.NoKeys},
		{day, "12", false, nil, slot.More},
		{hour, "1730#", false, nil, slot.NoKeys},
		{parseFreeText, "5", false, nil, slot.More},
	} {
		got, state := slot.AnswerByKeys(c.slot, c.keys, c.ended)
		if got != c.want || state != c.state {
			t.Errorf("%s %q: %v %d, want %v %d", c.slot.Type, c.keys, got, state, c.want, c.state)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slot  scenario.AnswerSlot
		value any
		want  string
	}{
		{attend, true, "نعم"},
		{attend, false, "لا"},
		{amount, 25.0, "خمسة وعشرون"},
		{amount, 2.5, "اثنان والنصف"},
		{amount, 2.25, "اثنان فاصلة اثنان خمسة"},
		{amount, 1e300, ""},
		{day, "2026-12-05", "يوم السبت الخامس من ديسمبر"},
		{hour, "17:30", "الساعة الخامسة والنصف مساء"},
		{size, "large", "كبير"},
		{size, "huge", "huge"},
		{parseFreeText, "شارع", "شارع"},
		{parseFreeText, nil, ""},
	} {
		if diff := cmp.Diff(c.want, slot.SpokenValue(c.slot, c.value)); diff != "" {
			t.Errorf("%s %v: -want +got %s", c.slot.Type, c.value, diff)
		}
	}
}

// FuzzUnderstand checks that no words cause a panic, and that the found value satisfies the slot.
func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{"نعم", "الساعة خمسة ونص", "ثلاثة", "32 فبراير", "كبير لا صغير", "\xff", "1e999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []scenario.AnswerSlot{attend, amount, day, hour, size, parseFreeText} {
			a, ok := slot.UnderstandAnswer(s, slot.HeardAnswer{Text: text, Confidence: 1}, saturday)
			if n, is := a.Value.(float64); ok && is && (n < 1 || n > 50) {
				t.Errorf("%q is %v", text, n)
			}
			if ok {
				_ = slot.SpokenValue(s, a.Value)
			}
			_, _ = slot.UnderstandAside(s, slot.HeardAnswer{Text: text}, saturday)
			_, _ = slot.AnswerByKeys(s, text, true)
		}
	})
}
