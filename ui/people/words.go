// Package people holds what a person sees of all calls of a number.
package people

import "munadi/ui/locale"

var Title = locale.Text{"صفحة شخص", "Person"}
var Back = locale.Text{"كل المكالمات", "All calls"}
var CallAgain = locale.Text{"اتصل به ثانية", "Call again"}
var Allow = locale.Text{"أزله من القائمة", "Remove from the list"}
var Conversation = locale.Text{"المحادثة عبر المكالمات", "Conversation through all calls"}
var Hear = locale.Text{"اسمع المكالمة", "Listen to the call"}
var NoCalls = locale.Text{"لا مكالمات إلى هذا الرقم.", "There are no calls to this number."}
var Answers = locale.Text{"آخر ما أجاب به", "Latest answers"}
var NoAnswers = locale.Text{"لم يجب عن شيء بعد.", "No answers yet."}
var Actions = locale.Text{"حقوق الشخص", "The person's rights"}
var Export = locale.Text{"نزّل بيانات الشخص", "Download the person's data"}
var ExportLead = locale.Text{"ملف ZIP فيه كل مكالماته بما قيل وبأحداثها، وتسجيلاته. يُدوَّن في سجل التدقيق.", "A ZIP file of all calls with what was said and their events, and the recordings. It is noted in the audit log."}
var Erase = locale.Text{"حذف بيانات الشخص", "Erase the person's data"}
