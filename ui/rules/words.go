// Package rules holds what a person sees of the dialling rules.
package rules

import "munadi/ui/locale"

var Lead = locale.Text{"متى يُتصل بالناس، وبمن، وكم مرة.", "Who is called, when, and how often."}

// leads to the suppression list
var Running = locale.Text{"الاتصال جارٍ", "Calling is on"}
var RunningLead = locale.Text{"بعد الضغط لا تبدأ أي مكالمة جديدة. المكالمات الجارية تكتمل.", "After you press it no new call is dialled. Running calls end by themselves."}
var Stop = locale.Text{"أوقف كل الاتصال", "Stop all calling"}
var Stopped = locale.Text{"الاتصال متوقف", "Calling is stopped"}
var StoppedLead = locale.Text{"لا تبدأ أي مكالمة. ما حان موعده ينتظر.", "No calls are dialled. Due calls wait."}
var Resume = locale.Text{"استأنف الاتصال", "Resume calling"}
var ResumeTitle = locale.Text{"استئناف الاتصال؟", "Resume calling?"}
var ResumeText = locale.Text{"كل مكالمة حان موعدها في أثناء التوقف تبدأ الآن، بحسب الخطوط المتاحة وساعات الاتصال.", "Every call that became due in the meantime is dialled now, as lines and calling hours allow."}
var SaidStopped = locale.Text{"توقف الاتصال. لن تبدأ مكالمة جديدة.", "Calling is stopped. No new call is dialled."}
var SaidResumed = locale.Text{"استُؤنف الاتصال.", "Calling is on again."}
var SaidSaved = locale.Text{"حُفظت القواعد.", "The rules are saved."}
var OnlyOwners = locale.Text{"يغيّر هذه القواعد مالك المنظمة وحده.", "Only an owner of the organization can change these rules."}
var Save = locale.Text{"احفظ القواعد", "Save the rules"}
var When = locale.Text{"متى", "When"}
var ZoneHint = locale.Text{"اسمها في قاعدة IANA. فارغة: UTC.", "Its IANA name. Empty: UTC."}
var City = locale.Text{"المدينة", "City"}
var CityHint = locale.Text{"لمواقيت الصلاة: يُفهم «بعد صلاة المغرب» وقتًا بحسبها، ثم يُعاد على المتصَل به ليؤكده.", "For times of prayer: “after the sunset prayer” is understood as a time by them, and read back to be confirmed."}
var NoCity = locale.Text{"بلا مدينة", "No city"}
var BadCity = locale.Text{"اختر مدينة من القائمة.", "Choose a city of the list."}
var Hours = locale.Text{"ساعات الاتصال", "Calling hours"}
var Always = locale.Text{"في أي وقت", "At any time"}
var Week = locale.Text{"في هذه الساعات فقط", "Only at these hours"}
var WorkWeek = locale.Text{"الأحد إلى الخميس، من 9 إلى 17", "Sunday to Thursday 9–17"}
var LongWeek = locale.Text{"كل يوم من 9 إلى 21، والجمعة من 16", "Every day 9–21, Friday from 16"}
var ExactHours = locale.Text{"الأوقات بالدقيقة", "Exact times"}
var PaintHint = locale.Text{"اضغط على شريط اليوم واسحب: تُفتح الساعات أو تُغلق.", "Press on a day and drag: hours open or close."}
var ProposalsTitle = locale.Text{"قواعد معتادة لم تُضبط بعد", "Usual rules that are not set yet"}
var ProposalsLead = locale.Text{"بلا قواعد يُتصل بالناس في أي وقت وبأي عدد. غيّرها متى شئت في قواعد الاتصال.", "Without rules people are called at any time and as often as you like. Change them at any time under Dialling rules."}
var ProposalDo = locale.Text{"اعتمد", "Take over"}
var ProposalHours = locale.Text{"الاتصال من الأحد إلى الخميس، من 9 إلى 17", "Call from Sunday to Thursday, 9 to 17"}
var ProposalAttempts = locale.Text{"محاولتان في اليوم للرقم على الأكثر", "At most two attempts a day to a number"}
var ProposalRetention = locale.Text{"حذف التسجيلات والنصوص بعد 90 يومًا", "Delete recordings and texts after 90 days"}
var ProposalUnknown = locale.Text{"لا اقتراح بهذا الاسم.", "There is no such proposal."}
var WeekHint = locale.Text{"بصيغة 24 ساعة. اليوم الفارغ مغلق، و24:00 منتصف الليل. لفترة ثالثة احفظ أولًا.", "24-hour clock. A day left empty is closed; 24:00 is midnight. Save once for a third slot."}
var From = locale.Text{"من", "From"}
var To = locale.Text{"إلى", "To"}
var Holidays = locale.Text{"العطل", "Holidays"}
var HolidaysHint = locale.Text{"يوم في كل سطر: \u20662026-12-25\u2069. مغلقة طول اليوم.", "One day on each line: 2026-12-25. Closed all day."}
var Whom = locale.Text{"بمن، وكم مرة", "Who, and how often"}
var PerDay = locale.Text{"محاولات في اليوم للرقم", "Attempts a day to a number"}
var PerWeek = locale.Text{"محاولات في سبعة أيام للرقم", "Attempts in seven days to a number"}
var Allowed = locale.Text{"بدايات مسموحة", "Allowed prefixes"}
var AllowedHint = locale.Text{"بداية في كل سطر، مثل \u2066+966\u2069. فارغة: كل الوجهات.", "One on each line, such as +966. Empty: every destination."}
var Blocked = locale.Text{"بدايات ممنوعة", "Blocked prefixes"}
var BlockedHint = locale.Text{"بداية في كل سطر. أرقام الطوارئ والأرقام المميزة ممنوعة دائمًا.", "One on each line. Emergency and premium numbers are always blocked."}
var Caller = locale.Text{"الرقم الظاهر للمتصَل بهم", "Caller number that people see"}
var Callers = locale.Text{"أرقام المتصل بحسب الوجهة", "Caller numbers by destination"}
var CallersHint = locale.Text{"سطر لكل بداية رقم، مثل \u2066+966: +966112345678, +966112345679\u2069، و\u2066+\u2069 لكل الأرقام. يسري أطول بداية. ولكل شخص رقم واحد ثابت من أرقام السطر.", "One line for each beginning, such as +966: +966112345678, +966112345679; + is for all numbers. The longest beginning applies. Each person always sees the same number of a line."}
var BadCallers = locale.Text{"اكتب كل سطر هكذا: \u2066+966: +966112345678\u2069.", "Write each line like this: +966: +966112345678."}
var CallerHint = locale.Text{"مثل \u20660112345678\u2069. فارغ: رقم خط SIP. وقد يكون لكل حملة رقمها.", "Such as 0112345678. Empty: the trunk's own. A campaign may have another."}
var Invalid = locale.Text{"امنع الأرقام التي لا وجود لها", "Suppress numbers that don't exist"}
var InvalidHint = locale.Text{"الرقم الذي تقول شركة الاتصالات إنه غير مخصص يُضاف إلى قائمة المنع.", "A number that the carrier reports as unassigned is added to the suppression list."}
var How = locale.Text{"كيف", "How"}
var Recording = locale.Text{"التسجيل", "Recording"}
var RecordOn = locale.Text{"سجّل كل مكالمة", "Record every call"}
var RecordAnnounce = locale.Text{"سجّل بعد إعلان يُقال أولًا", "Record after a notice that is spoken first"}
var RecordOff = locale.Text{"لا تسجّل", "Don't record"}
var TextForm = locale.Text{"كتابة النصوص", "Transcripts"}
var TextFormHint = locale.Text{"الأعداد والمبالغ وأرقام الهواتف والأوقات في نصوص المكالمات.", "Numbers, amounts, telephone numbers and times in transcripts of calls."}
var Spoken = locale.Text{"كما تُقال: خمسة وعشرين ريال", "as spoken: خمسة وعشرين ريال"}
var Written = locale.Text{"كما تُكتب: 25 SAR", "as written: 25 SAR"}
var Numerals = locale.Text{"أرقامها", "Their digits"}
var LatinDigits = locale.Text{"لاتينية: 0123456789", "Latin: 0123456789"}
var ArabicDigits = locale.Text{"عربية: ٠١٢٣٤٥٦٧٨٩", "Arabic: ٠١٢٣٤٥٦٧٨٩"}
var Redact = locale.Text{"احجب ما يدل على الأشخاص", "Leave out what identifies people"}
var RedactHint = locale.Text{"تصير أرقام الهواتف والطلبات، وكل عدد من خمس خانات فأكثر، وعناوين البريد واسم المتصَل به \u2066[…]\u2069 في النصوص، ويصمت التسجيل في الدور الذي قيلت فيه. التقارير كما هي.", "Telephone and order numbers, other numbers of five digits or more, e-mail addresses and the called person's name become […] in transcripts, and the recording is silent for the turn that says them. Reports stay as they are."}
var BadTextForm = locale.Text{"اختر واحدًا من القائمة.", "Choose one of the list."}
var Disclosure = locale.Text{"إفصاح يُقال قبل كل شيء", "Disclosure, spoken before anything else"}
var DisclosureHint = locale.Text{"مثل: هذه مكالمة آلية من العيادة. فارغ: لا يُقال شيء.", "For example: this is an automated call from the clinic. Empty: nothing is said."}
var Consent = locale.Text{"أساس الموافقة", "Basis of consent"}
var ConsentHint = locale.Text{"للسجل فقط: لماذا يجوز الاتصال بهؤلاء الناس.", "For the record only: why these people may be called."}
var Lines = locale.Text{"مكالمات في وقت واحد", "Calls at once"}
var LinesHint = locale.Text{"خطوط هذه المنظمة. فارغة: كل خطوط الخادم.", "Lines of this organization. Empty: all lines of the appliance."}
var Keep = locale.Text{"مدة الحفظ", "Kept for"}
var KeepAudio = locale.Text{"التسجيلات", "Recordings"}
var KeepText = locale.Text{"النصوص والتقارير", "Transcripts and reports"}
var KeepHint = locale.Text{"بالأيام بعد انتهاء المكالمة أو الجلسة المباشرة. فارغة: إلى الأبد.", "Days after a call or a live session ended. Empty: for ever."}

// numbers blocked for every organization
var Never = locale.Text{"أرقام الطوارئ والأرقام القصيرة والمميزة والفضائية لا يُتصل بها أبدًا.", "Emergency, short, premium and satellite numbers are never called."}
var Sunday = locale.Text{"الأحد", "Sunday"}
var Monday = locale.Text{"الاثنين", "Monday"}
var Tuesday = locale.Text{"الثلاثاء", "Tuesday"}
var Wednesday = locale.Text{"الأربعاء", "Wednesday"}
var Thursday = locale.Text{"الخميس", "Thursday"}
var Friday = locale.Text{"الجمعة", "Friday"}
var Saturday = locale.Text{"السبت", "Saturday"}
var BadZone = locale.Text{"هذه ليست منطقة زمنية معروفة. اكتب واحدة مثل Asia/Riyadh.", "This is not a known time zone. Write one such as Asia/Riyadh."}
var BadFrom = locale.Text{"اكتب بداية من 00:00 إلى 23:59.", "Write a start from 00:00 to 23:59."}
var BadTo = locale.Text{"اكتب نهاية بعد البداية، 24:00 على الأكثر. ما يتجاوز منتصف الليل اكتبه فترتين.", "Write an end after the start, 24:00 at most. Write what runs over midnight as two slots."}
var Overlap = locale.Text{"هذه الفترة تتداخل مع أخرى في اليوم نفسه. غيّر إحداهما.", "This slot overlaps another one of the same day. Change one of them."}
var NoSlot = locale.Text{"لا فترة في الأسبوع كله، فلن يُتصل بأحد. اكتب فترة أو اختر: في أي وقت.", "There is no slot in the week, so no one would be called. Add one, or choose: at any time."}
var BadDay = locale.Text{"كل سطر يوم بصيغة \u20662026-12-25\u2069. راجع السطر {line}.", "Each line is a day such as 2026-12-25. See line {line}."}
var BadPrefix = locale.Text{"كل سطر بداية رقم دولي مثل \u2066+966\u2069. راجع السطر {line}.", "Each line is the beginning of an international number such as +966. See line {line}."}
var BadNumber = locale.Text{"اكتب رقمًا كاملًا مثل \u20660112345678\u2069 أو \u2066+966112345678\u2069، أو اتركه فارغًا.", "Write a complete number such as 0112345678 or +966112345678, or leave it empty."}
var BadCount = locale.Text{"اكتب عددًا صحيحًا من 0 (بلا حد) فما فوق.", "Write a whole number, 0 (no limit) or more."}
var BadDays = locale.Text{"اكتب عدد أيام من 0 (إلى الأبد) إلى 36500.", "Write a number of days, 0 (for ever) to 36500."}
var TooLong = locale.Text{"النص أطول من 2000 حرف. اختصره.", "The text has more than 2000 characters. Shorten it."}
var TooMany = locale.Text{"القائمة أطول من المسموح. احذف بعض أسطرها.", "The list is longer than allowed. Remove some lines."}

// WeekdayName returns a day's name by its English one.
func WeekdayName(l locale.Language, day string) string {
	return map[string]locale.Text{
		"sunday": Sunday, "monday": Monday, "tuesday": Tuesday, "wednesday": Wednesday, "thursday": Thursday,
		"friday": Friday, "saturday": Saturday,
	}[day].In(l)
}
