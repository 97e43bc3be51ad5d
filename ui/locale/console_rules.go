package locale

import "strings"

// RulesWords are the dialling rules.
type RulesWords struct {
	Title, Lead string
	Suppressed  string // leads to the suppression list

	Running, RunningLead, Stop          string
	Stopped, StoppedLead, Resume        string
	ResumeTitle, ResumeText, Back       string
	SaidStopped, SaidResumed, SaidSaved string
	OnlyOwners, SomeWrong, Save         string
	When, Zone, ZoneHint, Hours         string
	City, CityHint, NoCity, BadCity     string
	Always, Week, WeekHint, Closed      string
	From, To, Holidays, HolidaysHint    string
	Whom, PerDay, PerWeek, NoLimit      string
	Allowed, AllowedHint                string
	Blocked, BlockedHint                string
	Caller, CallerHint                  string
	Invalid, InvalidHint                string
	How, Recording                      string
	RecordOn, RecordAnnounce, RecordOff string
	TextForm, TextFormHint              string
	Spoken, Written                     string
	Numerals, LatinDigits, ArabicDigits string
	Redact, RedactHint, BadTextForm     string
	Disclosure, DisclosureHint          string
	Consent, ConsentHint                string
	Lines, LinesHint                    string
	Keep, KeepAudio, KeepText, KeepHint string
	Days                                string // a unit
	Never                               string // numbers blocked for every organization

	Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday string

	BadZone, BadFrom, BadTo, Overlap, NoSlot, BadDay, BadPrefix, BadNumber, BadCount, BadDays, TooLong, TooMany string
}

// WeekdayName returns a day's name by its English one.
func (w RulesWords) WeekdayName(day string) string {
	return map[string]string{
		"sunday": w.Sunday, "monday": w.Monday, "tuesday": w.Tuesday, "wednesday": w.Wednesday, "thursday": w.Thursday,
		"friday": w.Friday, "saturday": w.Saturday,
	}[day]
}

// RulesIn returns their strings.
func RulesIn(l Language) RulesWords { return pickLanguage(l, rulesArabic(), rulesEnglish()) }

func rulesArabic() RulesWords {
	return RulesWords{
		Title: "قواعد الاتصال", Lead: "متى يُتصل بالناس، وبمن، وكم مرة.", Suppressed: "قائمة المنع",
		Running: "الاتصال جارٍ", RunningLead: "بعد الضغط لا تبدأ أي مكالمة جديدة. المكالمات الجارية تكتمل.",
		Stop: "أوقف كل الاتصال", Stopped: "الاتصال متوقف", StoppedLead: "لا تبدأ أي مكالمة. ما حان موعده ينتظر.",
		Resume: "استأنف الاتصال", ResumeTitle: "استئناف الاتصال؟",
		ResumeText: "كل مكالمة حان موعدها في أثناء التوقف تبدأ الآن، بحسب الخطوط المتاحة وساعات الاتصال.", Back: "رجوع",
		SaidStopped: "توقف الاتصال. لن تبدأ مكالمة جديدة.", SaidResumed: "استُؤنف الاتصال.", SaidSaved: "حُفظت القواعد.",
		OnlyOwners: "يغيّر هذه القواعد مالك المنظمة وحده.", SomeWrong: "لم يُحفظ شيء: صحّح ما أُشير إليه أدناه.", Save: "احفظ القواعد",
		When: "متى", Zone: "المنطقة الزمنية", ZoneHint: "اسمها في قاعدة IANA. فارغة: UTC.",
		City: "المدينة", CityHint: "لمواقيت الصلاة: يُفهم «بعد صلاة المغرب» وقتًا بحسبها، ثم يُعاد على المتصَل به ليؤكده.",
		NoCity: "بلا مدينة", BadCity: "اختر مدينة من القائمة.", Hours: "ساعات الاتصال",
		Always: "في أي وقت", Week: "في هذه الساعات فقط",
		WeekHint: "بصيغة 24 ساعة. اليوم الفارغ مغلق، و24:00 منتصف الليل. لفترة ثالثة احفظ أولًا.", Closed: "مغلق",
		From: "من", To: "إلى", Holidays: "العطل", HolidaysHint: "يوم في كل سطر: \u20662026-12-25\u2069. مغلقة طول اليوم.",
		Whom: "بمن، وكم مرة", PerDay: "محاولات في اليوم للرقم", PerWeek: "محاولات في سبعة أيام للرقم", NoLimit: "بلا حد",
		Allowed: "بدايات مسموحة", AllowedHint: "بداية في كل سطر، مثل \u2066+966\u2069. فارغة: كل الوجهات.",
		Blocked: "بدايات ممنوعة", BlockedHint: "بداية في كل سطر. أرقام الطوارئ والأرقام المميزة ممنوعة دائمًا.",
		Caller: "الرقم الظاهر للمتصَل بهم", CallerHint: "بصيغة دولية. فارغ: رقم خط SIP. وقد يكون لكل حملة رقمها.",
		Invalid: "امنع الأرقام التي لا وجود لها", InvalidHint: "الرقم الذي تقول شركة الاتصالات إنه غير مخصص يُضاف إلى قائمة المنع.",
		How: "كيف", Recording: "التسجيل", RecordOn: "سجّل كل مكالمة", RecordAnnounce: "سجّل بعد إعلان يُقال أولًا", RecordOff: "لا تسجّل",
		TextForm: "كتابة النصوص", TextFormHint: "الأعداد والمبالغ وأرقام الهواتف والأوقات في نصوص المكالمات.",
		Spoken: "كما تُقال: خمسة وعشرين ريال", Written: "كما تُكتب: 25 SAR", Numerals: "أرقامها",
		LatinDigits: "0123456789", ArabicDigits: "٠١٢٣٤٥٦٧٨٩", BadTextForm: "اختر واحدًا من القائمة.",
		Redact:     "احجب ما يدل على الأشخاص",
		RedactHint: "تصير أرقام الهواتف والطلبات، وكل عدد من خمس خانات فأكثر، وعناوين البريد واسم المتصَل به \u2066[…]\u2069 في النصوص. التسجيلات والتقارير كما هي.",
		Disclosure: "إفصاح يُقال قبل كل شيء", DisclosureHint: "مثل: هذه مكالمة آلية من العيادة. فارغ: لا يُقال شيء.",
		Consent: "أساس الموافقة", ConsentHint: "للسجل فقط: لماذا يجوز الاتصال بهؤلاء الناس.",
		Lines: "مكالمات في وقت واحد", LinesHint: "خطوط هذه المنظمة. فارغة: كل خطوط الخادم.",
		Keep: "مدة الحفظ", KeepAudio: "التسجيلات", KeepText: "النصوص والتقارير", KeepHint: "بالأيام بعد انتهاء المكالمة أو الجلسة المباشرة. فارغة: إلى الأبد.", Days: "يوم",
		Never:  "أرقام الطوارئ والأرقام القصيرة والمميزة والفضائية لا يُتصل بها أبدًا.",
		Sunday: "الأحد", Monday: "الاثنين", Tuesday: "الثلاثاء", Wednesday: "الأربعاء", Thursday: "الخميس", Friday: "الجمعة", Saturday: "السبت",
		BadZone: "هذه ليست منطقة زمنية معروفة. اكتب واحدة مثل Asia/Riyadh.", BadFrom: "اكتب بداية من 00:00 إلى 23:59.",
		BadTo:   "اكتب نهاية بعد البداية، 24:00 على الأكثر. ما يتجاوز منتصف الليل اكتبه فترتين.",
		Overlap: "هذه الفترة تتداخل مع أخرى في اليوم نفسه. غيّر إحداهما.", NoSlot: "لا فترة في الأسبوع كله، فلن يُتصل بأحد. اكتب فترة أو اختر: في أي وقت.",
		BadDay: "كل سطر يوم بصيغة \u20662026-12-25\u2069. راجع السطر {line}.", BadPrefix: "كل سطر بداية رقم دولي مثل \u2066+966\u2069. راجع السطر {line}.",
		BadNumber: "اكتب رقمًا دوليًا مثل \u2066+966112345678\u2069، أو اتركه فارغًا.",
		BadCount:  "اكتب عددًا صحيحًا من 0 (بلا حد) فما فوق.", BadDays: "اكتب عدد أيام من 0 (إلى الأبد) إلى 36500.", TooLong: "النص أطول من 2000 حرف. اختصره.",
		TooMany: "القائمة أطول من المسموح. احذف بعض أسطرها.",
	}
}

func rulesEnglish() RulesWords {
	return RulesWords{
		Title: "Dialling rules", Lead: "Who is called, when, and how often.", Suppressed: "Suppression list",
		Running: "Calling is on", RunningLead: "After you press it no new call is dialled. Running calls end by themselves.",
		Stop: "Stop all calling", Stopped: "Calling is stopped", StoppedLead: "No calls are dialled. Due calls wait.",
		Resume: "Resume calling", ResumeTitle: "Resume calling?",
		ResumeText: "Every call that became due in the meantime is dialled now, as lines and calling hours allow.", Back: "Back",
		SaidStopped: "Calling is stopped. No new call is dialled.", SaidResumed: "Calling is on again.", SaidSaved: "The rules are saved.",
		OnlyOwners: "Only an owner of the organization can change these rules.", SomeWrong: "Nothing was saved: correct what is marked below.", Save: "Save the rules",
		When: "When", Zone: "Time zone", ZoneHint: "Its IANA name. Empty: UTC.",
		City: "City", CityHint: "For times of prayer: “after the sunset prayer” is understood as a time by them, and read back to be confirmed.",
		NoCity: "No city", BadCity: "Choose a city of the list.", Hours: "Calling hours",
		Always: "At any time", Week: "Only at these hours",
		WeekHint: "24-hour clock. A day left empty is closed; 24:00 is midnight. Save once for a third slot.", Closed: "closed",
		From: "From", To: "To", Holidays: "Holidays", HolidaysHint: "One day on each line: 2026-12-25. Closed all day.",
		Whom: "Who, and how often", PerDay: "Attempts a day to a number", PerWeek: "Attempts in seven days to a number", NoLimit: "no limit",
		Allowed: "Allowed prefixes", AllowedHint: "One on each line, such as +966. Empty: every destination.",
		Blocked: "Blocked prefixes", BlockedHint: "One on each line. Emergency and premium numbers are always blocked.",
		Caller: "Caller number that people see", CallerHint: "In international form. Empty: the trunk's own. A campaign may have another.",
		Invalid: "Suppress numbers that don't exist", InvalidHint: "A number that the carrier reports as unassigned is added to the suppression list.",
		How: "How", Recording: "Recording", RecordOn: "Record every call", RecordAnnounce: "Record after a notice that is spoken first", RecordOff: "Don't record",
		TextForm: "Transcripts", TextFormHint: "Numbers, amounts, telephone numbers and times in transcripts of calls.",
		Spoken: "as spoken: خمسة وعشرين ريال", Written: "as written: 25 SAR", Numerals: "Their digits",
		LatinDigits: "0123456789", ArabicDigits: "٠١٢٣٤٥٦٧٨٩", BadTextForm: "Choose one of the list.",
		Redact:     "Leave out what identifies people",
		RedactHint: "Telephone and order numbers, other numbers of five digits or more, e-mail addresses and the called person's name become […] in transcripts. Recordings and reports stay as they are.",
		Disclosure: "Disclosure, spoken before anything else", DisclosureHint: "For example: this is an automated call from the clinic. Empty: nothing is said.",
		Consent: "Basis of consent", ConsentHint: "For the record only: why these people may be called.",
		Lines: "Calls at once", LinesHint: "Lines of this organization. Empty: all lines of the appliance.",
		Keep: "Kept for", KeepAudio: "Recordings", KeepText: "Transcripts and reports", KeepHint: "Days after a call or a live session ended. Empty: for ever.", Days: "days",
		Never:  "Emergency, short, premium and satellite numbers are never called.",
		Sunday: "Sunday", Monday: "Monday", Tuesday: "Tuesday", Wednesday: "Wednesday", Thursday: "Thursday", Friday: "Friday", Saturday: "Saturday",
		BadZone: "This is not a known time zone. Write one such as Asia/Riyadh.", BadFrom: "Write a start from 00:00 to 23:59.",
		BadTo:   "Write an end after the start, 24:00 at most. Write what runs over midnight as two slots.",
		Overlap: "This slot overlaps another one of the same day. Change one of them.", NoSlot: "There is no slot in the week, so no one would be called. Add one, or choose: at any time.",
		BadDay: "Each line is a day such as 2026-12-25. See line {line}.", BadPrefix: "Each line is the beginning of an international number such as +966. See line {line}.",
		BadNumber: "Write an international number such as +966112345678, or leave it empty.",
		BadCount:  "Write a whole number, 0 (no limit) or more.", BadDays: "Write a number of days, 0 (for ever) to 36500.", TooLong: "The text has more than 2000 characters. Shorten it.",
		TooMany: "The list is longer than allowed. Remove some lines.",
	}
}

// FillLine fills the number of a line in.
func FillLine(sentence, number string) string { return strings.ReplaceAll(sentence, "{line}", number) }
