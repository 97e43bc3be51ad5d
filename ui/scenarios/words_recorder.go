package scenarios

import "munadi/ui/locale"

// Texts of the recorder of a scenario's line.

var RecorderOpen = locale.Text{"سجّل هذا السطر", "Record this line"}
var RecorderTitle = locale.Text{"تسجيل هذا السطر بصوتك", "Record this line in your voice"}
var RecorderLead = locale.Text{"اقرأ السطر كما هو مكتوب. ما تحتفظ به تستعمله المكالمات فورًا، في كل سيناريو فيه السطر نفسه.", "Read the line as it is written. Calls use what you keep at once, in every scenario with exactly the same line."}
var RecorderLimits = locale.Text{"دقيقتان و25 ميغابايت على الأكثر، بصيغة WAV أو MP3 أو FLAC أو Ogg أو WebM. يُحذف الصمت من طرفيه، ويُضبط مستوى صوته كسائر التسجيلات.", "At most two minutes and 25 MB, as WAV, MP3, FLAC, Ogg or WebM. Silence at both ends is cut, and its loudness is set to that of all recordings."}
var RecorderRecord = locale.Text{"سجّل", "Record"}
var RecorderStop = locale.Text{"أوقف التسجيل", "Stop recording"}
var RecorderAgain = locale.Text{"سجّل من جديد", "Record again"}
var RecorderHear = locale.Text{"اسمع ما سجّلته", "Hear what you recorded"}
var RecorderFile = locale.Text{"أو اختر ملفًا", "Or choose a file"}
var RecorderKeep = locale.Text{"احتفظ به", "Keep it"}
var RecorderRemove = locale.Text{"احذف التسجيل", "Remove the recording"}
var RecorderClose = locale.Text{"أغلق", "Close"}
var RecorderStarting = locale.Text{"اسمح باستعمال الميكروفون إن سُئلت.", "Allow the microphone if you are asked."}
var RecorderRecording = locale.Text{"تكلم الآن.", "Speak now."}
var RecorderReady = locale.Text{"اسمعه، ثم احتفظ به أو سجّل من جديد.", "Hear it, then keep it or record again."}
var RecorderFull = locale.Text{"بلغ التسجيل أطول مدة، فتوقف.", "The longest recording was reached; it stopped."}
var RecorderKept = locale.Text{"حُفظ التسجيل. تستعمله المكالمات من الآن.", "The recording is saved. Calls use it from now on."}
var RecorderRemoved = locale.Text{"حُذف التسجيل.", "The recording is removed."}

// why there is no microphone
var RecorderInsecure = locale.Text{"لا يسمح المتصفح بالتسجيل إلا عبر https أو على الخادم نفسه. اختر ملفًا، أو افتح الصفحة بعنوان https.", "The browser allows recording only over https or on the appliance itself. Choose a file, or open this page at an https address."}
var RecorderDenied = locale.Text{"لم يُسمح باستعمال الميكروفون. اسمح به لهذه الصفحة في إعدادات المتصفح، أو اختر ملفًا.", "The microphone was not allowed. Allow it for this page in the browser's settings, or choose a file."}
var RecorderMissing = locale.Text{"لا ميكروفون هنا. صِل واحدًا، أو اختر ملفًا.", "There is no microphone here. Connect one, or choose a file."}
var RecorderBusy = locale.Text{"تعذّر فتح الميكروفون. قد يستعمله برنامج آخر: أغلقه ثم أعد المحاولة، أو اختر ملفًا.", "The microphone could not be opened. Another program may use it: close that and try again, or choose a file."}
var RecorderNoFile = locale.Text{"سجّل شيئًا أو اختر ملفًا أولًا.", "Record something or choose a file first."}
var RecorderNotSound = locale.Text{"لا يمكن قراءة هذا الملف صوتًا. يُقبل WAV وMP3 وFLAC وOgg وWebM.", "This file can't be read as sound. WAV, MP3, FLAC, Ogg and WebM are accepted."}
var RecorderSilent = locale.Text{"لا صوت في التسجيل. تأكد من الميكروفون المختار ومن أنه غير مكتوم.", "The recording is silent. Check which microphone is chosen, and that it is not muted."}
var RecorderTooLong = locale.Text{"التسجيل أطول من دقيقتين. قصّره.", "The recording is longer than two minutes. Shorten it."}
var RecorderTooLarge = locale.Text{"الملف أكبر من 25 ميغابايت. اختر ملفًا أصغر.", "The file is larger than 25 MB. Choose a smaller one."}
var RecorderTooMany = locale.Text{"بلغ عدد التسجيلات المحفوظة حدّه. احذف بعضها أولًا.", "The limit of stored recordings is reached. Remove some first."}
var RecorderNotFixed = locale.Text{"في هذا السطر قيمة تتغير من مكالمة إلى أخرى، فلا يمكن تسجيله. ضع ما لا يتغير في سطر وحده.", "This line holds a value that differs from call to call, so it can't be recorded. Put the fixed part into a separate line."}
var RecorderLevel = locale.Text{"مستوى الصوت", "Level"}
