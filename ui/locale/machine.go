package locale

// MachineIn returns the display name of an answering machine verdict, or of its evidence; the detector's own word
// without one.
func MachineIn(l Language, word string) string {
	pair, ok := map[string][2]string{
		"human":             {"شخص", "a person"},
		"voicemail":         {"بريد صوتي", "voicemail"},
		"ivr":               {"قائمة آلية", "a menu"},
		"announcement":      {"رسالة مسجلة", "an announcement"},
		"fax":               {"فاكس", "a fax"},
		"busy_tone":         {"نغمة الانشغال", "a busy tone"},
		"congestion_tone":   {"نغمة ازدحام الشبكة", "a fast busy tone"},
		"information_tone":  {"نغمات إعلام من الشبكة", "special information tones"},
		"ringing_tone":      {"نغمة الرنين", "a ringing tone"},
		"music":             {"موسيقى", "music"},
		"unsure":            {"غير مؤكد", "unsure"},
		"undecided":         {"لم يُحسم", "undecided"},
		"beep":              {"من الصفارة", "by the beep"},
		"tone":              {"من النغمة", "by the tone"},
		"calling_tone":      {"من نغمة الفاكس المتصل", "by the calling fax's tone"},
		"information_tones": {"من نغمات الشبكة", "by special information tones"},
		"cadence":           {"من إيقاع النغمة", "by the tone's cadence"},
		"phrase":            {"من العبارة", "by the words"},
		"greeting":          {"من التحية القصيرة", "by the short greeting"},
		"answer":            {"من الإجابة", "by the answer"},
		"length":            {"من طول الكلام", "by the length"},
		"silence":           {"من الصمت", "by the silence"},
	}[word]
	if !ok {
		return word
	}
	return pickLanguage(l, pair[0], pair[1])
}
