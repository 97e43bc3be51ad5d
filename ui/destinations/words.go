// Package destinations holds what a person sees of the destinations of events, and of the deliveries to them.
package destinations

import (
	"munadi/store/delivery"
	"munadi/ui/locale"
)

var Title = locale.Text{"وجهات الأحداث", "Event destinations"}
var Lead = locale.Text{"يُرسل كل حدث إلى كل وجهة تطلبه، موقّعًا، ويُعاد إرساله حتى 27 ساعة إن لم يصل.", "Each event is sent, signed, to every destination that wants it, and sent again for up to 27 hours until it arrives."}
var URL = locale.Text{"عنوان الوجهة", "Address"}
var Events = locale.Text{"الأحداث", "Events"}
var NoEvents = locale.Text{"اختر حدثًا واحدًا على الأقل.", "Choose at least one event."}
var Enabled = locale.Text{"الوجهة مفعّلة", "The destination is on"}
var EnabledHint = locale.Text{"ما يحدث وهي موقوفة لا يُرسل لاحقًا.", "What happens while it is off is not sent later."}
var Created = locale.Text{"أُضيفت", "Added"}
var On = locale.Text{"مفعّلة", "On"}
var Off = locale.Text{"موقوفة", "Off"}
var Failing = locale.Text{"لا تستقبل", "Failing"}
var SwitchedOff = locale.Text{"أُوقفت آليًا", "Switched off"}
var SwitchedOffWhy = locale.Text{"فشل كل إرسال إليها خمسة أيام فأُوقفت. أصلح المستقبِل ثم فعّلها.", "Every attempt of five days failed, so it was switched off. Mend the receiver, then turn it on."}
var FailingWhy = locale.Text{"لم يعد يصل إليها شيء، وبدأ ذلك", "Nothing reaches it any more; this began"}
var Add = locale.Text{"وجهة جديدة", "New destination"}
var TooMany = locale.Text{"لا تُقبل وجهات أكثر. احذف واحدة أولًا.", "There are as many destinations as are accepted. Delete one first."}
var Empty = locale.Text{"لا وجهات بعد", "No destinations yet"}
var EmptyDo = locale.Text{"أضف عنوان نظامك ليعرف بالأحداث وقت حدوثها.", "Add the address of your server, so that it learns of events as they happen."}
var Settings = locale.Text{"الإعدادات", "Settings"}
var Saved = locale.Text{"حُفظت الوجهة.", "The destination was saved."}
var Back = locale.Text{"كل الوجهات", "All destinations"}
var DeleteAsk = locale.Text{"حذف الوجهة؟", "Delete the destination?"}
var DeleteWhat = locale.Text{"تُحذف معها سجلات ما أُرسل، ولا يُرسل إليها شيء بعد ذلك.", "Its log of deliveries goes with it, and nothing more is sent there."}
var Deleted = locale.Text{"حُذفت الوجهة.", "The destination was deleted."}
var Event = locale.Text{"الحدث", "Event"}
var Result = locale.Text{"آخر رد", "Last answer"}
var NothingSentWhy = locale.Text{"يظهر هنا كل حدث أُرسل أو سيُرسل، ثلاثين يومًا.", "Every event that was or will be sent is shown here, for thirty days."}
var Rotated = locale.Text{"أُنشئ سر توقيع جديد. السر السابق يوقّع معه يومًا واحدًا.", "A new signing secret was made. The former one signs beside it for one day."}
var Replay = locale.Text{"إعادة الإرسال من وقت", "Send again from a time"}
var ReplayLead = locale.Text{"بعد توقف نظامك: يُرسل من جديد كل حدث منذ ذلك الوقت، بمعرّفه ومحتواه نفسيهما.", "After your server was away: every event since that time is sent again, with the same id and content."}
var ReplayFrom = locale.Text{"من وقت", "From"}
var ReplayBadFrom = locale.Text{"اكتب وقتًا مضى.", "Enter a time that has passed."}
var ReplayFailed = locale.Text{"ما لم يصل فقط", "Only what was not delivered"}
var ReplayDo = locale.Text{"أرسل من جديد", "Send again"}
var Replayed = locale.Text{"أحداث تُرسل من جديد: {n}", "Events that are sent again: {n}"}
var ReplayedPartly = locale.Text{"أحداث تُرسل من جديد: {n}. ما بعد {at} لم يُطلب بعد: أعد الطلب منذ ذلك الوقت.", "Events that are sent again: {n}. Those after {at} are not yet: ask again from that time."}
var IsOff = locale.Text{"الوجهة موقوفة. فعّلها، ثم أرسل من جديد.", "The destination is off. Turn it on, then send again."}

var CallBooked = locale.Text{"حُجزت مكالمة", "A call was booked"}
var CallDialing = locale.Text{"بدأ الاتصال", "A call is dialled"}
var CallAnswered = locale.Text{"رُدّ على مكالمة", "A call was answered"}
var CallCompleted = locale.Text{"اكتملت مكالمة", "A call was completed"}
var CallFailed = locale.Text{"انتهت مكالمة دون أن تكتمل", "A call ended without being completed"}
var CallCancelled = locale.Text{"أُلغيت مكالمة", "A call was cancelled"}
var CampaignFinished = locale.Text{"انتهت حملة", "A campaign has finished"}
var JobFinished = locale.Text{"انتهى تفريغ تسجيل", "A transcription job has ended"}
var NeedsStaff = locale.Text{"شخص يحتاج إلى موظف", "A person needs staff"}

// EventName returns the display name of an event type.
func EventName(l locale.Language, event delivery.EventType) string {
	return map[delivery.EventType]locale.Text{
		delivery.CallBooked: CallBooked, delivery.CallDialing: CallDialing, delivery.CallAnswered: CallAnswered,
		delivery.CallCompleted: CallCompleted, delivery.CallFailed: CallFailed, delivery.CallCancelled: CallCancelled,
		delivery.CampaignFinished: CampaignFinished, delivery.JobFinished: JobFinished, delivery.NeedsStaff: NeedsStaff,
	}[event].In(l)
}
