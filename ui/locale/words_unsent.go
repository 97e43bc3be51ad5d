package locale

// A form whose session ended before it was sent.
var UnsentSignedOut = Text{"انتهت جلستك، وما كتبته محفوظ هنا", "You are signed out; what you typed is kept here"}
var UnsentSignedOutDo = Text{"لم يُرسل شيء بعد. سجّل الدخول في علامة تبويب جديدة، ثم عد إلى هذه الصفحة وتابع. لا تغلق هذه الصفحة: ما كتبته محفوظ فيها وحدها.", "Nothing was sent yet. Sign in on a new tab, come back to this page and continue. Do not close this page: what you typed is kept nowhere else."}
var UnsentSignIn = Text{"تسجيل الدخول في علامة تبويب جديدة", "Sign in on a new tab"}
var UnsentContinue = Text{"سجّلت الدخول: متابعة", "I have signed in: continue"}
var UnsentReady = Text{"هل يُرسل ما كتبته الآن؟", "Send what you typed now?"}
var UnsentReadyDo = Text{"فُتح هذا النموذج في جلسة أخرى أو لمنظمة أخرى، فلم يُرسل شيء بعد. سيُرسل باسم \u2068{user}\u2069 إلى منظمة \u2068{organization}\u2069.", "This form was opened in another session, or for another organization, so nothing was sent yet. It will be sent as \u2068{user}\u2069, for the organization \u2068{organization}\u2069."}
var UnsentSend = Text{"إرسال", "Send"}
var UnsentDrop = Text{"عدم الإرسال", "Do not send"}
var UnsentFile = Text{"لا يُحفظ الملف الذي اخترته: بعد الإرسال يُطلب منك اختياره مرة أخرى.", "The file that you chose is not kept: after sending you are asked to choose it again."}
var UnsentSecret = Text{"لا تُحفظ كلمة المرور: تكتبها مرة أخرى قبل الإرسال.", "The password is not kept: you type it again before sending."}
