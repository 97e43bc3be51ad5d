package calls

import "munadi/ui/locale"

// Texts of the page of one call: live while it runs, the record afterwards.

var CallTitle = locale.Text{"مكالمة", "Call"}
var CallBack = locale.Text{"كل المكالمات", "All calls"}
var CallPlatform = locale.Text{"المنصة", "Platform"}
var CallCustomer = locale.Text{"العميل", "Customer"}
var CallTranscript = locale.Text{"ما قيل", "What was said"}
var CallTakeOver = locale.Text{"تولَّ الحديث", "Take over"}
var CallTakeOverHint = locale.Text{"تتحدث مع العميل بدل المنصة، ويستمر التسجيل.", "You talk with the customer instead of the platform; the recording goes on."}
var CallHandBack = locale.Text{"أعد الحديث إلى المنصة", "Hand back"}
var CallTaken = locale.Text{"أنت تتحدث مع العميل الآن.", "You are talking with the customer."}
var CallHandedBack = locale.Text{"تواصل المنصة الحديث.", "The platform goes on."}
var CallTakeOverLost = locale.Text{"انقطع الاتصال، فواصلت المنصة الحديث.", "The connection was lost; the platform goes on."}
var CallNotTaken = locale.Text{"لا يمكن تولّي المكالمة: تولّاها موظف آخر، أو انتهت، أو تجري على خادم آخر.", "The call can't be taken over: another member of staff has it, it has ended, or it runs on another machine."}
var CallNoMicrophone = locale.Text{"لم يُسمح باستعمال الميكروفون، أو لا يوجد ميكروفون.", "The microphone is not allowed, or there is none."}
var CallGoOnAt = locale.Text{"تواصل المنصة عند", "The platform then goes on at"}
var CallGoOnThere = locale.Text{"حيث توقفت", "where it stopped"}
var CallListen = locale.Text{"استمع الآن", "Listen in"}
var CallStopListen = locale.Text{"أوقف الاستماع", "Stop listening"}
var CallTestMake = locale.Text{"اجعلها اختبارًا", "Make it a test"}
var CallTestVoice = locale.Text{"اختبار بصوت الشخص", "Test with the person's voice"}
var CallTestHint = locale.Text{"تُضاف أقوال الشخص والتقرير إلى مسودة السيناريو اختبارًا، دون اسمه ورقمه.", "Adds what the person said, and the report, to the scenario's draft as a test, without the name and number."}
var CallTestVoiceHint = locale.Text{"الاختبار بالصوت يستعمل صوت الشخص من التسجيل، ويزول مع التسجيل أو بمحو بيانات الشخص.", "A test with voice uses the person's voice in the recording; it is gone with the recording, or when the person is erased."}
var CallTestKept = locale.Text{"أُضيف الاختبار «{name}» إلى مسودة السيناريو", "The test “{name}” was added to the scenario's draft"}
var CallTestNot = locale.Text{"لا يمكن جعل هذه المكالمة اختبارًا: لا تكون إلا مكالمة مكتملة لها نص وتقرير، ولها تسجيل إن كان الاختبار بالصوت", "This call cannot become a test: only a completed one with words and a report, and with a recording for the voice"}
var CallTestFaults = locale.Text{"لم يُحفظ الاختبار: في مسودة السيناريو أخطاء، افتحها وصحّحها أولًا", "The test was not kept: the scenario's draft has faults; open and correct it first"}
var CallTestName = locale.Text{"مكالمة {at}", "Call of {at}"}

var CallHangUp = locale.Text{"أنهِ المكالمة", "Hang up"}
var CallHangUpTitle = locale.Text{"إنهاء المكالمة الجارية", "Hang up a running call"}
var CallHangUpLead = locale.Text{"ينقطع الخط عن الشخص في الحال، وتُسجَّل المكالمة على أنك أنهيتها.", "The person is cut off at once, and the call is recorded as ended by you."}
var CallHangUpDo = locale.Text{"نعم، أنهِها", "Yes, hang up"}
var CallHungUp = locale.Text{"طُلب إنهاء المكالمة.", "The call is being hung up."}
var CallNotRunning = locale.Text{"المكالمة ليست جارية الآن.", "The call is not running now."}
var CallReport = locale.Text{"التقرير", "Report"}
var CallReportWait = locale.Text{"تظهر الإجابات هنا وهي تُفهم.", "Answers show up here as they are understood."}
var CallNoReport = locale.Text{"لا تقرير لهذه المكالمة.", "The call has no report."}
var CallUnknown = locale.Text{"لم يُعرف", "unknown"}
var CallUnasked = locale.Text{"لم يُسأل عنه", "not asked"}
var CallYes = locale.Text{"نعم", "Yes"}
var CallNo = locale.Text{"لا", "No"}
var CallJSON = locale.Text{"التقرير كما يصل إلى برنامجك", "The report as your program gets it"}
var CallHeard = locale.CountedPair{locale.ArabicNoun("{who}: ", "لم يتكلم", "مرة واحدة", "مرتين", "مرات", "مرة", "مرة", "، {time}"), locale.EnglishCount("{who}: one turn, {time}", "{who}: {n} turns, {time}")}
var CallDetails = locale.Text{"التفاصيل", "Details"}
var CallID = locale.Text{"المعرّف", "Id"}
var CallScenario = locale.Text{"السيناريو", "Scenario"}
var CallBooking = locale.Text{"الحجز", "Booking"}
var CallCreated = locale.Text{"حُجزت", "Booked"}
var CallPlanned = locale.Text{"الموعد", "Planned for"}
var CallBegan = locale.Text{"الرد", "Answered"}
var CallEnd = locale.Text{"النهاية", "Ended at"}
var CallAttempt = locale.Text{"المحاولة", "Attempt"}
var CallReason = locale.Text{"السبب", "Reason"}
var CallSIP = locale.Text{"رمز SIP", "SIP code"}
var CallQ850 = locale.Text{"سبب Q.850", "Q.850 cause"}
var CallMachine = locale.Text{"كشف الآلة", "Machine detection"}
var CallCaller = locale.Text{"الرقم الظاهر", "Caller number"}
var CallCalled = locale.Text{"الرقم الذي اتصل به", "Number called"}
var CallScenarioVersion = locale.Text{"إصدار السيناريو", "Version of the scenario"}
var CallTimeline = locale.Text{"ما جرى", "What happened"}
var CallWebhook = locale.Text{"الإشعار", "Webhook"}
var CallWebhookNone = locale.Text{"لا إشعار لهذه المكالمة.", "No webhook is sent for this call."}
var CallAnswered = locale.Text{"الرد {code} بعد {ms} مللي ثانية", "Answered {code} after {ms} ms"}
var CallWebhookLater = locale.Text{"يُرسل حين تنتهي، إن كانت الإشعارات مفعّلة.", "Sent when the call ends, if the webhook is on."}
var CallNoAnswer = locale.Text{"بلا رد", "No answer"}
var CallShowDelivery = locale.Text{"الطلب والرد", "Request and answer"}
var CallChain = locale.Text{"سلسلة المحاولات", "Retry chain"}
var CallThis = locale.Text{"هذه المكالمة", "This call"}
var CallNextAt = locale.Text{"الإعادة القادمة", "Next retry"}
var CallActions = locale.Text{"إجراءات", "Actions"}
var CallCancel = locale.Text{"إلغاء المكالمة", "Cancel the call"}
var CallCancelLead = locale.Text{"لن يُتصل بهذا الرقم، وتنتهي سلسلة الإعادة. لا يمكن التراجع.", "The number will not be called, and the retry chain ends. This cannot be undone."}
var CallCancelDo = locale.Text{"نعم، ألغِها", "Yes, cancel it"}
var CallCancelledSay = locale.Text{"أُلغيت المكالمة.", "The call is cancelled."}
var CallMove = locale.Text{"تغيير الموعد", "Change the time"}
var CallMoveHint = locale.Text{"بعد عشر دقائق على الأقل، بتوقيت {zone}.", "At least ten minutes ahead, in {zone} time."}
var CallMoveDo = locale.Text{"غيّر الموعد", "Change the time"}
var CallMoved = locale.Text{"تغيّر الموعد.", "The time was changed."}
var CallBadMove = locale.Text{"اختر موعدًا بعد 10 دقائق على الأقل وخلال 30 يومًا.", "Choose a time at least 10 minutes and at most 30 days ahead."}
var CallClosedHours = locale.Text{"هذا الوقت خارج ساعات الاتصال. اختر وقتًا ضمنها.", "That time is outside calling hours. Choose one within them."}
var CallGone = locale.Text{"بدأ الاتصال أو انتهت المكالمة، فلم يتغير شيء.", "The call has been dialled or has ended, so nothing changed."}
var CallErase = locale.Text{"حذف بيانات الشخص", "Erase the person's data"}
var CallEraseTitle = locale.Text{"حذف كل ما يخص هذا الرقم", "Erase everything about this number"}
var CallEraseLead = locale.Text{"تُحذف تسجيلات كل مكالمات هذا الرقم ونصوصها وتقاريرها، وتُلغى المجدولة منها. لا يمكن التراجع.", "Recordings, transcripts and reports of all calls to this number are removed, and scheduled ones cancelled. This cannot be undone."}
var CallEraseDo = locale.Text{"نعم، احذف", "Yes, erase"}
var CallErasedNote = locale.Text{"حُذفت بيانات هذا الشخص.", "This person's data was erased."}
var CallErasedSay = locale.CountedPair{locale.ArabicOfCalls("حُذفت بيانات ", "."), locale.EnglishCount("One call was erased.", "{n} calls were erased.")}
var CallErasedCancelled = locale.CountedPair{locale.ArabicCalls("أُلغيت ", "."), locale.EnglishCount("One scheduled call was cancelled.", "{n} scheduled calls were cancelled.")}
var CallErasedUnreadable = locale.CountedPair{locale.ArabicOfCalls("تعذّرت قراءة ", " أتلفها القرص، فبقيت كما هي.").WithDual("تعذّرت قراءة مكالمتين أتلفهما القرص، فبقيتا كما هما."), locale.EnglishCount("One call cannot be read: the disk damaged it, and it was left as it is.", "{n} calls cannot be read: the disk damaged them, and they were left as they are.")}
var CallPlayer = locale.Text{"التسجيل", "Recording"}
var CallWave = locale.Text{"الموجة من اليسار إلى اليمين: العميل فوق، والمنصة تحت", "Waveform from left to right: the customer above, the platform below"}
var CallDownload = locale.Text{"تنزيل التسجيل", "Download the recording"}
var CallNoRecording = locale.Text{"لا تسجيل لهذه المكالمة.", "This call has no recording."}
var CallReplyGap = locale.Text{"الرد بعد {seconds} ث", "reply after {seconds} s"}
var CallReplySteps = locale.Text{"منذ نهاية كلام العميل: عُدّ منتهيًا بعد {decided} ث، وأُرسل أول الرد بعد {sent} ث، وسُمع بعد {heard} ث", "Since the end of the customer's speech: taken for over after {decided} s, first sound sent after {sent} s, heard after {heard} s"}
var CallRecordingAway = locale.Text{"ملف التسجيل ليس على هذا الخادم: حُذف، أو بقي على الخادم الذي أجرى المكالمة. تُسمع التسجيلات على كل خادم إذا ضُبط لها مخزن مشترك (recordings).", "The file of the recording is not on this appliance: it was deleted, or it is on the appliance that made the call. Appliances can play each other's recordings if they share a bucket (setting recordings)."}
var CallHear = locale.Text{"استمع من هنا: {text}", "Hear from here: {text}"}
var CallRecordingDamaged = locale.Text{"التسجيل تالف: ملفه ليس كما كُتب، فلا يُشغَّل. افحص القرص، واستعِد الملف من نسخة احتياطية إن وُجدت.", "The recording is damaged: its file is not as it was written, so it is not played. Check the disk, and restore the file from a backup if there is one."}
var CallTroubles = locale.Text{"أخطاء في المكالمة", "Errors in this call"}

var CallStaffOn = locale.Text{"موظف على الخط", "Staff is on the line"}

// CallStaff is the platform's side of a call-back.
var CallStaff = locale.Text{"الموظف", "Staff"}
var CallStaffNoWords = locale.Text{"ما يقوله الموظف والشخص لا يُكتب.", "What staff and the person say is not written down."}
var CallNoWords = locale.Text{"لم يُقل شيء في هذه المكالمة.", "Nothing was said in this call."}
var CallWaitWords = locale.Text{"تظهر الكلمات هنا وهي تُقال.", "Words show up here as they are said."}
var CallLost = locale.Text{"انقطع الاتصال بالصفحة، ويعود وحده.", "The page lost its connection; it comes back by itself."}
var CallFull = locale.Text{"كثيرون يستمعون الآن. حاول بعد قليل.", "Too many people are listening. Try again shortly."}
var CallListenHint = locale.Text{"العميل في الأذن اليسرى، والمنصة في اليمنى.", "The customer is in the left ear, the platform in the right."}
var CallMetadata = locale.Text{"بياناتك", "Your data"}
var CallVariables = locale.Text{"القيم", "Variables"}
var CallPerson = locale.Text{"كل مكالمات هذا الرقم", "All calls to this number"}
var CallCallAgain = locale.Text{"اتصل به ثانية", "Call again"}
var CallSIPCodes = locale.Text{"ردود شركة الاتصالات (SIP)", "SIP responses"}
var CallCodec = locale.Text{"ترميز الصوت", "Codec"}
var CallEncrypted = locale.Text{"مشفَّر", "encrypted"}
var CallPackets = locale.Text{"حزم الصوت", "Audio packets"}
var CallNoticed = locale.Text{"تحذير", "Warning"}
var CallForeignSound = locale.Text{"وصل صوت من عنوان لم يُتفق عليه.", "Audio came from an address that was not negotiated."}
var CallTrunk = locale.Text{"خط SIP", "SIP trunk"}
var CallPacketCounts = locale.Text{"المرسلة {sent}، المستقبلة {received}، المفقودة {lost}، المتأخرة {late}، المتجاهَلة {ignored}", "sent {sent}, received {received}, lost {lost}, late {late}, ignored {ignored}"}
var CallStates = locale.WordTable{
	{"none", "لا شيء", "None"},
	{"pending", "يُرسل", "Being sent"},
	{"delivered", "وصل", "Delivered"},
	{"failed", "لم يصل", "Not delivered"},
}

var CallEvents = locale.WordTable{
	{"booked", "حُجزت", "Booked"},
	{"received", "وردت", "Came in"},
	{"tried", "بدأت التجربة", "Trial begun"},
	{"rescheduled", "تغيّر موعدها", "Time changed"},
	{"moved", "نُقل موعدها", "Moved to calling hours"},
	{"cancelled", "أُلغيت", "Cancelled"},
	{"released", "بدأ الاتصال", "Dialled"},
	{"staff_answered", "رد الموظف، وبدأ الاتصال بالشخص", "The extension answered; the person is dialled"},
	{"stopped", "أُوقفت قبل الاتصال", "Stopped before dialling"},
	{"returned", "أُعيدت إلى الانتظار: لم تقبلها شركة الاتصالات", "Put back in the queue: the carrier accepted no calls"},
	{"answered", "رُدّ عليها", "Answered"},
	{"ended", "انتهت", "Ended"},
	{"rescued", "استُعيدت بعد توقف الخادم", "Recovered after a stop of the appliance"},
	{"reopened", "لم تنقطع، وعُرفت نتيجتها", "Was not interrupted; its outcome is known"},
	{"erased", "حُذفت بياناتها", "Erased"},
	{"hangup", "طُلب إنهاؤها", "Hang-up requested"},
	{"hangup_requested", "طُلب إنهاؤها", "Hang-up requested"},
	{"expired", "انتهت مدة حفظها", "Its retention period ended"},
	{"retry rescheduled", "تغيّر موعد إعادتها", "Retry rescheduled"},
	{"retry moved", "نُقل موعد إعادتها", "Retry moved"},
	{"retry cancelled", "أُلغيت إعادتها", "Retry cancelled"},
	{"recording expired", "انتهت مدة حفظ تسجيلها", "Its recording was deleted"},
	{"words expired", "انتهت مدة حفظ نصها", "Its transcript was deleted"},
	{"retry_booked", "حُجزت إعادة", "Retry booked"},
	{"note", "كُتبت ملاحظة", "Note written"},
	{"needs_person", "عُلّمت لموظف", "Marked for staff"},
	{"taken", "تولّاها موظف", "Taken by staff"},
	{"left", "تركها موظف لغيره", "Left to others"},
	{"done", "انتهت متابعتها", "Follow-up ended"},
	{"corrected", "صُحّحت", "Corrected"},
	{"taken_over", "تولّى موظف الحديث", "Staff took the conversation over"},
	{"handed_back", "أُعيد الحديث إلى المنصة", "Handed back to the platform"},
}

// people and programs; none for the platform
var CallActors = locale.WordTable{
	{"key", "برنامج عبر API", "a program, by API"},
	{"user", "مستخدم", "a user"},
	{"operator", "موظف", "staff"},
	{"retention", "مدة الحفظ", "retention period"},
}
var CallEvidence = locale.Text{"ملف الإثبات", "Evidence"}
var CallEvidenceHint = locale.Text{"ملف موقّع: القواعد وأساس الموافقة والساعة وفحص قائمة المنع والإفصاح كما قيل. يُفحص بالأمر munadi evidence.", "A signed file: rules, basis of consent, hour, suppression check and the disclosure as it was spoken. munadi evidence checks it."}

var CallPersonBack = locale.Text{"اتصل", "Call back"}
var CallBackHint = locale.Text{"يرن هاتفك أولًا، ثم يُتصل بالشخص", "Your extension rings first, then the person is called"}
var CallBackBegun = locale.Text{"يرن هاتفك الآن. متى رددت اتُّصل بالشخص.", "Your extension rings now. When you answer, the person is called."}
var CallBackNoExtension = locale.Text{"اضبط هاتفك في صفحة حسابك، أو لا تسمح به قواعد الاتصال.", "Set your extension on My account; or the dialling rules do not allow it."}
var CallBackName = locale.Text{"معاودة اتصال من موظف", "Call-back by staff"}
var CallBackRefusals = locale.WordTable{
	{"closed", "خارج ساعات الاتصال الآن.", "It is outside the calling hours now."},
	{"kill_switch", "الاتصال متوقف كله الآن.", "All calls are stopped now."},
	{"no_number", "لا رقم لهذه المكالمة.", "This call has no number."},
}
