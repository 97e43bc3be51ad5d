// Package calls holds what a person sees of calls: the list, one call, booking, follow-up.
package calls

import "munadi/ui/locale"

var Title = locale.Text{"المكالمات", "Calls"}
var New = locale.Text{"مكالمة جديدة", "New call"}
var Campaign = locale.Text{"حملة جديدة", "New campaign"}
var CampaignOfList = locale.Text{"حملة من هذه القائمة", "Campaign from this list"}

// chips beside the states
var All = locale.Text{"الكل", "All"}

// columns
var Number = locale.Text{"الرقم", "Number"}

// Person heads the column of names with numbers.
var Person = locale.Text{"الشخص", "Person"}
var Scenario = locale.Text{"السيناريو", "Scenario"}
var Status = locale.Text{"الحالة", "Status"}
var Time = locale.Text{"الوقت", "Time"}
var Length = locale.Text{"المدة", "Length"}
var Attempt = locale.Text{"المحاولة", "Attempt"}
var FromDay = locale.Text{"من يوم", "From day"}
var ToDay = locale.Text{"إلى يوم", "To day"}
var Search = locale.Text{"بحث", "Search"}
var Every = locale.Text{"كل السيناريوهات", "Every scenario"}
var Select = locale.Text{"اختر مكالمة {number}", "Select call {number}"}
var SelectAll = locale.Text{"اختر كل ما يمكن إلغاؤه", "Select all that can be cancelled"}
var Erased = locale.Text{"بيانات محذوفة", "Data erased"}
var Withheld = locale.Text{"رقم محجوب", "Withheld"}
var Direction = locale.Text{"الاتجاه", "Direction"}
var TrialCalls = locale.Text{"التجارب بالصوت", "Trials by voice"}
var TrialCall = locale.Text{"تجربة بالصوت", "Trial by voice"}
var TrialNote = locale.Text{"تجربة بالصوت وليست مكالمة: لا تُحسب في التقارير ولا الحصص، ولا يُرسل عنها إشعار.", "A trial by voice, not a call: it counts in no report or limit, and no webhook is sent."}
var BothDirections = locale.Text{"الصادرة والواردة", "Outbound and inbound"}
var Inbound = locale.Text{"واردة", "Inbound"}
var Outbound = locale.Text{"صادرة", "Outbound"}

// accessible names
var Filters = locale.Text{"تصفية المكالمات", "Filter calls"}
var StatusFilter = locale.Text{"تصفية حسب الحالة", "Filter by status"}
var Empty = locale.Text{"لا مكالمات بعد", "No calls yet"}
var EmptyLead = locale.Text{"هنا تظهر كل مكالمة: ما حُجز منها، وما يجري الآن، وما انتهى. ابدأ بمكالمة واحدة، أو بحملة من ملف Excel.", "Every call shows up here: what is booked, what runs now, what has ended. Begin with one call, or a campaign from an Excel file."}
var NoMatch = locale.Text{"لا مكالمة تطابق هذه التصفية", "No call matches this filter"}
var NoMatchLead = locale.Text{"غيّر التصفية أو امسحها لترى كل المكالمات.", "Change the filter, or clear it to see every call."}
var FilterUnread = locale.Text{"لا تُعرض مكالمات حتى يُصحَّح ما تُصفَّى به.", "No calls are shown until the filter is corrected."}
var Clear = locale.Text{"مسح التصفية", "Clear the filter"}
var Newer = locale.Text{"الصفحة الأولى", "First page"}
var Older = locale.Text{"الصفحة التالية", "Next page"}
var Keys = locale.Text{"لوحة المفاتيح: j التالي، k السابق، Enter للفتح، x للاختيار.", "Keyboard: j next, k previous, Enter opens, x selects."}

// folds the questions that are not yes or no
var OtherAnswers = locale.Text{"بحسب بقية الإجابات", "By further answers"}
var OtherAnswer = locale.Text{"إجابة أخرى", "Another answer"}
var AnswersTogether = locale.Text{"إجابات أخرى عُدّت معًا: {n}", "Other answers, counted together: {n}"}
var AnswerOf = locale.Text{"إجابة أخرى عن {question}", "Another answer to {question}"}
var CancelSelected = locale.Text{"إلغاء المختار", "Cancel selected"}
var CancelTitle = locale.Text{"إلغاء مكالمات مجدولة", "Cancel scheduled calls"}
var CancelLead = locale.Text{"لن يُتصل بهذه الأرقام، وتنتهي معها محاولات الإعادة. لا يمكن التراجع.", "These numbers will not be called, and their retries end with them. This cannot be undone."}
var CancelDo = locale.Text{"نعم، ألغِها", "Yes, cancel them"}
var CancelNone = locale.Text{"لم تُختر مكالمة يمكن إلغاؤها.", "No call was selected that can be cancelled."}
var Cancelled = locale.CountedPair{locale.ArabicCount("لم تُلغَ أي مكالمة.", "أُلغيت مكالمة واحدة.", "أُلغيت مكالمتان.", "أُلغيت {n} مكالمات.", "أُلغيت {n} مكالمة.", "أُلغيت {n} مكالمة."), locale.EnglishCount("One call was cancelled.", "{n} calls were cancelled.")}
var NotCancelled = locale.CountedPair{locale.ArabicCount("", "وبقيت مكالمة واحدة بدأ الاتصال بها أو انتهت.", "وبقيت مكالمتان بدأ الاتصال بهما أو انتهتا.", "وبقيت {n} مكالمات بدأ الاتصال بها أو انتهت.", "وبقيت {n} مكالمة بدأ الاتصال بها أو انتهت.", "وبقيت {n} مكالمة بدأ الاتصال بها أو انتهت."), locale.EnglishCount("One was not cancelled: it was already dialled or had ended.", "{n} were not cancelled: they were already dialled or had ended.")}
var Back = locale.Text{"رجوع", "Back"}

// what a call is that follows another one without being its retry
var ChainCalledBack = locale.Text{"عاود الشخص الاتصال", "The person called back"}
var ChainStaff = locale.Text{"معاودة اتصال من موظف", "Call-back by staff"}
var Attempts = locale.Text{"{n} من {of}", "{n} of {of}"}

var Result = locale.Text{"النتيجة", "Result"}
var Turn = locale.Text{"اعكس الترتيب", "Reverse the order"}

// PlannedLast says where scheduled calls are in the list.
var PlannedLast = locale.CountedPair{locale.ArabicCalls("", " مجدولة تأتي بعد ما انتهى.").WithDual("مكالمتان مجدولتان تأتيان بعد ما انتهى."), locale.EnglishCount("One scheduled call comes after those that have ended.", "{n} scheduled calls come after those that have ended.")}
var PlannedShow = locale.Text{"اعرض المجدولة وحدها", "Show only the scheduled ones"}

// Dialled is followed by a time.
var Dialled = locale.Text{"بدأ الاتصال", "dialled"}
var NameOrNumber = locale.Text{"الاسم أو الرقم", "Name or number"}
var NameOrNumberHint = locale.Text{"أوائل كلمات الاسم، أو آخر الرقم", "Start of the name or end of the number"}
var Views = locale.Text{"عروضي", "My views"}
var ViewsEdit = locale.Text{"احفظ العرض", "Save the view"}
var ViewName = locale.Text{"اسم لهذه التصفية", "A name for this filter"}
var ViewSave = locale.Text{"احفظ", "Save"}
var ViewDelete = locale.Text{"احذف العرض {name}", "Delete the view {name}"}
var ViewSaved = locale.Text{"حُفظ العرض.", "The view is saved."}
var ViewDeleted = locale.Text{"حُذف العرض.", "The view is deleted."}
var ViewsFull = locale.Text{"لديك 20 عرضًا. احذف واحدًا قبل أن تحفظ آخر.", "You have 20 views. Delete one before you save another."}
var BulkOpen = locale.Text{"إجراء على كل ما يطابق", "Act on everything that matches"}
var BulkTitle = locale.Text{"إجراء على كل ما يطابق التصفية", "Act on everything that the filter matches"}
var BulkLead = locale.Text{"يشمل المكالمات المجدولة فقط. بعد الضغط تبقى عشر ثوانٍ للتراجع قبل أن يبدأ شيء. وإن أُعيد تشغيل الخادم أكمل من حيث توقف.", "Scheduled calls only. After you press there are ten seconds to undo it before anything happens. If the appliance restarts, it continues from where it was."}
var BulkNone = locale.Text{"لا مكالمة مجدولة تطابق هذه التصفية.", "No scheduled call matches this filter."}
var BulkCancel = locale.Text{"ألغها كلها", "Cancel all of them"}
var BulkMove = locale.Text{"انقلها كلها", "Move all of them"}
var BulkMoveAt = locale.Text{"إلى", "To"}
var BulkWait = locale.Text{"يبدأ بعد ثوانٍ.", "It begins in a few seconds."}
var BulkUndo = locale.Text{"تراجع", "Undo"}
var BulkUndone = locale.Text{"تراجعت: لم يتغير شيء.", "Undone: nothing has changed."}
var BulkLate = locale.Text{"بدأ الإجراء قبل أن تتراجع.", "It had begun before you undid it."}
var BulkBad = locale.Text{"اكتب وقتًا من الآن إلى 30 يومًا، داخل ساعات الاتصال.", "Write a time from now to 30 days ahead, within calling hours."}
var BulkBroken = locale.Text{"توقف الإجراء في منتصفه بسبب عطل في قاعدة البيانات. أعد المحاولة لما بقي.", "It stopped in the middle because the database failed. Try again for the rest."}
var BulkDropped = locale.Text{"استُعيدت نسخة احتياطية أُخذت قبل أن ينتهي هذا الإجراء، فلم يُكمل. إن كان ما يزال مطلوبًا فاطلبه من جديد.", "A backup was restored that was made before this had ended, so it does not go on. Ask for it again if you still want it."}
var BulkFull = locale.Text{"إجراءات كثيرة تنتظر. أعد المحاولة بعد دقيقة.", "Too many changes are waiting. Try again in a minute."}
var BulkLost = locale.Text{"لم يعد هذا الإجراء محفوظًا: انتهى قبل أكثر من يوم، أو جاءت بعده إجراءات كثيرة.", "This change is no longer kept: it ended more than a day ago, or many others came after it."}
var BulkFound = locale.CountedPair{locale.ArabicCalls("", " مجدولة تطابق التصفية").WithDual("مكالمتان مجدولتان تطابقان التصفية"), locale.EnglishCount("One scheduled call matches", "{n} scheduled calls match")}
var BulkCancels = locale.CountedPair{locale.ArabicNoun("", "لا مكالمات تُلغى", "مكالمة واحدة تُلغى", "مكالمتان تُلغيان", "مكالمات تُلغى", "مكالمة تُلغى", "مكالمة تُلغى", "."), locale.EnglishCount("One call will be cancelled.", "{n} calls will be cancelled.")}
var BulkMoves = locale.CountedPair{locale.ArabicNoun("", "لا مكالمات تُنقل", "مكالمة واحدة تُنقل", "مكالمتان تُنقلان", "مكالمات تُنقل", "مكالمة تُنقل", "مكالمة تُنقل", "."), locale.EnglishCount("One call will be moved.", "{n} calls will be moved.")}
var BulkMoved = locale.CountedPair{locale.ArabicNoun("", "لم تُنقل أي مكالمة", "نُقلت مكالمة واحدة", "نُقلت مكالمتان", "مكالمات نُقلت", "مكالمة نُقلت", "مكالمة نُقلت", "."), locale.EnglishCount("One call was moved.", "{n} calls were moved.")}
var NewTitle = locale.Text{"مكالمة جديدة", "New call"}
var NewLead = locale.Text{"يُتصل بالرقم في الوقت الذي تختاره، ضمن ساعات الاتصال.", "The number is called at the time you choose, within calling hours."}
var NumberHint = locale.Text{"مثل 0512345601 أو \u200e+966512345601.", "Such as 0512345601 or +966512345601."}
var When = locale.Text{"متى", "When"}
var Now = locale.Text{"الآن، حين يفرغ خط", "Now, as soon as a line is free"}
var At = locale.Text{"في وقت محدد", "At a time"}
var AtHint = locale.Text{"بتوقيت {zone}. خارج ساعات الاتصال ينتقل الموعد إلى أول ساعة اتصال.", "In {zone} time. Outside calling hours it moves to the next calling hour."}
var Hours = locale.Text{"ساعات الاتصال في الأيام القادمة", "Calling hours of the next days"}
var Closed = locale.Text{"مغلق", "closed"}
var OpenAll = locale.Text{"مفتوح طوال اليوم", "open all day"}
var Variables = locale.Text{"قيم السيناريو", "Variables of the scenario"}
var NoVariables = locale.Text{"لا يحتاج هذا السيناريو إلى قيم.", "This scenario needs no variables."}
var Required = locale.Text{"مطلوب", "required"}
var Retry = locale.Text{"الإعادة عند عدم الوصول", "If no one answers"}
var Tries = locale.Text{"عدد المحاولات", "Attempts in total"}
var Delays = locale.Text{"الانتظار قبل كل إعادة (دقائق)", "Wait before each retry (minutes)"}
var DelaysHint = locale.Text{"مفصولة بفواصل، والأخيرة تتكرر. مثال: \u206610,\u00a030,\u00a060\u2069", "Separated by commas; the last one repeats. For example: 10, 30, 60"}
var Book = locale.Text{"احجز المكالمة", "Book the call"}
var Booked = locale.Text{"حُجزت المكالمة.", "The call is booked."}
var Moved = locale.Text{"الوقت المطلوب خارج ساعات الاتصال، فانتقل الموعد إلى أول ساعة اتصال.", "That time lies outside calling hours, so the call moved to the next calling hour."}
var BadNumber = locale.Text{"ليس رقم هاتف كاملًا. اكتبه مثل 0512345601 أو \u200e+966512345601.", "This is not a complete telephone number. Write it as 0512345601 or +966512345601."}
var BadTime = locale.Text{"هذا ليس وقتًا. اكتب التاريخ والساعة.", "This is not a time. Write the date and the hour."}
var BadTimeWindow = locale.Text{"اختر وقتًا من الآن إلى 30 يومًا.", "Choose a time from now to 30 days ahead."}
var BadDelays = locale.Text{"اكتب دقائق من 0 إلى 43200 مفصولة بفواصل، عشرة على الأكثر.", "Write minutes from 0 to 43200 separated by commas, ten at most."}
var BadTries = locale.Text{"اكتب عددًا من 1 إلى 10 محاولات.", "Write a number of attempts from 1 to 10."}
var BadExtras = locale.Text{"البيانات المرافقة أكبر من المسموح. الحد: 100 حقل، و64 حرفًا للاسم، و2000 حرف للقيمة، و64 KiB في المجموع.", "The data of this call is too large. At most: 100 fields, 64 characters for a name, 2000 for a value, 64 KiB in total."}
var NeverOpen = locale.Text{"لا توجد ساعة مفتوحة: ساعات المنظمة وساعات السيناريو لا تلتقي. غيّر إحداهما.", "There is no open hour: the hours of the organization and of the scenario do not overlap. Change one of them."}
var BadScenario = locale.Text{"لا سيناريو بهذا الاسم. اختر واحدًا من القائمة.", "There is no scenario with this name. Choose one from the list."}
var NowOrThen = locale.Text{"كتبت موعدًا واخترت «الآن». اختر أحدهما، أو امسح الموعد.", "You wrote a time and chose Now. Choose one of them, or clear the time."}
var Other = locale.Text{"اعرض قيم السيناريو المختار", "Show the chosen scenario's variables"}
var Endings = locale.Text{"في المحاكاة يحدّد آخر رقمين من يجيب: من 00 إلى 89 يردّ، و90 لا يردّ، و91 يرفض، و96 مشغول.", "In the simulator the last two digits decide who answers: 00 to 89 answer, 90 does not, 91 declines, 96 is busy."}
var ScenarioHint = locale.Text{"لكل سيناريو قيمه أدناه؛ تتبدّل حين تختار غيره.", "Each scenario has its own variables below; they change with your choice."}
var Weekdays = []locale.Text{
	{"الأحد", "Sunday"},
	{"الاثنين", "Monday"},
	{"الثلاثاء", "Tuesday"},
	{"الأربعاء", "Wednesday"},
	{"الخميس", "Thursday"},
	{"الجمعة", "Friday"},
	{"السبت", "Saturday"},
}

var Reasons = locale.WordTable{
	{"ring_timeout", "رنّ دون رد", "Rang without an answer"},
	{"busy", "الخط مشغول", "The line was busy"},
	{"declined", "رفض المكالمة", "The call was declined"},
	{"hung_up_early", "أغلق قبل أن يتكلم", "Hung up without speaking"},
	{"unavailable", "الهاتف مغلق أو خارج التغطية", "Phone off or out of reach"},
	{"invalid_number", "الرقم غير موجود", "The number does not exist"},
	{"switched_off", "الهاتف مغلق", "Phone switched off"},
	{"out_of_coverage", "خارج نطاق التغطية", "Out of coverage"},
	{"not_in_service", "الرقم ليس في الخدمة", "The number is not in service"},
	{"announcement", "رسالة من شركة الاتصالات", "The carrier's announcement"},
	{"ringing_tone", "نغمة رنين بعد الرد", "A ringing tone after the answer"},
	{"music", "موسيقى بعد الرد", "Music after the answer"},
	{"busy_tone", "نغمة الانشغال بعد الرد", "A busy tone after the answer"},
	{"congestion_tone", "نغمة ازدحام الشبكة بعد الرد", "A fast busy tone after the answer"},
	{"information_tone", "نغمات إعلام من الشبكة بعد الرد", "Special information tones after the answer"},
	{"voicemail", "بريد صوتي", "Voicemail"},
	{"ivr", "قائمة آلية", "Automatic menu"},
	{"fax", "فاكس", "Fax"},
	{"carrier_failure", "عطل لدى شركة الاتصالات", "The carrier failed"},
	{"no_carrier", "لا رد من شركة الاتصالات", "The carrier did not answer"},
	{"no_audio", "لا صوت على الخط", "No audio on the line"},
	{"incompatible_media", "رُدّ عليها بترميز صوت لا يُستعمل", "Answered with unusable media"},
	{"suppressed", "الرقم في قائمة المنع", "The number is on the suppression list"},
	{"blocked_destination", "وجهة ممنوعة", "The destination is blocked"},
	{"attempt_limit", "بلغ الرقم حد المحاولات", "The attempt limit is reached"},
	{"no_voice", "تعذّر نطق نص السيناريو", "The scenario's lines could not be spoken"},
	{"staff_unreached", "لم يرد الموظف على تحويلته", "The extension did not answer"},
	{"call_back_late", "لم يتوفر خط في الوقت المناسب", "No line was free in time"},
	{"operator", "أنهاها موظف", "Ended by staff"},
	{"caller_hung_up", "أغلق المتصل قبل الرد", "The caller hung up before the answer"},
	{"scenario_gone", "حُذف السيناريو", "The scenario was deleted"},
	{"interrupted", "توقف الخادم في أثنائها", "The appliance stopped during the call"},
	{"internal", "خطأ داخلي", "Internal error"},
}

var TransferWays = locale.WordTable{
	{"refer", "حوّلها خط SIP", "Transferred by the trunk"},
	{"bridge", "وُصلت بموظف", "Connected with staff"},
	{"browser", "تولّاها موظف في لوحة التحكم", "Taken over in the console"},
}

var HoldParties = locale.WordTable{
	{"customer", "وضعها الطرف الآخر في الانتظار", "On hold by the other side"},
	{"staff", "وضعها الموظف في الانتظار", "On hold by staff"},
}
var HoldSpan = locale.Text{"عند {at} مدة {for}", "at {at} for {for}"}

var TransferOutcomes = locale.WordTable{
	{"transferred", "أخذ المكالمة", "took the call"},
	{"refused", "رفض المكالمة", "refused"},
	{"busy", "مشغول", "busy"},
	{"no_answer", "لم يرد", "no answer"},
	{"failed", "تعذّر الوصل", "failed"},
	{"forbidden", "تمنعه قواعد الاتصال", "forbidden by the dialling rules"},
	{"cancelled", "أُلغي", "cancelled"},
}

var Bookings = locale.WordTable{
	{"immediate", "في الحال", "At once"},
	{"booked", "لموعد محدد", "For a set time"},
	{"moved_to_calling_hours", "نُقلت إلى ساعات الاتصال", "Moved to calling hours"},
	{"rescheduled", "أُعيدت جدولتها", "Rescheduled"},
	{"retry_booked", "إعادة محاولة", "Retry"},
}
var Unspoken = locale.Text{"لا تسجيل لهذا السطر ولا صوت يقوله: «{line}». أضف تسجيلًا له، أو اضبط speech-url، أو ثبّت espeak-ng، أو اجعل السطر اختياريًا.", "This line has no recording and no voice that can say it: “{line}”. Add a recording of it, set speech-url, install espeak-ng, or make the line optional."}
var ConfirmValueLead = locale.Text{"راجع ما يلي ثم أكّده أو صحّحه:", "Please confirm or correct:"}
var ConfirmValue = locale.Text{"هذا صحيح، احجز المكالمة", "This is right, book the call"}
var PersonSuppressed = locale.Text{"هذا الرقم في قائمة المنع.", "This number is on the suppression list."}
var SuppressPerson = locale.Text{"أضفه إلى قائمة المنع", "Add to the suppression list"}
var SuppressReason = locale.Text{"سبب المنع", "Reason"}
var SuppressReasonHint = locale.Text{"اختياري. يظهر في قائمة المنع.", "Optional. It is shown in the suppression list."}
