// Package system holds what a person sees of the appliance itself.
package system

import "munadi/ui/locale"

var Title = locale.Text{"النظام", "System"}
var Lead = locale.Text{"هذا الخادم: نموذجه وتخزينه وإعداداته وسجلّه.", "This appliance: its model, storage, settings and log."}
var About = locale.Text{"عن الخدمة", "The service"}
var Version = locale.Text{"الإصدار", "Version"}
var Started = locale.Text{"بدأت", "Started"}
var Address = locale.Text{"العنوان", "Address"}
var Model = locale.Text{"نموذج التعرّف", "Recognition model"}
var Layout = locale.Text{"الصيغة", "Layout"}
var Decoding = locale.Text{"طريقة فكّ الترميز", "Decoding"}
var Precision = locale.Text{"الدقّة العددية", "Precision"}
var PrecisionSaturates = locale.Text{"%s: تفيض المجاميع على هذا المعالج لأنه بلا VNNI، وقد تخطئ الكلمات. ثبّت النموذج الأصلي من جديد بأوزان 8 بت.", "%s: sums overflow on this processor, which lacks VNNI, and words may be wrong. Install the original again with 8-bit weights."}
var Vocabulary = locale.Text{"المفردات", "Vocabulary"}
var Threads = locale.Text{"خيوط المعالجة", "Threads"}
var Size = locale.Text{"الحجم", "Size"}
var ModelLabel = locale.Text{"قدرات النموذج وحدوده", "What the model can and cannot do"}
var Loading = locale.Text{"يُحمَّل الآن", "loading"}
var Engine = locale.Text{"التعرّف في الساعة الأخيرة", "Recognition in the last hour"}
var Storage = locale.Text{"التخزين", "Storage"}
var Database = locale.Text{"قاعدة البيانات", "Database"}
var Recordings = locale.Text{"التسجيلات", "Recordings"}
var Free = locale.Text{"المتاح", "Free"}
var Used = locale.Text{"المستعمل من القرص", "Used of the disk"}
var Folder = locale.Text{"المجلد", "Folder"}
var Backup = locale.Text{"النسخ الاحتياطي", "Backup"}
var BackupLast = locale.Text{"آخر نسخة", "Last one"}
var BackupNever = locale.Text{"لا نسخة بعد.", "None yet."}
var BackupHow = locale.Text{"نسخة كاملة مشفّرة في ملف تختاره، والخدمة تعمل:", "A full encrypted backup to a file of your choice, while the service runs:"}
var BackupNext = locale.Text{"النسخة التالية", "Next one"}
var BackupOff = locale.Text{"النسخ الليلي متوقف. لتشغيله اضبط backup-at.", "Nightly backups are off. Set backup-at to turn them on."}
var BackupKept = locale.Text{"عدد النسخ المحفوظة", "Backups kept"}
var BackupNow = locale.Text{"انسخ الآن", "Back up now"}
var BackupBusy = locale.Text{"يجري النسخ…", "Backing up…"}
var BackupBegun = locale.Text{"بدأ النسخ الاحتياطي، وتظهر النسخة هنا حين تتم.", "The backup has begun; it shows up here when it is done."}
var BackupOpen = locale.Text{"هذه النسخ غير مشفّرة، وهي في مجلد البيانات بجوار قاعدة البيانات. اضبط backup-recipient لتشفيرها.", "These backups are not encrypted; they are in the data folder, next to the database. Set backup-recipient to encrypt them."}
var BackupFault = locale.Text{"تعذّر النسخ الاحتياطي:", "The backup failed:"}
var Line = locale.Text{"خطوط الهاتف", "Telephone lines"}
var LineUp = locale.Text{"جاهز للاتصال", "ready to dial"}
var LineUnheard = locale.Text{"لم يتبيّن بعد هل يقبل المكالمات", "not known yet whether it takes calls"}
var LineDown = locale.Text{"المكالمات تنتظر", "calls wait"}
var LineSince = locale.Text{"تغيّرت حاله", "Changed"}
var NoTrunk = locale.Text{"لا خط SIP مضبوطًا، والمكالمات تنتظر.", "No SIP trunk is set: calls wait."}
var TrunksGo = locale.Text{"خطوط SIP", "SIP trunks"}
var Trunk = locale.Text{"خط SIP", "SIP trunk"}
var Prefixes = locale.Text{"الأرقام التي تبدأ بـ", "Numbers that begin with"}
var Registered = locale.Text{"التسجيل لديه حتى", "Registered until"}
var Unregistered = locale.Text{"غير مسجَّل الآن", "not now"}
var Health = locale.Text{"الخدمات الداخلية", "Internal services"}
var Healthy = locale.Text{"تعمل", "running"}
var Stumbles = locale.Text{"يعاد تشغيلها", "restarting"}
var Settings = locale.Text{"الإعدادات السارية", "Settings in force"}
var SettingsLead = locale.Text{"من سطر الأوامر والبيئة وملف munadi.yaml، بلا أسرار.", "From the command line, the environment and munadi.yaml, without secrets."}
var Setting = locale.Text{"الإعداد", "Setting"}
var Value = locale.Text{"القيمة", "Value"}
var Default = locale.Text{"الافتراضي", "Default"}
var Sources = locale.Text{"المصادر والتراخيص", "Sources and licences"}
var SourcesLead = locale.Text{"برامج وبيانات من جهات أخرى داخل مُنادي.", "Third-party software and data in Munadi."}
var Log = locale.Text{"آخر أسطر السجل", "Last lines of the log"}
var LogLead = locale.Text{"الأحدث في الأعلى، بتوقيت {zone}.", "The newest at the top, in {zone} time."}
var LogNone = locale.Text{"لا شيء بعد.", "Nothing yet."}
var AlertMail = locale.Text{"من يُرسل إليه البريد عند التنبيه، وإرسال رسالة تجريبية", "Recipients of alert e-mails, and a test e-mail"}
var Attention = locale.Text{"ما يحتاج إلى انتباه", "Needs attention"}
var AttentionShow = locale.Text{"اعرض", "Show"}
var AttentionNone = locale.Text{"كل شيء يعمل", "Everything works"}
var DiskLow = locale.Text{"القرص يكاد يمتلئ.", "The disk is nearly full."}
var BackupFails = locale.Text{"تعذّر النسخ الاحتياطي.", "The backup failed."}
var BackupPlain = locale.Text{"النسخ الاحتياطية غير مشفّرة.", "Backups are not encrypted."}
var OnlyGovernor = locale.Text{"التخزين والإعدادات والسجل لمدير الخادم وحده.", "Storage, settings and log are for the administrator only."}
var Speakers = locale.Text{"متكلّمون معًا في الزمن الحقيقي", "Live speakers at once, in real time"}
var Conversations = locale.Text{"مكالمات معًا في الزمن الحقيقي", "Calls at once, in real time"}
var Latency = locale.Text{"تأخّر النص الحيّ (live-latency)", "Latency of live text (live-latency)"}

// by the name of the duty
var Workers = locale.WordTable{
	{"schedule", "جدولة المكالمات", "Schedule of calls"},
	{"keys", "مفاتيح API", "API keys"},
	{"jobs", "تفريغ الملفات الطويلة", "Long files"},
	{"webhooks", "إرسال الإشعارات", "Webhooks"},
	{"retention", "مدد الحفظ", "Retention"},
	{"trunk settings", "إعدادات خطوط SIP", "SIP trunk settings"},
	{"destinations", "إرسال الأحداث إلى وجهاتها", "Delivery of events to destinations"},
	{"replays", "إعادة المكالمات", "Replays of calls"},
	{"identity provider", "خادم الدخول في الشركة", "Identity provider"},
	{"bulk changes", "الإجراءات الجماعية", "Bulk changes"},
	{"backups", "النسخ الاحتياطي", "Backups"},
	{"live", "الجلسات المباشرة", "Live sessions"},
	{"models", "تثبيت النماذج", "Installing models"},
	{"voices", "فحص ملفات الأصوات", "Verification of voices"},
	{"capacity", "قياس السعة", "Capacity measurement"},
	{"callbacks", "إرسال نتائج التفريغ", "Results of long files"},
	{"storage", "مراقبة القرص", "Disk check"},
	{"integrity", "فحص قاعدة البيانات", "Database verification"},
	{"sweep", "حذف ما انتهت مدته", "Deletion of what has expired"},
	{"admin", "سطر الأوامر", "Command line"},
	{"watchdog", "مراقبة عمل الخدمة", "Watchdog"},
	{"vitals", "القياسات", "Measurements"},
	{"certificate", "شهادة TLS", "TLS certificate"},
	{"trunk", "خط SIP", "SIP trunk"},
	{"lease", "الاشتراك في قاعدة البيانات", "Lease on the shared database"},
	{"relay", "ما يجري على الخوادم الأخرى", "Events of other appliances"},
	{"limits", "الحدود المشتركة", "Shared limits"},
	{"recordings", "إرسال التسجيلات إلى المخزن", "Uploads of recordings to the bucket"},
	{"live recordings", "إرسال تسجيلات الجلسات إلى المخزن", "Uploads of live sessions to the bucket"},
	{"prompts", "مشاركة تسجيلات الأسطر", "Shared prompts"},
	{"shared models", "مشاركة النماذج", "Shared models"},
	{"bucket", "مراقبة المخزن", "Bucket check"},
	{"alerts", "التنبيهات", "Alerts"},
	{"alert-mails", "إرسال التنبيهات بالبريد", "Alert e-mails"},
}

// WorkerName returns the display name of a background worker; its own name without one.
func WorkerName(l locale.Language, name string) string {
	if known := Workers.Word(l, name); known != "" {
		return known
	}
	return name
}
