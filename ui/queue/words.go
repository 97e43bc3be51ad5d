package queue

import "munadi/ui/locale"

var Person = locale.Text{"الشخص", "Person"}
var Said = locale.Text{"آخر ما قاله", "Last words"}
var Silent = locale.Text{"لم يُسمع منه شيء", "Nothing was heard"}
var Acts = locale.Text{"إجراءات", "Actions"}
var Search = locale.Text{"اسم أو رقم أو كلمة قيلت", "Name, number or a word that was said"}
var CopyNumber = locale.Text{"انسخ الرقم", "Copy the number"}
var Leave = locale.Text{"أتركها", "Leave it"}
var Notice = locale.Text{"نبّهني بالجديد", "Notify me of new ones"}
var NoticeDenied = locale.Text{"المتصفح يمنع التنبيهات من هذا الموقع. اسمح بها في إعداداته.", "The browser blocks notices of this site. Allow them in its settings."}
var Empty = locale.Text{"لا شيء ينتظر", "Nothing is waiting"}
var EmptyText = locale.Text{"تظهر هنا المكالمات التي طلب فيها الشخص موظفًا، أو لم تُفهم إجابته، أو تعذّر تحويلها، والتي تعلّمها بنفسك.", "Calls show up here when the person asked for staff, an answer was not understood or a transfer failed, and when you mark them."}
var All = locale.Text{"الكل", "All"}
var Mine = locale.Text{"ما توليته", "Mine"}
var Free = locale.Text{"لم يتولَّها أحد", "Not taken"}
