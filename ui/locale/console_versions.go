package locale

// VersionsWords are the pages of a scenario's versions.
type VersionsWords struct {
	Title, Lead, None, Number, When, Who, Unknown, Current string
	Changes, Restore, SaidRestored, Difference             string // Number, Restore, SaidRestored, Difference with {n}
	DifferenceLead, FirstLead, BuiltInLead, Same           string // DifferenceLead with {n}
	Script, Source, Added, Removed, Kept, NoSpeech         string
	Skipped                                                CountedText
	Back, Scenario                                         string
}

// VersionsIn returns the strings.
func VersionsIn(l Language) VersionsWords {
	return pickLanguage(l, VersionsWords{
		Title: "إصدارات السيناريو", Lead: "يُحتفظ بآخر 100 حفظ. المكالمة الجارية تبقى على الإصدار الذي بدأت به، والمحجوزة تأخذ الإصدار الأحدث عند الاتصال.",
		None: "لا إصدارات بعد. يبدأ الاحتفاظ بها من أول حفظ.", Number: "الإصدار {n}", When: "متى", Who: "من", Unknown: "غير معروف",
		Current: "المستعمل الآن", Changes: "ما تغيّر", Restore: "استعد الإصدار {n}",
		SaidRestored: "استُعيد الإصدار {n}، وحُفظ إصدارًا جديدًا.", Difference: "ما تغيّر في الإصدار {n}",
		DifferenceLead: "مقارنةً بالإصدار {n}.", FirstLead: "هذا أول إصدار محفوظ.", BuiltInLead: "مقارنةً بالسيناريو المدمج.",
		Same: "لا فرق بينهما.", Script: "النص", Source: "JSON", Added: "أُضيف:", Removed: "حُذف:", Kept: "كما كان:",
		NoSpeech: "لم يتغير ما يُقال ويُسأل؛ تغيّرت إعدادات أخرى تظهر في JSON.",
		Skipped:  arabicNoun("… ", "لا أسطر كما كانت", "سطر واحد كما كان", "سطران كما كانا", "أسطر كما كانت", "سطرًا كما كان", "سطر كما كان", ""),
		Back:     "رجوع",
	}, VersionsWords{
		Title: "Versions of the scenario", Lead: "The last 100 saves are kept. A running call keeps the version that it began with; a booked one takes the newest when it is dialled.",
		None: "No versions yet. They are kept from the first save on.", Number: "Version {n}", When: "When", Who: "Who", Unknown: "unknown",
		Current: "in use", Changes: "Changes", Restore: "Restore version {n}",
		SaidRestored: "Version {n} is restored and saved as a new version.", Difference: "Changes in version {n}",
		DifferenceLead: "Compared with version {n}.", FirstLead: "This is the first version that was kept.",
		BuiltInLead: "Compared with the built-in scenario.", Same: "There is no difference.", Script: "Script", Source: "JSON",
		Added: "added:", Removed: "removed:", Kept: "unchanged:",
		NoSpeech: "What is said and asked is the same; other settings changed, which the JSON shows.",
		Skipped:  englishCount("… one unchanged line", "… {n} unchanged lines"), Back: "Back",
	})
}
