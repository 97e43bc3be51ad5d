package scenarios

import "munadi/ui/locale"

// Texts about how certain answers are.

var CertainTitle = locale.Text{"يقين الإجابات", "Certainty of answers"}
var CertainLead = locale.Text{"تُقرأ الإجابة الأقل يقينًا على صاحبها، وتُقرأ معها إجابات بالقرعة ليُعرف كم منها سُمع خطأ. تصحيحات الموظفين تُحسب أخطاء.", "Less certain answers are read back to the person, and others by lot, so that it is known how many are heard wrongly. Corrections by staff count as errors."}
var CertainGoal = locale.Text{"الحد: {n} من كل ألف إجابة تؤخذ خطأ بلا سؤال.", "The bound: of 1,000 answers at most {n} are taken wrongly unasked."}
var CertainHolds = locale.Text{"يثبته ما عُرف حتى الآن: {bound} من كل ألف على الأكثر. تؤخذ الإجابة بلا سؤال إذا بلغ احتمالها {threshold}.", "Proven by what is known so far: at most {bound}. An answer is taken unasked from a probability of {threshold} on."}
var CertainMissing = locale.Text{"لم يثبت بعد: عُرفت صحة {known} إجابة ويلزم {needed} على الأقل. حتى ذلك الحين تُقرأ كل إجابة على صاحبها.", "Not proven yet: the truth of {known} answers is known, and at least {needed} are needed. Until then every answer is read back."}
var CertainCounts = locale.Text{"الإجابات: {answers}. أعيد السؤال عن {share} منها أو قُرئت على صاحبها. عُرفت صحة {known}، والخطأ منها {wrong}.", "Answers: {answers}. Read back or asked again: {share}. Truth known: {known}, of these wrong: {wrong}."}
var CertainWeeks = locale.Text{"أسبوعًا بعد أسبوع", "Week by week"}
var CertainWeekBegin = locale.Text{"أسبوع", "Week of"}
var CertainBound = locale.Text{"خطأ مثبت من كل ألف", "Wrong of 1,000, proven"}
var CertainAsked = locale.Text{"أعيد السؤال", "Asked again"}
var CertainAnswers = locale.Text{"الإجابات", "Answers"}
var CertainWrong = locale.Text{"الخطأ مما عُرف", "Wrong of known"}
var CertainWrongOf = locale.Text{"{wrong} من {known}", "{wrong} of {known}"}
var CertainUnproven = locale.Text{"لم يثبت", "not proven"}
var EditorMaxWrong = locale.Text{"إجابات تؤخذ خطأ من كل ألف، على الأكثر", "Answers taken wrongly of 1,000, at most"}
var EditorMaxWrongHint = locale.Text{"فارغ: بلا حد. يُقرأ الأقل يقينًا على صاحبه؛ وإلى أن تكفي المكالمات لإثبات الحد تُقرأ كل إجابة.", "Empty: no bound. Less certain answers are read back; until enough calls prove the bound, every answer is."}
