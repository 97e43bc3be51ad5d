package locale

// RecordingWords are the recorder of a scenario's line.
type RecordingWords struct {
	Open, Recorded, Title, Lead, Limits                            string
	Record, Stop, Again, Hear, File, Keep, Remove, Close           string
	Starting, Recording, Ready, Full, Kept, Removed                string
	Insecure, Denied, Missing, Busy                                string // why there is no microphone
	NoFile, NotSound, Silent, TooLong, TooLarge, TooMany, NotFixed string
	Level                                                          string
}

// RecordingIn returns its strings.
func RecordingIn(l Language) RecordingWords {
	return pickLanguage(l, recordingArabic(), recordingEnglish())
}

func recordingArabic() RecordingWords {
	return RecordingWords{
		Open: "سجّل هذا السطر", Recorded: "بصوت مسجَّل", Title: "تسجيل هذا السطر بصوتك",
		Lead:   "اقرأ السطر كما هو مكتوب. ما تحتفظ به تستعمله المكالمات فورًا، في كل سيناريو فيه السطر نفسه.",
		Limits: "دقيقتان و25 ميغابايت على الأكثر، بصيغة WAV أو MP3 أو FLAC أو Ogg أو WebM. يُحذف الصمت من طرفيه، ويُضبط مستوى صوته كسائر التسجيلات.",
		Record: "سجّل", Stop: "أوقف التسجيل", Again: "سجّل من جديد", Hear: "اسمع ما سجّلته", File: "أو اختر ملفًا",
		Keep: "احتفظ به", Remove: "احذف التسجيل", Close: "أغلق", Level: "مستوى الصوت",
		Starting: "اسمح باستعمال الميكروفون إن سُئلت.", Recording: "تكلم الآن.", Ready: "اسمعه، ثم احتفظ به أو سجّل من جديد.",
		Full: "بلغ التسجيل أطول مدة، فتوقف.", Kept: "حُفظ التسجيل. تستعمله المكالمات من الآن.", Removed: "حُذف التسجيل.",
		Insecure: "لا يسمح المتصفح بالتسجيل إلا عبر https أو على الخادم نفسه. اختر ملفًا، أو افتح الصفحة بعنوان https.",
		Denied:   "لم يُسمح باستعمال الميكروفون. اسمح به لهذه الصفحة في إعدادات المتصفح، أو اختر ملفًا.",
		Missing:  "لا ميكروفون هنا. صِل واحدًا، أو اختر ملفًا.",
		Busy:     "تعذّر فتح الميكروفون. قد يستعمله برنامج آخر: أغلقه ثم أعد المحاولة، أو اختر ملفًا.",
		NoFile:   "سجّل شيئًا أو اختر ملفًا أولًا.", NotSound: "لا يمكن قراءة هذا الملف صوتًا. يُقبل WAV وMP3 وFLAC وOgg وWebM.",
		Silent: "لا صوت في التسجيل. تأكد من الميكروفون المختار ومن أنه غير مكتوم.", TooLong: "التسجيل أطول من دقيقتين. قصّره.",
		TooLarge: "الملف أكبر من 25 ميغابايت. اختر ملفًا أصغر.", TooMany: "بلغ عدد التسجيلات المحفوظة حدّه. احذف بعضها أولًا.",
		NotFixed: "في هذا السطر قيمة تتغير من مكالمة إلى أخرى، فلا يمكن تسجيله. ضع ما لا يتغير في سطر وحده.",
	}
}

func recordingEnglish() RecordingWords {
	return RecordingWords{
		Open: "Record this line", Recorded: "Recorded", Title: "Record this line in your voice",
		Lead:   "Read the line as it is written. Calls use what you keep at once, in every scenario with exactly the same line.",
		Limits: "At most two minutes and 25 MB, as WAV, MP3, FLAC, Ogg or WebM. Silence at both ends is cut, and its loudness is set to that of all recordings.",
		Record: "Record", Stop: "Stop recording", Again: "Record again", Hear: "Hear what you recorded", File: "Or choose a file",
		Keep: "Keep it", Remove: "Remove the recording", Close: "Close", Level: "Level",
		Starting: "Allow the microphone if you are asked.", Recording: "Speak now.", Ready: "Hear it, then keep it or record again.",
		Full: "The longest recording was reached; it stopped.", Kept: "The recording is saved. Calls use it from now on.", Removed: "The recording is removed.",
		Insecure: "The browser allows recording only over https or on the appliance itself. Choose a file, or open this page at an https address.",
		Denied:   "The microphone was not allowed. Allow it for this page in the browser's settings, or choose a file.",
		Missing:  "There is no microphone here. Connect one, or choose a file.",
		Busy:     "The microphone could not be opened. Another program may use it: close that and try again, or choose a file.",
		NoFile:   "Record something or choose a file first.", NotSound: "This file can't be read as sound. WAV, MP3, FLAC, Ogg and WebM are accepted.",
		Silent: "The recording is silent. Check which microphone is chosen, and that it is not muted.", TooLong: "The recording is longer than two minutes. Shorten it.",
		TooLarge: "The file is larger than 25 MB. Choose a smaller one.", TooMany: "The limit of stored recordings is reached. Remove some first.",
		NotFixed: "This line holds a value that differs from call to call, so it can't be recorded. Put the fixed part into a separate line.",
	}
}
