// Package campaigns holds what a person sees of campaigns.
package campaigns

import "munadi/ui/locale"

var Title = locale.Text{"الحملات", "Campaigns"}
var Lead = locale.Text{"مكالمات كثيرة بسيناريو واحد، تبدأ وتتوقف وتُحصى معًا.", "Many calls of one scenario that start, pause and are counted together."}
var New = locale.Text{"حملة جديدة", "New campaign"}
var Search = locale.Text{"اسم حملة أو سيناريو", "Name of a campaign or scenario"}
var Name = locale.Text{"الاسم", "Name"}
var Scenario = locale.Text{"السيناريو", "Scenario"}
var Status = locale.Text{"الحالة", "Status"}
var Progress = locale.Text{"التقدم", "Progress"}
var Answers = locale.Text{"الإجابات", "Answers"}
var Began = locale.Text{"البداية", "Start"}
var Empty = locale.Text{"لا حملات بعد", "No campaigns yet"}
var EmptyLead = locale.Text{"ارفع ملف Excel أو CSV كما هو عندك، وطابق أعمدته مرة واحدة، ثم تابع الإجابات وهي تصل.", "Upload an Excel or CSV file as you have it, match its columns once, and watch the answers come in."}
var Done = locale.Text{"الأشخاص: انتهى {done} من {total}", "{done} of {total} people done"}

// while its calls are being booked
var Booking = locale.Text{"تُحجز مكالمات الحملة الآن.", "The calls of this campaign are being booked."}

// buttons
var Pause = locale.Text{"إيقاف مؤقت", "Pause"}
var Resume = locale.Text{"استئناف", "Resume"}
var Cancel = locale.Text{"إلغاء الحملة", "Cancel campaign"}
var Retry = locale.Text{"اتصل بمن تعذّر الوصول إليهم", "Retry the unreached"}
var Results = locale.Text{"النتائج CSV", "Results as CSV"}
var Calls = locale.Text{"مكالمات الحملة", "Calls of this campaign"}
var CancelTitle = locale.Text{"إلغاء الحملة", "Cancel the campaign"}
var CancelLead = locale.Text{"لن يُتصل بمن ينتظر دوره في الحملة، وتكمل المكالمات الجارية. لا يمكن التراجع.", "Waiting calls of the campaign are not dialled; running calls end by themselves. This cannot be undone."}
var CancelDo = locale.Text{"نعم، ألغِ الحملة", "Yes, cancel the campaign"}
var RetryTitle = locale.Text{"الاتصال بمن تعذّر الوصول إليهم", "Retry the unreached"}
var RetryLead = locale.Text{"تُحجز في الحملة نفسها مكالمة جديدة لكل من تعذّر الوصول إليه (حتى {count})، إلا من رفض، أو كان رقمه في قائمة المنع، أو له مكالمة مجدولة.", "A new call is booked in this campaign for each person who was not reached (up to {count}); not for those " + "who declined, whose number is on the suppression list, or who have a scheduled call."}
var RetryDo = locale.Text{"نعم، اتصل بهم", "Yes, call them again"}

// afterwards
var Paused = locale.Text{"توقفت الحملة مؤقتًا: لا تبدأ منها مكالمة جديدة.", "The campaign is paused: no further call of it is dialled."}
var Resumed = locale.Text{"استؤنفت الحملة.", "The campaign runs again."}
var Cancelled = locale.Text{"أُلغيت الحملة.", "The campaign is cancelled."}
var Retried = locale.Text{"حُجزت مكالمات لمن تعذّر الوصول إليهم.", "Calls are booked for the unreached."}
var Refused = locale.Text{"حالة الحملة الآن لا تسمح بهذا: {status}.", "The campaign's status does not allow this: {status}."}
var States = locale.Text{"الأشخاص حسب نتيجة مكالماتهم", "People by the outcome of their calls"}
var NoAnswers = locale.Text{"لا إجابات بعد", "No answers yet"}
var NoAnswersEnd = locale.Text{"لا إجابات", "No answers"}
var NoAnswersEndLead = locale.Text{"لم تأتِ مكالمة من هذه الحملة بإجابة.", "No call of this campaign brought an answer."}
var NoAnswersLead = locale.Text{"تظهر هنا إجابات الناس معدودة حين تنتهي أول مكالمة.", "What people answer is counted here when the first call has ended."}
var Others = locale.Text{"إجابات أخرى: {count}", "Other answers: {count}"}
var Details = locale.Text{"إعدادات الحملة", "Settings of the campaign"}
var Made = locale.Text{"أُنشئت", "Created"}
var Starts = locale.Text{"تبدأ", "Starts"}
var Ends = locale.Text{"تنتهي", "Ends"}
var AtOnce = locale.Text{"في الحال", "At once"}
var Never = locale.Text{"حين تنتهي مكالماتها", "When its calls have ended"}
var Pace = locale.Text{"السرعة", "Pace"}
var NoPace = locale.Text{"بلا حد", "No limit"}
var PerMinute = locale.Text{"مكالمات في الدقيقة: {count}", "{count} calls a minute"}
var Lines = locale.Text{"مكالمات في وقت واحد", "Calls at once"}
var NoLines = locale.Text{"بلا حد", "No limit"}
var Attempts = locale.Text{"المحاولات لكل شخص", "Attempts for each person"}
var Waits = locale.Text{"الانتظار قبل الإعادة (دقائق): {count}", "Wait before each retry (minutes): {count}"}
var People = locale.Text{"الأشخاص", "People"}
var Unreached = locale.Text{"تعذّر الوصول إليهم", "Not reached"}
var NoPeople = locale.Text{"لا أحد هنا.", "No people here."}
var PersonCalls = locale.Text{"المحاولة", "Attempt"}
var Caller = locale.Text{"الرقم الذي يظهر للناس", "Number that people see"}
var UsualCaller = locale.Text{"رقم المنظمة أو رقم خط SIP", "The organization's number, or the trunk's"}
var Skipped = locale.Text{"صفوف لم تُحجز", "Rows that were not booked"}
var Number = locale.Text{"الرقم", "Number"}
var Why = locale.Text{"السبب", "Reason"}

// they are damaged on the disk
var SheetCalls = locale.Text{"المكالمات", "Calls"}
var SheetSkipped = locale.Text{"لم تُحجز", "Not booked"}
var SheetName = locale.Text{"الورقة", "Sheet"}
var Person = locale.Text{"الاسم", "Name"}
var SheetRow = locale.Text{"الصف", "Row"}
var SkippedLost = locale.Text{"تعذّرت قراءة الصفوف التي لم تُحجز: تلفت على القرص.", "The rows that were not booked cannot be read: they are damaged on the disk."}
var Statuses = locale.WordTable{
	{"scheduled", "تبدأ لاحقًا", "Starts later"},
	{"running", "جارية", "Running"},
	{"paused", "متوقفة مؤقتًا", "Paused"},
	{"finished", "انتهت", "Finished"},
	{"cancelled", "أُلغيت", "Cancelled"},
}

var SkipReasons = locale.WordTable{
	{"invalid", "فيه خطأ", "Has an error"},
	{"duplicate", "رقم مكرر", "Duplicate number"},
	{"suppressed", "الرقم في قائمة المنع", "On the suppression list"},
}
