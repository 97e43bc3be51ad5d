package locale

func demoArabic() DemoWords {
	return DemoWords{
		Title:       "مُنادي: تعرّف على الكلام العربي",
		Description: "سجّل صوتك أو ارفع ملفًا واقرأ النص وهو يُكتب. لا يخرج الصوت من الخادم.",
		Heading:     "تكلّم بالعربية، واقرأ ما قلت",
		Lead:        "سجّل جملة أو ارفع ملفًا صوتيًا، ويظهر النص كلمةً كلمة. كل شيء يجري على هذا الخادم، ولا يخرج صوتك منه.",

		Capture:    "الصوت",
		Record:     "اضغط وتكلّم",
		RecordHint: "ثم اضغط مرة أخرى عند الانتهاء",
		Upload:     "ارفع ملفًا",
		DropHint:   "أو أسقِط ملفًا في أي موضع من الصفحة",
		DropHere:   "أسقِط الملف هنا",
		Formats:    "WAV، FLAC، MP3، Ogg، WebM",
		Examples:   "أو جرّب مثالًا",
		Synthetic:  "الأمثلة بصوت اصطناعي",

		Key:         "مفتاح API",
		KeyHint:     "يبقى في هذا التبويب وحده، ويُنسى عند إغلاقه.",
		KeyWhere:    "يُنشأ على الخادم بالأمر:",
		KeySave:     "استعمل المفتاح",
		KeyShow:     "أظهر المفتاح",
		KeyChange:   "غيّره",
		KeyForget:   "انسَه",
		KeyPresent:  "المفتاح محفوظ",
		Options:     "خيارات",
		Restaurant:  "وضع المطعم",
		RestaurantP: "يرجّح أسماء الأطباق، ويكتب الكميات والأسعار أرقامًا.",
		Microphone:  "الميكروفون",
		MicDefault:  "الميكروفون المعتاد",

		Channels: "القنوات", ChannelsHint: "لتسجيل مكالمة بقناتين: كل قناة متكلم.",
		ChannelsMix: "مزيج القناتين", ChannelLeft: "اليسرى وحدها", ChannelRight: "اليمنى وحدها", ChannelsEach: "كل قناة على حدة",

		Transcript:  "النص",
		Placeholder: "هنا يظهر ما يُقال.",
		Cancel:      "إلغاء",
		Dismiss:     "إخفاء",
		Copy:        "نسخ",
		Download:    "تنزيل",

		Player:       "المقاطع على الموجة",
		WaveLabel:    "موجة الصوت. الزمن يجري من اليسار إلى اليمين. سهما اليمين واليسار ينتقلان بين المقاطع، وEnter يشغّل المقطع.",
		Play:         "شغّل الكل",
		Segments:     "المقاطع",
		SegmentsHint: "اضغط مقطعًا أو كلمة لتسمعها.",

		Compare:     "قارن المفكّكات",
		CompareHint: "ثلاث طرائق لقراءة المخرَج نفسه: RNNT، وCTC، والمزيج بينهما. الكلمات المختلفة تحتها خط.",
		CompareRun:  "قارن",
		Beam:        "بحث شعاعي",
		Weight:      "وزن CTC",

		About:   "ما هذا النموذج، وما ليس هو",
		Model:   "النموذج",
		Code:    "من برنامجك",
		CodeP:   "الواجهة نفسها التي تعرفها مكتبات OpenAI، بعنوان آخر:",
		CodePy:  "وبمكتبة OpenAI للغة Python:",
		NoJS:    "هذه الصفحة تحتاج إلى JavaScript لتسجّل الصوت وترفعه.",
		NoJSWhy: "لا تكفي استمارة HTML عادية، لأن المفتاح يُرسل في ترويسة Authorization. الخدمة نفسها تعمل من سطر الأوامر:",
	}
}

// defaultLabelArabic describes the built-in model, see [DefaultLabel].
func defaultLabelArabic() []string {
	return []string{
		"تدرّب على كلام اصطناعي (أصوات espeak-ng وصوت من Festival)، وعلى كلمات أوامر منطوقة سجّلها 24 شخصًا.",
		"يصلح عرضًا لمجالات محدودة: التأكيد والإلغاء، والطلبات، والأرقام والمواعيد، والأوامر القصيرة.",
		"لا يصلح للإملاء الحر: يخطئ كثيرًا في كلمات لم يتدرّب عليها. للإملاء ضع مكانه نموذج FastConformer كاملًا من NeMo (الإعداد MUNADI_MODEL).",
	}
}
