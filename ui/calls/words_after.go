package calls

import "munadi/ui/locale"

// Texts of notes, follow-up marks and corrections of a call.

var AfterTitle = locale.Text{"بعد المكالمة", "After the call"}
var AfterNote = locale.Text{"ملاحظة", "Note"}
var AfterNoteAdd = locale.Text{"أضف الملاحظة", "Add the note"}
var AfterNoteAdded = locale.Text{"أُضيفت الملاحظة.", "The note was added."}
var AfterNoteHint = locale.Text{"يراها زملاؤك في هذه المكالمة، وتُحذف مع بيانات الشخص.", "Your colleagues see it with this call; it is erased with the person."}
var AfterNoteBad = locale.Text{"اكتب ملاحظة من 1 إلى 1000 حرف.", "Write a note of 1 to 1000 characters."}
var AfterNeed = locale.Text{"تحتاج إلى موظف", "Needs staff"}
var AfterNeedMark = locale.Text{"تحتاج إلى موظف", "Mark as needing staff"}
var AfterNeedTake = locale.Text{"أتولّاها", "I take it"}
var AfterNeedLeave = locale.Text{"أتركها لغيري", "Leave it to others"}
var AfterNeedDone = locale.Text{"تمّت", "Done"}
var AfterNeedDoneDo = locale.Text{"أنهِ المتابعة", "End the follow-up"}
var AfterNeedWhy = locale.Text{"علّمها {who}", "marked by {who}"}
var AfterNeedFree = locale.Text{"لم يتولَّها أحد", "Not taken"}
var AfterNeedMine = locale.Text{"أنت", "you"}
var AfterNeedDoneBy = locale.Text{"أنهى متابعتها {who}", "followed up by {who}"}
var AfterDoneNote = locale.Text{"ماذا جرى؟ (اختياري)", "What was the result? (optional)"}
var AfterMarked = locale.Text{"صارت المكالمة في قائمة ما يحتاج إلى موظف.", "The call is in the queue of calls that need staff."}
var AfterTaken = locale.Text{"توليت المكالمة.", "You have taken the call."}
var AfterLeft = locale.Text{"تركت المكالمة لغيرك.", "You left the call to others."}
var AfterDone = locale.Text{"انتهت متابعة المكالمة.", "The call is followed up."}
var AfterRefused = locale.Text{"لم يتغير شيء: المكالمة لا تقبل هذا الآن.", "Nothing changed: the call does not allow this now."}
var AfterFull = locale.Text{"لا تقبل المكالمة ملاحظات أو تصحيحات أخرى.", "The call accepts no more notes or corrections."}
var AfterCorrect = locale.Text{"صحّح الإجابات", "Correct the answers"}
var AfterCorrectLead = locale.Text{"تبقى الإجابات كما سُمعت، ويُحسب التصحيح في القوائم والتقارير. ولا يُرسل إشعار جديد.", "What was heard is kept; lists and reports use the correction. No new webhook is sent."}
var AfterCorrectDo = locale.Text{"احفظ التصحيح", "Save the correction"}
var AfterCorrected = locale.Text{"حُفظ التصحيح.", "The correction was saved."}
var AfterNothingChanged = locale.Text{"لم يتغير شيء.", "Nothing changed."}
var AfterCorrectTurn = locale.Text{"صحّح الكلام", "Correct the words"}
var AfterCorrectTurnDo = locale.Text{"احفظ", "Save"}
var AfterTurnWas = locale.Text{"سُمع", "Heard"}
var AfterBadAnswer = locale.Text{"الإجابة «{name}» لا تقبل هذه القيمة.", "The answer “{name}” does not accept this value."}
var AfterBadTurn = locale.Text{"اكتب ما قيل، من 1 إلى 1000 حرف.", "Write what was said, 1 to 1000 characters."}
var AfterCorrectWord = locale.Text{"صحّح هذه الكلمة", "Correct this word"}
var AfterWordHint = locale.Text{"اكتب ما قيل، كلمة أو أكثر. اتركه فارغًا إن لم تُقل.", "Write what was said, one word or more. Leave it empty if it was not said."}
var AfterWordChanged = locale.Text{"لم يُحفظ: صحّح غيرك هذا الكلام في أثناء ذلك. اقرأه ثم أعد المحاولة.", "Not saved: someone else corrected these words in the meantime. Read them and try again."}
var AfterCorrections = locale.Text{"التصحيحات", "Corrections"}
var AfterUnknown = locale.Text{"لم يُعرف", "unknown"}
var AfterSince = locale.Text{"أُضيفت", "Added"}
var AfterWho = locale.Text{"يتولّاها", "Taken by"}
var AfterWhy = locale.Text{"السبب", "Reason"}
var AfterToday = locale.CountedPair{locale.ArabicCalls("", " تنتظر من يتابعها.").WithDual("مكالمتان تنتظران من يتابعهما."), locale.EnglishCount("One call waits for staff.", "{n} calls wait for staff.")}
var AfterTodayDo = locale.Text{"افتح القائمة", "Open the queue"}
var AfterReasons = locale.WordTable{
	{"asked_for_person", "طلب التحدث إلى موظف", "asked for staff"},
	{"not_understood", "لم تُفهم إجابته", "answer not understood"},
	{"transfer_failed", "تعذّر التحويل", "transfer failed"},
	{"scenario", "السيناريو يطلب متابعة", "the scenario asks for it"},
	{"staff", "علّمها موظف", "marked by staff"},
}
