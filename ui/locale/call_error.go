package locale

import (
	"strings"
	"sync"
)

// callErrors are the error entries of a call, by the message of the conversation or the dialer.
func callErrors() []machineMessage {
	return []machineMessage{
		{"The call was ended because it was on hold for too long.", "أُنهيت المكالمة لأن الطرف الآخر أبقاها في الانتظار طويلًا.", "The call was ended because it was on hold for too long."},
		{"The call was ended at its longest duration.", "أُنهيت المكالمة عند أطول مدة لها.", "The call was ended at its longest duration."},
		{"The call came outside calling hours: the closed line was spoken, and nothing was asked.", "وردت المكالمة خارج ساعات الاتصال: قيلت جملة الإغلاق ولم يُسأل شيء.", "The call came outside calling hours: the closed line was spoken, and nothing was asked."},
		{"The person hung up before the conversation was over.", "أغلق الشخص الخط قبل انتهاء المحادثة.", "The person hung up before the conversation was over."},
		{"The scenario's report can't be made.", "تعذّر إعداد تقرير السيناريو.", "The scenario's report can't be made."},
		{"The report does not follow its schema; left out: {}", "التقرير لا يوافق مخططه، فتُرك منه: {1}", "The report does not follow its schema; left out: {1}"},
		{"The scenario's response_body can't be filled in.", "تعذّر ملء response_body في السيناريو.", "The scenario's response_body can't be filled in."},
		{"No message was left, because the mailbox's tone did not come.", "لم تُترك رسالة: لم تُسمع صافرة البريد الصوتي.", "No message was left, because the mailbox's tone did not come."},
		{"The call may not be transferred: the target {}.", "لم تُحوَّل المكالمة: جهة التحويل غير مسموح بها ({1}).", "The call may not be transferred: the target {1}."},
		{"The call could not be connected with the person it was to go on with.", "تعذّر تحويل المكالمة.", "The call could not be transferred."},
		{"The person asked to be connected with somebody.", "طلب الشخص أن يكلّم موظفًا.", "The person asked to speak with staff."},
		{"The person says that the number is not that of who was to be called.", "قال الشخص إن الرقم ليس للشخص المطلوب.", "The person said that this is a wrong number."},
		{"The person asked to be called later.", "طلب الشخص الاتصال به لاحقًا.", "The person asked to be called later."},
		{"The person said goodbye instead of answering.", "ودّع الشخص ولم يُجب.", "The person said goodbye instead of answering."},
		{"The language model did not say what was found out in {}.", "لم يذكر النموذج اللغوي ما عُرف في «{1}».", "The language model did not say what was found out in “{1}”."},
		{"The language model gave a value for {} that is not of its type.", "أعطى النموذج اللغوي «{1}» قيمة من غير نوعها.", "The language model gave a value for “{1}” that is not of its type."},
		{"The language model did not answer in time.", "لم يردّ النموذج اللغوي في الوقت المحدد.", "The language model did not answer in time."},
		{"The language model could not be reached.", "تعذّر الوصول إلى النموذج اللغوي.", "The language model could not be reached."},
		{"The language model broke off its answer.", "انقطع رد النموذج اللغوي.", "The language model broke off its answer."},
		{"The language model has a certificate that is not trusted.", "شهادة خادم النموذج اللغوي غير موثوقة.", "The language model's server has a certificate that is not trusted."},
		{"The language model is not set up for this organization.", "النموذج اللغوي غير مهيّأ لهذه المنظمة.", "The language model is not set up for this organization."},
		{"The language model answered with HTTP status {}.", "ردّ خادم النموذج اللغوي برمز HTTP {1}.", "The language model's server answered with HTTP status {1}."},
		{"The language model answered more than {} bytes.", "تجاوز رد النموذج اللغوي {1} بايت.", "The language model answered more than {1} bytes."},
		{"The language model answered no JSON.", "رد النموذج اللغوي ليس بصيغة JSON.", "The language model's answer is not JSON."},
		{"The language model answered nothing.", "جاء رد النموذج اللغوي فارغًا.", "The language model's answer was empty."},
		{"The language model ended its answer with an error.", "أنهى النموذج اللغوي رده بخطأ.", "The language model ended its answer with an error."},
		{"The language model gave no answer that could be spoken.", "لم يُعطِ النموذج اللغوي ردًا يمكن قوله.", "The language model gave no answer that could be spoken."},
		{"A sentence of the language model in {} was not spoken: its {} “{}” comes from nothing in the call: {}", "لم تُقل جملة للنموذج اللغوي في «{1}»، لأن «{3}» لا أصل له في المكالمة: {4}", "A sentence of the language model in “{1}” was not spoken: its {2} “{3}” comes from nothing in the call: {4}"},
		{"The language model went on calling tools in {} and was not answered.", "استمر النموذج اللغوي في طلب الأدوات في «{1}» ولم يُجب.", "The language model went on calling tools in “{1}” and was not answered."},
		{"The language model called a tool that {} does not have: {}", "طلب النموذج اللغوي أداة ليست في «{1}»: {2}", "The language model called a tool that “{1}” does not have: {2}"},
		{"The language model called the tool {} with a value for {} that is not of its type.", "أعطى النموذج اللغوي الأداة «{1}» لـ«{2}» قيمة من غير نوعها.", "The language model gave the tool “{1}” a value for “{2}” that is not of its type."},
		{"The tool {} did not answer in time.", "لم تردّ الأداة «{1}» في الوقت المحدد.", "The tool “{1}” did not answer in time."},
		{"The tool {} could not be reached.", "تعذّر الوصول إلى الأداة «{1}».", "The tool “{1}” could not be reached."},
		{"The tool {} broke off its answer.", "انقطع رد الأداة «{1}».", "The tool “{1}” broke off its answer."},
		{"The tool {} has a certificate that is not trusted.", "شهادة خادم الأداة «{1}» غير موثوقة.", "The tool “{1}” has a certificate that is not trusted."},
		{"The tool {} is not set up for this organization.", "الأداة «{1}» غير مهيّأة لهذه المنظمة.", "The tool “{1}” is not set up for this organization."},
		{"The tool {} answered with HTTP status {}.", "ردّت الأداة «{1}» برمز HTTP {2}.", "The tool “{1}” answered with HTTP status {2}."},
		{"The tool {} answered more than {} bytes.", "تجاوز رد الأداة «{1}» {2} بايت.", "The tool “{1}” answered more than {2} bytes."},
		{"The tool {} answered no UTF-8.", "رد الأداة «{1}» ليس بترميز UTF-8.", "The answer of the tool “{1}” is not UTF-8."},
		{"The tool {} answered no JSON object.", "رد الأداة «{1}» ليس كائن JSON.", "The answer of the tool “{1}” is not a JSON object."},
		{"The tool {} gave no answer that could be used.", "لم تُعطِ الأداة «{1}» ردًا يمكن استعماله.", "The tool “{1}” gave no answer that could be used."},
		{"The tool {} did not say what was found out in {}.", "لم تذكر الأداة «{1}» ما عُرف في «{2}».", "The tool “{1}” did not say what was found out in “{2}”."},
		{"The tool {} gave a value for {} that is not of its type.", "أعطت الأداة «{1}» لـ«{2}» قيمة من غير نوعها.", "The tool “{1}” gave a value for “{2}” that is not of its type."},
		{"What the person said could not be recognized.", "تعذّر التعرّف على ما قاله الشخص.", "What the person said could not be recognized."},
		{"What the person said last could not be recognized.", "تعذّر التعرّف على آخر ما قاله الشخص.", "What the person said last could not be recognized."},
		// The same messages as calls of earlier releases have stored them.
		{"What the person said could not be recognised.", "تعذّر التعرّف على ما قاله الشخص.", "What the person said could not be recognized."},
		{"What the person said last could not be recognised.", "تعذّر التعرّف على آخر ما قاله الشخص.", "What the person said last could not be recognized."},
		{"The recognizer can't be told what to expect.", "تعذّر تمرير الإجابات المنتظرة إلى محرك التعرّف.", "The expected answers could not be passed to the recognizer."},
		{"A line was left out, because a value of it is missing: {}", "لم يُقل سطر لأن قيمة فيه ناقصة: {1}", "A line was left out, because a value of it is missing: {1}"},
		{"A promise to call again was left out, because no further attempt is planned: {}", "لم يُقل الوعد باتصال آخر لأنه لا محاولة بعد هذه: {1}", "A promise to call again was left out, because no further attempt is planned: {1}"},
		{"A line was left out, because nothing can speak it: {}", "لم يُقل سطر لا صوت يقوله: {1}", "A line was left out, because nothing can speak it: {1}"},
		{"The end of a line was left out, because its voice failed: {}", "لم يُقل آخر سطر لأن الصوت الذي يقوله تعطّل: {1}", "The end of a line was left out, because its voice failed: {1}"},
		{"Nothing was answered to {}.", "لا إجابة عن «{1}».", "There was no answer to “{1}”."},
		{"What is to change after a no to {} was not understood.", "لم يُفهم ما يُغيَّر بعد قول لا عن «{1}».", "What is to change after a no to “{1}” was not understood."},
		{"The answer to {} was not understood.", "لم تُفهم الإجابة عن «{1}».", "The answer to “{1}” was not understood."},
		{"The answer to {} was heard, but not clearly.", "سُمعت الإجابة عن «{1}»، لكن دون وضوح.", "The answer to “{1}” was heard, but not clearly."},
		{"What was understood of {} was not right.", "قال الشخص إن ما فُهم عن «{1}» غير صحيح.", "The person said that what was understood for “{1}” is wrong."},
		{"Whether {} was understood rightly was not answered.", "لم يؤكد الشخص أن «{1}» فُهم كما قال.", "The person did not confirm what was understood for “{1}”."},
		{"The transcript and the report could not be kept.", "تعذّر حفظ النص والتقرير.", "The transcript and the report could not be stored."},
		{"The recording could not be written to its end.", "تعذّر حفظ التسجيل إلى آخره.", "The recording could not be written to its end."},
	}
}

// timelineNotes are the notes of a call's timeline that are sentences, by the message of the dialer or the store.
func timelineNotes() []machineMessage {
	return []machineMessage{
		{"no answer in time", "لا رد في الوقت المحدد", "no answer in time"},
		{"the carrier took the call, and it did not ring", "قبلتها شركة الاتصالات ولم يرنّ الهاتف", "the carrier accepted the call, but it did not ring"},
		{"refused with Q.850 cause {}", "رُفضت بسبب Q.850 رقم {1}", "refused with Q.850 cause {1}"},
		{"refused with SIP status {}", "رُفضت برد SIP {1}", "refused with SIP status {1}"},
		{"the carrier did not take the call: the trunk refuses calls, and is tried with one call at a time", "لم تُطلب: خط SIP يرفض المكالمات، وتُجرَّب واحدة كل مرة", "not dialled: the trunk refuses calls, and is tried with one call at a time"},
		{"the carrier did not take the call: the trunk asked to be called later for this number (Retry-After)", "لم تُطلب: أجّل خط SIP هذا الرقم (Retry-After)", "not dialled: the trunk asked to be called later for this number (Retry-After)"},
		{"the carrier did not take the call: {}", "لم تقبلها شركة الاتصالات: {1}", "the carrier did not take the call: {1}"},
		// The same as earlier releases have stored it.
		{"no answer from the carrier: {}", "لا رد من شركة الاتصالات: {1}", "no answer from the carrier: {1}"},
		{"no answer from the carrier", "لا رد من شركة الاتصالات", "no answer from the carrier"},
		{"the attempt before it was not interrupted", "المحاولة التي قبلها لم تنقطع", "the attempt before it was not interrupted"},
		{"of what ended before this time", "ما انتهى قبل هذا الوقت", "of what ended before this time"},
	}
}

var (
	compileCallErrors    = sync.OnceValue(func() []compiledMessage { return compileMessages(callErrors()) })
	compileTimelineNotes = sync.OnceValue(func() []compiledMessage { return compileMessages(timelineNotes()) })
)

// CallErrorText returns an error entry of a call in the page's language; nameOf returns the label of a slot or step by
// its key, and any other value unchanged. A message without a translation is returned unchanged.
func CallErrorText(l Language, message string, nameOf func(string) string) string {
	return translateMessage(l, compileCallErrors(), message, func(value string) string {
		if keys, isList := strings.CutPrefix(value, "["); isList && strings.HasSuffix(keys, "]") {
			return nameList(l, strings.TrimSuffix(keys, "]"), nameOf)
		}
		return nameOf(value)
	})
}

// nameList names the keys of a list "[a b]".
func nameList(l Language, keys string, nameOf func(string) string) string {
	names := strings.Fields(keys)
	for i, key := range names {
		names[i] = nameOf(key)
	}
	return strings.Join(names, pickLanguage(l, "، ", ", "))
}

// TimelineNote returns a note of a call's timeline in the page's language; one without a translation as it is.
func TimelineNote(l Language, note string) string {
	return translateMessage(l, compileTimelineNotes(), note, keepValue)
}
