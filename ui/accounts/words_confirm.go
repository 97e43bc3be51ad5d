package accounts

import "munadi/ui/locale"

// Texts of the authentication within a session, before something that cannot be undone.

var ConfirmTitle = locale.Text{"تأكيد هويتك", "Confirm that it is you"}
var ConfirmLead = locale.Text{"قبل ما لا يُتراجع عنه نتحقق منك مرة أخرى. يكفي هذا خمس دقائق.", "Before something that cannot be undone you authenticate again. This is good for five minutes."}
var ConfirmDo = locale.Text{"تأكيد الهوية", "Confirm"}
var ConfirmBack = locale.Text{"رجوع", "Back"}
var ConfirmElsewhere = locale.Text{"تأكيد الهوية بطريقة أخرى", "Confirm in another way"}
var ConfirmFirst = locale.Text{"لا يُتراجع عن هذا. أكّد هويتك أولًا، ثم تعود إلى هذه الصفحة.", "This cannot be undone. First confirm that it is you; then you come back to this page."}
var Confirmed = locale.Text{"تأكدت هويتك، ويكفي هذا خمس دقائق.", "You have confirmed that it is you, for five minutes."}
var ConfirmOtherPerson = locale.Text{"دخل شخص آخر في خادم الدخول. ادخل بالحساب نفسه.", "Somebody else signed in at your company's sign-in server. Use the same account."}
var SessionsConfirm = locale.Text{"قبل إنهاء الجلسات أكّد هويتك.", "Before you end sessions, confirm that it is you."}
