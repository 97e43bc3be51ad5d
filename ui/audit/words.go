// Package audit holds what a person sees of the audit trail.
package audit

import "munadi/ui/locale"

var Title = locale.Text{"سجل التغييرات", "Audit log"}
var Lead = locale.Text{"من فعل ماذا ومتى. لا يُحذف منه شيء.", "Who did what, and when. Nothing is ever removed from it."}
var When = locale.Text{"متى", "When"}
var Who = locale.Text{"من", "Who"}
var What = locale.Text{"ماذا", "What"}
var On = locale.Text{"على", "On"}
var Note = locale.Text{"تفصيل", "Detail"}
var Filter = locale.Text{"بحث في السجل", "Search the log"}
var Verify = locale.Text{"تحقق من السجل", "Verify the log"}
var Whole = locale.Text{"تم التحقق الآن: كل سطر في السجل موجود كما كُتب.", "Verified just now: every line of the log is there, as it was written."}
var Changed = locale.Text{"تم التحقق الآن: السجل ليس كما كُتب.", "Verified just now: the log is not as it was written."}
var Empty = locale.Text{"لا شيء في السجل بعد", "Nothing in the log yet"}
var EmptyDo = locale.Text{"يظهر هنا كل تغيير: المفاتيح والقواعد والمستخدمون والإلغاء والحذف.", "Every change is listed here: keys, rules, users, cancellations, erasures."}
var Partly = locale.Text{"بُحث في جزء من السجل؛ تابع إلى الأقدم.", "A part of the log was searched; go on to older lines."}
var Appliance = locale.Text{"الخادم", "appliance"}
var CommandLine = locale.Text{"سطر الأوامر", "command line"}
var Provider = locale.Text{"خادم الدخول في الشركة", "the company's sign-in server"}
var SetUpLink = locale.Text{"رابط الإعداد", "set-up link"}
var Person = locale.Text{"المتصَل به", "the person called"}
var Key = locale.Text{"مفتاح", "key"}
var Address = locale.Text{"عنوان", "address"}
var Export = locale.Text{"ملف موقّع للتدقيق", "Signed file for auditors"}
var KeyTitle = locale.Text{"المفتاح العام للتوقيع", "Public key of signatures"}
var KeyLead = locale.Text{"يُفحص الملف في أي مكان بالأمر munadi audit verify، ويجب أن يكون موقّعًا بهذا المفتاح:", "munadi audit verify checks the file anywhere; it must be signed by this key:"}
