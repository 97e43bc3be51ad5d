package arabic

import (
	"strings"
	"unicode/utf8"
)

// yesNoSign is the meaning of one word or phrase of an answer.
type yesNoSign int

const (
	silent     yesNoSign = iota
	softYes              // an acknowledgement: yes unless next to a no ("لا، تمام"; "طبعا لا")
	bareYes              // نعم and similar
	firmYes              // names what is agreed to: موافق, أؤكد, سأحضر
	bareNo               // لا and similar
	firmNo               // names what is refused: ما أقدر, لا أريد
	either               // أو: the words on both sides of it repeat the question
	correction           // قصدي: what follows counts, not what precedes
	but                  // بس: a refusal or a wish for a change after a yes takes it back
	unsure               // neither yes nor no, in any context: ما أدري, لم أفهم, "من المتكلم"
)

func (s yesNoSign) isYes() bool { return s == bareYes || s == firmYes }
func (s yesNoSign) isNo() bool  { return s == bareNo || s == firmNo }

// YesNo reports whether the words mean yes or no. ok is false when they mean neither, or both:
//
//   - Acknowledgements (تمام, طيب, أكيد, إن شاء الله) are a yes only without a clear answer next to them.
//   - Of two contradicting clear answers the last wins if it names what it answers ("لا... نعم أؤكد"), is repeated
//     ("نعم لا لا"), or follows a correction word ("لا قصدي نعم"). Otherwise there is no answer.
//   - A yes that a refusal, a wish for a change, a day or an hour restricts is no answer ("نعم بس أبغى أغير الوقت",
//     "نعم لكن ما أقدر", "نعم بس بعد المغرب").
//   - "نعم أو لا", "ما أدري", "لم أفهم" and "من المتكلم" are no answer, nor is a wish to change or cancel without a yes
//     or no: the meaning of "أريد تغيير الموعد" depends on the question.
//   - لا بأس, ليش لا, ما في مشكلة and the like are a yes; ولا is ignored.
func YesNo(s string) (yes, ok bool) {
	return decideYesNo(readSigns(s))
}

// IsUnclear reports whether words say both yes and no, or doubt either, so that [YesNo] finds neither.
func IsUnclear(s string) bool {
	signs := readSigns(s)
	_, ok := decideYesNo(signs)
	return !ok && hasSign(signs)
}

// readSigns returns the signs of an answer in the order of its words.
func readSigns(s string) []yesNoSign {
	words := foldedWords(s)
	var signs []yesNoSign
	for i := 0; i < len(words); {
		sg, n := readSign(words[i:])
		if i > 0 && words[i] == "اي" && prepositions[words[i-1]] {
			sg = silent // "with which doctor"
		}
		signs = append(signs, sg)
		if sg == but && restrictsAnswer(words[i+n:]) {
			signs = append(signs, firmNo)
		}
		i += n
		if sg == firmNo {
			i += countRefusedVerbs(words[i:])
		}
	}
	if len(words) <= 3 && !hasSign(signs) {
		for _, w := range words {
			if near, found := lookUpSimilar(assents, w); found && near != softYes {
				signs = append(signs, near)
			}
		}
	}
	return signs
}

// restrictsAnswer reports whether words after "but" wish for a change, or name another day or hour: "yes, but after
// five".
func restrictsAnswer(words []string) bool {
	said := strings.Join(words, " ")
	if wanted, _ := FindChangeRequest(said); wanted != NoChange {
		return true
	}
	if _, prayer := FindPrayerTime(said); prayer {
		return true
	}
	for i := range words {
		if namesWhen(words[i:]) {
			return true
		}
	}
	return false
}

// hasSign reports whether any sign was read.
func hasSign(signs []yesNoSign) bool {
	for _, s := range signs {
		if s != silent {
			return true
		}
	}
	return false
}

// decideYesNo weighs the signs in the order they were spoken.
func decideYesNo(signs []yesNoSign) (yes, ok bool) {
	var last, before yesNoSign // the last clear sign and the one of the other kind before it
	group, firm, mended, or, soft, restricted := 0, false, false, false, false, false
	for _, s := range signs {
		switch {
		case s == unsure:
			return false, false
		case s == softYes:
			soft = true
		case s == correction:
			group, firm, mended = 0, false, true
		case s == either:
			or = true
		case s == but:
			restricted = restricted || last.isYes() || last == silent && soft
		case s.isYes() || s.isNo():
			if last != silent && s.isYes() != last.isYes() {
				before, group, firm = last, 0, false
			}
			last = s
			group++
			firm = firm || s == firmYes || s == firmNo
		}
	}
	switch {
	case restricted && last.isNo():
		return false, false
	case last == silent:
		return soft, soft
	case before == silent:
		return last.isYes(), true
	}
	return last.isYes(), !or && (firm || group > 1 || mended)
}

// readSign reads the longest phrase at the beginning of words, and returns its sign and number of words.
func readSign(words []string) (yesNoSign, int) {
	for n := min(4, len(words)); n > 1; n-- {
		if s, ok := idioms[strings.Join(words[:n], " ")]; ok {
			return s, n
		}
	}
	w := plainWord(words[0])
	next := ""
	if len(words) > 1 {
		next = plainWord(words[1])
	}
	if n := readPastWish(words); n > 0 {
		return silent, n
	}
	if n := max(readHindrance(words), readAbsence(words)); n > 0 {
		return firmNo, n
	}
	switch {
	case negators[w]:
		return readNegation(w, next)
	case futures[w] && next != "" && !promises[next] && !abilities[next] && assents[next] == silent:
		return silent, 2 // "I'll call you back" promises something else
	case wishes[w] && (next != "" || !futures[w]):
		return readWish(words)
	case hindered[w]:
		return unsure, 1
	case next != "" && w == "ممكن", (w == "اي" || w == "اجل") && nouns[next]:
		return silent, 1
	}
	return assents[w], 1
}

// readPastWish counts the words of what was meant to be, and is no yes: "كنت جاي", "كنت ناوي أجي". "كنت أبغى" is a
// polite wish of today.
func readPastWish(words []string) int {
	if !pastCopulas[words[0]] {
		return 0
	}
	for i, w := range words[1:] {
		if !intents[w] {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return len(words)
}

// readHindrance counts the words of something that came up: "صار لي ظرف", "طلع عندي شغل".
func readHindrance(words []string) int {
	if !happenings[strings.TrimPrefix(words[0], "و")] {
		return 0
	}
	for i, w := range words[1:min(4, len(words))] {
		if engagements[w] {
			return i + 2
		}
	}
	return 0
}

// readAbsence counts the words of "أكون مسافر", also in the future.
func readAbsence(words []string) int {
	i := 0
	if futures[words[0]] {
		i = 1
	}
	if i+1 < len(words) && copulas[words[i]] && isEngaged(words[i+1]) {
		return i + 2
	}
	return 0
}

// countRefusedVerbs counts the words that continue a refusal: ما راح [أقدر أجي], ما أكون [موجود].
func countRefusedVerbs(words []string) int {
	for i, w := range words {
		if w = plainWord(w); !wishes[w] && !abilities[w] && !predicates[w] && !firstPerson(w) {
			return i
		}
	}
	return len(words)
}

// readNegation reads a negator and, if it negates the next word, that word.
func readNegation(w, next string) (yesNoSign, int) {
	known := assents[next]
	refused := wishes[next] || known == firmYes || abilities[next] || firstPerson(next)
	switch {
	case doubts[next]:
		return unsure, 2
	case w == "لا" && (wishes[next] || abilities[next] || firstPerson(next)):
		return firmNo, 2
	case w == "لا":
		return bareNo, 1
	case w == "ما" && refused, w == "غير" && (refused || known == softYes):
		return firmNo, 2
	case w == "ما" || w == "غير":
		return silent, 1
	case next == "" || known == bareYes || negators[next]:
		return bareNo, 1
	}
	return firmNo, 2
}

// firstPerson reports whether a word looks like a verb in the first person: أحضر, أستطيع.
func firstPerson(w string) bool {
	return strings.HasPrefix(w, "ا") && !strings.HasPrefix(w, "ال") && utf8.RuneCountInString(w) >= 3 &&
		assents[w] == silent && !nouns[w] && !isPluralImperative(w) && w != "انا" && w != "اسم" && w != "اسمك" && w != "اذا"
}

// readWish reads أريد and its object: a wish to change or to ask something is no answer.
func readWish(words []string) (yesNoSign, int) {
	for _, w := range words[1:min(4, len(words))] {
		_, changing := lookUpWord(changeForms, w)
		if _, asking := lookUpWord(askObjects, w); changing || asking {
			return silent, 1
		}
	}
	return firmYes, 1
}

// plainWord returns the form of a word that is in the tables: without repeated letters, or without the prefix و.
func plainWord(w string) string {
	bare := strings.TrimPrefix(w, "و")
	for _, form := range []string{w, squeezeRepeats(w), bare, squeezeRepeats(bare)} {
		if assents[form] != silent || negators[form] || wishes[form] || abilities[form] || doubts[form] {
			return form
		}
	}
	return w
}

// IsNegator reports whether a folded word negates what follows it, in any dialect: لا, ما, مو, مش, موش, لن.
func IsNegator(w string) bool { return negators[plainWord(w)] }

// squeezeRepeats writes repeated letters once: نعمممم, ايووه.
func squeezeRepeats(w string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range w {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// The tables are in ordinary spelling, and folded once.
var (
	assents  = signTable(assentWords)
	idioms   = signTable(idiomWords)
	negators = wordSet("لا لأ لاء ما مو موب مب مهب مهو مش مشو موش مهوش مانيش ليس لست لسنا لن لم " +
		"ماني مانيب منيب ماراح مهوب هب غير")
	wishes = wordSet("أريد أبغى أبغا أبي أبا بغيت عايز عايزة عاوز عاوزة بدي بدنا ودي حاب حابة حابب نريد نبغى " +
		"أرغب أود أحب راح رح سوف بغيت نبغي نحب باغي باغية خاصني")
	prepositions = wordSet("مع في من على عند عن إلى ل ب")
	futures      = wordSet("راح رح سوف") // no meaning without a verb
	abilities    = wordSet("أقدر أستطيع بقدر نقدر نستطيع قادر راح رح أجي آجي بجي جاي جاية أحضر بحضر نحضر حاضر هاجي " +
		"هقدر هحضر " +
		"نقدر نجم ننجم نجي نكون " +
		"عندي فاضي فاضية ينفع بينفع ينفعني يناسب يناسبني يناسبنا تناسب تناسبني تناسبنا بناسبني مناسب " +
		"مناسبة مناسبني يصير بيصير يصلح يمدي يمديني فيني " +
		"فيي في أظن أعتقد أوافق أؤكد أكمل أعتذر نبي سأحضر سوف عاد تتصل تتصلوا توصل أبيه أبغاه أبيها أريده")
	copulas     = wordSet("أكون نكون بكون بنكون هكون حكون")
	pastCopulas = wordSet("كنت كنا كان كانت")
	intents     = wordSet("جاي جاية جايين ناوي ناوية ناويين أجي نجي بجي أحضر نحضر ودي بودي راح ودنا")
	happenings  = wordSet("صار طلع طلعت جاني جانا جتني صارت حصل حصلت طرأ")
	doubts      = wordSet("أعرف بعرف عارف عارفة أدري ندري أعلم متأكد متأكدا متأكدة فاهم فاهمة " +
		"فهمت أفهم بفهم سمعت أسمع أسمعك سامع " +
		"سامعة سامعك سامعكم واضح أذكر متذكر قررت")
	predicates = wordSet("موجود موجودة موجودين متواجد متواجدة متواجدين فاضي فاضية متفرغ متفرغة حاضرة حاضرين " +
		"جايين بكون بنكون")
	// promises are verbs of the future that consent.
	promises = wordSet("أجي نجي أحضر نحضر أكون نكون أدفع ندفع أسدد نسدد أستلم نستلم أنتظر ننتظر أؤكد أوافق آخذ " +
		"أستقبل آتي أوصل")
	nouns = wordSet("دكتور دكتورة طبيب طبيبة فرع عيادة مستشفى جهة شركة قسم دور محل مدرسة جامعة بنك " +
		"يوم ساعة وقت شي شيء واحد واحدة طبق حجم مكان رقم أحد موعد الموعد الحجز موعدي حجزي الطلب هذا " +
		"هو هي ده خدمة")
	// askObjects are objects of a wish that is no answer to yes or no, besides changeForms.
	askObjects = wordSet("تقديم أقدم موعد أسأل أستفسر أعرف أفهم أكلم أتكلم أتحدث التحدث موظف المدير")
)

var assentWords = map[yesNoSign]string{
	bareYes: "نعم sure ايوه أيوا أيوة ايوا إيوه ايواه أيوى ايوى إيه ايه اي إي آه أه آها اها اهه أجل بلى هيه ايي " +
		"يس واه وي " +
		"ايييه آيوه yes " +
		"yeah yep نعام",
	firmYes: "موافق موافقة موافقين أوافق نوافق بوافق صح صحيح صحيحة مظبوط مضبوط بالضبط بالظبط أؤكد أكد أكدت نؤكد بأكد " +
		"أأكد اكدوا مؤكد تأكيد أكده سأحضر سأكون سآتي بحضر بجي جاي جاية جايين " +
		"حاجي هاجي هحضر حاضر حاضرين مناسب مناسبة يناسبني " +
		"بناسبني مناسبني ينفع بينفع أقدر بقدر أستطيع نستطيع أكيدين ثبت ثبته ثبتوه موجود موجودة موجودين بكون بنكون " +
		"احجز احجزه قبلت أقبل",
	softYes: "أكيد اكيد طبعا بالتأكيد بالطبع تمام ماشي ماشى أوكي اوكيه أوك اوكى ok okay حسنا طيب زين كويس ممتاز " +
		"ممكن خوش " +
		"واخا صافي مزيان باهي مليح زوين معليش أبشر تكرم يلا حلو اتفقنا تم عادي تفضل اتفضل اتفضلي تفضلي تأكد فعلا أحسنت",
	bareNo: "كلا لالا ماكانش مكانش مابش لألأ أبدا no نو لع لاه لأه لاا نوو بلاش مفيش مافي مافيه ماكو",
	firmNo: "مستحيل استحالة ممنوع يتعارض تتعارض " +
		"أرفض مرفوض نرفض رافض غلط خطأ خاطئ مابي مابغى مابغا ماابغى ماابي مابدي مابديش ماريد ماودي مقدر " +
		"ماقدر " +
		"ماقدرش مقدرش مقدرتش ماينفع مينفعش ماينفعش مايصير معنديش ماعندي ماجي مجيش مابجي ماراح مايناسبني ميناسبنيش " +
		"بطلت هونت غلطان غلطانة " +
		"مانقدرش منقدرش مابغيتش مبغيتش مانجمش منجمش مانحبش منحبش مانيش ماريدش خاطيني",
	either:     "أو أم ولا وإلا والا",
	but:        "بس لكن ولكن",
	correction: "قصدي أقصد قصدت بل عفوا غلطت",
	unsure: "ليش ليه لماذا " +
		"بحاول أحاول سأحاول بنحاول نحاول يمكن ربما احتمال محتمل مدري مادري ماادري معرفش ماعرف ماعرفش مابعرف " +
		"مفهمتش مافهمت " +
		"مافهمتش ماسمعت مسمعتش مين شكون شنو شنوة معلاباليش ماعلاباليش مانعرفش منعرفش",
}

var idiomWords = map[yesNoSign]string{
	bareYes: "اي نعم,اي والله,ايه نعم,ايه والله,ليش لا,ليه لا,ليه لأ,لم لا,لما لا,لماذا لا,وليش لا,ولم لا,وليه لا," +
		"على راسي," +
		"على عيني,على الراس والعين,من عيوني,بكل سرور,بدون شك,بلا شك,لا شك,من كل بد,ايوه نعم",
	firmYes: "مستحيل أفوته,ما أفوته,ما راح أفوته,ما أفوتها,ما عندي مانع,ما في مانع,لا مانع,لا يوجد مانع,لا مانع " +
		"لدي,ما عندي مشكلة,معنديش مانع," +
		"مفيش مانع,مافي مانع,مافيه مانع," +
		"ما عندنا مانع,ليس لدي مانع,راح أجي,راح أحضر,رح أجي,سوف أحضر,أنا جاي,أنا هو,أنا هي,أنا نفسه",
	softYes: "لا يوجد مشكلة,لا توجد مشكلة,لا يوجد أي مشكلة,لا تشيل هم,لا تشيلين هم,لا تشيلون هم,لا تخاف,لا تخافين," +
		"لا تخافون," +
		"لا بأس,لا باس,لابأس,لا مشكلة,لا مشكله,مو مشكلة,مش مشكلة,ما في مشكلة,مافي مشكلة,مفيش مشكلة,ما يخالف,لا يهم," +
		"مو غلط,مش غلط,إن شاء الله,ان شاالله,إن شاالله,انشاء الله,ما شي,يا ريت,بإذن الله,بعون الله," +
		"ماشي مشكل,ماشي مشكلة,ما كاين مشكل,ماكاين مشكل,ما كاين حتى مشكل,بلا مشكل,ما عليش,معليش,مش مشكل,موش مشكل," +
		"ما قصرت,ما قصرتوا,ما قصرتم,على خير," +
		"على البركة,على خيرة الله,توكلنا على الله,بإذن واحد أحد,مافيه مشكلة,لا عليك,لا خلاف,ما عليه",
	firmNo: "لا والله,لا شكرا,لا يا أخي,لا مستحيل,ما بغيتش,ما نقدرش,ما نجمش,ما نحبش,ما كانش,موش مناسب," +
		"عندي ظرف,عندي ظروف,هذا كل شيء,هذا كل شي,بس كذا,خلاص كذا,ما عاد,غيرت رأيي,صعب علي,صعبة علي," +
		"والله صعب,والله صعبة,صعب والله,صعبة والله,ما أبغى,ما أبي,مو جاي,مش جاي",
	unsure: "ما قلت," +
		"لا ما في مشكلة,لا مافي مشكلة,لا مافيه مشكلة,لا عادي,لا ما في مانع,من المتكلم,من معي,من معاي,من يتكلم," +
		"من أنت,مين معي,مين معاي,مين أنت,مين حضرتك,من حضرتك,من تكون,ايه ده," +
		"ايه هو,ايه هي,ايه يعني,لا تقلق,أعد السؤال,ممكن تعيد,ممكن تعيدي,كيف يعني,شو يعني,وش يعني," +
		"شنو يعني,لا سمح الله,مو شرط," +
		"مو أكيد,مش أكيد,مب أكيد,مو مؤكد,مش مؤكد,غير مؤكد,ليس أكيدا," +
		"نعم أو لا,نعم أم لا,نعم ولا لا,على حسب,حسب الظروف,لسه ما,لم أقرر,ما قررت",
}

// signTable converts lists to a map by folded phrase. A list with commas holds phrases, one without holds words.
func signTable(lists map[yesNoSign]string) map[string]yesNoSign {
	out := map[string]yesNoSign{}
	for s, list := range lists {
		for _, phrase := range splitWordList(list) {
			out[FoldSpelling(phrase)] = s
		}
	}
	return out
}

func splitWordList(list string) []string {
	if strings.Contains(list, ",") {
		return strings.Split(list, ",")
	}
	return strings.Fields(list)
}

// wordSet returns the folded words of a list.
func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range splitWordList(list) {
		out[FoldSpelling(w)] = true
	}
	return out
}
