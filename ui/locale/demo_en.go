package locale

// defaultLabelEnglish describes the built-in model, see [DefaultLabel].
func defaultLabelEnglish() []string {
	return []string{
		"Trained on synthetic speech (espeak-ng's voices and one Festival voice) and on command words spoken by 24 people.",
		"A demo for limited domains: confirmations and cancellations, orders, numbers and times, short commands.",
		"Not for open dictation: it is often wrong on words it was not trained on. For dictation, replace it with a full NeMo FastConformer model (setting MUNADI_MODEL).",
	}
}
