// Package people holds what a person sees of all calls of a number.
package people

import "munadi/ui/locale"

var Title = locale.Text{"صفحة شخص", "Person"}
var Back = locale.Text{"كل المكالمات", "All calls"}
var CallAgain = locale.Text{"اتصل به ثانية", "Call again"}
var Allow = locale.Text{"أزله من القائمة", "Remove from the list"}
var Calls = locale.Text{"المكالمات", "Calls"}
var NoCalls = locale.Text{"لا مكالمات إلى هذا الرقم.", "There are no calls to this number."}
var Answers = locale.Text{"آخر ما أجاب به", "Latest answers"}
var NoAnswers = locale.Text{"لم يجب عن شيء بعد.", "No answers yet."}
var Actions = locale.Text{"إجراءات", "Actions"}
var Erase = locale.Text{"حذف بيانات الشخص", "Erase the person's data"}
