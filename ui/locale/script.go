package locale

// ScriptMessage is one sentence that a script shows; {name} in its text is filled in by the script.
type ScriptMessage struct{ Key, Text string }

// DemoMessages returns the messages of the demo page's scripts, in a fixed order.
func DemoMessages(l Language) []ScriptMessage {
	table := demoMessages()
	out := make([]ScriptMessage, len(table))
	for i, m := range table {
		out[i] = ScriptMessage{m.key, pickLanguage(l, m.arabic, m.english)}
	}
	return out
}

type bilingualText struct{ key, arabic, english string }

func demoMessages() []bilingualText {
	return append(append(stateMessages(), errorMessages()...), resultMessages()...)
}

func stateMessages() []bilingualText {
	return []bilingualText{
		{"record", "اضغط وتكلّم", "Press and speak"},
		{"stop", "أوقف التسجيل", "Stop recording"},
		{"recording", "أسمعك…", "Listening…"},
		{"starting", "يُفتح الميكروفون…", "Opening the microphone…"},
		{"sending", "يُرسل الصوت…", "Sending the audio…"},
		{"streaming", "يُكتب النص…", "Writing the text…"},
		{"done", "انتهى", "Done"},
		{"cancelled", "أُلغي", "Cancelled"},
		{"nothing_heard", "لم يُسمع كلام في هذا الصوت.", "No speech was heard in this audio."},
		{"nothing_heard_do", "اقترب من الميكروفون، أو جرّب ملفًا آخر.", "Move closer to the microphone, or try another file."},
		{"recording_full", "توقف التسجيل عند {minutes} دقائق.", "The recording stopped at {minutes} minutes."},
		{"recording_name", "تسجيل", "recording"},
		{"left_channel", "القناة اليسرى", "left channel"},
		{"right_channel", "القناة اليمنى", "right channel"},
		{"speed", "{seconds} ث من الصوت في {wall} ث", "{seconds} s of audio in {wall} s"},
	}
}

func errorMessages() []bilingualText {
	return []bilingualText{
		{"key_needed", "يلزم مفتاح API.", "An API key is needed."},
		{"key_needed_do", "الصق مفتاح API، ثم أعد المحاولة.", "Paste an API key, then try again."},
		{"401", "لم يُقبل المفتاح (401).", "The key was not accepted (401)."},
		{"401_do", "ربما نُسخ ناقصًا أو أُلغي. الصق مفتاحًا صالحًا.", "It may be incomplete or revoked. Paste a valid one."},
		{"403", "هذا المفتاح لا يسمح بتفريغ الصوت (403).", "This key may not transcribe (403)."},
		{"403_do", "استعمل مفتاحًا له الصلاحية stt.", "Use a key with the scope stt."},
		{"413", "الصوت أطول أو أكبر من المسموح (413).", "The audio is too long or too large (413)."},
		{
			"413_do", "قصّر الملف، أو أرسله مهمةً إلى \u2066/compat/v1/audio/jobs\u2069.",
			"Shorten the file, or send it as a job to /compat/v1/audio/jobs.",
		},
		{"422", "لم تفهم الخدمة هذا الملف (422).", "The service can't read this file (422)."},
		{"422_do", "أرسل WAV أو FLAC أو MP3 أو Ogg أو WebM فيه صوت.", "Send a WAV, FLAC, MP3, Ogg or WebM that holds audio."},
		{"429", "الخدمة مشغولة الآن (429).", "The service is busy (429)."},
		{"429_do", "أعد المحاولة بعد {seconds} ث.", "Try again in {seconds} s."},
		{"503", "الخدمة تبدأ أو تتوقف الآن (503).", "The service is starting or stopping (503)."},
		{"503_do", "أعد المحاولة بعد لحظات.", "Try again in a moment."},
		{"500", "تعذّر على الخدمة إتمام الطلب ({status}).", "The service could not finish the request ({status})."},
		{
			"500_do", "أعد المحاولة. إن تكرر الأمر فأرسل معرّف الطلب إلى مدير الخادم.",
			"Try again. If it happens again, send the request id to the administrator of the appliance.",
		},
		{"network", "لا يصل المتصفح إلى الخدمة.", "The browser can't reach the service."},
		{"network_do", "تحقق من الشبكة ومن أن الخدمة تعمل، ثم أعد المحاولة.", "Check the network and that the service runs, then try again."},
		{"broken", "انقطع البث قبل نهايته.", "The stream broke off before its end."},
		{"broken_do", "ما وصل من النص باقٍ أدناه. أعد المحاولة للنص الكامل.", "The text so far is kept below. Try again for all of it."},
		{"mic_denied", "لم يسمح المتصفح باستعمال الميكروفون.", "The browser was not allowed to use the microphone."},
		{
			"mic_denied_do", "اسمح به من أيقونة القفل بجانب العنوان، أو ارفع ملفًا.",
			"Allow it behind the padlock beside the address, or upload a file.",
		},
		{"mic_missing", "لا يوجد ميكروفون.", "There is no microphone."},
		{"mic_missing_do", "صِل واحدًا وأعد المحاولة، أو ارفع ملفًا.", "Connect one and try again, or upload a file."},
		{"mic_busy", "تعذّر فتح الميكروفون.", "The microphone could not be opened."},
		{"mic_busy_do", "ربما يستعمله برنامج آخر. أغلقه وأعد المحاولة.", "Another program may be using it. Close that program and try again."},
		{"insecure", "التسجيل يحتاج إلى عنوان آمن.", "Recording needs a secure address."},
		{
			"insecure_do", "افتح الصفحة عبر https أو عبر localhost. رفع الملفات يعمل هنا.",
			"Open the page over https or on localhost. Uploading files works here.",
		},
		{"request_id", "معرّف الطلب", "Request id"},
	}
}

func resultMessages() []bilingualText {
	return []bilingualText{
		{"copied", "نُسخ", "Copied"},
		{"copy_failed", "لم يسمح المتصفح بالنسخ", "The browser did not allow copying"},
		{"play", "شغّل", "Play"},
		{"pause", "أوقف", "Pause"},
		{"play_all", "شغّل الكل", "Play all"},
		{"play_segment", "شغّل المقطع {number}: {text}", "Play segment {number}: {text}"},
		{"play_number", "شغّل المقطع {number}", "Play segment {number}"},
		{"no_sound", "لا يستطيع المتصفح تشغيل هذا النوع، لكن النص كامل.", "The browser can't play this format; the text is complete."},
		{"big_file", "الملف كبير، فلا تُرسم موجته. التشغيل يعمل.", "The file is large, so its waveform is not drawn. Playing works."},
		{"comparing", "تُقارن المفكّكات…", "Comparing the decoders…"},
		{"hybrid", "المزيج", "Hybrid"},
		{"picked", "اختار {which}", "picked {which}"},
		{"score", "الدرجة", "Score"},
		{"empty", "لا شيء", "nothing"},
		{"timings", "المعالجة: {total} م.ث، منها المرمِّز {encoder} م.ث", "Processing: {total} ms, of which the encoder {encoder} ms"},
		{"spoken_at", "عند {time}", "at {time}"},
	}
}
