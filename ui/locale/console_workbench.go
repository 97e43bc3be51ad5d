package locale

// WorkbenchWords is the page of the debug decoder.
type WorkbenchWords struct {
	Title, Lead                                  string
	Sound, Sample, SampleHint, File, FileHint    string
	DecodeSample, DecodeFile                     string
	Parameters, Heads, Beam, Spot, Cut           string
	Default, BadRange, BadKnobs                  string // Default with {value}; BadRange with {min} and {max}
	BadChoice, Unnamed                           string // BadChoice with {value}; Unnamed is no search by name
	Channels, ChannelsHint, NoChannel            string
	MixChannels, LeftChannel, RightChannel       string
	On                                           string
	Result, Chart, Nothing                       string // Chart names the picture
	RNNT, CTC, Hybrid, Spotted                   string
	Segment, From, To, Score, Picked, Text       string
	Applied, Warnings, Timings, Share, ShareHint string
	Duration, Unsaid                             string
	NoFile, BadSound, TooLong, Busy, Failed      string
	EmptyTitle, EmptyText, OnlyOperators         string
}

// WorkbenchIn returns the strings.
func WorkbenchIn(l Language) WorkbenchWords {
	return pickLanguage(l, WorkbenchWords{
		Title: "المختبر", Lead: "ماذا سمع كل مُفكِّك، ومتى، وبأي ثقة. لا يغيّر شيئًا في الخدمة.",
		Sound: "الصوت", Sample: "عيّنة مدمجة", SampleHint: "نتيجة العيّنة لها رابط يُشارَك.", File: "ملف صوتي", FileHint: "دقيقتان على الأكثر. بعد كل تغيير اختر الملف من جديد.",
		DecodeSample: "فكّك العيّنة", DecodeFile: "فكّك الملف",
		Parameters: "المعاملات", Heads: "الرأسان", Beam: "البحث الشعاعي", Spot: "رصد العبارات", Cut: "التقطيع",
		Default: "الافتراضي {value}", BadRange: "من {min} إلى {max}.", BadKnobs: "لم يُفكَّك شيء: صحّح المعاملات المعلَّمة.", On: "مفعّل",
		BadChoice: "واحد من: {value}.", Unnamed: "حسب beam_enabled",
		Channels: "القناة", ChannelsHint: "لتفكيك قناتي تسجيل مجسّم كلٍّ على حدة، اختر اليسرى ثم اليمنى.",
		NoChannel:   "في هذا التسجيل قناة واحدة: اختر المزيج أو اليسرى.",
		MixChannels: "مزيج القنوات", LeftChannel: "اليسرى", RightChannel: "اليمنى",
		Result: "النتيجة", Chart: "الموجة وتحتها رموز كل مفكّك على محور الزمن نفسه، من اليسار إلى اليمين", Nothing: "لم يُسمع كلام.",
		RNNT: "RNNT", CTC: "CTC", Hybrid: "المزيج", Spotted: "العبارات المرصودة",
		Segment: "المقطع", From: "من", To: "إلى", Score: "الدرجة", Picked: "اختار {value}", Text: "النص",
		Applied: "طُبّقت على النص", Warnings: "تحذيرات", Timings: "المعالجة (م.ث)", Share: "رابط هذه النتيجة", ShareHint: "فيه العيّنة وكل معامل غُيّر.",
		Duration: "{value} ث من الصوت", Unsaid: "لا شيء",
		NoFile: "اختر ملفًا أولًا.", BadSound: "لا يُقرأ هذا الملف صوتًا.", TooLong: "الصوت أطول من دقيقتين. قصّره.", Busy: "المُفكِّك مشغول. أعد المحاولة بعد قليل.",
		Failed: "تعذّر فك الترميز. جرّب ملفًا آخر.", EmptyTitle: "اختر ملفًا صوتيًا", EmptyText: "عيّنة مدمجة أو ملف من عندك، فتظهر هنا الموجة ورموز RNNT وCTC والمزيج.",
		OnlyOperators: "رفع الملفات للمشغّل والمالك. العيّنات لكل من يدخل.",
	}, WorkbenchWords{
		Title: "Workbench", Lead: "What each decoder heard, when, and with which score. Nothing here changes the service.",
		Sound: "Audio", Sample: "Bundled sample", SampleHint: "A sample's result has a link to share.", File: "Audio file", FileHint: "Two minutes at most. Choose it again after each change.",
		DecodeSample: "Decode the sample", DecodeFile: "Decode the file",
		Parameters: "Parameters", Heads: "Heads", Beam: "Beam search", Spot: "Word spotting", Cut: "Segmentation",
		Default: "default {value}", BadRange: "From {min} to {max}.", BadKnobs: "Nothing was decoded: correct the parameters that are marked.", On: "on",
		BadChoice: "One of: {value}.", Unnamed: "as beam_enabled says",
		Channels: "Channel", ChannelsHint: "To decode the two channels of a stereo recording each by itself, choose the left one, then the right one.",
		NoChannel:   "This recording has one channel: choose the mix or the left one.",
		MixChannels: "Mix of all channels", LeftChannel: "Left", RightChannel: "Right",
		Result: "Result", Chart: "The waveform, and under it each decoder's tokens on the same time axis, left to right", Nothing: "No speech was heard.",
		RNNT: "RNNT", CTC: "CTC", Hybrid: "Hybrid", Spotted: "Spotted phrases",
		Segment: "Segment", From: "From", To: "To", Score: "Score", Picked: "picked {value}", Text: "Text",
		Applied: "applied to the text", Warnings: "Warnings", Timings: "Processing (ms)", Share: "Link to this result", ShareHint: "It holds the sample and every parameter that was changed.",
		Duration: "{value} s of audio", Unsaid: "nothing",
		NoFile: "Choose a file first.", BadSound: "This file can't be read as audio.", TooLong: "The audio is longer than two minutes. Shorten it.", Busy: "The decoder is busy. Try again shortly.",
		Failed: "The decoding failed. Try another file.", EmptyTitle: "Choose an audio file", EmptyText: "A bundled sample or a file of yours; the waveform and the tokens of RNNT, CTC and hybrid appear here.",
		OnlyOperators: "Files are for operators and owners. Samples are for every user.",
	})
}
