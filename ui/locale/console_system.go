package locale

// SystemWords is the page about the appliance itself.
type SystemWords struct {
	Title, Lead                          string
	About, Version, Started, Address     string
	Model, Name, Layout, Decoding        string
	Precision, Vocabulary, Threads       string
	Size, ModelLabel, Loading, Engine    string
	Storage, Database, Recordings        string
	Free, Used, Folder                   string
	Backup, BackupLast, BackupNever      string
	BackupHow, BackupNext, BackupOff     string
	BackupKept, BackupNow, BackupBusy    string
	BackupBegun, BackupOpen, BackupFault string
	Line, LineState, LineUp, LineDown    string
	LineSince, Trunk, Prefixes           string
	Registered, Unregistered             string
	Health, Healthy, Stumbles            string
	Settings, SettingsLead               string
	Setting, Value, Default              string
	Sources, SourcesLead                 string
	Log, LogLead, LogNone, AlertMail     string
	OnlyGovernor                         string
	Speakers, Conversations, Latency     string
	Workers                              map[string]string // by the name of the duty
}

// SystemIn returns its strings.
func SystemIn(l Language) SystemWords {
	return pickLanguage(l, SystemWords{
		AlertMail: "من يُرسل إليه البريد عند التنبيه، وإرسال رسالة تجريبية",
		Title:     "النظام", Lead: "هذا الخادم: نموذجه وتخزينه وإعداداته وسجلّه.",
		About: "عن الخدمة", Version: "الإصدار", Started: "بدأت", Address: "العنوان",
		Model: "نموذج التعرّف", Name: "الاسم", Layout: "الصيغة", Decoding: "طريقة فكّ الترميز", Precision: "الدقّة العددية",
		Vocabulary: "المفردات", Threads: "خيوط المعالجة", Size: "الحجم", ModelLabel: "قدرات النموذج وحدوده", Loading: "يُحمَّل الآن", Engine: "التعرّف في الساعة الأخيرة",
		Storage: "التخزين", Database: "قاعدة البيانات", Recordings: "التسجيلات", Free: "المتاح", Used: "المستعمل من القرص",
		Folder: "المجلد",
		Backup: "النسخ الاحتياطي", BackupLast: "آخر نسخة", BackupNever: "لا نسخة بعد.",
		BackupHow:  "نسخة كاملة مشفّرة في ملف تختاره، والخدمة تعمل:",
		BackupNext: "النسخة التالية", BackupOff: "النسخ الليلي متوقف. لتشغيله اضبط backup-at.", BackupKept: "عدد النسخ المحفوظة",
		BackupNow: "انسخ الآن", BackupBusy: "يجري النسخ…", BackupBegun: "بدأ النسخ الاحتياطي، وتظهر النسخة هنا حين تتم.",
		BackupOpen:  "هذه النسخ غير مشفّرة، وهي في مجلد البيانات بجوار قاعدة البيانات. اضبط backup-recipient لتشفيرها.",
		BackupFault: "تعذّر النسخ الاحتياطي:",
		Line:        "خطوط الهاتف", LineState: "الحالة", LineUp: "جاهز للاتصال", LineDown: "المكالمات تنتظر", LineSince: "منذ",
		Trunk: "خط SIP", Prefixes: "الأرقام التي تبدأ بـ", Registered: "التسجيل لديه حتى", Unregistered: "غير مسجَّل الآن",
		Health: "الخدمات الداخلية", Healthy: "تعمل", Stumbles: "يعاد تشغيلها",
		Settings: "الإعدادات السارية", SettingsLead: "من سطر الأوامر والبيئة وملف munadi.yaml، بلا أسرار.",
		Setting: "الإعداد", Value: "القيمة", Default: "الافتراضي",
		Sources: "المصادر والتراخيص", SourcesLead: "برامج وبيانات من جهات أخرى داخل مُنادي.",
		Log: "آخر أسطر السجل", LogLead: "الأحدث في الأسفل.", LogNone: "لا شيء بعد.",
		Workers:  workersArabic(),
		Speakers: "متكلّمون معًا في الزمن الحقيقي", Conversations: "مكالمات معًا في الزمن الحقيقي",
		Latency:      "تأخّر النص الحيّ (live-latency)",
		OnlyGovernor: "التخزين والإعدادات والسجل لمدير الخادم وحده.",
	}, SystemWords{
		AlertMail: "Recipients of alert e-mails, and a test e-mail",
		Title:     "System", Lead: "This appliance: its model, storage, settings and log.",
		About: "The service", Version: "Version", Started: "Started", Address: "Address",
		Model: "Recognition model", Name: "Name", Layout: "Layout", Decoding: "Decoding", Precision: "Precision",
		Vocabulary: "Vocabulary", Threads: "Threads", Size: "Size", ModelLabel: "What the model can and cannot do", Loading: "loading", Engine: "Recognition in the last hour",
		Storage: "Storage", Database: "Database", Recordings: "Recordings", Free: "Free", Used: "Used of the disk",
		Folder: "Folder",
		Backup: "Backup", BackupLast: "Last one", BackupNever: "None yet.",
		BackupHow:  "A full encrypted backup to a file of your choice, while the service runs:",
		BackupNext: "Next one", BackupOff: "Nightly backups are off. Set backup-at to turn them on.", BackupKept: "Backups kept",
		BackupNow: "Back up now", BackupBusy: "Backing up…", BackupBegun: "The backup has begun; it shows up here when it is done.",
		BackupOpen:  "These backups are not encrypted; they are in the data folder, next to the database. Set backup-recipient to encrypt them.",
		BackupFault: "The backup failed:",
		Line:        "Telephone lines", LineState: "State", LineUp: "ready to dial", LineDown: "calls wait", LineSince: "Since",
		Trunk: "SIP trunk", Prefixes: "Numbers that begin with", Registered: "Registered until", Unregistered: "not now",
		Health: "Internal services", Healthy: "running", Stumbles: "restarting",
		Settings: "Settings in force", SettingsLead: "From the command line, the environment and munadi.yaml, without secrets.",
		Setting: "Setting", Value: "Value", Default: "Default",
		Sources: "Sources and licences", SourcesLead: "Third-party software and data in Munadi.",
		Log: "Last lines of the log", LogLead: "The newest at the bottom.", LogNone: "Nothing yet.",
		Workers:  workersEnglish(),
		Speakers: "Live speakers at once, in real time", Conversations: "Calls at once, in real time",
		Latency:      "Latency of live text (live-latency)",
		OnlyGovernor: "Storage, settings and log are for the administrator only.",
	})
}

// WorkerName returns the display name of a background worker; its own name without one.
func (w SystemWords) WorkerName(name string) string {
	if known := w.Workers[name]; known != "" {
		return known
	}
	return name
}

func workersArabic() map[string]string {
	return map[string]string{
		"schedule": "جدولة المكالمات", "keys": "مفاتيح API", "jobs": "تفريغ الملفات الطويلة", "webhooks": "إرسال الإشعارات",
		"retention": "مدد الحفظ", "bulk changes": "الإجراءات الجماعية", "backups": "النسخ الاحتياطي", "live": "الجلسات المباشرة", "models": "تثبيت النماذج", "capacity": "قياس السعة",
		"callbacks": "إرسال نتائج التفريغ", "storage": "مراقبة القرص", "integrity": "فحص قاعدة البيانات", "sweep": "حذف ما انتهت مدته",
		"admin": "سطر الأوامر", "watchdog": "مراقبة عمل الخدمة", "vitals": "القياسات", "certificate": "شهادة TLS",
		"trunk": "خط SIP", "lease": "الاشتراك في قاعدة البيانات", "relay": "ما يجري على الخوادم الأخرى", "limits": "الحدود المشتركة",
		"recordings": "إرسال التسجيلات إلى المخزن", "live recordings": "إرسال تسجيلات الجلسات إلى المخزن",
		"prompts": "مشاركة تسجيلات الأسطر", "shared models": "مشاركة النماذج", "bucket": "مراقبة المخزن",
		"alerts": "التنبيهات", "alert-mails": "إرسال التنبيهات بالبريد",
	}
}

func workersEnglish() map[string]string {
	return map[string]string{
		"schedule": "Schedule of calls", "keys": "API keys", "jobs": "Long files", "webhooks": "Webhooks",
		"retention": "Retention", "bulk changes": "Bulk changes", "backups": "Backups", "live": "Live sessions", "models": "Installing models", "capacity": "Capacity measurement",
		"callbacks": "Results of long files", "storage": "Disk check", "integrity": "Database verification", "sweep": "Deletion of what has expired",
		"admin": "Command line", "watchdog": "Watchdog", "vitals": "Measurements", "certificate": "TLS certificate",
		"trunk": "SIP trunk", "lease": "Lease on the shared database", "relay": "Events of other appliances", "limits": "Shared limits",
		"recordings": "Uploads of recordings to the bucket", "live recordings": "Uploads of live sessions to the bucket",
		"prompts": "Shared prompts", "shared models": "Shared models", "bucket": "Bucket check",
		"alerts": "Alerts", "alert-mails": "Alert e-mails",
	}
}
