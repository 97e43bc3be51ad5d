package simulator

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
)

// simulatedTalk is a conversation with a simulated callee, tick by tick, without a line.
type simulatedTalk struct {
	*humanParty
	at int                // ticks
	by map[string][]int16 // clips in the person's voice
}

const someNumber = "+966500000001"

// shipped returns the default voice and all clips that callees say in it, made once for all tests.
var shipped = sync.OnceValues(func() (*voicepack.VoicePack, map[string][]int16) {
	b, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		return nil, nil
	}
	by := map[string][]int16{}
	for _, c := range b.Clips() {
		if c.IsOfGroup("callee", "number") && c.Variant() == "" {
			by[c.Name] = personVoice{bundle: b}.loadClip(c.Name)
		}
	}
	return b, by
})

func meetCallee(t *testing.T, who Person, seed uint64) *simulatedTalk {
	t.Helper()
	b, by := shipped()
	if b == nil {
		t.Fatal("the bundled voice does not open")
	}
	k := &simulatedTalk{by: by}
	k.humanParty = newHuman(who, personVoice{bundle: b}, &playQueue{}, chanceOf(seed, someNumber, 1), nil)
	return k
}

// stepTick advances one tick. It returns the clip that the callee began to say, the pressed keys, and whether the
// callee has hung up.
func (k *simulatedTalk) stepTick() (name, keys string, gone bool) {
	var in, out [carrier.Samples]int16
	before := len(k.saying)
	k.ears.playFrame(out[:])
	keys, gone = k.tick(context.Background(), in[:])
	k.at++
	if len(k.saying) > before {
		whole := append(slices.Clone(in[:]), k.saying...)
		name = "something else"
		for n, pcm := range k.by {
			if slices.Equal(pcm, whole) {
				name = n
			}
		}
	}
	return name, keys, gone
}

// nextUtterance waits for the next clip that is said and returns its name and tick; the name is empty after limit.
func (k *simulatedTalk) nextUtterance(limit time.Duration) (name string, at int) {
	for range int(limit / carrier.Tick) {
		name, _, gone := k.stepTick()
		if name != "" || gone {
			return name, k.at
		}
	}
	return "", k.at
}

// waitQuiet waits until the callee is silent.
func (k *simulatedTalk) waitQuiet() {
	for len(k.saying) > 0 || k.ears.currentSpeech() != nil {
		k.stepTick()
	}
}

// greetCallee returns a conversation after the callee's greeting.
func greetCallee(t *testing.T, who Person, seed uint64) *simulatedTalk {
	t.Helper()
	k := meetCallee(t, who, seed)
	if name, at := k.nextUtterance(5 * time.Second); name != "callee.hello_salam" || at < 15 || at > 47 {
		t.Fatalf("%s says %q after %d ticks, want hello within 300 to 900 ms", who, name, at)
	}
	k.waitQuiet()
	return k
}

// askQuestion asks a question in speech of this many seconds. It returns the answer and the number of ticks from the
// question's end to the answer's begin, negative if the answer began earlier.
func (k *simulatedTalk) askQuestion(said string, seconds float64, e carrier.AnswerExpectation) (name string, after int) {
	end := k.at + int(seconds*50)
	k.ears.addSpeech(carrier.Speech{Text: said, PCM: make([]int16, int(seconds*carrier.Rate)), Expects: e})
	name, at := k.nextUtterance(20 * time.Second)
	k.waitQuiet()
	return name, at - end
}

func TestPeopleAnswerTheQuestionAfterAPause(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said string
		e    carrier.AnswerExpectation
		want []string
	}{
		{"هل تؤكدون الحضور في هذا الموعد", carrier.AnswerExpectation{Kind: "yes_no", Slot: "confirmed"}, yesAppointment},
		{"هل أتحدث مع صاحب الموعد", carrier.AnswerExpectation{Kind: "yes_no", Slot: "is_person"}, yesPerson},
		{"هل تريد مشروبا مع الطلب", carrier.AnswerExpectation{Kind: "yes_no", Slot: "drink"}, yesAnything},
		{"هل تريد شيئا آخر", carrier.AnswerExpectation{Kind: "yes_no", Slot: "more"}, noMore},
		{"كم وجبة تريد", carrier.AnswerExpectation{Kind: "number", Slot: "quantity"}, amounts},
		{"أي يوم يناسبكم", carrier.AnswerExpectation{Kind: "date", Slot: "day"}, dates},
		{"أي ساعة تناسبكم", carrier.AnswerExpectation{Kind: "time", Slot: "time"}, times},
		{"ما هو عنوان التوصيل", carrier.AnswerExpectation{Kind: "text", Slot: "where"}, addresses},
		{"ما هو الاسم من فضلك", carrier.AnswerExpectation{Kind: "text", Slot: "who"}, names},
		{"ماذا تريدون أن تطلبوا", carrier.AnswerExpectation{Kind: "text", Slot: "order"}, dishes},
		{
			"أي حجم",
			carrier.AnswerExpectation{Kind: "choice", Slot: "size", Phrases: []string{"كبير", "وسط"}},
			[]string{"callee.large", "callee.medium"},
		},
		{
			"أي طبق",
			carrier.AnswerExpectation{Kind: "choice", Slot: "dish", Phrases: []string{"برغر", "بيتزا"}},
			[]string{"callee.one_pizza"},
		},
		{"توصيل أم", carrier.AnswerExpectation{Kind: "choice", Slot: "how", Phrases: []string{"تَوْصِيل"}}, []string{"callee.delivery"}},
	} {
		for seed := range uint64(6) {
			k := greetCallee(t, Cooperative, seed)
			name, after := k.askQuestion(c.said, 2, c.e)
			if !slices.Contains(c.want, name) || IsMisheard(name, "") {
				t.Errorf("%q: %s, want one of %v", c.said, name, c.want)
			}
			if after < 15 || after > 48 {
				t.Errorf("%q: answered %d ticks after the end, want 300 to 900 ms", c.said, after)
			}
		}
	}
}

func TestAQuestionThatComesAgainIsAnsweredByWhatIsUnderstoodBest(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		k := greetCallee(t, Cooperative, seed)
		name, _ := k.askQuestion("هل تؤكد الموعد", 1, carrier.AnswerExpectation{Kind: "yes_no", Slot: "c", Again: 1})
		if name != yesAppointment[0] {
			t.Errorf("seed %d: %s, want %s", seed, name, yesAppointment[0])
		}
		again, _ := k.askQuestion("هل تؤكد الموعد", 1, carrier.AnswerExpectation{Kind: "yes_no", Slot: "c", Again: 1})
		if again == name || !slices.Contains(yesAppointment, again) {
			t.Errorf("seed %d: %s is said twice", seed, name)
		}
	}
}

func TestPeopleHearAllThatIsSaidBeforeTheyAnswer(t *testing.T) {
	t.Parallel()
	k := greetCallee(t, Cooperative, 1)
	k.ears.addSpeech(carrier.Speech{PCM: make([]int16, 8000), Expects: carrier.AnswerExpectation{Kind: "date"}})
	k.ears.addSpeech(carrier.Speech{PCM: make([]int16, 16000)})
	begun := k.at
	if name, at := k.nextUtterance(10 * time.Second); name == "" || at-begun < 150 {
		t.Errorf("%q after %d ticks, want an answer after 3 s", name, at-begun)
	}
	k.waitQuiet()
	if name, _ := k.nextUtterance(20 * time.Second); name != "" {
		t.Errorf("%s is said though nothing was asked", name)
	}
	k.ears.addSpeech(carrier.Speech{PCM: make([]int16, 8000), Expects: carrier.AnswerExpectation{Kind: "date"}})
	k.stepTick()
	k.ears.flushQueue()
	if name, _ := k.nextUtterance(20 * time.Second); name != "" {
		t.Errorf("%s answers a question that was broken off", name)
	}
}

const confirm, reschedule = "هل تؤكدون الحضور في هذا الموعد", "هل تريدون تغيير الموعد"

func TestPeopleWhoCannotCome(t *testing.T) {
	t.Parallel()
	yesNo := func(slot string, again int) carrier.AnswerExpectation {
		return carrier.AnswerExpectation{Kind: "yes_no", Slot: slot, Again: again}
	}
	atOnce := 0
	for seed := range uint64(12) {
		k := greetCallee(t, Changes, seed)
		if name, _ := k.askQuestion("هل أتحدث مع صاحب الموعد", 1, yesNo("person", 0)); !slices.Contains(yesPerson, name) {
			t.Errorf("seed %d: %s is who was called, and says %s", seed, Changes, name)
		}
		name, _ := k.askQuestion(confirm, 1, yesNo("confirmed", 0))
		if name == "callee.change" {
			atOnce++
			name, _ = k.askQuestion("من فضلك قل نعم أو لا", 1, yesNo("confirmed", 1))
		}
		if name != "callee.cannot_come" && name != "callee.no_thanks" {
			t.Errorf("seed %d: %s confirms by %s", seed, Changes, name)
		}
		if name, _ = k.askQuestion(reschedule, 1, yesNo("reschedule", 0)); !slices.Contains(yesAnything, name) {
			t.Errorf("seed %d: %s does not want another time: %s", seed, Changes, name)
		}

		k = greetCallee(t, Cancels, seed)
		if name, _ = k.askQuestion(confirm, 1, yesNo("confirmed", 0)); name != "callee.cannot_come" {
			t.Errorf("seed %d: %s says %s", seed, Cancels, name)
		}
		if name, _ = k.askQuestion(reschedule, 1, yesNo("reschedule", 0)); name != "callee.no_thanks" {
			t.Errorf("seed %d: %s wants another time: %s", seed, Cancels, name)
		}
	}
	if atOnce == 0 || atOnce == 12 {
		t.Errorf("%d of 12 ask for another time at once, want some", atOnce)
	}
}

func TestWhoInterruptsDoesNotHearTheQuestionToItsEnd(t *testing.T) {
	t.Parallel()
	k := greetCallee(t, Interrupts, 1)
	if name, after := k.askQuestion("أي يوم يناسبكم", 3, carrier.AnswerExpectation{Kind: "date", Slot: "d"}); name == "" || after > -90 {
		t.Errorf("%q begins %d ticks after the end, want 2 s before", name, after)
	}
	if name, _ := k.nextUtterance(20 * time.Second); name != "" {
		t.Errorf("the same question is answered twice: %s", name)
	}
	e := carrier.AnswerExpectation{Kind: "date", Slot: "d", Again: 1}
	if name, after := k.askQuestion("أي يوم يناسبكم", 3, e); name == "" || after < 15 {
		t.Errorf("%q begins %d ticks after the end of what was asked again, want it to be heard", name, after)
	}
	if name, after := k.askQuestion("كم", 1, carrier.AnswerExpectation{Kind: "number", Slot: "n"}); name == "" || after < 15 {
		t.Errorf("%q begins %d ticks after the end of a short question, want it to be heard", name, after)
	}
}

func TestPeopleOfFewWords(t *testing.T) {
	t.Parallel()
	date := carrier.AnswerExpectation{Kind: "date", Slot: "d"}
	again := carrier.AnswerExpectation{Kind: "date", Slot: "d", Again: 1}

	k := meetCallee(t, Silent, 1)
	if name, _ := k.askQuestion("أي يوم يناسبكم", 1, date); name != "" {
		t.Errorf("%s says %s", Silent, name)
	}
	k = greetCallee(t, Shy, 1)
	if name, _ := k.askQuestion("أي يوم يناسبكم", 1, date); name != "" {
		t.Errorf("%s says %s at once", Shy, name)
	}
	if name, _ := k.askQuestion("أي يوم يناسبكم", 1, again); name != dates[0] {
		t.Errorf("%s says %q when asked again", Shy, name)
	}
	k = greetCallee(t, Slow, 1)
	if name, after := k.askQuestion("أي يوم يناسبكم", 1, date); name == "" || after < 100 || after > 180 {
		t.Errorf("%s says %q after %d ticks, want 2 to 3.5 s", Slow, name, after)
	}
	k = greetCallee(t, AsksAgain, 1)
	if name, _ := k.askQuestion("أي يوم يناسبكم", 1, date); name != "callee.repeat" {
		t.Errorf("%s says %s", AsksAgain, name)
	}
	if name, _ := k.askQuestion("أي يوم يناسبكم", 1, again); name != dates[0] {
		t.Errorf("%s says %q when asked again", AsksAgain, name)
	}
}

func TestKeysAreOneAtATime(t *testing.T) {
	t.Parallel()
	k := greetCallee(t, Keys, 1)
	k.ears.addSpeech(carrier.Speech{PCM: make([]int16, 800), Expects: carrier.AnswerExpectation{Kind: "number", Slot: "n"}})
	pressed := ""
	for range 200 {
		name, keys, _ := k.stepTick()
		if len(keys) > 1 || name != "" {
			t.Fatalf("keys %q, said %q", keys, name)
		}
		pressed += keys
	}
	if len(pressed) != 1 || pressed < "1" || pressed > "5" {
		t.Errorf("pressed %q, want a number of 1 to 5", pressed)
	}
	if name, _ := k.askQuestion("أي يوم", 1, carrier.AnswerExpectation{Kind: "date"}); name == "" {
		t.Error("a date is not said")
	}
}

func TestWhoHangsUpMidwayHasAnsweredOnce(t *testing.T) {
	t.Parallel()
	k := greetCallee(t, HangsUp, 1)
	first := carrier.AnswerExpectation{Kind: "date", Slot: "d"}
	if name, _ := k.askQuestion("أي يوم", 1, first); name == "" {
		t.Fatal("no answer to the first question")
	}
	first.Again = 1
	if name, _ := k.askQuestion("أي يوم", 3, first); name == "" {
		t.Fatal("no answer when the first question was asked again")
	}
	k.ears.addSpeech(carrier.Speech{PCM: make([]int16, 16000)})
	k.ears.addSpeech(carrier.Speech{PCM: make([]int16, 16000), Expects: carrier.AnswerExpectation{Kind: "time", Slot: "t"}})
	begun := k.at
	for range 500 {
		if _, _, gone := k.stepTick(); gone {
			if at := k.at - begun; at < 100 || at > 200 {
				t.Errorf("gone after %d ticks, want it in the second question", at)
			}
			return
		}
	}
	t.Error("still there after the second question")
}

// A callee who is read back what was understood confirms or denies it.
func TestPeopleCheckWhatIsReadBack(t *testing.T) {
	t.Parallel()
	for said, right := range map[string]bool{
		"الساعة الخامسة مساء الساعة العاشرة صباحا": true, "الساعة الثالثة والنصف": false, "": true,
	} {
		k := greetCallee(t, Cooperative, 1)
		if name, _ := k.askQuestion("أي ساعة تناسبكم", 1, carrier.AnswerExpectation{Kind: "time", Slot: "t"}); name == "" {
			t.Fatal("no time")
		}
		k.ears.addSpeech(carrier.Speech{Text: "هل قلت", PCM: make([]int16, 800)})
		k.ears.addSpeech(carrier.Speech{Text: said, PCM: make([]int16, 800)})
		name, _ := k.askQuestion("هل هذا صحيح", 1, carrier.AnswerExpectation{Kind: "yes_no", Slot: "t"})
		if slices.Contains(yesRight, name) != right || slices.Contains(noRight, name) == right {
			t.Errorf("read back %q: %s", said, name)
		}
	}
}

func TestWhatNoClipSaysIsSpoken(t *testing.T) {
	t.Parallel()
	e := carrier.AnswerExpectation{Kind: "choice", Slot: "colour", Phrases: []string{"أحمر"}}
	k := greetCallee(t, Cooperative, 1)
	if name, _ := k.askQuestion("أي لون", 1, e); name != "" {
		t.Errorf("%s is said without a voice for it", name)
	}
	k = greetCallee(t, Cooperative, 1)
	k.speak = func(_ context.Context, text string) ([]int16, error) {
		if text != "أحمر" {
			t.Errorf("asked to speak %q", text)
		}
		return make([]int16, 4000), nil
	}
	if name, _ := k.askQuestion("أي لون", 1, e); name != "something else" {
		t.Errorf("said %q, want what was spoken", name)
	}
}

func TestEveryoneHasTheirOwnWay(t *testing.T) {
	t.Parallel()
	for who, want := range map[Person]string{
		OptsOut: "callee.dont_call", WrongNumber: "callee.wrong_number", WantsAgent: "callee.agent", HasNoTime: "callee.busy_now",
	} {
		k := greetCallee(t, who, 1)
		if name, _ := k.askQuestion("هل تؤكد", 1, carrier.AnswerExpectation{Kind: "yes_no", Slot: "c"}); name != want {
			t.Errorf("%s says %s, want %s", who, name, want)
		}
	}
}
