package locale

import (
	"cmp"
	"strings"
)

// ModelsWords are the texts about speech models: installed and available ones, and installation.
type ModelsWords struct {
	Title, DemoLimits, Fixed                            string
	Installed, Name, State, Size, From, Measured        string
	Actions, Serves, Use, Try, Remove, SwitchHint       string
	BuiltIn, FromProgram, FromFile, MeasuredLine        string
	Known, KnownHint, Look, Present, RateLine           string
	Other, OtherHint, LookUp                            string
	JobTitle, Downloaded, GoesOn, TestingHint           string
	ReadyHint, Cancel, Resume, Dismiss                  string
	Refresh                                             string
	Phases                                              map[string]string
	ByHand, Carry1, Carry2, Carry3                      string
	File, FileHint, Sent, Upload, Path, PathHint        string
	Import, AnyLanguage                                 string
	OfferTitle, OfferLead, License, NoLicense, Revision string
	Card, OneFile, Rate, InstallAs, NameHint            string
	UseWhenReady, Int8, Install, Busy, BackToSystem     string
	TrialTitle, TrialLead, ServingHears, OtherHears     string
	Sound, SoundHint, Listen, Record, StopRecording     string
	NoMicrophone, HeardNothing, Took, Of                string
	RemoveTitle, RemoveText, Back                       string
	PitchTitle, PitchDo, PitchLink                      string
	SaidBegun, SaidCancelled, SaidUsed, SaidRemoved     string
	SaidNotOpened, NoModel, InUse, NameTaken, NoPath    string
	Shared, SharedHint, SharedAway, Fetching, Sending   string
	SharedCount                                         CountedText
	NoSound, BadSound, LongSound, Offline, Gone         string
	Languages                                           map[string]string // by code
	InstallFaults                                       map[string]string // by the kind of fault of an installation
	ShareProblems                                       map[string]string // by kind, with model, needed and free space
}

// PhaseName returns the display name of a phase of an installation.
func (w ModelsWords) PhaseName(phase string) string { return w.Phases[phase] }

// LanguageName returns the display name of a language; its code without one.
func (w ModelsWords) LanguageName(code string) string {
	if name := w.Languages[code]; name != "" {
		return name
	}
	return code
}

// ModelsIn returns its strings.
func ModelsIn(l Language) ModelsWords { return pickLanguage(l, modelsArabic(), modelsEnglish()) }

func modelsArabic() ModelsWords {
	return ModelsWords{
		Title: "نماذج التعرّف",
		DemoLimits: "النموذج المدمج للعرض: يفهم التأكيد والأرقام والمواعيد والطلبات القصيرة، ولا يفهم الكلام الحر ولا اللهجات. " +
			"للعمل الحقيقي ثبّت نموذجًا عربيًا كاملًا.",
		Fixed:     "الإعداد model يحدّد النموذج، فلا يُختار غيره من هنا:",
		Installed: "المثبَّت على هذا الخادم", Name: "النموذج", State: "الحالة", Size: "الحجم", From: "المصدر", Measured: "القياس هنا",
		Actions: "إجراءات", Serves: "يعمل الآن", Use: "استعمله", Try: "جرّبه", Remove: "احذفه",
		SwitchHint: "التبديل فوري وبلا إعادة تشغيل: الطلبات الجارية تكتمل على النموذج السابق، وتستطيع الرجوع إليه من هنا.",
		BuiltIn:    "النموذج المدمج", FromProgram: "مع البرنامج", FromFile: "ملف",
		MeasuredLine: "الكلمات الخاطئة: {} من {}، وزمن التعرّف لكل ثانية كلام: {} ث",
		Known:        "نماذج مُجرَّبة", KnownHint: "تعرض الصفحة التالية الحجم والترخيص قبل التنزيل.", Look: "اعرض", Present: "مثبَّت",
		RateLine: "نسبة الخطأ {}% ({})، والمصدر: {}",
		Other:    "نموذج آخر", OtherHint: "اسمه في المستودع: المنظمة/الاسم، وبعد @ الإصدار إن شئت.", LookUp: "ابحث عنه",
		JobTitle: "التثبيت الجاري", Downloaded: "نُزّل", GoesOn: "يستمر التنزيل وإن أغلقت الصفحة، ويُكمل بعد إعادة التشغيل.",
		TestingHint: "يُحوَّل النموذج ويُجرَّب على مقاطع معروفة قبل تثبيته. قد يستغرق ذلك دقيقة.",
		ReadyHint:   "ثُبّت النموذج واجتاز الفحص. جرّبه بصوتك، ثم استعمله.",
		Cancel:      "أوقف التثبيت", Resume: "تابع التثبيت", Dismiss: "أغلق", Refresh: "حدّث الصفحة",
		Phases: map[string]string{
			"fetching": "يُنزَّل", "testing": "يُفحص", "installed": "ثُبّت", "failed": "لم يُثبَّت", "cancelled": "أُوقف",
		},
		ByHand: "بلا إنترنت: انقل الملف بيدك",
		Carry1: "على حاسوب متصل بالإنترنت افتح صفحة النموذج، ونزّل ملفه الذي ينتهي بـ .nemo من:",
		Carry2: "انقله إلى هذا الخادم، مثلًا بذاكرة USB.",
		Carry3: "ارفعه هنا، أو اكتب مساره إن كان على الخادم نفسه.",
		File:   "ملف النموذج", FileHint: "ملف \u200e.nemo واحد.", Sent: "أُرسل", Upload: "ارفعه وثبّته",
		Path: "مسار على الخادم", PathHint: "ملف \u200e.nemo، أو مجلد بصيغة onnx-asr أو sherpa-onnx.", Import: "ثبّته من المسار",
		AnyLanguage: "اقبله وإن كان لا يعرف العربية",
		OfferTitle:  "تثبيت نموذج", OfferLead: "راجع الترخيص والحجم قبل التنزيل. لا يتغير النموذج العامل حتى تختار ذلك.",
		License: "الترخيص", NoLicense: "لم يذكره المستودع؛ اقرأ بطاقة النموذج.", Revision: "الإصدار", Card: "بطاقة النموذج", OneFile: "ملف",
		Rate: "نتيجة منشورة", InstallAs: "الاسم هنا", NameHint: "حروف لاتينية وأرقام ونقاط وشرطات.",
		UseWhenReady: "استعمله حين يجتاز الفحص", Int8: "بأوزان من 8 بتات: أصغر، وأسرع عادةً. يُقاس الفرق.", Install: "نزّله وثبّته",
		Busy: "يجري تثبيت نموذج آخر. انتظره أو أوقفه.", BackToSystem: "إلى صفحة النظام",
		TrialTitle: "تجربة", TrialLead: "سجّل جملة أو اختر ملفًا، واقرأ ما يسمعه النموذجان. لا يُحفظ الصوت.",
		ServingHears: "النموذج العامل", OtherHears: "النموذج الجديد",
		Sound: "ملف صوتي", SoundHint: "دقيقة على الأكثر.", Listen: "قارن", Record: "سجّل جملة", StopRecording: "أنهِ التسجيل وقارن",
		NoMicrophone: "لا ميكروفون متاح لهذه الصفحة. اختر ملفًا.", HeardNothing: "لم يسمع كلامًا.", Took: "استغرق", Of: "لصوت مدته",
		RemoveTitle: "حذف {}؟", RemoveText: "تُحذف ملفاته من هذا الخادم. تستطيع تثبيته من جديد.", Back: "اتركه",
		PitchTitle: "نموذج عربي كامل", PitchDo: "نزّله وثبّته واستعمله",
		PitchLink: "النموذج المدمج للعرض. ثبّت نموذجًا عربيًا كاملًا",
		SaidBegun: "بدأ التثبيت.", SaidCancelled: "أُوقف التثبيت. ما نُزّل محفوظ.", SaidUsed: "يعمل الآن: {}", SaidRemoved: "حُذف {}.",
		SaidNotOpened: "لم يُفتح النموذج، وبقي السابق عاملًا.", NoModel: "لا نموذج بهذا الاسم.", InUse: "هذا النموذج يعمل الآن. اختر غيره أولًا.",
		NameTaken: "الاسم مستعمل أو غير صالح. اختر اسمًا آخر.", NoPath: "لا ملف \u200e.nemo ولا مجلد نموذج في هذا المسار.",
		Shared: "مشترك بين الخوادم",
		SharedHint: "يُنسخ كل نموذج يُثبَّت على خادم إلى المخزن المشترك وتجلبه الخوادم الأخرى، واختيار النموذج على خادم يسري عليها كلها. " +
			"يُحذف من المخزن حين لا يستعمله أي خادم. المخزن:",
		SharedAway: "المخزن لا يجيب الآن. يستمر العمل بالنماذج المثبتة هنا.",
		Fetching:   "يُجلب {} من المخزن: {} من {}", Sending: "يُرسَل {} إلى المخزن: {} من {}",
		SharedCount: arabicCount("لا نماذج في المخزن.", "في المخزن نموذج واحد، وهو هنا.", "في المخزن نموذجان، وهما هنا.",
			"في المخزن {n} نماذج، وكلها هنا.", "في المخزن {n} نموذجًا، وكلها هنا.", "في المخزن {n} نموذج، وكلها هنا."),
		InstallFaults: map[string]string{
			"offline":           "لا يصل هذا الخادم إلى المستودع. تستطيع نقل الملف إليه بيدك، والخطوات أدناه.",
			"other":             "لم يُثبَّت النموذج. أرسل التفصيل أدناه إلى الدعم الفني.",
			"bad_name":          "هذا ليس اسم نموذج. اكتبه كما في المستودع: المنظمة/الاسم، أو اختر نموذجًا من القائمة.",
			"bad_revision":      "ما بعد العلامة @ ليس إصدارًا. اكتب رقم إيداع أو فرعًا أو وسمًا، أو احذفه.",
			"no_such_model":     "لا نموذج بهذا الاسم في المستودع، أو هو خاصّ ولا يُسمح لهذا الخادم بقراءته. راجع الاسم، وللنموذج الخاص اضبط رمز الوصول \u2068HF_TOKEN\u2069 ثم أعد تشغيل الخدمة.",
			"no_such_revision":  "لا يوجد هذا الإصدار من النموذج في المستودع، أو نُزعت منه ملفاته. ابحث عن النموذج من جديد بلا إصدار.",
			"gated":             "يشترط أصحاب هذا النموذج قبول شروطه. اقبلها في صفحته بحسابك في المستودع، ثم اضبط رمز ذلك الحساب في \u2068HF_TOKEN\u2069 وأعد تشغيل الخدمة.",
			"nothing_to_import": "ليس في صفحة هذا النموذج على المستودع ما يمكن تثبيته: لا ملف واحد ينتهي بـ \u2068.nemo\u2069، ولا نموذج بصيغة ONNX مع مفرداته.",
			"hub_busy":          "المستودع مشغول ويطلب الانتظار. أعد المحاولة بعد قليل.",
			"hub_fault":         "أجاب المستودع بخطأ. أعد المحاولة لاحقًا، وإن تكرر فراجع عنوان المستودع في الإعداد \u2068model-hub\u2069.",
			"bad_checksum":      "ما نُزّل لا يطابق المجموع الاختباري المعلن في المستودع، فحُذف. أعد المحاولة.",
			"connection_broke":  "انقطع الاتصال بالمستودع مرة بعد مرة. ما نُزّل محفوظ، فأعد المحاولة ليُكمل منه.",
			"not_convertible":   "لا يمكن تحويل هذا الملف: هو تالف أو ناقص، أو من نوع لا يُدعم. راجع أنه ملف NeMo كامل، أو اختر نموذجًا آخر.",
			"cannot_decode":     "لا يعمل هذا النموذج: لم يُفتح، أو لم يسمع شيئًا في كلام واضح. نزّله من جديد أو اختر نموذجًا آخر.",
			"not_arabic":        "لا يكتب هذا النموذج كلامًا عربيًا صحيحًا. اختر نموذجًا عربيًا، أو أعد التثبيت مع «اقبله وإن كان لا يعرف العربية» إن كان للغة أخرى.",
		},
		ShareProblems: map[string]string{
			"not_shared":           "تعذّر نسخ النموذج {} إلى المخزن المشترك.",
			"name_in_use":          "النموذج {} هنا غير النموذج الذي يحمل الاسم نفسه في المخزن. ثبّته باسم آخر، أو احذفه من هذا الخادم.",
			"no_disk_room":         "لم يُجلب النموذج {} من المخزن: يحتاج إلى {}، والمتاح في مجلد البيانات {}. احذف ملفات من القرص.",
			"damaged_model":        "النموذج {} في المخزن تالف. ثبّته من جديد.",
			"unreadable_record":    "سجل النموذج {} في المخزن لا يُقرأ. احذفه من المخزن، وثبّت النموذج من جديد.",
			"unreadable_selection": "اختيار النموذج المحفوظ في المخزن لا يُقرأ. اختر النموذج من جديد.",
			"not_here_yet":         "الخوادم الأخرى تعمل بالنموذج {}، ولم يصل إلى هذا الخادم بعد.",
			"cannot_open":          "الخوادم الأخرى تعمل بالنموذج {}، ولا يُفتح على هذا الخادم. يعمل هذا الخادم بالنموذج السابق.",
			"cannot_share":         "تعذّرت مشاركة النماذج.",
		},
		NoSound: "اختر ملفًا صوتيًا أو سجّل جملة.", BadSound: "لا يمكن قراءة هذا الملف صوتًا. اختر ملف WAV أو MP3 أو FLAC أو Ogg أو WebM.", LongSound: "الصوت أطول من دقيقة. قصّره.",
		Offline: "لا يصل هذا الخادم إلى مستودع النماذج. تحقّق من اتصاله بالإنترنت.", Gone: "لا تثبيت جارٍ.",
		Languages: map[string]string{
			"ar": "العربية", "fa": "الفارسية", "en": "الإنجليزية", "de": "الألمانية", "fr": "الفرنسية", "es": "الإسبانية", "it": "الإيطالية",
			"and 20 more": "و20 لغة أخرى",
		},
	}
}

func modelsEnglish() ModelsWords {
	return ModelsWords{
		Title: "Speech models",
		DemoLimits: "The built-in model is for demos: it understands confirmations, numbers, appointments and short orders, " +
			"but neither free speech nor dialects. For real work install a full Arabic model.",
		Fixed:     "The setting model names the model, so none can be chosen here:",
		Installed: "Installed on this appliance", Name: "Model", State: "State", Size: "Size", From: "From", Measured: "Measured here",
		Actions: "Actions", Serves: "in use", Use: "Use", Try: "Try", Remove: "Remove",
		SwitchHint: "Switching takes effect at once, without a restart: running requests finish on the previous model, and you can go back here.",
		BuiltIn:    "Built-in model", FromProgram: "with the program", FromFile: "a file",
		MeasuredLine: "{} of {} words wrong; a second of speech takes {} s",
		Known:        "Models known to work", KnownHint: "The next page shows size and licence before anything is downloaded.", Look: "Show", Present: "installed",
		RateLine: "word error rate {}% ({}); source: {}",
		Other:    "Another model", OtherHint: "Its name on the hub: organization/name, with @revision if you mean one.", LookUp: "Look it up",
		JobTitle: "Installation", Downloaded: "Downloaded", GoesOn: "The download goes on when you close this page, and continues after a restart.",
		TestingHint: "The model is converted and tested on known clips before it is installed. This may take a minute.",
		ReadyHint:   "The model is installed and has passed its test. Try it with your voice, then use it.",
		Cancel:      "Cancel", Resume: "Continue", Dismiss: "Close", Refresh: "Refresh",
		Phases: map[string]string{
			"fetching": "downloading", "testing": "being tested", "installed": "installed", "failed": "not installed", "cancelled": "cancelled",
		},
		ByHand: "Without internet access: copy the file by hand",
		Carry1: "On a computer with internet access open the model's page and download its file that ends in .nemo from:",
		Carry2: "Copy it to this appliance, for example on a USB stick.",
		Carry3: "Upload it here, or type its path if it is on the appliance itself.",
		File:   "Model file", FileHint: "One .nemo file.", Sent: "Sent", Upload: "Upload and install",
		Path: "Path on the appliance", PathHint: "A .nemo file, or a folder in onnx-asr's or sherpa-onnx's layout.", Import: "Install from the path",
		AnyLanguage: "Accept it even if it does not know Arabic",
		OfferTitle:  "Install a model", OfferLead: "Check the licence and the size before the download. The model in use stays until you choose otherwise.",
		License: "Licence", NoLicense: "The hub names none; read the model card.", Revision: "Revision", Card: "Model card", OneFile: "File",
		Rate: "Published result", InstallAs: "Name here", NameHint: "Letters, digits, dots, dashes and underscores.",
		UseWhenReady: "Use it once it has passed its test", Int8: "With 8-bit weights: smaller, as a rule faster. The difference is measured.", Install: "Download and install",
		Busy: "Another model is being installed. Wait for it, or cancel it.", BackToSystem: "To the system page",
		TrialTitle: "Try", TrialLead: "Record a sentence or choose a file, and read what both models hear. The audio is not stored.",
		ServingHears: "The model in use", OtherHears: "The new model",
		Sound: "Audio file", SoundHint: "A minute at most.", Listen: "Compare", Record: "Record a sentence", StopRecording: "Stop and compare",
		NoMicrophone: "This page can't use a microphone. Choose a file.", HeardNothing: "It heard no speech.", Took: "Took", Of: "for audio of",
		RemoveTitle: "Remove {}?", RemoveText: "Its files are deleted from this appliance. You can install it again.", Back: "Leave it",
		PitchTitle: "A full Arabic model", PitchDo: "Download, install and use it",
		PitchLink: "The built-in model is for demos. Install a full Arabic model",
		SaidBegun: "The installation has begun.", SaidCancelled: "Cancelled. What was downloaded is kept.", SaidUsed: "Now in use: {}", SaidRemoved: "{} is removed.",
		SaidNotOpened: "The model could not be opened; the previous one stays in use.", NoModel: "There is no model of this name.", InUse: "This model is in use. Choose another one first.",
		NameTaken: "The name is taken or not valid. Choose another one.", NoPath: "There is no .nemo file and no model folder at this path.",
		Shared: "Shared by all appliances",
		SharedHint: "Each model that is installed on one appliance is copied to the bucket and fetched by the others, and choosing one " +
			"on an appliance applies to all. A removed model leaves the bucket when no appliance uses it. Bucket:",
		SharedAway: "The bucket does not answer now. The models installed here stay in use.",
		Fetching:   "{} is fetched from the bucket: {} of {}", Sending: "{} is uploaded to the bucket: {} of {}",
		SharedCount: englishCount("One model is in the bucket, and it is here.", "{n} models are in the bucket, and all of them are here."),
		InstallFaults: map[string]string{
			"offline":           "This appliance can't reach the hub. You can copy the file by hand; the steps are below.",
			"other":             "The model was not installed. Send the detail below to your support.",
			"bad_name":          "This is not the name of a model. Write it as on the hub: organization/name, or choose a model from the list.",
			"bad_revision":      "What follows the @ is not a revision. Write a commit, branch or tag, or leave it out.",
			"no_such_model":     "The hub has no model of this name, or it is private and this appliance may not read it. Check the name; for a private model set the access token HF_TOKEN and restart the service.",
			"no_such_revision":  "The hub doesn't have this revision of the model, or no longer has its files. Look the model up again, without a revision.",
			"gated":             "This model's owners require that their conditions are accepted. Accept them on its page with your account of the hub, then set that account's token in HF_TOKEN and restart the service.",
			"nothing_to_import": "This repository holds nothing that can be installed: neither one .nemo file nor an ONNX model with its vocabulary.",
			"hub_busy":          "The hub is busy and asks to wait. Try again in a while.",
			"hub_fault":         "The hub answers with an error. Try again later; if it happens again, check the hub's address in the setting model-hub.",
			"bad_checksum":      "What was downloaded does not match the checksum on the hub, so it was removed. Try again.",
			"connection_broke":  "The connection to the hub broke again and again. What was downloaded is kept; try again to go on from there.",
			"not_convertible":   "This file can't be converted: it is damaged or incomplete, or of a type that is not supported. Check that it is a complete NeMo file, or choose another model.",
			"cannot_decode":     "This model doesn't work: it can't be opened, or hears nothing in clear speech. Download it again, or choose another model.",
			"not_arabic":        "This model doesn't write correct Arabic. Choose an Arabic model, or install it again with “Accept it even if it does not know Arabic” if it is for another language.",
		},
		ShareProblems: map[string]string{
			"not_shared":           "The model {} could not be copied to the bucket.",
			"name_in_use":          "The model {} here differs from the one of that name in the bucket. Install it under another name, or remove it here.",
			"no_disk_room":         "The model {} was not fetched from the bucket: it needs {}, and {} are free in the data folder. Free disk space.",
			"damaged_model":        "The model {} in the bucket is damaged. Install it again.",
			"unreadable_record":    "The record of the model {} in the bucket cannot be read. Remove it from the bucket, and install the model again.",
			"unreadable_selection": "The choice of the model in the bucket cannot be read. Choose the model again.",
			"not_here_yet":         "The other appliances use the model {}, which is not on this appliance yet.",
			"cannot_open":          "The other appliances use the model {}, which cannot be opened here. This appliance still uses the previous one.",
			"cannot_share":         "Models could not be shared.",
		},
		NoSound: "Choose an audio file or record a sentence.", BadSound: "This file can't be read as audio. Choose a WAV, MP3, FLAC, Ogg or WebM file.", LongSound: "The audio is longer than a minute. Shorten it.",
		Offline: "This appliance can't reach the model hub. Check its internet access.", Gone: "No model is being installed.",
		Languages: map[string]string{
			"ar": "Arabic", "fa": "Persian", "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian",
		},
	}
}

// FillBlanks puts values into the blanks ({}) of a sentence, in order.
func FillBlanks(sentence string, values ...string) string {
	for _, v := range values {
		sentence = strings.Replace(sentence, "{}", v, 1)
	}
	return sentence
}

// ListComma returns the separator of list items.
func ListComma(l Language) string { return pickLanguage(l, "، ", ", ") }

// rateSources are the Arabic words for the sources of published error rates.
var rateSources = map[string]string{
	"the model's paper": "ورقة النموذج العلمية", "the model's card": "بطاقة النموذج",
}

// RateSource returns the source of a published error rate in a language; untranslated sources as they are.
func RateSource(l Language, source string) string {
	return pickLanguage(l, cmp.Or(rateSources[source], source), source)
}
