package locale

// LiveWords are the words of the live pages.
type LiveWords struct {
	Title, Lead                                                               string
	Start, Stop, Ready, Listening, Gone, Waiting, Denied, Missing, Lost, Done string // browser microphone and its states
	Unplugged, Broken, Again, NoScript                                        string
	Level                                                                     string // name of the meter
	Server, ServerLead, Device, DefaultDevice, ServerStart, NoDevices         string
	Sessions, Search, SearchDo, All, None, NoneText, NoMatch, NoMatchText     string
	When, Length, Source, Said, Running, FromServer, FromBrowser, Silent      string
	Open, Transcript, Player, Downloads, Delete, DeleteTitle, DeleteText      string
	Back, Deleted, StillOn, NoMicrophone, Taken, NotOpened, NothingYet        string
	SoundNote                                                                 string
	Latency, Seconds, Usual                                                   string // how soon text comes
}

// LiveIn returns them.
func LiveIn(l Language) LiveWords {
	return pickLanguage(l, LiveWords{
		Title: "مباشر", Lead: "تكلّم، وتظهر كلماتك وأنت تقولها.",
		Start: "ابدأ الكلام", Stop: "أوقف", Ready: "اضغط وتكلّم", Listening: "الميكروفون يسمع", Gone: "فُصل الميكروفون. ننتظر عودته.",
		Waiting: "لحظة…", Denied: "لم يسمح المتصفح بالميكروفون. اسمح به من إعدادات الموقع ثم أعد المحاولة.",
		Missing: "لا ميكروفون في هذا الجهاز.", Lost: "انقطع الاتصال.", Done: "حُفظت الجلسة. افتحها",
		Unplugged: "فُصل الميكروفون.", Again: "انقطع الاتصال. نعيد المحاولة…",
		Broken:   "تعذّر البدء. تحقّق من الميكروفون والاتصال ثم أعد المحاولة.",
		NoScript: "ميكروفون المتصفح يحتاج إلى JavaScript. ميكروفون الخادم يعمل دونه.",
		Level:    "مستوى الصوت",
		Server:   "ميكروفون الخادم", ServerLead: "الميكروفون الموصول بالخادم الذي يعمل عليه مُنادي.",
		Device: "الميكروفون", DefaultDevice: "الافتراضي", ServerStart: "استمع", NoDevices: "لا ميكروفون موصول بالخادم. صِل واحدًا ثم حدّث الصفحة.",
		Sessions: "الجلسات المحفوظة", Search: "بحث في ما قيل", SearchDo: "بحث", All: "كل الجلسات",
		None: "لا جلسة بعد", NoneText: "كل ما يُقال في الميكروفون يُحفظ هنا، نصًا وصوتًا.",
		NoMatch: "لا جلسة تطابق", NoMatchText: "لم يُقل هذا في آخر الجلسات.",
		When: "متى", Length: "المدة", Source: "المصدر", Said: "ما قيل", Running: "جارية", FromServer: "الخادم", FromBrowser: "المتصفح",
		Silent: "لم يُقل شيء", Open: "افتح", Transcript: "النص", Player: "الصوت", Downloads: "نزّل",
		Delete: "احذف", DeleteTitle: "حذف الجلسة؟", DeleteText: "يُحذف النص والصوت ولا يعودان.", Back: "رجوع",
		Deleted: "حُذفت الجلسة.", StillOn: "الجلسة جارية. أوقفها أولًا.",
		NoMicrophone: "لا ميكروفون بهذا الاسم في الخادم. اختر واحدًا من القائمة.", Taken: "هذا الميكروفون مستعمل الآن، أو بلغ عدد الجلسات حدّه. أوقف جلسة أولًا.",
		NotOpened: "تعذّر فتح الميكروفون. تحقّق من توصيله ثم أعد المحاولة.", NothingYet: "تظهر الكلمات هنا.", SoundNote: "اضغط على جملة لتسمعها.",
		Latency: "تأخّر النص", Seconds: "{n} ث", Usual: " (المعتاد)",
	}, LiveWords{
		Title: "Live", Lead: "Speak, and your words appear as you say them.",
		Start: "Start speaking", Stop: "Stop", Ready: "Press and speak", Listening: "Listening", Gone: "The microphone was disconnected. Waiting for it.",
		Waiting: "One moment…", Denied: "The browser did not allow the microphone. Allow it in the site's settings and try again.",
		Missing: "This device has no microphone.", Lost: "The connection broke.", Done: "The session is saved. Open it",
		Unplugged: "The microphone was disconnected.", Again: "The connection broke. Trying again…",
		Broken:   "It could not start. Check the microphone and the connection, then try again.",
		NoScript: "The browser's microphone needs JavaScript. The appliance's works without it.",
		Level:    "Level",
		Server:   "Appliance microphone", ServerLead: "The microphone connected to the appliance that Munadi runs on.",
		Device: "Microphone", DefaultDevice: "Default", ServerStart: "Listen", NoDevices: "The appliance has no microphone. Connect one and reload the page.",
		Sessions: "Saved sessions", Search: "Search what was said", SearchDo: "Search", All: "All sessions",
		None: "No session yet", NoneText: "Everything said into the microphone is saved here, as text and audio.",
		NoMatch: "No session matches", NoMatchText: "The latest sessions do not contain this text.",
		When: "When", Length: "Length", Source: "Source", Said: "What was said", Running: "Running", FromServer: "Appliance", FromBrowser: "Browser",
		Silent: "Nothing was said", Open: "Open", Transcript: "Transcript", Player: "Audio", Downloads: "Download",
		Delete: "Delete", DeleteTitle: "Delete the session?", DeleteText: "Its text and audio are removed. This cannot be undone.", Back: "Back",
		Deleted: "The session is deleted.", StillOn: "The session is running. Stop it first.",
		NoMicrophone: "The appliance has no microphone with that name. Choose one from the list.", Taken: "This microphone is already in use, or the limit of sessions is reached. Stop one first.",
		NotOpened: "The microphone could not be opened. Check that it is connected, then try again.", NothingYet: "The words appear here.", SoundNote: "Press a sentence to hear it.",
		Latency: "Delay of the text", Seconds: "{n} s", Usual: " (usual)",
	})
}
