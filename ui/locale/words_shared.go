package locale

var CallStatuses = WordTable{
	{"scheduled", "مجدولة", "Scheduled"},
	{"dialing", "يرنّ", "Ringing"},
	{"in_progress", "جارية", "On the line"},
	{"completed", "اكتملت", "Completed"},
	{"no_answer", "لا رد", "No answer"},
	{"user_rejected", "رُفضت", "Rejected"},
	{"user_unavailable", "غير متاح", "Unavailable"},
	{"automation", "ردّ آلي", "Machine"},
	{"failed", "فشلت", "Failed"},
	{"cancelled", "أُلغيت", "Cancelled"},
	{"running", "جارية الآن", "Running"},
	{"stopped", "أنهاها موظف", "Ended by staff"},
}
var ModelPitchLink = Text{"النموذج المدمج للعرض. ثبّت نموذجًا عربيًا كاملًا", "The built-in model is for demos. Install a full Arabic model"}
