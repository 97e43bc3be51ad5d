// Package models holds what a person sees of speech models.
package models

import "munadi/ui/locale"

var Title = locale.Text{"نماذج التعرّف", "Speech models"}
var DemoLimits = locale.Text{"النموذج المدمج للعرض: يفهم التأكيد والأرقام والمواعيد والطلبات القصيرة، ولا يفهم الكلام الحر ولا اللهجات. " + "للعمل الحقيقي ثبّت نموذجًا عربيًا كاملًا.", "The built-in model is for demos: it understands confirmations, numbers, appointments and short orders, " + "but neither free speech nor dialects. For real work install a full Arabic model."}
var Fixed = locale.Text{"الإعداد model يحدّد النموذج، فلا يُختار غيره من هنا:", "The setting model names the model, so none can be chosen here:"}
var Installed = locale.Text{"المثبَّت على هذا الخادم", "Installed on this appliance"}
var Name = locale.Text{"النموذج", "Model"}
var Size = locale.Text{"الحجم", "Size"}
var From = locale.Text{"المصدر", "From"}
var Measured = locale.Text{"القياس هنا", "Measured here"}
var Actions = locale.Text{"إجراءات", "Actions"}
var Serves = locale.Text{"يعمل الآن", "in use"}
var Use = locale.Text{"استعمله", "Use"}
var Try = locale.Text{"جرّبه", "Try"}
var Remove = locale.Text{"احذفه", "Remove"}
var SwitchHint = locale.Text{"التبديل فوري وبلا إعادة تشغيل: الطلبات الجارية تكتمل على النموذج السابق، وتستطيع الرجوع إليه من هنا.", "Switching takes effect at once, without a restart: running requests finish on the previous model, and you can go back here."}
var BuiltIn = locale.Text{"النموذج المدمج", "Built-in model"}
var FromProgram = locale.Text{"مع البرنامج", "with the program"}
var FromFile = locale.Text{"ملف", "a file"}
var MeasuredLine = locale.Text{"الكلمات الخاطئة: {} من {}، وزمن التعرّف لكل ثانية كلام: {} ث", "{} of {} words wrong; a second of speech takes {} s"}
var ComparedLine = locale.Text{"مقارنةً بالأصل — الملفات: {} بدل {}، وزمن ثانية الكلام: {} ث بدل {} ث، والكلمات الخاطئة: {} بدل {}، والنصوص المختلفة: {} من {}", "Compared with the original: files {} instead of {}, a second of speech {} s instead of {} s, words wrong {} instead of {}, texts that differ {} of {}"}
var Quantize = locale.Text{"أضف صيغة 8 بت", "Add 8-bit form"}
var Known = locale.Text{"نماذج مُجرَّبة", "Models known to work"}
var KnownHint = locale.Text{"تعرض الصفحة التالية الحجم والترخيص قبل التنزيل.", "The next page shows size and licence before anything is downloaded."}
var Look = locale.Text{"اعرض", "Show"}
var Present = locale.Text{"مثبَّت", "installed"}
var RateLine = locale.Text{"نسبة الخطأ {}% ({})، والمصدر: {}", "word error rate {}% ({}); source: {}"}
var Other = locale.Text{"نموذج آخر", "Another model"}
var OtherHint = locale.Text{"اسمه في المستودع: المنظمة/الاسم، وبعد @ الإصدار إن شئت.", "Its name on the hub: organization/name, with @revision if you mean one."}
var LookUp = locale.Text{"ابحث عنه", "Look it up"}
var JobTitle = locale.Text{"التثبيت الجاري", "Installation"}
var Downloaded = locale.Text{"نُزّل", "Downloaded"}
var GoesOn = locale.Text{"يستمر التنزيل وإن أغلقت الصفحة، ويُكمل بعد إعادة التشغيل.", "The download goes on when you close this page, and continues after a restart."}
var TestingHint = locale.Text{"يُحوَّل النموذج ويُجرَّب على مقاطع معروفة قبل تثبيته. قد يستغرق ذلك دقيقة.", "The model is converted and tested on known clips before it is installed. This may take a minute."}
var ReadyHint = locale.Text{"ثُبّت النموذج واجتاز الفحص. جرّبه بصوتك، ثم استعمله.", "The model is installed and has passed its test. Try it with your voice, then use it."}
var Cancel = locale.Text{"أوقف التثبيت", "Cancel"}
var Resume = locale.Text{"تابع التثبيت", "Continue"}
var Dismiss = locale.Text{"أغلق", "Close"}
var Refresh = locale.Text{"حدّث الصفحة", "Refresh"}
var Phases = locale.WordTable{
	{"fetching", "يُنزَّل", "downloading"},
	{"testing", "يُفحص", "being tested"},
	{"installed", "ثُبّت", "installed"},
	{"failed", "لم يُثبَّت", "not installed"},
	{"cancelled", "أُوقف", "cancelled"},
}

var ByHand = locale.Text{"بلا إنترنت: انقل الملف بيدك", "Without internet access: copy the file by hand"}
var Carry1 = locale.Text{"على حاسوب متصل بالإنترنت افتح صفحة النموذج، ونزّل ملفه الذي ينتهي بـ \u200e.nemo من:", "On a computer with internet access open the model's page and download its file that ends in .nemo from:"}
var Carry2 = locale.Text{"انقله إلى هذا الخادم، مثلًا بذاكرة USB.", "Copy it to this appliance, for example on a USB stick."}
var Carry3 = locale.Text{"ارفعه هنا، أو اكتب مساره إن كان على الخادم نفسه.", "Upload it here, or type its path if it is on the appliance itself."}
var File = locale.Text{"ملف النموذج", "Model file"}
var FileHint = locale.Text{"ملف \u200e.nemo واحد.", "One .nemo file."}
var Sent = locale.Text{"أُرسل", "Sent"}
var Upload = locale.Text{"ارفعه وثبّته", "Upload and install"}
var Path = locale.Text{"مسار على الخادم", "Path on the appliance"}
var PathHint = locale.Text{"ملف \u200e.nemo، أو مجلد بصيغة onnx-asr أو sherpa-onnx.", "A .nemo file, or a folder in onnx-asr's or sherpa-onnx's layout."}
var Import = locale.Text{"ثبّته من المسار", "Install from the path"}
var AnyLanguage = locale.Text{"اقبله وإن كان لا يعرف العربية", "Accept it even if it does not know Arabic"}
var OfferTitle = locale.Text{"تثبيت نموذج", "Install a model"}
var OfferLead = locale.Text{"راجع الترخيص والحجم قبل التنزيل. لا يتغير النموذج العامل حتى تختار ذلك.", "Check the licence and the size before the download. The model in use stays until you choose otherwise."}
var License = locale.Text{"الترخيص", "Licence"}
var NoLicense = locale.Text{"لم يذكره المستودع؛ اقرأ بطاقة النموذج.", "The hub names none; read the model card."}
var Revision = locale.Text{"الإصدار", "Revision"}
var Card = locale.Text{"بطاقة النموذج", "Model card"}
var OneFile = locale.Text{"ملف", "File"}
var Rate = locale.Text{"نتيجة منشورة", "Published result"}
var InstallAs = locale.Text{"الاسم هنا", "Name here"}
var NameHint = locale.Text{"حروف لاتينية وأرقام ونقاط وشرطات.", "Letters, digits, dots, dashes and underscores."}
var UseWhenReady = locale.Text{"استعمله حين يجتاز الفحص", "Use it once it has passed its test"}
var Int8 = locale.Text{"بأوزان من 8 بتات: أصغر، وأسرع عادةً. يُقاس الفرق.", "With 8-bit weights: smaller, as a rule faster. The difference is measured."}
var Install = locale.Text{"نزّله وثبّته", "Download and install"}
var Busy = locale.Text{"يجري تثبيت نموذج آخر. انتظره أو أوقفه.", "Another model is being installed. Wait for it, or cancel it."}
var BackToSystem = locale.Text{"إلى صفحة النظام", "To the system page"}
var TrialTitle = locale.Text{"تجربة", "Try"}
var TrialLead = locale.Text{"سجّل جملة أو اختر ملفًا، واقرأ ما يسمعه النموذجان. لا يُحفظ الصوت.", "Record a sentence or choose a file, and read what both models hear. The audio is not stored."}
var ServingHears = locale.Text{"النموذج العامل", "The model in use"}
var OtherHears = locale.Text{"النموذج الجديد", "The new model"}
var Sound = locale.Text{"ملف صوتي", "Audio file"}
var SoundHint = locale.Text{"دقيقة على الأكثر.", "A minute at most."}
var Listen = locale.Text{"قارن", "Compare"}
var Record = locale.Text{"سجّل جملة", "Record a sentence"}
var StopRecording = locale.Text{"أنهِ التسجيل وقارن", "Stop and compare"}
var NoMicrophone = locale.Text{"لا ميكروفون متاح لهذه الصفحة. اختر ملفًا.", "This page can't use a microphone. Choose a file."}
var HeardNothing = locale.Text{"لم يسمع كلامًا.", "It heard no speech."}
var Took = locale.Text{"استغرق", "Took"}
var Of = locale.Text{"لصوت مدته", "for audio of"}
var RemoveTitle = locale.Text{"حذف {}؟", "Remove {}?"}
var RemoveText = locale.Text{"تُحذف ملفاته من هذا الخادم. تستطيع تثبيته من جديد.", "Its files are deleted from this appliance. You can install it again."}
var PitchTitle = locale.Text{"نموذج عربي كامل", "A full Arabic model"}
var PitchDo = locale.Text{"نزّله وثبّته واستعمله", "Download, install and use it"}
var SaidBegun = locale.Text{"بدأ التثبيت.", "The installation has begun."}
var SaidCancelled = locale.Text{"أُوقف التثبيت. ما نُزّل محفوظ.", "Cancelled. What was downloaded is kept."}
var SaidUsed = locale.Text{"يعمل الآن: {}", "Now in use: {}"}
var SaidRemoved = locale.Text{"حُذف {}.", "{} is removed."}
var SaidNotOpened = locale.Text{"لم يُفتح النموذج، وبقي السابق عاملًا.", "The model could not be opened; the previous one stays in use."}
var NoModel = locale.Text{"لا نموذج بهذا الاسم.", "There is no model of this name."}
var InUse = locale.Text{"هذا النموذج يعمل الآن. اختر غيره أولًا.", "This model is in use. Choose another one first."}
var NameTaken = locale.Text{"الاسم مستعمل أو غير صالح. اختر اسمًا آخر.", "The name is taken or not valid. Choose another one."}
var NoPath = locale.Text{"لا ملف \u200e.nemo ولا مجلد نموذج في هذا المسار.", "There is no .nemo file and no model folder at this path."}
var Shared = locale.Text{"مشترك بين الخوادم", "Shared by all appliances"}
var SharedHint = locale.Text{"يُنسخ كل نموذج يُثبَّت على خادم إلى المخزن المشترك وتجلبه الخوادم الأخرى، واختيار النموذج على خادم يسري عليها كلها. " + "يُحذف من المخزن حين لا يستعمله أي خادم. المخزن:", "Each model that is installed on one appliance is copied to the bucket and fetched by the others, and choosing one " + "on an appliance applies to all. A removed model leaves the bucket when no appliance uses it. Bucket:"}
var SharedAway = locale.Text{"المخزن لا يجيب الآن. يستمر العمل بالنماذج المثبتة هنا.", "The bucket does not answer now. The models installed here stay in use."}
var Fetching = locale.Text{"يُجلب {} من المخزن: {} من {}", "{} is fetched from the bucket: {} of {}"}
var Sending = locale.Text{"يُرسَل {} إلى المخزن: {} من {}", "{} is uploaded to the bucket: {} of {}"}
var SharedCount = locale.CountedPair{locale.ArabicCount("لا نماذج في المخزن.", "في المخزن نموذج واحد، وهو هنا.", "في المخزن نموذجان، وهما هنا.", "في المخزن {n} نماذج، وكلها هنا.", "في المخزن {n} نموذجًا، وكلها هنا.", "في المخزن {n} نموذج، وكلها هنا."), locale.EnglishCount("One model is in the bucket, and it is here.", "{n} models are in the bucket, and all of them are here.")}
var NoSound = locale.Text{"اختر ملفًا صوتيًا أو سجّل جملة.", "Choose an audio file or record a sentence."}
var BadSound = locale.Text{"لا يمكن قراءة هذا الملف صوتًا. اختر ملف WAV أو MP3 أو FLAC أو Ogg أو WebM.", "This file can't be read as audio. Choose a WAV, MP3, FLAC, Ogg or WebM file."}
var LongSound = locale.Text{"الصوت أطول من دقيقة. قصّره.", "The audio is longer than a minute. Shorten it."}
var Offline = locale.Text{"لا يصل هذا الخادم إلى مستودع النماذج. تحقّق من اتصاله بالإنترنت.", "This appliance can't reach the model hub. Check its internet access."}
var Gone = locale.Text{"لا تثبيت جارٍ.", "No model is being installed."}

// by code
var Languages = locale.WordTable{
	{"ar", "العربية", "Arabic"},
	{"fa", "الفارسية", "Persian"},
	{"en", "الإنجليزية", "English"},
	{"de", "الألمانية", "German"},
	{"fr", "الفرنسية", "French"},
	{"es", "الإسبانية", "Spanish"},
	{"it", "الإيطالية", "Italian"},
	{"and 20 more", "و20 لغة أخرى", "and 20 more"},
}

// by the kind of fault of an installation
var InstallFaults = locale.WordTable{
	{"offline", "لا يصل هذا الخادم إلى المستودع. تستطيع نقل الملف إليه بيدك، والخطوات أدناه.", "This appliance can't reach the hub. You can copy the file by hand; the steps are below."},
	{"other", "لم يُثبَّت النموذج. أرسل التفصيل أدناه إلى الدعم الفني.", "The model was not installed. Send the detail below to your support."},
	{"bad_name", "هذا ليس اسم نموذج. اكتبه كما في المستودع: المنظمة/الاسم، أو اختر نموذجًا من القائمة.", "This is not the name of a model. Write it as on the hub: organization/name, or choose a model from the list."},
	{"bad_revision", "ما بعد العلامة @ ليس إصدارًا. اكتب رقم إيداع أو فرعًا أو وسمًا، أو احذفه.", "What follows the @ is not a revision. Write a commit, branch or tag, or leave it out."},
	{"no_such_model", "لا نموذج بهذا الاسم في المستودع، أو هو خاصّ ولا يُسمح لهذا الخادم بقراءته. راجع الاسم، وللنموذج الخاص اضبط رمز الوصول \u2068HF_TOKEN\u2069 ثم أعد تشغيل الخدمة.", "The hub has no model of this name, or it is private and this appliance may not read it. Check the name; for a private model set the access token HF_TOKEN and restart the service."},
	{"no_such_revision", "لا يوجد هذا الإصدار من النموذج في المستودع، أو نُزعت منه ملفاته. ابحث عن النموذج من جديد بلا إصدار.", "The hub doesn't have this revision of the model, or no longer has its files. Look the model up again, without a revision."},
	{"gated", "يشترط أصحاب هذا النموذج قبول شروطه. اقبلها في صفحته بحسابك في المستودع، ثم اضبط رمز ذلك الحساب في \u2068HF_TOKEN\u2069 وأعد تشغيل الخدمة.", "This model's owners require that their conditions are accepted. Accept them on its page with your account of the hub, then set that account's token in HF_TOKEN and restart the service."},
	{"nothing_to_import", "ليس في صفحة هذا النموذج على المستودع ما يمكن تثبيته: لا ملف واحد ينتهي بـ \u2068.nemo\u2069، ولا نموذج بصيغة ONNX مع مفرداته.", "This repository holds nothing that can be installed: neither one .nemo file nor an ONNX model with its vocabulary."},
	{"hub_busy", "المستودع مشغول ويطلب الانتظار. أعد المحاولة بعد قليل.", "The hub is busy and asks to wait. Try again in a while."},
	{"hub_fault", "أجاب المستودع بخطأ. أعد المحاولة لاحقًا، وإن تكرر فراجع عنوان المستودع في الإعداد \u2068model-hub\u2069.", "The hub answers with an error. Try again later; if it happens again, check the hub's address in the setting model-hub."},
	{"bad_checksum", "ما نُزّل لا يطابق المجموع الاختباري المعلن في المستودع، فحُذف. أعد المحاولة.", "What was downloaded does not match the checksum on the hub, so it was removed. Try again."},
	{"connection_broke", "انقطع الاتصال بالمستودع مرة بعد مرة. ما نُزّل محفوظ، فأعد المحاولة ليُكمل منه.", "The connection to the hub broke again and again. What was downloaded is kept; try again to go on from there."},
	{"not_convertible", "لا يمكن تحويل هذا الملف: هو تالف أو ناقص، أو من نوع لا يُدعم. راجع أنه ملف NeMo كامل، أو اختر نموذجًا آخر.", "This file can't be converted: it is damaged or incomplete, or of a type that is not supported. Check that it is a complete NeMo file, or choose another model."},
	{"cannot_decode", "لا يعمل هذا النموذج: لم يُفتح، أو لم يسمع شيئًا في كلام واضح. نزّله من جديد أو اختر نموذجًا آخر.", "This model doesn't work: it can't be opened, or hears nothing in clear speech. Download it again, or choose another model."},
	{"eight_bits", "أوزان هذا النموذج من 8 بتات أصلًا.", "This model has 8-bit weights already."},
	{"not_arabic", "لا يكتب هذا النموذج كلامًا عربيًا صحيحًا. اختر نموذجًا عربيًا، أو أعد التثبيت مع «اقبله وإن كان لا يعرف العربية» إن كان للغة أخرى.", "This model doesn't write correct Arabic. Choose an Arabic model, or install it again with “Accept it even if it does not know Arabic” if it is for another language."},
}

// by kind, with model, needed and free space
var ShareProblems = locale.WordTable{
	{"not_shared", "تعذّر نسخ النموذج {} إلى المخزن المشترك.", "The model {} could not be copied to the bucket."},
	{"name_in_use", "النموذج {} هنا غير النموذج الذي يحمل الاسم نفسه في المخزن. ثبّته باسم آخر، أو احذفه من هذا الخادم.", "The model {} here differs from the one of that name in the bucket. Install it under another name, or remove it here."},
	{"no_disk_room", "لم يُجلب النموذج {} من المخزن: يحتاج إلى {}، والمتاح في مجلد البيانات {}. احذف ملفات من القرص.", "The model {} was not fetched from the bucket: it needs {}, and {} are free in the data folder. Free disk space."},
	{"damaged_model", "النموذج {} في المخزن تالف. ثبّته من جديد.", "The model {} in the bucket is damaged. Install it again."},
	{"unreadable_record", "سجل النموذج {} في المخزن لا يُقرأ. احذفه من المخزن، وثبّت النموذج من جديد.", "The record of the model {} in the bucket cannot be read. Remove it from the bucket, and install the model again."},
	{"unreadable_selection", "اختيار النموذج المحفوظ في المخزن لا يُقرأ. اختر النموذج من جديد.", "The choice of the model in the bucket cannot be read. Choose the model again."},
	{"not_here_yet", "الخوادم الأخرى تعمل بالنموذج {}، ولم يصل إلى هذا الخادم بعد.", "The other appliances use the model {}, which is not on this appliance yet."},
	{"cannot_open", "الخوادم الأخرى تعمل بالنموذج {}، ولا يُفتح على هذا الخادم. يعمل هذا الخادم بالنموذج السابق.", "The other appliances use the model {}, which cannot be opened here. This appliance still uses the previous one."},
	{"cannot_share", "تعذّرت مشاركة النماذج.", "Models could not be shared."},
}

// PhaseName returns the display name of a phase of an installation.
func PhaseName(l locale.Language, phase string) string { return Phases.Word(l, phase) }

// LanguageName returns the display name of a language; its code without one.
func LanguageName(l locale.Language, code string) string {
	return Languages.NameOf(l, code)
}

// rateSources are the sources of published error rates.
var rateSources = locale.WordTable{
	{"the model's paper", "ورقة النموذج العلمية", "the model's paper"},
	{"the model's card", "بطاقة النموذج", "the model's card"},
}

// RateSource returns the source of a published error rate in a language; untranslated sources as they are.
func RateSource(l locale.Language, source string) string { return rateSources.NameOf(l, source) }
