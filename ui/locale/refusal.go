package locale

import "cmp"

// RefusalText is the text about a SIP trunk that refuses calls: fault and remedy.
type RefusalText struct{ What, Do string }

// DescribeRefusal returns the text about a SIP trunk that refuses calls with an answer (status and reason phrase), by
// the cause; an unknown one, of a newer version, has the general remedy. What to check is named as for [TrunkNames].
func DescribeRefusal(l Language, cause, answer string, stored bool) RefusalText {
	w := pickLanguage(l, refusalArabic, refusalEnglish)
	what := w.refused
	switch cause {
	case "silent":
		what = w.silent
	case "media":
		what = w.media
	}
	return RefusalText{
		FillSentence(what, "answer", answer) + " " + w.waiting,
		TrunkNames(l, stored).Replace(cmp.Or(w.remedies[cause], w.remedies["request"])),
	}
}

// refusalTexts are the texts of a language.
type refusalTexts struct {
	refused, silent, media, waiting string
	remedies                        map[string]string // by cause
}

var refusalArabic = refusalTexts{
	refused: "يرفض خط SIP المكالمات بالرد \u2066{answer}\u2069.",
	silent:  "لا يرد خط SIP على المكالمات (INVITE)، وإن كان يجيب عن فحص الحالة (OPTIONS).",
	media:   "يرد خط SIP على المكالمات بوصف صوت لا يُستعمل: لا ترميز مشترك، أو التشفير في طرف واحد.",
	waiting: "المكالمات تنتظر ولا تخسر محاولة، وتُجرَّب واحدة كل مرة حتى يقبلها.",
	remedies: map[string]string{
		"credentials": "تحقق من \u2066sip-user\u2069 وكلمة المرور (\u2066MUNADI_SIP_PASSWORD\u2069)، ومن أن الحساب يعمل لدى شركة الاتصالات.",
		"account": "اسأل شركة الاتصالات: هل الحساب يعمل وفيه رصيد، وهل عنوان هذا الخادم مسموح به، " +
			"وهل رقم المتصل (\u2066sip-from\u2069 و\u2066caller_number\u2069) مقبول.",
		"overload": "شركة الاتصالات مثقلة أو في صيانة. إن طال ذلك فاسألها، وقلّل \u2066sip-calls-per-second\u2069 و\u2066lines\u2069.",
		"server":   "العطل لدى شركة الاتصالات: أبلغها بهذا الرد ووقته.",
		"silent": "تحقق من عنوان خط SIP ومن جدار الحماية (رسالة المكالمة أكبر من رسالة الفحص) ومن التسجيل لديه، " +
			"واسأل شركة الاتصالات.",
		"media":   "ضع \u2066pcma\u2069 أولًا في \u2066sip-codecs\u2069، واسأل شركة الاتصالات عن الترميز والتشفير (SRTP).",
		"request": "اسأل شركة الاتصالات عما لا تقبله في الطلب، ورسائل SIP الأخيرة في \u2066munadi doctor --bundle\u2069.",
	},
}

var refusalEnglish = refusalTexts{
	refused: "The SIP trunk refuses calls with {answer}.",
	silent:  "The SIP trunk does not answer calls (INVITE), whatever it answers to OPTIONS.",
	media: "The SIP trunk answers calls with a media description that cannot be used: no common codec, or encryption on " +
		"one side only.",
	waiting: "Calls wait without losing an attempt, and one at a time tries it until it takes one.",
	remedies: map[string]string{
		"credentials": "Check sip-user and the password (MUNADI_SIP_PASSWORD), and ask the carrier whether the account is active.",
		"account": "Ask the carrier whether the account is active and paid, whether this machine's IP address is allowed, and " +
			"whether the caller number (sip-from, caller_number) is.",
		"overload": "The carrier is overloaded or being serviced. If it lasts, ask it, and lower sip-calls-per-second and lines.",
		"server":   "The fault is the carrier's: tell it the answer and its time.",
		"silent": "Check sip-trunk, the firewall (a call's message is larger than a check's) and the registration, and ask the " +
			"carrier.",
		"media":   "Put pcma first in sip-codecs, and ask the carrier about codecs and encryption (SRTP).",
		"request": "Ask the carrier what it does not accept in the request; munadi doctor --bundle has the last SIP messages.",
	},
}
