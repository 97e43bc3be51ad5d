// Package dashboard holds what a person sees of the day: the first page of the console.
package dashboard

import "munadi/ui/locale"

var Title = locale.Text{"اليوم", "Today"}
var Lead = locale.Text{"ما جرى اليوم، وما حُجز لبقيّته، وما يحتاج إليك الآن.", "What happened today, what is booked for the rest of it, and what needs you now."}
var NewCall = locale.Text{"مكالمة جديدة", "New call"}
var Reached = locale.Text{"اكتملت اليوم", "Completed today"}
var Running = locale.Text{"على الخط الآن", "On the line now"}
var Waiting = locale.Text{"في الانتظار", "Waiting"}
var Speed = locale.Text{"سرعة التعرّف", "Recognition speed"}

// notes under figures
var Past = locale.Text{"أمس حتى هذا الوقت {yesterday}، قبل أسبوع {week}", "by now yesterday {yesterday}, a week ago {week}"}
var OfEnded = locale.CountedPair{locale.ArabicOfCalls("من ", " انتهت").WithDual("من مكالمتين انتهتا"), locale.EnglishCount("of one that ended", "of {n} that ended")}
var OfLines = locale.CountedPair{locale.ArabicCount("بلا خطوط", "من خط واحد", "من خطين", "من {n} خطوط", "من {n} خطًا", "من {n} خط"), locale.EnglishCount("of one line", "of {n} lines")}
var Queue = locale.CountedPair{locale.ArabicNoun("", "لا مهام", "مهمة واحدة", "مهمتان", "مهام", "مهمة", "مهمة", " في طابور التعرّف"), locale.EnglishCount("one in the recognizer's queue", "{n} in the recognizer's queue")}
var OfAnswers = locale.CountedPair{locale.ArabicNoun("من ", "0 إجابات", "إجابة واحدة", "إجابتين", "إجابات", "إجابة", "إجابة", ""), locale.EnglishCount("of one answer", "of {n} answers")}
var AndInbound = locale.Text{"{note}، واتصل بكم {n}", "{note}; {n} called you"}
var AndConfirmed = locale.Text{"{note}، وأكّد {n} ممن اتصلوا بكم", "{note}; {n} who called you confirmed"}
var Confirmed = locale.Text{"أكّدوا اليوم", "Confirmed today"}
var NoAnswers = locale.Text{"لا إجابات بعد", "no answers yet"}
var DoneAt = locale.Text{"ينتهي نحو {at}", "done at about {at}"}
var DoneNone = locale.Text{"لا شيء ينتظر اليوم", "nothing waits today"}
var DoneLater = locale.Text{"لا ينتهي اليوم", "not done today"}
var DonePaused = locale.Text{"في حملات متوقفة مؤقتًا", "in paused campaigns"}
var DoneStopped = locale.Text{"الاتصال متوقف", "calling is stopped"}
var Overdue = locale.Text{"مكالمات من أيام مضت تنتظر", "Calls of earlier days still wait"}
var OverdueDo = locale.Text{"اعرضها", "Show them"}
var OverdueWhy = locale.CountedPair{locale.ArabicNoun("", "لا مكالمات", "مكالمة واحدة حان موعدها قبل اليوم", "مكالمتان حان موعدهما قبل اليوم", "مكالمات حان موعدها قبل اليوم", "مكالمة حان موعدها قبل اليوم", "مكالمة حان موعدها قبل اليوم", "، ولم يبدأ الاتصال بها بعد.").WithDual("مكالمتان حان موعدهما قبل اليوم، ولم يبدأ الاتصال بهما بعد."), locale.EnglishCount("One call was due before today and has not been dialled.", "{n} calls were due before today and have not been dialled.")}
var Idle = locale.Text{"لم يُطلب شيء بعد", "no request yet"}

// after a multiple of real time
var SpeedUnit = locale.Text{"× سرعة الكلام", "× the speed of speech"}
var ByHour = locale.Text{"مكالمات اليوم بالساعة والنتيجة", "Today's calls by hour and outcome"}
var ByHourNone = locale.Text{"تظهر الأعمدة مع أول مكالمة اليوم.", "Bars appear with the day's first call."}
var Load = locale.Text{"حمل التعرّف: مهام في وقت واحد", "Recognition load: tasks at once"}
var LoadNone = locale.Text{"يظهر الخط بعد دقيقتين من التشغيل.", "The line appears two minutes after the start."}
var Factor = locale.Text{"زمن التعرّف لكل ثانية كلام", "Recognition time per second of speech"}
var FactorNone = locale.Text{"لم يُتعرَّف على كلام في الساعة الأخيرة.", "No speech was recognized in the last hour."}
var LoadSum = locale.Text{"الآن {now} · الأعلى {top}", "now {now} · most {top}"}
var FactorSum = locale.Text{"الآن {now} م.ث · الأعلى {top} م.ث", "now {now} ms · most {top} ms"}
var Needs = locale.Text{"يحتاج إليك الآن", "Needs you now"}
var AllWell = locale.Text{"كل شيء يعمل، ولا شيء يحتاج إليك الآن.", "Everything works; nothing needs you now."}

// when there never was a call
var FirstTitle = locale.Text{"لا مكالمات بعد", "No calls yet"}

// in the simulator, and over real lines
var First = locale.Text{"احجز مكالمة أولى في المحاكي: لا يرنّ أي هاتف، وتسمعها وتقرؤها وهي تجري.", "Book a first call in the simulator: no telephone rings, and you hear and read it while it runs."}
var FirstReal = locale.Text{"احجز مكالمة أولى إلى هاتفك: يرنّ فعلًا، وتقرأ المكالمة هنا وهي تجري.", "Book a first call to your own telephone: it really rings, and you read the call here while it runs."}
var FirstDo = locale.Text{"احجز أول مكالمة", "Book the first call"}
var Zone = locale.Text{"المنطقة الزمنية", "Time zone"}
var Webhooks = locale.Text{"إشعارات لم تصل", "Webhooks that were not delivered"}
var WebhooksDo = locale.Text{"افتح الإشعارات", "Open the webhook"}
var FailedDo = locale.Text{"اعرض الفاشلة", "Show the failed ones"}
var OverdueMany = locale.Text{"مكالمات كثيرة ({n} على الأقل) حان موعدها قبل اليوم، ولم يبدأ الاتصال بها بعد.", "At least {n} calls were due before today and have not been dialled."}
var WebhooksWhy = locale.CountedPair{locale.ArabicCount("", "فشلت كل محاولات إرسال إشعار واحد إلى نظامك.", "فشلت كل محاولات إرسال إشعارين إلى نظامك.", "فشلت كل محاولات إرسال {n} إشعارات إلى نظامك.", "فشلت كل محاولات إرسال {n} إشعارًا إلى نظامك.", "فشلت كل محاولات إرسال {n} إشعار إلى نظامك."), locale.EnglishCount("Every attempt to send one webhook to your server failed.", "Every attempt to send {n} webhooks to your server failed.")}
var WebhooksMany = locale.Text{"فشلت كل محاولات إرسال {n} إشعار على الأقل إلى نظامك.", "Every attempt to send at least {n} webhooks to your server failed."}
var Trunk = locale.Text{"المكالمات تنتظر خط SIP", "Calls wait for the SIP trunk"}
var TrunkWhy = locale.Text{"تنتظر المكالمات منذ {since}، وتبدأ حين يقبلها الخط.", "Calls wait since {since}, and are dialled when the trunk takes calls again."}
var NoTrunk = locale.Text{"لا خط SIP مضبوطًا", "No SIP trunk is set"}
var NoTrunkWhy = locale.Text{"تنتظر المكالمات حتى يضيف المدير خطًا في صفحة خطوط SIP.", "Calls wait until an administrator adds one on the page SIP trunks."}
var TrunkDo = locale.Text{"افتح النظام", "Open the system page"}
var TrunksDo = locale.Text{"افتح خطوط SIP", "Open SIP trunks"}
var Disk = locale.Text{"القرص يكاد يمتلئ", "The disk is nearly full"}
var DiskWhy = locale.Text{"المتاح {free}. عند امتلائه تتوقف المكالمات.", "{free} left. When it is full, calls stop."}
var DiskDo = locale.Text{"افتح النظام", "Open the system page"}
var Worker = locale.Text{"تعطلت خدمة داخلية", "An internal service failed"}
var WorkerWhy = locale.Text{"يعاد تشغيل «{name}» الآن.", "“{name}” is being restarted."}
var Backup = locale.Text{"لا نسخة احتياطية حديثة", "There is no recent backup"}
var BackupWhy = locale.Text{"لم تُحفظ آخر نسخة. السبب في صفحة النظام.", "The last backup failed. The system page shows why."}
var Kill = locale.Text{"الاتصال متوقف", "Calling is stopped"}
var KillWhy = locale.Text{"لا تبدأ أي مكالمة جديدة حتى تستأنف.", "The kill switch is on: no new call is dialled until you resume."}
var KillDo = locale.Text{"افتح القواعد", "Open the rules"}
var HourAgo = locale.Text{"قبل ساعة", "an hour ago"}
var Now = locale.Text{"الآن", "now"}
