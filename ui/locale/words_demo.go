package locale

// Texts of the page at /, from top to bottom.

var DemoTitle = Text{"مُنادي: تعرّف على الكلام العربي", "Munadi: Arabic speech recognition"}
var DemoDescription = Text{"سجّل صوتك أو ارفع ملفًا واقرأ النص وهو يُكتب. لا يخرج الصوت من الخادم.", "Record or upload Arabic speech and read the text as it is written, on your own appliance."}
var DemoHeading = Text{"تكلّم بالعربية، واقرأ ما قلت", "Speak Arabic, read what you said"}
var DemoLead = Text{"سجّل جملة أو ارفع ملفًا صوتيًا، ويظهر النص كلمةً كلمة. كل شيء يجري على هذا الخادم، ولا يخرج صوتك منه.", "Record a sentence or upload an audio file, and the text appears as it is decoded. All of it runs on this appliance; your voice does not leave it."}

// heading of the side with the button
var DemoCapture = Text{"الصوت", "Sound"}

// label of the record button
var DemoRecord = Text{"اضغط وتكلّم", "Press and speak"}
var DemoRecordHint = Text{"ثم اضغط مرة أخرى عند الانتهاء", "then press again when you are done"}
var DemoUpload = Text{"ارفع ملفًا", "Upload a file"}
var DemoDropHint = Text{"أو أسقِط ملفًا في أي موضع من الصفحة", "or drop one anywhere on the page"}
var DemoDropHere = Text{"أسقِط الملف هنا", "Drop the file here"}
var DemoFormats = Text{"WAV، FLAC، MP3، Ogg، WebM", "WAV, FLAC, MP3, Ogg, WebM"}
var DemoExamples = Text{"أو جرّب مثالًا", "Or try an example"}

// says that the examples are a synthetic voice
var DemoSynthetic = Text{"الأمثلة بصوت اصطناعي", "The examples are a synthetic voice"}
var DemoKey = Text{"مفتاح API", "API key"}
var DemoKeyHint = Text{"يبقى في هذا التبويب وحده، ويُنسى عند إغلاقه.", "It stays in this tab only and is forgotten when you close it."}

// where one comes from; the command follows
var DemoKeyWhere = Text{"يُنشأ على الخادم بالأمر:", "Make one on the appliance with:"}
var DemoKeySave = Text{"استعمل المفتاح", "Use this key"}
var DemoKeyShow = Text{"أظهر المفتاح", "Show the key"}
var DemoKeyChange = Text{"غيّره", "Change"}
var DemoKeyForget = Text{"انسَه", "Forget"}
var DemoKeyPresent = Text{"المفتاح محفوظ", "Key kept"}
var DemoOptions = Text{"خيارات", "Options"}
var DemoRestaurant = Text{"وضع المطعم", "Restaurant mode"}
var DemoRestaurantP = Text{"يرجّح أسماء الأطباق، ويكتب الكميات والأسعار أرقامًا.", "Favours the names of dishes and writes quantities and prices as digits."}
var DemoMicrophone = Text{"الميكروفون", "Microphone"}
var DemoMicDefault = Text{"الميكروفون المعتاد", "The usual microphone"}

// which channels of a recording are decoded
var DemoChannels = Text{"القنوات", "Channels"}
var DemoChannelsHint = Text{"لتسجيل مكالمة بقناتين: كل قناة متكلم.", "For the recording of a call with two channels: each is one speaker."}
var DemoChannelsMix = Text{"مزيج القناتين", "Both mixed"}
var DemoChannelLeft = Text{"اليسرى وحدها", "Left only"}
var DemoChannelRight = Text{"اليمنى وحدها", "Right only"}
var DemoChannelsEach = Text{"كل قناة على حدة", "Each by itself"}
var DemoTranscript = Text{"النص", "Text"}
var DemoPlaceholder = Text{"هنا يظهر ما يُقال.", "What is said appears here."}
var DemoCancel = Text{"إلغاء", "Cancel"}
var DemoDismiss = Text{"إخفاء", "Dismiss"}
var DemoCopy = Text{"نسخ", "Copy"}
var DemoDownload = Text{"تنزيل", "Download"}
var DemoPlayer = Text{"المقاطع على الموجة", "Segments on the waveform"}

// names the waveform; says that time runs left to right
var DemoWaveLabel = Text{"موجة الصوت. الزمن يجري من اليسار إلى اليمين. سهما اليمين واليسار ينتقلان بين المقاطع، وEnter يشغّل المقطع.", "Waveform. Time runs left to right. The left and right arrows go from segment to segment, Enter plays one."}
var DemoPlay = Text{"شغّل الكل", "Play all"}
var DemoSegments = Text{"المقاطع", "Segments"}
var DemoSegmentsHint = Text{"اضغط مقطعًا أو كلمة لتسمعها.", "Press a segment or a word to hear it."}
var DemoCompare = Text{"قارن المفكّكات", "Compare decoders"}
var DemoCompareHint = Text{"ثلاث طرائق لقراءة المخرَج نفسه: RNNT، وCTC، والمزيج بينهما. الكلمات المختلفة تحتها خط.", "Three readings of the same encoder output: RNNT, CTC and the hybrid of both. Words that differ are underlined."}
var DemoCompareRun = Text{"قارن", "Compare"}
var DemoBeam = Text{"بحث شعاعي", "Beam search"}
var DemoWeight = Text{"وزن CTC", "CTC weight"}

// heading of the honest label
var DemoAbout = Text{"ما هذا النموذج، وما ليس هو", "What this model is, and what it is not"}
var DemoModel = Text{"النموذج", "Model"}

// heading of the fold with examples for programs
var DemoCode = Text{"من برنامجك", "From your program"}
var DemoCodeP = Text{"الواجهة نفسها التي تعرفها مكتبات OpenAI، بعنوان آخر:", "The interface that OpenAI's clients speak, at another address:"}
var DemoCodePy = Text{"وبمكتبة OpenAI للغة Python:", "And with OpenAI's Python client:"}
var DemoNoJS = Text{"هذه الصفحة تحتاج إلى JavaScript لتسجّل الصوت وترفعه.", "This page needs JavaScript to record and upload audio."}
var DemoNoJSWhy = Text{"لا تكفي استمارة HTML عادية، لأن المفتاح يُرسل في ترويسة Authorization. الخدمة نفسها تعمل من سطر الأوامر:", "A plain HTML form can't do it, because the key travels in the Authorization header. The service itself works from a command line:"}
