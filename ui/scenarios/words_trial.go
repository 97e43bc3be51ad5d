package scenarios

import "munadi/ui/locale"

// Texts of the trial of a draft by typing.

var TrialTalk = locale.Text{"أو تحدّث مع المسودة المحفوظة بصوتك: لا تُحسب في التقارير", "Or talk to the saved draft aloud: no report counts it"}
var TrialTitle = locale.Text{"جرّبه بالكتابة", "Try it by typing"}
var TrialLead = locale.Text{"المحادثة نفسها بلا صوت، بما في النموذج الآن، قبل الحفظ. خطوة النموذج اللغوي تسأله كما في المكالمة، إن ضبطه مدير الخادم.", "The same conversation without sound, with the form as it is now, before saving. A step of a language model asks it as a call does, if the administrator has set one."}
var TrialStart = locale.Text{"ابدأ", "Begin"}
var TrialAgain = locale.Text{"من البداية", "From the beginning"}
var TrialValues = locale.Text{"قيم الحجز", "Variables of the booking"}
var TrialAnswer = locale.Text{"إجابتك", "Your answer"}
var TrialSay = locale.Text{"قُل", "Say"}
var TrialPress = locale.Text{"اضغط الأزرار", "Press keys"}
var TrialSilent = locale.Text{"اسكت", "Stay silent"}
var TrialHangUp = locale.Text{"أغلق الخط", "Hang up"}
var TrialBack = locale.Text{"تراجع عن آخر إجابة", "Take back the last answer"}
var TrialPlatform = locale.Text{"المنصة", "Platform"}
var TrialPerson = locale.Text{"أنت", "You"}
var TrialAsks = locale.Text{"تسأل عن", "Asks for"}
var TrialFound = locale.Text{"ما عُرف حتى الآن", "Known so far"}
var TrialOver = locale.Text{"انتهت المكالمة.", "The call is over."}
var TrialTransferred = locale.Text{"تُحوَّل المكالمة هنا إلى {to}.", "Here the call is transferred to {to}."}
var TrialSuppressed = locale.Text{"انتهت المكالمة، ولن يُتصل بهذا الرقم بعدها.", "The call is over, and this number would not be called again."}
var TrialReport = locale.Text{"التقرير", "Report"}
var TrialMendFirst = locale.Text{"صحّح الأخطاء أولًا، ثم تستمر التجربة.", "Correct the errors first; then the trial continues."}
var TrialFailed = locale.Text{"لم تكتمل التجربة. أعد المحاولة.", "The trial failed. Try again."}
var TrialNotes = locale.Text{"ملاحظات", "Notes"}
var TrialStatus = locale.Text{"النتيجة", "Outcome"}
var TrialModelAsked = locale.Text{"سُئل النموذج اللغوي «{name}»، ويُنتظر كل رد منه {time} على الأكثر. قد يردّ في المكالمة بكلام آخر.", "The language model “{name}” was asked; each answer is waited for {time} at most. In a call it may answer in other words."}
var TrialModelMissing = locale.Text{"خطوة النموذج اللغوي تحتاج إلى نموذج اسمه «{name}»، وليس لمنظمتك نموذج بهذا الاسم. يضبطه مدير الخادم في llm-endpoints. تستمر التجربة كأنه لم يردّ.", "A step needs the language model “{name}”, and your organization has none of that name. The administrator sets it in llm-endpoints. The trial goes on as if it had not answered."}
var TrialModelFailed = locale.Text{"لم يردّ النموذج اللغوي «{name}» خلال {time}. تستمر التجربة كما تستمر المكالمة حينها. ابدأ من جديد لتسأله ثانية.", "The language model “{name}” did not answer in {time}. The trial goes on as a call would then. Begin again to ask it once more."}
