package locale

import "sync"

// scenarioFaults are the faults of a scenario, by the message of the check.
func scenarioFaults() []machineMessage {
	return []machineMessage{
		{"must not be empty", "اكتب شيئًا هنا.", "Write something here."},
		{"must have at least one line", "اكتب ما يُقال في هذه الخطوة.", "Write what this step says."},
		{"is required in a step of type ask", "حدّد نوع الإجابة ومفتاحها.", "Say what is asked for: the kind of answer and its key."},
		{"must have a phrase by which people choose it", "اكتب ما يقوله الناس ليختاروا هذا.", "Write what people say to choose this."},
		{"must not be empty or the value of another option", "اكتب قيمة لا يحملها خيار آخر.", "Write a value that no other option has."},
		{"must not be empty or repeated", "اكتب كل خيار مرة واحدة.", "Write each choice once."},
		{"is also a phrase of another option: {}", "«{1}» تدل على خيار آخر أيضًا.", "“{1}” means another option, too."},
		{"must be one of 0-9 * #, and not the key of another option", "اكتب زرًا واحدًا من 0 إلى 9 أو * أو #، لا يحمله خيار آخر.", "Write one key of 0 to 9, * or #, that no other option has."},
		{"must be 1 to {}", "اكتب من 1 إلى {1}.", "Write 1 to {1} of them."},
		{"must be from {} to {}", "اكتب عددًا من {1} إلى {2}.", "Write a number from {1} to {2}."},
		{"has more than {} characters", "النص طويل: الحد الأقصى لعدد حروفه {1}. اختصره.", "Longer than {1} characters. Shorten it."},
		{"must have at most {} lines", "الأسطر كثيرة: الحد الأقصى لعددها {1}. احذف بعضها.", "More than {1} lines. Remove some."},
		{"must have at most {} entries", "الحد الأقصى {1}. احذف بعضها.", "More than {1}. Remove some."},
		{"is not the id of a step: {}", "لا خطوة بالمفتاح {1}. اختر خطوة أخرى.", "No step has the key {1}. Choose another step."},
		{"must name a step", "اختر الخطوة التالية.", "Choose the step that follows."},
		{"is never reached", "لا تصل المكالمة إلى هذه الخطوة. اجعل خطوة أخرى تؤدي إليها، أو احذفها.", "No call gets to this step. Have another step lead to it, or delete it."},
		{"lies in a loop that never waits for an answer", "حلقة لا تنتظر إجابة: تتكلم المكالمة بلا نهاية. أضف سؤالًا أو غيّر ما يليها.", "A loop that never waits for an answer: the call would talk without end. Add a question, or change what follows."},
		{"leads into a loop without an exit", "حلقة بلا مخرج. اجعل إحدى خطواتها تؤدي إلى خطوة خارجها.", "A loop without an exit. Have one of its steps lead to a step outside it."},
		{"is also the id of steps.{}: {}", "خطوة أخرى لها المفتاح {2}. اختر غيره.", "Another step has the key {2}. Choose another."},
		{"must have 1 to 64 letters, digits and _ . -", "من 1 إلى 64 من الحروف اللاتينية والأرقام و _ . -", "1 to 64 letters, digits and _ . -"},
		{"must have 1 to 64 of a-z 0-9 _ -", "من 1 إلى 64 من a-z 0-9 _ -", "1 to 64 of a-z 0-9 _ -"},
		{"must be a letter or _, then up to 63 letters, digits and _", "اكتب مفتاحًا بحروف لاتينية وأرقام و _، يبدأ بحرف.", "Write a key of Latin letters, digits and _, beginning with a letter."},
		{"is declared twice: {}", "المفتاح {1} مكرر. غيّر أحدهما.", "The key {1} is used twice. Change one of them."},
		{"is the name of a variable: {}", "المفتاح {1} لقيمة من الحجز. اختر غيره.", "The key {1} belongs to a variable of the booking. Choose another."},
		{"{{{}}} is neither a variable nor a slot", "لا قيمة ولا إجابة باسم {1}. صحّح الاسم.", "Nothing is called {1}: it is neither a variable nor an answer. Correct the name."},
		{"{{{}}} does not name a variable or slot", "بين القوسين مفتاح بحروف لاتينية، لا «{1}».", "Write a key in Latin letters between the braces, not “{1}”."},
		{"{{{}}}: {} is not one of date, time, number, digits", "بعد | تكتب date أو time أو number أو digits.", "After | write date, time, number or digits."},
		{"{{{}|{}}}: filters are only for spoken texts", "{1}: لا يُكتب | إلا فيما يُقال.", "{1}: a | is only for what is spoken."},
		{"}} has no {{ before it", "الأقواس }} بلا بداية. احذفها أو اكتب {{ قبلها.", "The braces }} have no beginning. Remove them, or write {{ before them."},
		{"{{ is not closed", "الأقواس {{ لم تُغلق. اكتب }} بعدها.", "The braces {{ are not closed. Write }} after them."},
		{"must name a slot of another ask: {}", "{1} ليس مفتاح إجابة لسؤال آخر.", "{1} is not the key of another question's answer."},
		{"must be defined as in steps.{}, which also asks for {}", "خطوة أخرى تسأل عن {2} بصورة مختلفة. وحّدهما أو غيّر المفتاح.", "Another step asks for {2} in another way. Make them alike, or change the key."},
		{"must be one of yes_no, number, date, time, choice, text", "اختر نوع الإجابة.", "Choose the kind of answer."},
		{"must be one of {}", "اختر واحدة من: {1}.", "Choose one of: {1}."},
		{"must be name, or absent", "اكتب name في الدور، أو اتركه فارغًا.", "Write name as the role, or leave it empty."},
		{"are only for a choice", "هذا لنوع «اختيار» فقط. احذفه، أو غيّر النوع.", "Only for the type choice. Remove it, or change the type."},
		{"has yes or no, which are only for a yes_no", "عبارات نعم ولا لسؤال «نعم أو لا» فقط. احذفها، أو غيّر النوع.", "Phrases for yes and no are only for a yes-or-no question. Remove them, or change the type."},
		{"has digits, min or max, which are only for a number", "عدد الأرقام والحدود لنوع «عدد» فقط. احذفها، أو غيّر النوع.", "Digits and bounds are only for a number. Remove them, or change the type."},
		{"must not be below min", "اكتب قيمة لا تقل عن الحد الأدنى.", "Write a value that is not below the minimum."},
		{"is neither a variable nor a slot: {}", "اختر إجابة أو قيمة: {1} غير موجود.", "Choose an answer or a variable: {1} does not exist."},
		{"must have either equals or is_set", "اختر القيمة التي يُقارن بها.", "Choose the value to compare with."},
		{"must be a text, a number, true or false", "اكتب نصًا أو عددًا أو نعم أو لا.", "Write a text, a number, true or false."},
		{"has no effect in a step of type {}", "لا يُستعمل هذا في خطوة من هذا النوع. احذفه.", "Not used in a step of this kind. Remove it."},
		{"must be an E.164 number or a sip:, sips: or tel: address", "اكتب رقمًا دوليًا مثل +966512345601 أو عنوان sip.", "Write an international number as +966512345601, or a sip address."},
		{"needs llm: the name of the endpoint that answers", "اكتب اسم النموذج اللغوي في إعدادات السيناريو.", "Write the language model's name in the scenario's settings."},
		{"must be the name of an endpoint that the operator has set in llm-endpoints", "اكتب اسم نموذج لغوي ضبطه مدير الخادم في llm-endpoints.", "Write the name of a language model that the administrator has set in llm-endpoints."},
		{"names no language model of this organization: {}; the operator sets them in llm-endpoints", "لا نموذج لغويًا باسم {1} لهذه المنظمة. يضبطه مدير الخادم في llm-endpoints.", "This organization has no language model {1}. The administrator sets it in llm-endpoints."},
		{"must be one line of text", "اكتب سطرًا واحدًا من النص.", "Write one line of text."},
		{"has a label for {}, which is not one of choices", "تسمية لـ {1} وهو ليس من الخيارات.", "A label for {1}, which is none of the choices."},
		{"must be a language tag such as ar", "اكتب رمز لغة مثل ar.", "Write a language tag such as ar."},
		{"must be an object", "اكتب كائن JSON بين { و }.", "Write a JSON object, between { and }."},
		{"has more than {} bytes", "أكبر من {1} بايت.", "Larger than {1} bytes."},
		{"is not JSON: {}", "ليس JSON سليمًا: {1}", "Not valid JSON: {1}"},
		{"is not a usable JSON Schema: {}", "مخطط التقرير لا يصلح: {1}", "The report's JSON Schema can't be used: {1}"},
		{"must allow a report without any answers, {}: {}", "يجب أن يقبل مخطط التقرير تقريرًا لم يُعرف فيه شيء.", "The schema must allow a report in which nothing was found out."},
		{"must be an array", "اكتب مصفوفة JSON بين [ و ].", "Write a JSON array, between [ and ]."},
		{"must be a text or an object with a text", "اكتب نصًا، أو كائنًا فيه text.", "Write a text, or an object with a text."},
		{"must be a text, or an object with a text for ar, en or both", "اكتب نصًا، أو كائنًا فيه نص لـ ar أو en أو كليهما.", "Write a text, or an object with a text for ar, en or both."},
		{"must be a text, an object with a text, or an array of these", "اكتب نصًا، أو كائنًا فيه text، أو مصفوفة منهما.", "Write a text, an object with a text, or an array of these."},
		{"must be a string", "اكتب نصًا بين علامتي اقتباس.", "Write a text between quotation marks."},
		{"must be true or false", "اكتب true أو false.", "Write true or false."},
		{"must be an integer", "اكتب عددًا صحيحًا.", "Write a whole number."},
		{"must be a number", "اكتب عددًا.", "Write a number."},
		{"is not a known field", "لا حقل بهذا الاسم. صحّحه أو احذفه.", "No such field. Correct its name, or remove it."},
		{"is set by the operator in llm-endpoints of munadi.yaml; name an endpoint there by llm.endpoint", "يضبطه مدير الخادم في llm-endpoints من munadi.yaml؛ اكتب اسمه هنا في llm.endpoint.", "The administrator sets it in llm-endpoints of munadi.yaml; name an endpoint there by llm.endpoint."},
		{"must be {}", "القيمة لا تناسب نوعها. المقبول: {1}.", "Must be {1}."},
		{"{} is not an IANA time zone such as Asia/Riyadh", "اكتب منطقة زمنية مثل Asia/Riyadh.", "Write a time zone such as Asia/Riyadh."},
	}
}

var compileScenarioFaults = sync.OnceValue(func() []compiledMessage { return compileMessages(scenarioFaults()) })

// ScenarioFault returns a fault of a scenario in the page's language; a message without a translation is unchanged.
func ScenarioFault(l Language, message string) string {
	return translateMessage(l, compileScenarioFaults(), message, keepValue)
}
