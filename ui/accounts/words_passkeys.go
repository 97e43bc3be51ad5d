package accounts

import "munadi/ui/locale"

// Texts of passkeys.

var PasskeysTitle = locale.Text{"مفاتيح المرور", "Passkeys"}
var PasskeysLead = locale.Text{"مفتاح المرور في هاتفك أو حاسوبك أو مفتاح أمان: تدخل بالبصمة أو الوجه أو رمز الجهاز بلا كلمة مرور، ولا يعمل في موقع مزيّف.", "A passkey in your phone, computer or security key: you sign in by finger, face or PIN without a password, and it works at no forged site."}
var PasskeysManage = locale.Text{"إدارة مفاتيح المرور", "Manage passkeys"}
var PasskeysNone = locale.Text{"ليس لك مفتاح مرور بعد.", "You have no passkey yet."}
var PasskeysConfirm = locale.Text{"قبل تغيير مفاتيح المرور أكّد هويتك.", "Before you change passkeys, confirm that it is you."}
var PasskeysFull = locale.Text{"لك عشرة مفاتيح مرور. احذف واحدًا أولًا.", "You have ten passkeys. Remove one first."}
var PasskeyNew = locale.Text{"مفتاح مرور جديد", "New passkey"}
var PasskeyAdd = locale.Text{"إضافة مفتاح مرور", "Add a passkey"}
var PasskeyNameLabel = locale.Text{"اسم المفتاح", "Name of the passkey"}
var PasskeyNameHint = locale.Text{"مثل: هاتفي.", "Such as: my phone."}
var PasskeyBadName = locale.Text{"اكتب اسمًا من 1 إلى 40 حرفًا.", "Write a name of 1 to 40 characters."}
var PasskeyUnused = locale.Text{"لم يُستعمل بعد", "not yet"}
var PasskeyRename = locale.Text{"تغيير الاسم", "Rename"}
var PasskeyRemove = locale.Text{"حذف المفتاح", "Remove the passkey"}
var PasskeyAsk = locale.Text{"حذف مفتاح المرور؟", "Remove this passkey?"}
var PasskeyWhat = locale.Text{"لن يُدخلك هذا المفتاح بعد ذلك، وتنتهي جلساتك الأخرى.", "It signs you in no more, and your other sessions end."}
var PasskeyAdded = locale.Text{"أُضيف مفتاح المرور، وانتهت جلساتك الأخرى.", "The passkey was added, and your other sessions have ended."}
var PasskeyRemoved = locale.Text{"حُذف مفتاح المرور، وانتهت جلساتك الأخرى.", "The passkey was removed, and your other sessions have ended."}
var PasskeyRefused = locale.Text{"لم يُقبل مفتاح المرور: ليس لهذا الحساب، أو طال وقته. حاول من جديد.", "The passkey was not accepted: it is not this account's, or took too long. Try again."}
var PasskeyCopied = locale.Text{"رُفض مفتاح المرور لأن عدّاده رجع، فقد تكون له نسخة. ادخل بطريقة أخرى واحذفه.", "The passkey was refused: its counter went back, so there may be a copy of it. Sign in in another way and remove it."}
var PasskeyCancelled = locale.Text{"لم يُستعمل مفتاح المرور. حاول من جديد.", "No passkey was used. Try again."}
var PasskeyUnable = locale.Text{"هذا المتصفح لا يعرف مفاتيح المرور.", "This browser has no passkeys."}
var PasskeyScript = locale.Text{"إضافة مفتاح مرور تحتاج إلى JavaScript.", "Adding a passkey needs JavaScript."}
var PasskeyElsewhere = locale.Text{"مفاتيح المرور لا تعمل إلا عبر HTTPS وباسم النطاق المكتوب في الإعداد public-url.", "Passkeys work only over HTTPS, at the domain name of the setting public-url."}
var PasskeySignIn = locale.Text{"الدخول بمفتاح مرور", "Sign in with a passkey"}
var PasskeyConfirm = locale.Text{"تأكيد الهوية بمفتاح مرور", "Confirm with a passkey"}
var FactorLast = locale.Text{"منظمتك تشترط التحقق بخطوتين. أضف طريقة أخرى قبل حذف الأخيرة.", "Your organization requires two-step sign-in. Add another way before you remove the last one."}
var SignInCodeRecovery = locale.Text{"أو اكتب أحد رموز الاسترداد.", "Or type one of your recovery codes."}
