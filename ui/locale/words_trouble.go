package locale

// Texts of the page of a failure.

// headings
var TroubleNotFound = Text{"الصفحة غير موجودة", "Page not found"}
var TroubleForbidden = Text{"دورك لا يسمح بهذا", "Your role does not allow this"}
var TroubleSignIn = Text{"سجّل الدخول أولًا", "Sign in first"}
var TroubleStale = Text{"لم يُقبل هذا الطلب", "This request was not accepted"}
var TroubleTooLarge = Text{"ما أُرسل أكبر من المسموح", "What was sent is too large"}
var TroubleBusy = Text{"مُنادي غير جاهز الآن", "Munadi is not ready at the moment"}
var TroubleInternal = Text{"حدث خطأ عندنا", "Something went wrong on our side"}
var TroubleAddress = Text{"في العنوان جزء لا يُقرأ", "A part of the address cannot be read"}
var TroubleOther = Text{"تعذّر تنفيذ الطلب", "The request could not be completed"}

// remedies
var TroubleNotFoundDo = Text{"ربما حُذف، أو يتبع منظمة أخرى، أو في العنوان خطأ.", "It may have been deleted, belong to another organization, or the address is mistyped."}
var TroubleAddressDo = Text{"لا معنى لـ «{part}» في عنوان هذه الصفحة.", "“{part}” means nothing in the address of this page."}
var TroubleAddressGo = Text{"افتح الصفحة بدونه", "Open the page without it"}
var TroubleForbiddenDo = Text{"اطلب من مالك المنظمة أن يفعله أو أن يغيّر دورك.", "Ask an owner of the organization to do it, or to change your role."}
var TroubleSignInDo = Text{"انتهت جلستك أو لم تبدأ بعد. لم يُنفَّذ شيء.", "Your session has ended, or never began. Nothing was done."}
var TroubleStaleDo = Text{"النموذج قديم أو أرسله موقع آخر. افتح الصفحة من جديد وأعد المحاولة.", "The form is out of date, or another site sent it. Open the page again and retry."}
var TroubleBusyDo = Text{"يُحمَّل النموذج أو يتوقف الخادم. أعد المحاولة بعد لحظات.", "The model is being loaded, or the appliance is stopping. Try again in a moment."}
var TroubleInternalDo = Text{"إن تكرر فأرسل معرّف الطلب إلى مدير الخادم؛ في سجل الخادم سطر بالمعرّف نفسه.", "If it happens again, send the request id to the administrator of the appliance: its log has a line with the same id."}

// fields of a SIP trunk
var TrunkAddress = Text{"العنوان", "Address"}
var TrunkListen = Text{"منفذ ثابت لهذا الخادم", "Fixed port of this machine"}
var TrunkFrom = Text{"رقم المتصل", "Caller number"}
var TrunkRate = Text{"المكالمات الجديدة في الثانية", "New calls per second"}
var TrunkCodecs = Text{"ترميزات الصوت", "Audio codecs"}
var TrunkCA = Text{"شهادة الجهة المُصدرة (CA)", "CA of its certificate"}
var TrunkLines = Text{"المكالمات في وقت واحد", "Concurrent calls"}

// the disk
var TroubleFull = Text{"القرص ممتلئ", "The disk is full"}
var TroubleFullDo = Text{"القرص ممتلئ أو للقراءة فقط، فلم يُحفظ شيء. احذف ملفات من القرص ثم أعد المحاولة؛ لا حاجة إلى إعادة التشغيل.", "The disk is full or read-only, so nothing was stored. Free disk space and try again; no restart is needed."}
var TroubleRequest = Text{"معرّف الطلب", "Request id"}
var TroubleCopy = Text{"نسخ", "Copy"}
var TroubleCopied = Text{"نُسخ", "Copied"}
var TroubleBack = Text{"إلى لوحة التحكم", "To the console"}
