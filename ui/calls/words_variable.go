package calls

import "munadi/ui/locale"

// Texts of the violations of a booking's variable; each has {name}, Choice and Text also {value}.

var VariableMissing = locale.Text{"{name}: قيمة مطلوبة.", "{name} is required."}
var VariableUnknown = locale.Text{"لا قيمة باسم {name} في هذا السيناريو.", "The scenario has no variable {name}."}

// the wanted form
var VariableText = locale.Text{"{name}: اكتب نصًا أقصر. الحد الأقصى لعدد الحروف: {value}.", "{name}: write a text of at most {value} characters."}
var VariableDate = locale.Text{"{name}: اكتب تاريخًا مثل \u20662026-01-31\u2069.", "{name}: write a date such as 2026-01-31."}
var VariableTime = locale.Text{"{name}: اكتب وقتًا من 00:00 إلى 23:59.", "{name}: write a time from 00:00 to 23:59."}
var VariableNumber = locale.Text{"{name}: اكتب عددًا مثل 12 أو 12.5.", "{name}: write a number such as 12 or 12.5."}
var VariablePhone = locale.Text{"{name}: اكتب رقم هاتف دوليًا مثل \u200e+966512345601.", "{name}: write an international telephone number such as +966512345601."}
var VariableChoice = locale.Text{"{name}: اختر واحدة من هذه القيم: {value}.", "{name}: choose one of these values: {value}."}

// the placeholder option of a list
var VariableChoose = locale.Text{"اختر…", "Choose…"}
