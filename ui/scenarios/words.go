// Package scenarios holds what a person sees of scenarios: the list, one scenario, its editor and versions.
package scenarios

import "munadi/ui/locale"

var Title = locale.Text{"السيناريوهات", "Scenarios"}
var Lead = locale.Text{"ما تقوله المكالمة وما تسأل عنه.", "What a call says, and what it asks."}
var New = locale.Text{"سيناريو جديد", "New scenario"}
var NewTitle = locale.Text{"سيناريو جديد", "New scenario"}
var NewLead = locale.Text{"ابدأ بقالب ثم غيّر فيه ما تشاء. لا تسير به مكالمة حتى تنشره.", "Begin with a template, then change what you like. No call follows it until you publish it."}
var NewTemplate = locale.Text{"القالب", "Template"}
var NewNameHint = locale.Text{"كما يظهر عند الحجز وفي التقارير", "As it is shown at bookings and in reports"}
var NewDo = locale.Text{"أنشئ السيناريو", "Create the scenario"}
var From = locale.Text{"انسخ سيناريو قائمًا بدل القالب", "Copy a scenario instead of the template"}
var FromHint = locale.Text{"اتركه فارغًا لتبدأ بالقالب.", "Leave it empty to begin with the template."}
var TemplateAppointment = locale.Text{"تأكيد موعد", "Appointment"}
var TemplateAppointmentAbout = locale.Text{"يؤكد الموعد أو ينقله إلى يوم وساعة آخرين أو يلغيه.", "Confirms an appointment, moves it to another day and time, or cancels it."}
var TemplateDelivery = locale.Text{"تأكيد توصيل", "Delivery"}
var TemplateDeliveryAbout = locale.Text{"يسأل هل يستلم الطلب في موعده، وإلا فمتى، ثم عن العنوان.", "Asks whether an order can be delivered as planned, else when, and for the address."}
var TemplateReminder = locale.Text{"تذكير", "Reminder"}
var TemplateReminderAbout = locale.Text{"يذكّر بموعد ويسأل سؤالًا واحدًا: هل ستحضر؟", "Reminds of an appointment and asks one question: will you come?"}
var TemplateSurvey = locale.Text{"استبيان", "Survey"}
var TemplateSurveyAbout = locale.Text{"درجتان من واحد إلى خمسة وملاحظة حرة، لمن لديه دقيقة.", "Two marks from one to five and a free comment, from those who have a minute."}
var TemplatePayment = locale.Text{"تذكير بدفعة", "Payment reminder"}
var TemplatePaymentAbout = locale.Text{"يذكّر بمبلغ ويوم: يدفع في موعده، أو في يوم آخر، أو يتصل به موظف.", "Reminds of an amount and a day: paid on time, on another day, or staff calls back."}
var TemplateRestaurant = locale.Text{"طلب مطعم", "Restaurant order"}
var TemplateRestaurantAbout = locale.Text{"يأخذ طلبًا: الطبق والعدد والحجم والمشروب والتوصيل والدفع.", "Takes an order: dish, quantity, size, drink, delivery and payment."}
var TemplateBlank = locale.Text{"فارغ", "Blank"}
var TemplateBlankAbout = locale.Text{"تحية ووداع فقط، والباقي لك.", "A greeting and a goodbye; the rest is yours."}
var Name = locale.Text{"الاسم", "Name"}
var ID = locale.Text{"المعرّف", "Id"}
var IDHint = locale.Text{"من 1 إلى 64 من \u2066a-z 0-9 _ -\u2069. يُستعمل في API ولا يتغير. إن تُرك فارغًا صُنع من الاسم.", "1 to 64 of a-z 0-9 _ -. The API uses it; it doesn't change. Left empty, it is made of the name."}
var IDTaken = locale.Text{"هذا المعرّف مستعمل أو غير صالح. اختر غيره.", "This id is in use or not valid. Choose another."}
var NameEmpty = locale.Text{"اكتب اسمًا.", "Give it a name."}

// marks
var BuiltIn = locale.Text{"مدمج", "built in"}
var Own = locale.Text{"خاص بالمنظمة", "the organization's own"}
var Replaced = locale.Text{"بديل عن مدمج", "replaces a built-in one"}
var About = locale.Text{"الوصف", "Description"}
var StepsTitle = locale.Text{"الخطوات", "Steps"}
var Edit = locale.Text{"عدّل", "Edit"}
var EditCopy = locale.Text{"عدّل نسخة", "Edit a copy"}
var Delete = locale.Text{"احذف", "Delete"}
var Back = locale.Text{"رجوع", "Back"}
var Search = locale.Text{"بحث في السيناريوهات", "Search the scenarios"}
var Versions = locale.Text{"الإصدارات", "Versions"}
var Script = locale.Text{"النص", "Script"}
var Variables = locale.Text{"القيم", "Variables"}
var Conduct = locale.Text{"السلوك", "Behaviour"}
var Required = locale.Text{"مطلوب", "required"}
var Default = locale.Text{"القيمة الافتراضية", "default"}
var Play = locale.Text{"اسمع", "Listen"}
var Optional = locale.Text{"إن أمكن", "if possible"}
var WithValues = locale.Text{"تُملأ القيم عند الاتصال", "values are filled in during the call"}
var Asks = locale.Text{"يسأل عن", "Asks for"}
var ToolGives = locale.Text{"من ردّ الأداة", "From the tool's answer"}
var Choices = locale.Text{"الخيارات", "Choices"}
var Yes = locale.Text{"نعم أيضًا", "Also yes"}
var No = locale.Text{"لا أيضًا", "Also no"}
var Digits = locale.Text{"عدد الأرقام", "Digits"}
var Range = locale.Text{"من {min} إلى {max}", "from {min} to {max}"}
var Also = locale.Text{"وقد يجيب عن", "May answer too"}
var Reask = locale.Text{"إن لم يُفهم", "Not understood"}
var NoInput = locale.Text{"إن سكت", "Silence"}
var Change = locale.Text{"إن قال لا: ماذا نغيّر؟", "After a no: what is to change?"}
var Confirms = locale.Text{"يعيد القيمة ويسأل: هل هي صحيحة", "reads the value back and asks whether it is right"}
var Reasks = locale.CountedPair{locale.ArabicNoun("", "لا يُعاد السؤال", "يُعاد السؤال مرة واحدة على الأكثر", "يُعاد السؤال مرتين على الأكثر", "إعادات للسؤال على الأكثر", "إعادة للسؤال على الأكثر", "إعادة للسؤال على الأكثر", ""), locale.EnglishCount("asks again once at most", "asks again {n} times at most")}
var Turns = locale.CountedPair{locale.ArabicNoun("", "لا إجابات", "إجابة واحدة على الأكثر", "إجابتان على الأكثر", "إجابات على الأكثر", "إجابة على الأكثر", "إجابة على الأكثر", ""), locale.EnglishCount("one answer at most", "{n} answers at most")}
var Waits = locale.CountedPair{locale.ArabicNoun("ينتظر ", "0 ثوانٍ", "ثانية واحدة", "ثانيتين", "ثوانٍ", "ثانية", "ثانية", ""), locale.EnglishCount("waits one second", "waits {n} seconds")}
var WrongCount = locale.CountedPair{locale.ArabicNoun("", "لا أخطاء", "خطأ واحد", "خطآن", "أخطاء", "خطأً", "خطأ", ""), locale.EnglishCount("one error", "{n} errors")}
var RetryText = locale.CountedPair{locale.ArabicNoun("", "لا محاولات", "محاولة واحدة", "محاولتان", "محاولات", "محاولة", "محاولة", "، بينها بالدقائق: {min}"), locale.EnglishCount("one attempt", "{n} attempts, minutes between them: {min}")}
var Otherwise = locale.Text{"وإلا", "Otherwise"}
var When = locale.Text{"إذا كان", "If"}
var Is = locale.Text{"يساوي", "is"}
var IsSet = locale.Text{"معروفًا", "is known"}
var IsUnset = locale.Text{"غير معروف", "is not known"}
var Goes = locale.Text{"اذهب إلى", "go to"}
var EndsThere = locale.Text{"تنتهي المكالمة", "the call ends"}
var OnFailure = locale.Text{"إن لم ينجح", "If it fails"}
var To = locale.Text{"يحوّل إلى", "Transfers to"}
var Model = locale.Text{"تعليمات النموذج", "The model's instructions"}
var NoBargeIn = locale.Text{"لا يُقاطع", "can't be interrupted"}

// types of steps
var Say = locale.Text{"قول", "Say"}
var Ask = locale.Text{"سؤال", "Ask"}
var Branch = locale.Text{"تفرّع", "Branch"}
var Transfer = locale.Text{"تحويل", "Transfer"}
var Fetch = locale.Text{"سؤال نظام", "Ask a system"}
var Tool = locale.Text{"الأداة", "Tool"}
var Sends = locale.Text{"تُرسل", "Sends"}
var LLM = locale.Text{"نموذج لغوي", "Language model"}
var End = locale.Text{"نهاية", "End"}

// types of slots
var YesNo = locale.Text{"نعم أو لا", "yes or no"}
var Number = locale.Text{"عدد", "number"}
var Date = locale.Text{"تاريخ", "date"}
var Time = locale.Text{"وقت", "time"}
var Choice = locale.Text{"اختيار", "choice"}
var Text = locale.Text{"كلام حر", "free speech"}
var Retry = locale.Text{"إعادة المحاولة", "Retries"}
var Once = locale.Text{"محاولة واحدة", "one attempt"}
var Longest = locale.Text{"أطول مكالمة", "Longest call"}
var Ring = locale.Text{"أطول رنين", "Rings for"}
var Machine = locale.Text{"المجيب الآلي", "Answering machines"}
var MachineOff = locale.Text{"لا يُكشف", "are not looked for"}
var MachineDetect = locale.Text{"يُسجَّل ويُتابَع (نغمات الفاكس والشبكة تُنهي المكالمة)", "are noted, and talked to (tones of a fax or the network end the call)"}
var MachineHangUp = locale.Text{"تُغلق المكالمة", "are hung up on"}
var OptOut = locale.Text{"عبارات المنع", "Opt-out phrases"}
var Identify = locale.Text{"لمن يسأل: من معي؟", "Answer to: who is calling?"}
var Hours = locale.Text{"ساعات اتصال خاصة به", "Its own calling hours"}
var Reports = locale.Text{"ما يُبلَّغ", "Reports"}
var Seconds = locale.CountedPair{locale.ArabicNoun("", "0 ثوانٍ", "ثانية واحدة", "ثانيتان", "ثوانٍ", "ثانية", "ثانية", ""), locale.EnglishCount("one second", "{n} seconds")}
var JSON = locale.Text{"JSON", "JSON"}
var EditTitle = locale.Text{"تعديل السيناريو", "Edit the scenario"}
var EditLead = locale.Text{"هذا هو السيناريو كله بصيغة JSON. لا يُحفظ إلا إذا كان سليمًا كله.", "The whole scenario as JSON. It is saved only when all of it is valid."}
var SaidDraft = locale.Text{"حُفظت المسودة. لا تسير بها مكالمة حتى تُنشر.", "The draft is saved. No call follows it until it is published."}
var MarkDraft = locale.Text{"مسودة", "draft"}
var MarkHasDraft = locale.Text{"عليه مسودة", "has a draft"}
var DraftOnlyNote = locale.Text{"هذه مسودة لم تُنشر بعد: لا تُحجز بها مكالمة.", "This draft was never published: no call can be booked with it."}
var DraftBesideNote = locale.Text{"هذه مسودة. تسير المكالمات بالإصدار {n}.", "This is a draft. Calls follow version {n}."}
var DraftBuiltInNote = locale.Text{"هذه مسودة. تسير المكالمات بالسيناريو المدمج.", "This is a draft. Calls follow the built-in scenario."}
var DraftChanges = locale.Text{"ما يختلف عن المنشور", "What differs from the published one"}
var SaidSaved = locale.Text{"حُفظ السيناريو. تسير به المكالمات التي تُحجز من الآن.", "The scenario is saved. Calls that are booked from now on follow it."}
var SaidSavedForAll = locale.Text{"حُفظ السيناريو. تسير به المكالمات القادمة، والمحجوزة أيضًا.", "The scenario is saved. Calls follow it from now on, booked ones, too."}
var Booked = locale.Text{"المكالمات المحجوزة", "Booked calls"}
var BookedKeep = locale.Text{"تبقى على الإصدار الذي حُجزت به", "keep the version that they were booked with"}
var BookedFollow = locale.Text{"تسير بآخر إصدار منشور", "follow the newest published version"}
var SaidMade = locale.Text{"حُفظ السيناريو مسودة. غيّر فيه ما تشاء ثم انشره.", "The scenario is saved as a draft. Change what you like, then publish it."}
var Unspoken = locale.Text{"لا تسجيل لهذا السطر ولا صوت يقوله: «{line}». أضف تسجيلًا له، أو اضبط speech-url، أو ثبّت espeak-ng، أو اجعل السطر اختياريًا.", "This line has no recording and no voice that can say it: “{line}”. Add a recording of it, set speech-url, install espeak-ng, or make the line optional."}
var Wrong = locale.Text{"لم يُحفظ شيء.", "Nothing was saved."}
var Line = locale.Text{"السطر {line}", "Line {line}"}
var NotJSON = locale.Text{"هذا ليس JSON سليمًا.", "This is not valid JSON."}
var NotJSONDo = locale.Text{"لا تُفهم الكتابة ابتداءً من هنا. انظر الفواصل بين القيم، وعلامات الاقتباس حول النصوص، وأن لكل قوس قوسًا يغلقه.", "It can't be read from here on. Look at the commas between values, the quotes around texts, and that each bracket is closed."}
var TooLong = locale.Text{"السيناريو أكبر من 1 ميغابايت. اختصره.", "The scenario is larger than 1 MB. Shorten it."}
var ReplaceNote = locale.Text{"هذا سيناريو مدمج: يُحفظ تعديلك نسخةً خاصة بمنظمتك تحل محله، وبحذفها يعود المدمج.", "This scenario is built in: what you save is your organization's copy and replaces it. Delete the copy to return to the built-in one."}
var KeepID = locale.Text{"المعرّف لا يتغير. لمعرّف آخر أنشئ نسخة.", "The id doesn't change. For another id, make a copy."}
var Guide = locale.Text{"كل الحقول مشروحة في وصف OpenAPI.", "Every field is explained in the API's description."}
var DeleteTitle = locale.Text{"حذف السيناريو؟", "Delete the scenario?"}
var DeleteText = locale.Text{"تُحذف معه إصداراته، والمكالمات المحجوزة به تفشل عند موعدها.", "Its versions go with it. Calls that are booked with it fail when they are due."}
var DeleteReplaced = locale.Text{"يعود السيناريو المدمج الذي كان هذا بديلًا عنه.", "The built-in scenario that it replaced is used again."}
var SaidDeleted = locale.Text{"حُذف السيناريو.", "The scenario is deleted."}
var Try = locale.Text{"جرّبه في المحاكاة", "Try it in the simulator"}
var TryLead = locale.Text{"مكالمة إلى شخص محاكى يجيب بصوته، في أي ساعة: لا يرنّ أي هاتف. تُحفظ تجربةً، ولا تُحسب في التقارير ولا الحصص.", "A call to a simulated person, who answers aloud, at any hour: no telephone rings. It is kept as a trial, in no report and no limit."}
var TryWhom = locale.Text{"من يجيب", "Who answers"}
var TryDo = locale.Text{"اتصل الآن", "Call now"}
var Yields = locale.Text{"متعاون: يوافق ويجيب", "Cooperative: agrees and answers"}
var Interrupts = locale.Text{"متعاون لا ينتظر نهاية السؤال", "Cooperative, interrupts questions"}
var Changes = locale.Text{"يريد موعدًا آخر", "Wants another time"}
var Cancels = locale.Text{"يعتذر عن كل شيء", "Declines everything"}
var Keys = locale.Text{"يكتب الأرقام بالأزرار", "Enters numbers by keypad"}
var AsksAgain = locale.Text{"يطلب إعادة السؤال الأول", "Asks for the first question again"}
var Shy = locale.Text{"يسكت أول مرة", "Is silent the first time"}
var Slow = locale.Text{"يفكر طويلًا", "Takes long to answer"}
var NoAnswer = locale.Text{"لا يرد", "Doesn't answer"}
var Declines = locale.Text{"يرفض", "Declines the call"}
var Unavailable = locale.Text{"هاتفه غير متاح", "Is not available"}
var Voicemail = locale.Text{"بريد صوتي", "Voicemail"}
var NoCarrier = locale.Text{"عطل لدى شركة الاتصالات", "Carrier failure"}
var HangsUp = locale.Text{"يغلق في منتصف المكالمة", "Hangs up midway"}
var Busy = locale.Text{"مشغول", "Busy"}
var Silent = locale.Text{"يرد ولا يتكلم", "Answers and says nothing"}
var Noisy = locale.Text{"متعاون في ضجيج", "Cooperative, in noise"}

// StepName returns the display name of a type of step.
func StepName(l locale.Language, kind string) string {
	return locale.NameOf(l, kind, map[string]locale.Text{
		"say": Say, "ask": Ask, "branch": Branch, "transfer": Transfer, "llm": LLM, "fetch": Fetch, "end": End,
	})
}

// SlotName returns the display name of a type of slot.
func SlotName(l locale.Language, kind string) string {
	return locale.NameOf(l, kind, map[string]locale.Text{
		"yes_no": YesNo, "number": Number, "date": Date, "time": Time, "choice": Choice, "text": Text,
	})
}

// MachineName returns the display name of a policy about answering machines.
func MachineName(l locale.Language, policy string) string {
	return locale.NameOf(l, policy, map[string]locale.Text{
		"off": MachineOff, "detect": MachineDetect, "detect_and_hang_up": MachineHangUp,
	})
}

// slotPurpose says what a step of a type does with a slot: its person is asked for it, or its tool answers it.
func slotPurpose(step string) locale.Text {
	if step == "fetch" {
		return ToolGives
	}
	return Asks
}
