package campaigns

import "munadi/ui/locale"

// Texts of the way from a file of people to a campaign: upload, columns, check and settings.

var NewTitle = locale.Text{"حملة جديدة", "New campaign"}
var NewLead = locale.Text{"ارفع الملف كما هو عندك. لا يُتصل بأحد قبل أن ترى الصفوف وتبدأ الحملة بنفسك.", "Upload the file as you have it. Nobody is called before you have seen the rows and started the campaign."}
var NewFile = locale.Text{"ملف Excel أو CSV", "Excel or CSV file"}
var NewFileHint = locale.Text{"\u200e.xlsx أو CSV بأي فاصل وأي ترميز، حتى 10,000 صف و16 ميغابايت. الأرقام كما تُكتب عندكم: 05… أو 9665… أو \u200e+966… أو بالأرقام العربية.", ".xlsx, or CSV of any delimiter and encoding; up to 10,000 rows and 16 MB. Numbers as you write them: 05…, 9665…, +966… or in Arabic digits."}
var NewPaste = locale.Text{"أو الصق الصفوف", "Or paste the rows"}
var NewPasted = locale.Text{"الصفوف", "Rows"}
var NewPastedHint = locale.Text{"انسخها من جدول بعناوينها، أو اكتب رقمًا في كل سطر. تُقرأ كما يُقرأ الملف.", "Copy them from a spreadsheet with their header, or write one number a line. They are read as a file is."}
var NewRegion = locale.Text{"بلد الأرقام المكتوبة بلا مفتاح دولي", "Country of numbers without a country code"}
var NewRegionHint = locale.Text{"يُحفظ ولا تُسأل عنه مرة أخرى.", "It is remembered, so you are asked once."}
var NewScenario = locale.Text{"السيناريو", "Scenario"}
var NewRead = locale.Text{"اقرأ الصفوف", "Read the rows"}
var NewTemplate = locale.Text{"نموذج فارغ", "Empty template"}
var NewBack = locale.Text{"رجوع", "Back"}
var NewFromCalls = locale.Text{"أو اختر من قائمة المكالمات من تريد الاتصال بهم من جديد: صفِّ القائمة ثم اضغط «حملة من هذه القائمة».", "Or call the people of earlier calls again: filter the list of calls, then press “Campaign from this list”."}
var SheetTitle = locale.Text{"أي ورقة من الملف؟", "Which sheet of the file?"}
var SheetLead = locale.Text{"في الملف أكثر من ورقة. اختر التي فيها من تريد الاتصال بهم.", "The file has several sheets. Choose the one with the people to call."}
var SheetCount = locale.Text{"الصفوف: {count}", "Rows: {count}"}
var SheetUnread = locale.Text{"ورقة من الملف لم تُقرأ:", "A sheet of the file was not read:"}
var SheetDo = locale.Text{"اقرأ هذه الورقة", "Read this sheet"}
var NewColumnsTitle = locale.Text{"ما في كل عمود؟", "What does each column hold?"}
var NewColumnsLead = locale.Text{"الصفوف في الملف: {rows}. راجع ما خمّناه وصحّحه إن لزم؛ نتذكره للملفات التي لها الأعمدة نفسها.", "Rows in the file: {rows}. Correct our guess where it is wrong; it is remembered for files with the same columns."}
var NewRemembered = locale.Text{"هذه الأعمدة معروفة من ملف سابق.", "These columns are known from an earlier file."}
var NewColumn = locale.Text{"العمود", "Column"}
var NewSamples = locale.Text{"أمثلة منه", "Examples"}
var NewHolds = locale.Text{"فيه", "Holds"}
var NewIgnore = locale.Text{"لا يُستعمل", "Not used"}
var NewKeep = locale.Text{"يُحفظ مع المكالمة ويعود في النتائج", "Kept with the call and in the results"}
var NewPhone = locale.Text{"رقم الهاتف", "Telephone number"}
var NewCheck = locale.Text{"افحص الصفوف", "Check the rows"}
var NewNeedPhone = locale.Text{"اختر العمود الذي فيه أرقام الهواتف.", "Choose the column that holds the telephone numbers."}
var NewCheckTitle = locale.Text{"فحص الصفوف", "Check the rows"}
var NewReady = locale.Text{"جاهزة", "Ready"}
var NewBad = locale.Text{"فيها خطأ", "With an error"}
var NewDuplicates = locale.Text{"أرقام مكررة", "Duplicate numbers"}
var NewTotals = locale.Text{"صفوف مجموع لا يُتصل بها", "Rows of totals, which nobody is called for"}
var NewSuppressed = locale.Text{"في قائمة المنع", "On the suppression list"}
var NewBadTitle = locale.Text{"صفوف تحتاج إلى تصحيح", "Rows to correct"}
var NewBadLead = locale.Text{"صحّح هنا ما تشاء ثم أعد الفحص. ما يبقى فيه خطأ لا يُتصل به، ولا يمنع غيره.", "Correct rows as needed, then check again. Rows with an error are not called; the others are."}
var NewBadMore = locale.Text{"وصفوف أخرى فيها خطأ: {count}. صحّح هذه ثم أعد الفحص لترى ما بعدها.", "Further rows with an error: {count}. Correct these and check again to see them."}
var NewCheckAgain = locale.Text{"أعد الفحص", "Check again"}
var NewRow = locale.Text{"الصف", "Row"}
var NewProblem = locale.Text{"الخطأ", "Error"}
var NewSettings = locale.Text{"إعدادات الحملة", "Settings of the campaign"}
var NewName = locale.Text{"اسم الحملة", "Name"}
var NewWhen = locale.Text{"متى تبدأ", "Start"}
var NewAtHint = locale.Text{"فارغ: الآن.", "Empty: now."}
var NewEnds = locale.Text{"آخر وقت للاتصال", "No calls after"}
var NewEndsHint = locale.Text{"اختياري. بتوقيت {zone}، وضمن ساعات الاتصال المعتادة.", "Optional. In {zone} time, and within the usual calling hours."}
var NewPace = locale.Text{"مكالمات في الدقيقة على الأكثر", "Calls a minute at most"}
var NewPaceHint = locale.Text{"فارغ: بلا حد.", "Empty: no limit."}
var NewLines = locale.Text{"مكالمات في وقت واحد على الأكثر", "Calls at once at most"}
var NewLinesHint = locale.Text{"فارغ: كل الخطوط الحرة.", "Empty: all free lines."}
var NewCaller = locale.Text{"الرقم الذي يظهر للناس", "Number that people see"}
var NewCallerHint = locale.Text{"فارغ: رقم المنظمة أو رقم خط SIP.", "Empty: the organization's number, or the trunk's."}
var NewTries = locale.Text{"عدد المحاولات لكل شخص", "Attempts for each person"}
var NewDelays = locale.Text{"الانتظار قبل كل إعادة (دقائق)", "Wait before each retry (minutes)"}
var NewPaused = locale.Text{"أنشئها متوقفة، لأبدأها لاحقًا", "Make it paused, to start it later"}
var NewStart = locale.Text{"ابدأ الحملة ({count})", "Start the campaign ({count})"}
var NewBooking = locale.Text{"تُحجز المكالمات: {count}", "Calls are being booked: {count}"}
var NewOther = locale.Text{"اعرض قيم السيناريو المختار", "Show the chosen scenario's variables"}

// faults of files
var NewEmpty = locale.Text{"لا صفوف تحت سطر العناوين.", "There are no rows below the header."}
var NewTooLarge = locale.Text{"الملف أكبر مما يُقرأ. احذف الأوراق والصور الزائدة، أو قسّمه.", "The file is larger than what can be read. Remove unneeded sheets and pictures, or split it."}
var NewTooMany = locale.Text{"في الملف أكثر من 10,000 صف. قسّمه إلى ملفين أو أكثر.", "The file has more than 10,000 rows. Split it."}
var NewTooWide = locale.Text{"في الملف أكثر من 64 عمودًا. احذف الأعمدة التي لا تحتاجها المكالمات.", "The file has more than 64 columns. Remove those that the calls do not need."}
var NewOldFormat = locale.Text{"هذا ملف Excel قديم \u200e(.xls)\u200e أو محمي بكلمة مرور. احفظه بصيغة \u200e.xlsx بلا كلمة مرور.", "This is an old Excel file (.xls), or one with a password. Save it as .xlsx without a password."}
var NewNoTable = locale.Text{"هذا الملف ليس \u200e.xlsx ولا CSV، أو هو تالف. اختر ملفًا آخر.", "This file is neither .xlsx nor CSV, or it is damaged. Choose another file."}
var NewNoFile = locale.Text{"اختر ملفًا، أو الصق الصفوف.", "Choose a file, or paste the rows."}
var NewBoth = locale.Text{"اخترت ملفًا ولصقت صفوفًا. أبقِ أحدهما.", "A file was chosen and rows were pasted. Keep one of them."}
var NewOddXML = locale.Text{"في الملف ما لا تكتبه برامج الجداول (UTF-16 أو DOCTYPE أو CDATA أو تعليقات XML). افتحه في Excel أو LibreOffice واحفظه من جديد بصيغة \u200e.xlsx.", "The workbook has XML that spreadsheet programs do not write (UTF-16, DOCTYPE, CDATA or comments). Open it in Excel or LibreOffice and save it as .xlsx again."}
var NewScenarioGone = locale.Text{"حُذف السيناريو في هذه الأثناء. اختر سيناريو آخر.", "The scenario was deleted in the meantime. Choose another one."}

// faults of settings
var NewBadNumber = locale.Text{"الرقم ناقص أو زائد أو ليس رقم هاتف. اكتبه كاملًا، مثل 0512345601 أو \u200e+966512345601.", "This is not a complete telephone number. Write it in full, such as 0512345601 or +966512345601."}
var NewBadName = locale.Text{"اكتب اسمًا لا يزيد على 200 حرف.", "Write a name of at most 200 characters."}
var NewBadEnds = locale.Text{"اختر وقتًا بعد الآن وبعد بداية الحملة.", "Choose a time after now and after the start of the campaign."}
var NewBadPace = locale.Text{"اكتب عددًا من 1 إلى 6000، أو اتركه فارغًا.", "Write a number from 1 to 6000, or leave it empty."}
var NewBadLines = locale.Text{"اكتب عددًا من 1 إلى 1000، أو اتركه فارغًا.", "Write a number from 1 to 1000, or leave it empty."}
var NewNoneLeft = locale.Text{"لا صف جاهز. صحّح صفًا واحدًا على الأقل.", "No row is ready. Correct at least one."}
var NewTooManyPeople = locale.Text{"في القائمة أكثر من 10,000 رقم. ضيّق التصفية.", "The list has more than 10,000 numbers. Narrow the filter."}
var NewHours = locale.Text{"ساعات الاتصال في الأيام القادمة", "Calling hours of the next days"}
var NewColumns = locale.Text{"غيّر الأعمدة", "Change the columns"}
