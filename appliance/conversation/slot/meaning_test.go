package slot_test

import (
	"strings"
	"testing"

	"munadi/appliance/conversation/slot"
	"munadi/store/scenario"
)

// spokenValue is a value as people say it.
type spokenValue struct {
	said string
	is   any
}

var (
	window = scenario.AnswerSlot{Name: "w", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "morning", Phrases: []string{"الصباح", "صباحا", "الصبح"}}, {Value: "evening", Phrases: []string{"المساء", "مساء"}},
	}}
	meal = scenario.AnswerSlot{Name: "m", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "burger", Phrases: []string{"برجر", "همبرجر"}}, {Value: "pizza", Phrases: []string{"بيتزا"}},
	}}
	anyNumber = scenario.AnswerSlot{Name: "n", Type: scenario.Number}
	// valued are values of each kind of slot; each of them means what it says in every sentence below.
	valued = []struct {
		slot   scenario.AnswerSlot
		values []spokenValue
	}{
		{anyNumber, []spokenValue{{"ثلاثة", 3.0}, {"خمسة وعشرين", 25.0}, {"عشرة", 10.0}}},
		{day, []spokenValue{{"الخميس", "2026-11-26"}, {"بكرة", "2026-11-22"}, {"خمسة ديسمبر", "2026-12-05"}}},
		{hour, []spokenValue{{"خمسة العصر", "17:00"}, {"الساعة عشرة الصبح", "10:00"}, {"تسعة ونص المسا", "21:30"}}},
		{window, []spokenValue{{"الصباح", "morning"}, {"المساء", "evening"}}},
		{meal, []spokenValue{{"برجر", "burger"}, {"بيتزا", "pizza"}}},
	}
)

// eachSentence puts every value, V, and every other one of its slot, W, into sentences.
func eachSentence(sentences string, f func(s scenario.AnswerSlot, said string, v, w spokenValue)) {
	for _, c := range valued {
		for i, v := range c.values {
			w := c.values[(i+1)%len(c.values)]
			for sentence := range strings.SplitSeq(strings.TrimSpace(sentences), "\n") {
				f(c.slot, strings.NewReplacer("V", v.said, "W", w.said).Replace(strings.TrimSpace(sentence)), v, w)
			}
		}
	}
}

func hear(s scenario.AnswerSlot, said string) (slot.SlotAnswer, bool) {
	return slot.UnderstandAnswer(s, slot.HeardAnswer{Text: said, Confidence: 0.9}, saturday)
}

// TestMeaningIsKept checks values among the words that people say with them.
func TestMeaningIsKept(t *testing.T) {
	t.Parallel()
	const courteous = "والله V\nV والله\nيعني V\nV إن شاء الله\nV لو سمحت\nلو سمحت V\nV من فضلك\nV شكرا\nV طال عمرك\nخلاص V\n" +
		"طيب V\nيا أخي V\nأقول لك V\nV يعطيك العافية\nآه V\nV بإذن الله\nهلا والله V\nوعليكم السلام V\nأكيد V\nV إذا ممكن\n" +
		"ما يخالف V\nما في مشكلة V\nV ما في مشكلة\nلا بأس V\nV ما يخالف\nلا تنسون V\nV متنساش\nلا يهم V\nV عندي إن شاء الله\n" +
		"أبغى V\nأبي V\nعايز V\nبدي V\nأريد V\nالأفضل V\nيناسبني V\nV يناسبني\nV مناسب\nV أحسن\nممكن V\nنعم V\nسجل V\nV بس"
	eachSentence(courteous, func(s scenario.AnswerSlot, said string, v, _ spokenValue) {
		if a, ok := hear(s, said); !ok || a.Value != v.is || a.Doubtful {
			t.Errorf("%s: %+v, %v, want %v", said, a, ok, v.is)
		}
	})
}

// TestMeaningIsRefused checks that a value which is refused, or one of two, is none.
func TestMeaningIsRefused(t *testing.T) {
	t.Parallel()
	const refused = "مو V\nمش V\nما أبغى V\nما أبي V\nما بدي V\nمش عايز V\nلا أريد V\nما يناسبني V\nV ما يناسبني\nV ما أقدر\n" +
		"غير V\nأي شي إلا V\nكل شي ما عدا V\nبلاش V\nV لا\nV مستحيل\nV صعب\nV مو مناسب\nV ما يصلح\nV ما ينفع\nV مشغول\n" +
		"مو لازم V\nلا تحط V\nلا تسجل V\nV ممنوع\nأكره V\nV غلط\nما قلت V\nأنا ما قلت V\nلا مو V\nV لا ما أقدر\nما أظن V\n" +
		"مستحيل V\nمين قال V\nمش عاوز V\nمش هينفع V\nV مش هينفع\nV مينفعش\nمينفعنيش V\nV مش عاجبني\nV مقدرش\n" +
		"ما تكتبش V\nمتكتبش V\nمقلتش V\nما بيناسبني V\nV ما بيناسبني\nV ما فيني\nV ما بيمشي حالي\nV مو منيح\nما بحب V\n" +
		"V علي دوام\nV عندنا عزيمة\nV ما ظنتي\nV مو متفرغ\nV أكون مسافر\nV مو وقته\nV ما يمشي معي\nV يتعارض\nV متأخر\n" +
		"ما بغيتش V\nV ما نقدرش\nما نجمش V\nV ما يناسبنيش\nما يواتينيش V\nV ليس مناسبا\nألغوا V\nشيلوا V\nكنسل V\n" +
		"V أو W\nV ولا W\nيا V يا W\nإما V أو W\nV وإلا W"
	eachSentence(refused, func(s scenario.AnswerSlot, said string, _, _ spokenValue) {
		if a, ok := hear(s, said); ok {
			t.Errorf("%s is taken for %v", said, a.Value)
		}
	})
}

// TestMeaningIsDoubtful checks that a guess, and what depends on something, is to be read back.
func TestMeaningIsDoubtful(t *testing.T) {
	t.Parallel()
	const doubtful = "يمكن V\nمدري يمكن V\nمو متأكد V\nV يمكن\nV أو لا\nأظن V\nإذا V\nV إذا قدرت\nV على حسب\nخليني أشوف V\nتقريبا V\nحوالي V\nهل V متاح\nهل عندكم V\nهل ينفع V"
	eachSentence(doubtful, func(s scenario.AnswerSlot, said string, _, _ spokenValue) {
		if a, ok := hear(s, said); ok && !a.Doubtful {
			t.Errorf("%s is surely %v", said, a.Value)
		}
	})
}

// TestMeaningIsCorrected checks that of two values the one counts that replaces the other.
func TestMeaningIsCorrected(t *testing.T) {
	t.Parallel()
	const corrected = "V لا W\nV قصدي W\nلا مو V W\nمو V W\nV لا لا W\nV آسف W\nV أقصد W\nV ولا أقول لك W\nV خلها W\nV ما يناسبني خلها W"
	eachSentence(corrected, func(s scenario.AnswerSlot, said string, _, w spokenValue) {
		if a, ok := hear(s, said); !ok || a.Value != w.is {
			t.Errorf("%s: %+v, %v, want %v", said, a, ok, w.is)
		}
	})
}

// TestConsentIsNone checks words with a yes, or a phrase of the slot's, in them that consent to nothing.
func TestConsentIsNone(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"ما قلت نعم", "ليش أحضر", "ليش سأحضر", "سأحضر لا", "سأحضر صعب", "أكيد مشغول", "طيب أنا مسافر", "ما أدري سأحضر", "مو متأكد سأحضر",
		"نعم مشغول", "إيه صعبة علي",
	} {
		if a, ok := hear(attend, said); ok && a.Value == true {
			t.Errorf("%s is a yes", said)
		}
	}
	received := scenario.AnswerSlot{Name: "r", Type: scenario.YesNo, Yes: []string{"يستلمه"}, No: []string{"مسافر"}}
	for said, want := range map[string]any{
		"أخوي يستلمه": true, "ما يستلمه أحد": nil, "لا أنا مسافر": false, "مو مسافر": nil, "موش مسافر": nil, "أنا مسافر": false,
	} {
		if a, ok := hear(received, said); ok != (want != nil) || ok && a.Value != want {
			t.Errorf("%s: %v, %v, want %v", said, a.Value, ok, want)
		}
	}
	drink := scenario.AnswerSlot{Name: "d", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "none", Phrases: []string{"ما أبغى شي"}}, {Value: "cola", Phrases: []string{"كولا", "نعم"}},
	}}
	for _, said := range []string{"أي شي إلا البرجر", "ما أبغى شي", "نعم", "بكم الكولا"} {
		if a, ok := slot.UnderstandAside(drink, slot.HeardAnswer{Text: said, Confidence: 0.9}, saturday); ok {
			t.Errorf("%s, said to another question, is the drink %v", said, a.Value)
		}
	}
	if a, ok := hear(attend, "يمكن لا أستطيع الحضور"); ok && !a.Doubtful {
		t.Errorf("a guess is surely %v", a.Value)
	}
}
