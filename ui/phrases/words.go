// Package phrases holds what a person sees of the restaurant mode's phrases.
package phrases

import "munadi/ui/locale"

var Title = locale.Text{"عبارات المطعم", "Restaurant phrases"}
var Lead = locale.Text{"في وضع المطعم يرجّح المُفكِّك هذه العبارات، وتُكتب الأعداد أرقامًا.", "In restaurant mode the decoder favours these phrases, and numbers are written as digits."}
var Bias = locale.Text{"الأطباق والأحجام والإضافات", "Dishes, sizes, extras"}
var BiasHint = locale.Text{"عبارة في كل سطر. يرجّح التعرّف هذه العبارات.", "One phrase on each line. The recognizer prefers these phrases."}
var Enter = locale.Text{"عبارات الدخول", "Phrases that begin the mode"}
var EnterHint = locale.Text{"حين تُسمع إحداها في جلسة يبدأ الوضع من الطلب التالي.", "When one is heard in a session, the mode counts from the next request on."}
var Exit = locale.Text{"عبارات الخروج", "Phrases that end the mode"}
var ExitHint = locale.Text{"حين تُسمع إحداها ينتهي الوضع.", "When one is heard, the mode ends."}

// the two choices
var BuiltIn = locale.CountedPair{locale.ArabicNoun("القائمة المدمجة: ", "فارغة", "عبارة واحدة", "عبارتان", "عبارات", "عبارة", "عبارة", ""), locale.EnglishCount("The built-in list: one phrase", "The built-in list: {n} phrases")}
var Own = locale.Text{"قائمتي", "My own list"}
var OwnHint = locale.Text{"تُحفظ هذه القائمة إذا اخترت: قائمتي.", "This list is kept when you choose: my own."}
var Save = locale.Text{"احفظ العبارات", "Save the phrases"}
var Reset = locale.Text{"ارجع إلى المدمجة", "Back to built-in"}
var ResetTitle = locale.Text{"الرجوع إلى القوائم المدمجة؟", "Back to the built-in lists?"}
var ResetText = locale.Text{"تُحذف قوائمك الثلاث. الجلسات الجارية تأخذ القوائم المدمجة من طلبها التالي.", "Your three lists are deleted. Running sessions take the built-in lists from their next request on."}
var SaidSaved = locale.Text{"حُفظت العبارات.", "The phrases are saved."}
var SaidReset = locale.Text{"عادت القوائم المدمجة.", "The built-in lists are back."}
var TooMany = locale.Text{"القائمة أطول من 2000 عبارة. احذف بعضها.", "The list has more than 2000 phrases. Remove some."}
var TooLong = locale.Text{"العبارة في السطر {line} أطول من 100 حرف. اختصرها.", "The phrase in line {line} has more than 100 characters. Shorten it."}
var Both = locale.Text{"العبارة في السطر {line} من عبارات الدخول أيضًا. احذفها من إحدى القائمتين.", "The phrase in line {line} also begins the mode. Remove it from one of the lists."}
var Folds = locale.Text{"ليس في السطر {line} كلمة. اكتب فيه عبارة أو احذفه.", "There is no word in line {line}. Write a phrase, or delete the line."}
var Only = locale.Text{"يغيّر هذه العبارات من له دور المشغّل أو المالك.", "An operator or an owner changes these phrases."}
var HowTitle = locale.Text{"كيف يبدأ الوضع", "How the mode begins"}
var How = locale.Text{"بعبارة دخول في نص الجلسة نفسها، أو بترويسة الطلب:", "With a phrase in a transcript of the session, or with the request's header:"}
var HowHeader = locale.Text{"وينتهي بعبارة خروج، أو بعد 30 دقيقة بلا طلب.", "It ends with a phrase of the last list, or after 30 minutes without a request."}
