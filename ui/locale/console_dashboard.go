package locale

import (
	"fmt"
	"strings"
)

// DashboardWords is the first page: today.
type DashboardWords struct {
	Title, Lead           string
	NewCall, Day, DayNone string
	Reached, Running      string
	Waiting, Speed        string
	OfEnded, OfLines      CountedText // notes under figures
	Queue, OfAnswers      CountedText
	Confirmed, NoAnswers  string
	DoneAt                string // with {at}
	DoneNone, DoneLater   string
	DoneStopped           string
	Overdue, OverdueDo    string
	OverdueWhy            CountedText
	Idle                  string
	SpeedUnit             string // after a multiple of real time
	ByHour, ByHourNone    string
	Load, LoadNone        string
	Factor, FactorNone    string
	LoadSum, FactorSum    string // with {now} and {top}
	Needs, AllWell        string
	FirstTitle            string // when there never was a call
	First, FirstReal      string // in the simulator, and over real lines
	FirstDo, Zone         string

	Webhooks, WebhooksDo     string
	FailedDo                 string
	WebhooksWhy              CountedText
	WebhooksMany             string // {n} is a number of hundreds
	Trunk, TrunkWhy, TrunkDo string
	Disk, DiskWhy, DiskDo    string
	Worker, WorkerWhy        string
	Backup, BackupWhy        string
	Kill, KillWhy, KillDo    string
	HourAgo, Now             string
}

// DashboardIn returns its strings.
func DashboardIn(l Language) DashboardWords {
	return pickLanguage(l, DashboardWords{
		Title: "اليوم", Lead: "ما جرى اليوم، وما حُجز لبقيّته، وما يحتاج إليك الآن.",
		NewCall: "مكالمة جديدة", Day: "خط اليوم، من اليسار إلى اليمين", DayNone: "لا مكالمات اليوم بعد.",
		Reached: "اكتملت اليوم", Running: "على الخط الآن", Waiting: "في الانتظار", Speed: "سرعة التعرّف",
		OfAnswers: arabicNoun("من ", "0 إجابات", "إجابة واحدة", "إجابتين", "إجابات", "إجابة", "إجابة", ""),
		Confirmed: "أكّدوا اليوم", NoAnswers: "لا إجابات بعد", DoneAt: "ينتهي نحو {at}", DoneNone: "لا شيء ينتظر اليوم",
		DoneLater: "لا ينتهي اليوم", DoneStopped: "الاتصال متوقف",
		Overdue: "مكالمات من أيام مضت تنتظر", OverdueDo: "اعرضها",
		OverdueWhy: arabicNoun("", "لا مكالمات", "مكالمة واحدة حان موعدها قبل اليوم", "مكالمتان حان موعدهما قبل اليوم",
			"مكالمات حان موعدها قبل اليوم", "مكالمة حان موعدها قبل اليوم", "مكالمة حان موعدها قبل اليوم", "، ولم يبدأ الاتصال بها بعد.").
			withDual("مكالمتان حان موعدهما قبل اليوم، ولم يبدأ الاتصال بهما بعد."),
		OfEnded: arabicOfCalls("من ", " انتهت").withDual("من مكالمتين انتهتا"),
		OfLines: arabicCount("بلا خطوط", "من خط واحد", "من خطين", "من {n} خطوط", "من {n} خطًا", "من {n} خط"),
		Queue:   arabicNoun("", "لا مهام", "مهمة واحدة", "مهمتان", "مهام", "مهمة", "مهمة", " في طابور التعرّف"),
		Idle:    "لم يُطلب شيء بعد", SpeedUnit: "× سرعة الكلام",
		ByHour: "مكالمات اليوم بالساعة والنتيجة", ByHourNone: "تظهر الأعمدة مع أول مكالمة اليوم.",
		Load: "حمل التعرّف: مهام في وقت واحد", LoadSum: "الآن {now} · الأعلى {top}", FactorSum: "الآن {now} م.ث · الأعلى {top} م.ث", LoadNone: "يظهر الخط بعد دقيقتين من التشغيل.",
		Factor: "زمن التعرّف لكل ثانية كلام", FactorNone: "لم يُتعرَّف على كلام في الساعة الأخيرة.",
		Needs: "يحتاج إليك الآن", AllWell: "كل شيء يعمل، ولا شيء يحتاج إليك الآن.",
		FirstTitle: "لا مكالمات بعد", First: "احجز مكالمة أولى في المحاكي: لا يرنّ أي هاتف، وتسمعها وتقرؤها وهي تجري.",
		FirstReal: "احجز مكالمة أولى إلى هاتفك: يرنّ فعلًا، وتقرأ المكالمة هنا وهي تجري.",
		FirstDo:   "احجز أول مكالمة", Zone: "المنطقة الزمنية",
		Webhooks: "إشعارات لم تصل", WebhooksWhy: arabicCount("", "فشلت كل محاولات إرسال إشعار واحد إلى نظامك.",
			"فشلت كل محاولات إرسال إشعارين إلى نظامك.", "فشلت كل محاولات إرسال {n} إشعارات إلى نظامك.",
			"فشلت كل محاولات إرسال {n} إشعارًا إلى نظامك.", "فشلت كل محاولات إرسال {n} إشعار إلى نظامك."),
		WebhooksMany: "فشلت كل محاولات إرسال {n} إشعار على الأقل إلى نظامك.",
		WebhooksDo:   "افتح الإشعارات",
		FailedDo:     "اعرض الفاشلة",
		Trunk:        "المكالمات تنتظر خط SIP", TrunkWhy: "تنتظر المكالمات منذ {since}، وتبدأ حين يقبلها الخط.", TrunkDo: "افتح النظام",
		Disk: "القرص يكاد يمتلئ", DiskWhy: "المتاح {free}. عند امتلائه تتوقف المكالمات.", DiskDo: "افتح النظام",
		Backup: "لا نسخة احتياطية حديثة", BackupWhy: "لم تُحفظ آخر نسخة. السبب في صفحة النظام.",
		Worker: "تعطلت خدمة داخلية", WorkerWhy: "يعاد تشغيل «{name}» الآن.",
		Kill: "الاتصال متوقف", KillWhy: "لا تبدأ أي مكالمة جديدة حتى تستأنف.", KillDo: "افتح القواعد",
		HourAgo: "قبل ساعة", Now: "الآن",
	}, DashboardWords{
		Title: "Today", Lead: "What happened today, what is booked for the rest of it, and what needs you now.",
		NewCall: "New call", Day: "Today from left to right", DayNone: "No calls today yet.",
		Reached: "Completed today", Running: "On the line now", Waiting: "Waiting", Speed: "Recognition speed",
		OfAnswers: englishCount("of one answer", "of {n} answers"),
		Confirmed: "Confirmed today", NoAnswers: "no answers yet", DoneAt: "done at about {at}", DoneNone: "nothing waits today",
		DoneLater: "not done today", DoneStopped: "calling is stopped",
		Overdue: "Calls of earlier days still wait", OverdueDo: "Show them",
		OverdueWhy: englishCount("One call was due before today and has not been dialled.",
			"{n} calls were due before today and have not been dialled."),
		OfEnded: englishCount("of one that ended", "of {n} that ended"), OfLines: englishCount("of one line", "of {n} lines"),
		Queue: englishCount("one in the recognizer's queue", "{n} in the recognizer's queue"), Idle: "no request yet", SpeedUnit: "× the speed of speech",
		ByHour: "Today's calls by hour and outcome", ByHourNone: "Bars appear with the day's first call.",
		Load: "Recognition load: tasks at once", LoadSum: "now {now} · most {top}", FactorSum: "now {now} ms · most {top} ms", LoadNone: "The line appears two minutes after the start.",
		Factor: "Recognition time per second of speech", FactorNone: "No speech was recognized in the last hour.",
		Needs: "Needs you now", AllWell: "Everything works; nothing needs you now.",
		FirstTitle: "No calls yet", First: "Book a first call in the simulator: no telephone rings, and you hear and read it while it runs.",
		FirstReal: "Book a first call to your own telephone: it really rings, and you read the call here while it runs.",
		FirstDo:   "Book the first call", Zone: "Time zone",
		Webhooks: "Webhooks that were not delivered", WebhooksWhy: englishCount("Every attempt to send one webhook to your server failed.",
			"Every attempt to send {n} webhooks to your server failed."),
		WebhooksMany: "Every attempt to send at least {n} webhooks to your server failed.",
		WebhooksDo:   "Open the webhook",
		FailedDo:     "Show the failed ones",
		Trunk:        "Calls wait for the SIP trunk", TrunkWhy: "Calls wait since {since}, and are dialled when the trunk takes calls again.", TrunkDo: "Open the system page",
		Disk: "The disk is nearly full", DiskWhy: "{free} left. When it is full, calls stop.", DiskDo: "Open the system page",
		Backup: "There is no recent backup", BackupWhy: "The last backup failed. The system page shows why.",
		Worker: "An internal service failed", WorkerWhy: "“{name}” is being restarted.",
		Kill: "Calling is stopped", KillWhy: "The kill switch is on: no new call is dialled until you resume.", KillDo: "Open the rules",
		HourAgo: "an hour ago", Now: "now",
	})
}

// FillSentence puts values into a sentence's {placeholders}, given as name, value, name, value.
func FillSentence(sentence string, pairs ...any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		sentence = strings.ReplaceAll(sentence, fmt.Sprintf("{%v}", pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	return sentence
}
