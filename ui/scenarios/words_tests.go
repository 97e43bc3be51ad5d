package scenarios

import (
	"munadi/store/scenario"
	"munadi/ui/locale"
)

// Texts of a scenario's tests.

var Tests = locale.Text{"الاختبارات", "Tests"}
var Test = locale.Text{"اختبار", "Test"}
var TestsLead = locale.Text{"ما يقوله الشخص، وما يُنتظر من المكالمة. تُشغَّل قبل النشر بلا صوت وبلا نموذج لغوي.", "What a person says, and what is expected of the call. They run before publishing, without sound and without a language model."}
var TestPassesAlways = locale.Text{"لا يُنتظر منه شيء: ينجح مهما قيل. املأ أحد الحقول الثلاثة.", "It expects nothing, so it passes whatever is said. Fill one of the three fields."}
var TestsNone = locale.Text{"لا اختبارات بعد. تُضاف في صفحة التعديل.", "No tests yet. They are added where the scenario is edited."}
var TestsRun = locale.Text{"شغّل الاختبارات", "Run the tests"}
var TestPassed = locale.Text{"نجح", "passed"}
var TestFailed = locale.Text{"فشل", "failed"}
var TestsPassed = locale.CountedPair{locale.ArabicCount("لا اختبارات.", "نجح الاختبار.", "نجح الاختباران.", "نجحت {n} اختبارات.", "نجح {n} اختبارًا.", "نجح {n} اختبار."), locale.EnglishCount("The test passed.", "All {n} tests passed.")}
var TestsFailed = locale.CountedPair{locale.ArabicCount("لا اختبارات.", "فشل اختبار واحد.", "فشل اختباران.", "فشلت {n} اختبارات.", "فشل {n} اختبارًا.", "فشل {n} اختبار."), locale.EnglishCount("One test failed.", "{n} tests failed.")}
var TestsBlock = locale.Text{"لم يُنشر شيء.", "Nothing was published."}
var TestsBroken = locale.Text{"لم تكتمل الاختبارات. أعد المحاولة.", "The tests could not be run. Try again."}
var TestsMendFirst = locale.Text{"صحّح الأخطاء أولًا، ثم شغّل الاختبارات.", "Correct the errors first; then run the tests."}
var TestName = locale.Text{"الاسم", "Name"}
var TestSays = locale.Text{"ما يقوله الشخص", "What the person says"}
var TestCallee = locale.Text{"مُجيب من المحاكي", "Callee of the simulator"}
var TestCalleeHint = locale.Text{"آخر رقمين، مثل \u206680\u2069 لمن يطلب موعدًا آخر: يجيب هو بالصوت بدل الإجابات المكتوبة", "The last two digits, as 80 for one who wants another time: answers by sound instead of typed answers"}
var TestSaysHint = locale.Text{"إجابة في كل سطر، أو \u2066keys:12\u2069 للأزرار، أو \u2066silent\u2069 للسكوت، أو \u2066hangup\u2069 لإغلاق الخط، أو \u2066clip:\u2069 لمقطع من تسجيل", "One answer on each line; or keys:12 for pressed keys, silent, hangup, clip: for a span of a recording"}
var TestReport = locale.Text{"في التقرير", "In the report"}
var TestReportHint = locale.Text{"قيمة في كل سطر، مثل \u2066confirmed: true\u2069", "One value on each line, as confirmed: true"}
var TestSteps = locale.Text{"خطوات بهذا الترتيب", "Steps in this order"}
var TestStepsHint = locale.Text{"مفتاح خطوة في كل سطر، وقد تكون بينها خطوات أخرى", "A step's key on each line; others may lie between them"}
var TestSaid = locale.Text{"ما تقوله المنصة بهذا الترتيب", "What the platform says, in this order"}
var TestSaidHint = locale.Text{"كلمات متتالية من جملة في كل سطر", "Words of one sentence on each line"}
var TestKeep = locale.Text{"احفظها اختبارًا", "Keep as a test"}
var TestKept = locale.Text{"أُضيف الاختبار «{name}». يُحفظ مع السيناريو.", "The test “{name}” is added. It is saved with the scenario."}
var TestDefaultName = locale.Text{"اختبار {n}", "Test {n}"}
var failedReport = locale.Text{"التقرير: المنتظر أن تكون \u2068{property}\u2069 هي \u2068{expected}\u2069، وكانت \u2068{got}\u2069.", "Report: {property} was expected to be {expected} and was {got}."}
var failedSteps = locale.Text{"الخطوات: المنتظر \u2068{expected}\u2069، والذي كان \u2068{got}\u2069.", "Steps: {expected} was expected, but these were passed: {got}."}
var failedStepsAfter = locale.Text{"الخطوات: المنتظر \u2068{expected}\u2069 بعد \u2068{after}\u2069، والذي كان \u2068{got}\u2069.", "Steps: {expected} was expected after {after}, but these were passed: {got}."}
var failedSaid = locale.Text{"المنصة: المنتظر «{expected}»، والذي قيل \u2068{got}\u2069.", "Platform: “{expected}” was expected, but this was said: {got}."}
var failedSaidAfter = locale.Text{"المنصة: المنتظر «{expected}» بعد «{after}»، والذي قيل \u2068{got}\u2069.", "Platform: “{expected}” was expected after “{after}”, but this was said: {got}."}
var failedRun = locale.Text{"لم تصل المكالمة إلى نهايتها: \u2068{got}\u2069.", "The call did not come to its end: {got}."}
var nothing = locale.Text{"لا شيء", "nothing"}

// TestFault says in a language what a test expected and what came instead.
func TestFault(l locale.Language, f scenario.TestFailure) string {
	text := map[scenario.FailurePart]locale.Text{
		scenario.ReportFailed: failedReport, scenario.StepsFailed: failedSteps, scenario.SaidFailed: failedSaid,
		scenario.RunFailed: failedRun,
	}[f.Part]
	switch {
	case f.After != "" && f.Part == scenario.StepsFailed:
		text = failedStepsAfter
	case f.After != "" && f.Part == scenario.SaidFailed:
		text = failedSaidAfter
	}
	got := f.Got
	if got == "" {
		got = nothing.In(l)
	}
	return locale.FillSentence(text.In(l), "property", f.Property, "expected", f.Expected, "after", f.After, "got", got)
}
