package locale

import "sync"

// modelFaults are why a speech model was not installed, by the message of the installation, where a person can do
// something about it.
func modelFaults() []machineMessage {
	return []machineMessage{
		{
			"{} MB are free on the data folder's disk, but the installation of this model needs {} MB: " +
				"free disk space, or choose a smaller model",
			"المتاح في قرص مجلد البيانات {1} ميغابايت، ويحتاج النموذج في أثناء تثبيته إلى {2} ميغابايت. احذف ملفات من القرص، أو اختر نموذجًا أصغر.",
			"{1} MB are free on the data folder's disk, but the installation of this model needs {2} MB. " +
				"Free disk space, or choose a smaller model.",
		},
		{
			"{} MB of memory are free, but testing this model while another one serves needs about {} MB: " +
				"stop other programs, or install it with munadi model pull while the service is stopped",
			"المتاح من الذاكرة {1} ميغابايت، ويحتاج اختبار النموذج مع النموذج العامل إلى نحو {2} ميغابايت. أوقف برامج أخرى، أو ثبّته " +
				"بالأمر \u2068munadi model pull\u2069 والخدمة متوقفة.",
			"{1} MB of memory are free, but testing this model while another one serves needs about {2} MB. Stop other " +
				"programs, or install it with munadi model pull while the service is stopped.",
		},
		{
			"the appliance stopped twice while it tested this model, possibly for lack of memory; " +
				"the test is not repeated automatically",
			"توقف الخادم مرتين وهو يختبر هذا النموذج، ولعل الذاكرة لم تكفِ. لا يُعاد الاختبار تلقائيًا.",
			"The appliance stopped twice while it tested this model, possibly for lack of memory. " +
				"The test is not repeated automatically.",
		},
	}
}

var compileModelFaults = sync.OnceValue(func() []compiledMessage { return compileMessages(modelFaults()) })

// ModelFault returns why a speech model was not installed, in the page's language; a reason without a translation as it
// is.
func ModelFault(l Language, message string) string {
	return translateMessage(l, compileModelFaults(), message, keepValue)
}
