// Package replays holds what a person sees of replays: recorded calls held again with another version or model.
package replays

import (
	"munadi/store/replay"
	"munadi/ui/locale"
)

var Title = locale.Text{"إعادة المكالمات", "Replays"}
var Lead = locale.Text{"تُعاد محادثات مسجَّلة بمسودة السيناريو أو بنموذج كلام آخر: ماذا كان سيخرج؟ لا يُتصل بأحد. قد تخرج مكالمات قليلة مختلفة وإن لم يتغير شيء: قارن بإعادة النسخة المنشورة.", "Recorded calls are held again with a scenario's draft or another speech model: what would have come out? Nobody is called. A few calls may come out otherwise though nothing was changed: compare with a replay of the published version."}
var Empty = locale.Text{"لا إعادات بعد", "No replays yet"}
var EmptyDo = locale.Text{"اختر سيناريو وفترة لترى ما كان سيتغير.", "Choose a scenario and a period to see what would have changed."}
var Add = locale.Text{"إعادة جديدة", "New replay"}
var AddDo = locale.Text{"ابدأ", "Start"}
var Scenario = locale.Text{"السيناريو", "Scenario"}
var Version = locale.Text{"النسخة", "Version"}
var VersionDraft = locale.Text{"المسودة إن وُجدت", "The draft, if there is one"}
var VersionPublished = locale.Text{"المنشورة", "The published one"}
var VersionBuiltIn = locale.Text{"المدمجة", "the built-in one"}
var Model = locale.Text{"نموذج الكلام", "Speech model"}
var ModelServing = locale.Text{"المستعمل الآن", "The one in use"}
var Period = locale.Text{"الفترة", "Period"}
var PeriodDay = locale.Text{"آخر يوم", "The last day"}
var PeriodWeek = locale.Text{"آخر 7 أيام", "The last 7 days"}
var PeriodMonth = locale.Text{"آخر 30 يومًا", "The last 30 days"}
var PeriodQuarter = locale.Text{"آخر 90 يومًا", "The last 90 days"}
var BadChoice = locale.Text{"اختر واحدًا من القائمة.", "Choose one of the list."}
var TooMany = locale.Text{"في هذه الفترة أكثر من 10000 مكالمة: اختر فترة أقصر.", "More than 10,000 calls in this period: choose a shorter one."}
var Full = locale.Text{"بلغت الإعادات 20: احذف واحدة أولًا.", "There are 20 replays: delete one first."}
var Progress = locale.Text{"أُعيدت", "Replayed"}
var Changed = locale.Text{"تغيّرت", "Changed"}
var Same = locale.Text{"بلا تغيير", "Same"}
var Skipped = locale.Text{"لم تُعَد", "Not replayed"}
var Running = locale.Text{"جارية", "Running"}
var Paused = locale.Text{"موقوفة", "Paused"}
var Done = locale.Text{"انتهت", "Done"}
var Broken = locale.Text{"توقفت", "Broken off"}
var Pause = locale.Text{"إيقاف مؤقت", "Pause"}
var Resume = locale.Text{"متابعة", "Resume"}
var Delete = locale.Text{"حذف", "Delete"}
var DeleteAsk = locale.Text{"حذف الإعادة؟", "Delete the replay?"}
var DeleteWhat = locale.Text{"تُحذف نتائجها، ولا يتغير شيء في المكالمات.", "Its results are deleted; nothing changes in the calls."}
var Deleted = locale.Text{"حُذفت الإعادة", "The replay was deleted"}
var Ended = locale.Text{"انتهت هذه الإعادة", "This replay has ended"}
var Results = locale.Text{"ما كان سيخرج مختلفًا", "What would have come out otherwise"}
var ResultsSame = locale.Text{"لا اختلاف في الحالة والتقرير وعدد أدوار الشخص ولا في الخطوات التي تكلمت فيها المنصة. ألفاظها لا تُقارن.", "No difference in status, report, number of the person's turns and the steps in which the platform spoke. Its words are not compared."}
var ResultsNone = locale.Text{"لا اختلاف حتى الآن.", "No difference so far."}
var Call = locale.Text{"المكالمة", "Call"}
var Difference = locale.Text{"الاختلاف", "Difference"}
var Turns = locale.Text{"أدوار الشخص", "The person's turns"}
var Parted = locale.Text{"الخطوة التي يفترق عندها الطريقان", "Step at which the ways part"}
var Status = locale.Text{"الحالة", "Status"}
var Listen = locale.Text{"استمع عند الموضع", "Listen at the place"}
var ChangedTo = locale.Text{"{name}: {old} ← {new}", "{name}: {old} → {new}"}
var NoValue = locale.Text{"لا شيء", "nothing"}

// StateName returns the name of a replay's state.
func StateName(l locale.Language, s replay.State) string {
	return map[replay.State]locale.Text{
		replay.Running: Running, replay.Paused: Paused, replay.Done: Done, replay.Broken: Broken,
	}[s].In(l)
}

var problemTexts = map[replay.Problem]locale.Text{
	replay.RecordingGone:    {"التسجيل لم يعد موجودًا", "the recording is gone"},
	replay.RecordingDamaged: {"التسجيل تالف", "the recording is damaged"},
	replay.Redacted:         {"أجزاء محجوبة من التسجيل", "parts of the recording are redacted"},
	replay.NotHeard:         {"تعذّر التعرّف على الكلام", "the recognizer failed"},
	replay.NoEnd:            {"لم تبلغ المحادثة نهايتها", "the conversation did not come to its end"},
	replay.VersionGone:      {"نسخة السيناريو لم تعد محفوظة", "the version of the scenario is no longer kept"},
	replay.ModelGone:        {"نموذج الكلام غير مثبَّت أو لا يُفتح", "the speech model is not installed, or cannot be opened"},
}

// ProblemText says why a call was not replayed, or a replay cannot go on.
func ProblemText(l locale.Language, p replay.Problem) string { return problemTexts[p].In(l) }
