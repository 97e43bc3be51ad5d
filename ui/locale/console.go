package locale

// ConsoleWords is the frame around every page of the console.
type ConsoleWords struct {
	Title      string // suffix of a page's title
	Navigation string // accessible name of the navigation
	More       string // opens the sections that a telephone's bar has no room for
	SignOut    string
	Account    string
	Simulator  string // the badge: no telephone rings
	SimulatorL string // its long form

	Palette, PaletteHint, PaletteNone         string // the search over everything
	PalettePages, PalettePeople, PaletteCalls string // kinds of results

	Stop, Stopped, StopTitle, StopText, StopDo, StopNot string // the kill switch in the navigation
	StopShort, StoppedShort                             string // the same in the bar of a telephone, one word

	Dashboard, Calls, Campaigns, Live, Queue, Reports, Workbench, Scenarios, Rules, Phrases, Webhook, Keys, Users, Audit, System, Alerts string

	AlertSince, AlertGo, AlertAll string // of an alert on every page
	AlertMore                     CountedText

	Incomplete string // damaged records are missing from the page
}

// ConsoleIn returns the frame's strings.
func ConsoleIn(l Language) ConsoleWords {
	return pickLanguage(l, ConsoleWords{
		Title:      "مُنادي",
		Navigation: "أقسام لوحة التحكم",
		More:       "المزيد",
		SignOut:    "تسجيل الخروج",
		Account:    "حسابي",
		Simulator:  "محاكاة",
		SimulatorL: "شبكة محاكاة: لا يرنّ أي هاتف حقيقي.",
		Palette:    "بحث", PaletteHint: "صفحة أو رقم أو حملة أو سيناريو", PaletteNone: "لا شيء يطابق.",
		PalettePages: "صفحة", PalettePeople: "شخص", PaletteCalls: "مكالمة",
		Stop: "إيقاف الاتصال", Stopped: "الاتصال متوقف", StopShort: "إيقاف", StoppedShort: "متوقف", StopTitle: "إيقاف كل الاتصال؟",
		StopText: "لا تبدأ أي مكالمة جديدة حتى تستأنف. المكالمات الجارية تكتمل، ولا يُلغى شيء.",
		StopDo:   "نعم، أوقف الاتصال", StopNot: "رجوع",
		Dashboard: "اليوم", Calls: "المكالمات", Campaigns: "الحملات", Live: "مباشر", Queue: "تحتاج إلى موظف", Reports: "التقارير", Workbench: "المختبر", Scenarios: "السيناريوهات",
		Rules: "قواعد الاتصال", Phrases: "عبارات المطعم", Webhook: "الإشعارات", Keys: "مفاتيح API",
		Users: "المستخدمون", Audit: "سجل التغييرات", System: "النظام", Alerts: "التنبيهات",
		AlertSince: "منذ", AlertGo: "اذهب إليه", AlertAll: "كل التنبيهات",
		Incomplete: "هذه الصفحة ناقصة: في قاعدة البيانات سجلات تالفة لا يمكن قراءتها. أبلغ مدير الخادم.",
		AlertMore:  arabicNoun("و", "لا تنبيهات أخرى", "تنبيه آخر", "تنبيهان آخران", "تنبيهات أخرى", "تنبيهًا آخر", "تنبيه آخر", ""),
	}, ConsoleWords{
		Title:      "Munadi",
		Navigation: "Sections of the console",
		More:       "More",
		SignOut:    "Sign out",
		Account:    "My account",
		Simulator:  "Simulator",
		SimulatorL: "A simulated network: no telephone rings.",
		Palette:    "Search", PaletteHint: "A page, number, campaign or scenario", PaletteNone: "Nothing matches.",
		PalettePages: "Page", PalettePeople: "Person", PaletteCalls: "Call",
		Stop: "Stop calling", Stopped: "Calling is stopped", StopShort: "Stop", StoppedShort: "Stopped", StopTitle: "Stop all calling?",
		StopText: "No new call is dialled until you resume. Running calls end by themselves, and nothing is cancelled.",
		StopDo:   "Yes, stop calling", StopNot: "Back",
		Dashboard: "Today", Calls: "Calls", Campaigns: "Campaigns", Live: "Live", Queue: "Needs staff", Reports: "Reports", Workbench: "Workbench", Scenarios: "Scenarios",
		Rules: "Dialling rules", Phrases: "Restaurant phrases", Webhook: "Webhook", Keys: "API keys",
		Users: "Users", Audit: "Audit log", System: "System", Alerts: "Alerts",
		AlertSince: "since", AlertGo: "Go there", AlertAll: "All alerts",
		Incomplete: "This page is incomplete: records of the database are damaged and cannot be read. Tell the administrator of the appliance.",
		AlertMore:  englishCount("and one more alert", "and {n} more alerts"),
	})
}
