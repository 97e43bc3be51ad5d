package locale

// defaultLabelArabic describes the built-in model, see [DefaultLabel].
func defaultLabelArabic() []string {
	return []string{
		"تدرّب على كلام اصطناعي (أصوات espeak-ng وصوت من Festival)، وعلى كلمات أوامر منطوقة سجّلها 24 شخصًا.",
		"يصلح عرضًا لمجالات محدودة: التأكيد والإلغاء، والطلبات، والأرقام والمواعيد، والأوامر القصيرة.",
		"لا يصلح للإملاء الحر: يخطئ كثيرًا في كلمات لم يتدرّب عليها. للإملاء ضع مكانه نموذج FastConformer كاملًا من NeMo (الإعداد MUNADI_MODEL).",
	}
}
