package text

// System is the page about the appliance itself.
type System struct {
	Title, Lead                      string
	About, Version, Started, Address string
	Model, Name, Layout, Decoding    string
	Precision, Vocabulary, Threads   string
	Size, ModelLabel, Loading        string
	Storage, Database, Recordings    string
	Free, Used, Folder               string
	Backup, BackupLast, BackupNever  string
	BackupHow                        string
	Health, Healthy, Stumbles        string
	Settings, SettingsLead           string
	Setting, Value, Default          string
	Sources, SourcesLead             string
	Log, LogLead, LogNone            string
	OnlyGovernor                     string
}

// SystemIn returns its strings.
func SystemIn(l Lang) System {
	return pick(l, System{
		Title: "النظام", Lead: "هذا الجهاز: نموذجه ومخزنه وإعداداته وسجلّه.",
		About: "عن الخدمة", Version: "الإصدار", Started: "بدأت", Address: "العنوان",
		Model: "نموذج التعرّف", Name: "الاسم", Layout: "الصيغة", Decoding: "طريقة فكّ الترميز", Precision: "الدقّة العددية",
		Vocabulary: "المفردات", Threads: "خيوط المعالجة", Size: "الحجم", ModelLabel: "بأمانة عن النموذج", Loading: "يُحمَّل الآن",
		Storage: "التخزين", Database: "قاعدة البيانات", Recordings: "التسجيلات", Free: "المتبقّي", Used: "المستعمل من القرص",
		Folder: "المجلد",
		Backup: "النسخ الاحتياطي", BackupLast: "آخر نسخة", BackupNever: "لا نسخة بعد في مجلد النسخ.",
		BackupHow: "نسخة كاملة مشفّرة في ملف واحد، والخدمة تعمل:",
		Health:    "الخدمات الداخلية", Healthy: "تعمل", Stumbles: "يعاد تشغيلها",
		Settings: "الإعدادات السارية", SettingsLead: "من سطر الأوامر والبيئة وملف munadi.yaml، بلا أسرار.",
		Setting: "الإعداد", Value: "القيمة", Default: "الافتراضي",
		Sources: "المصادر والتراخيص", SourcesLead: "ما نُوزّعه من عمل غيرنا.",
		Log: "آخر أسطر السجل", LogLead: "الأحدث في الأسفل.", LogNone: "لا شيء بعد.",
		OnlyGovernor: "التخزين والإعدادات والسجل لمدير الجهاز وحده.",
	}, System{
		Title: "System", Lead: "This appliance: its model, storage, settings and log.",
		About: "The service", Version: "Version", Started: "Started", Address: "Address",
		Model: "Recognition model", Name: "Name", Layout: "Layout", Decoding: "Decoding", Precision: "Precision",
		Vocabulary: "Vocabulary", Threads: "Threads", Size: "Size", ModelLabel: "Honestly about the model", Loading: "being loaded",
		Storage: "Storage", Database: "Database", Recordings: "Recordings", Free: "Free", Used: "Used of the disk",
		Folder: "Folder",
		Backup: "Backup", BackupLast: "Last one", BackupNever: "None yet in the folder of backups.",
		BackupHow: "All of it in one encrypted file, while the service runs:",
		Health:    "Parts of the service", Healthy: "running", Stumbles: "being started again",
		Settings: "Settings in force", SettingsLead: "From the command line, the environment and munadi.yaml, without secrets.",
		Setting: "Setting", Value: "Value", Default: "Default",
		Sources: "Sources and licences", SourcesLead: "What we ship that others made.",
		Log: "Last lines of the log", LogLead: "The newest at the bottom.", LogNone: "Nothing yet.",
		OnlyGovernor: "Storage, settings and log are for the appliance's governor alone.",
	})
}
