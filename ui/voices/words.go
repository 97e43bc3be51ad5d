// Package voices holds what a person sees of the installed neural voices.
package voices

import "munadi/ui/locale"

var Title = locale.Text{"الأصوات العصبية", "Neural voices"}
var Lead = locale.Text{"صوت عصبي يقول ما لا تسجيل له، أو المكالمة كلها إن سمّاه السيناريو.", "A neural voice says what has no recording, or a whole call whose scenario names it."}
var Name = locale.Text{"الصوت", "Voice"}
var Language = locale.Text{"اللغة", "Language"}
var License = locale.Text{"الترخيص", "Licence"}
var NoLicense = locale.Text{"غير مذكور", "not given"}
var Speed = locale.Text{"السرعة", "Speed"}
var SpeedLine = locale.Text{"{} × سرعة الكلام", "{} × real time"}
var Actions = locale.Text{"إجراءات", "Actions"}
var Speaks = locale.Text{"مستعمل الآن", "in use"}
var Use = locale.Text{"استعمله", "Use"}
var Remove = locale.Text{"احذفه", "Remove"}
var None = locale.Text{"بلا صوت عصبي", "No neural voice"}
var AddTitle = locale.Text{"أضف صوتًا", "Add a voice"}
var Path = locale.Text{"مسار على الخادم", "Path on the appliance"}
var PathHint = locale.Text{"ملف \u200e.onnx وبجانبه وصفه \u200e.onnx.json، أو ملف صوت من Supertonic (\u200evoice_styles/F1.json)، أو مجلد فيه صوت واحد.", "A .onnx file with its description .onnx.json beside it, a voice of Supertonic (voice_styles/F1.json), or the folder of one voice."}
var LicenseHint = locale.Text{"يُحفظ إن لم تذكره ملفات الصوت.", "Kept where the voice's files do not name it."}
var Import = locale.Text{"افحصه وثبّته", "Test and install"}
var RemoveTitle = locale.Text{"حذف الصوت {}؟", "Remove the voice {}?"}
var RemoveText = locale.Text{"السيناريوهات التي تسمّيه يقولها بعده صوت غيره.", "Scenarios that name it are spoken by other voices from then on."}
var SaidInstalled = locale.Text{"ثُبّت الصوت {}.", "The voice {} is installed."}
var SaidUsed = locale.Text{"يتكلم من الآن: {}.", "Speaks from now on: {}."}
var SaidRemoved = locale.Text{"حُذف الصوت {}.", "The voice {} is removed."}
var NoVoice = locale.Text{"لا صوت مثبّتًا بهذا الاسم.", "No voice of this name is installed."}
var NoPath = locale.Text{"اكتب المسار الكامل لملف \u200e.onnx، أو لصوت من Supertonic، أو لمجلد الصوت.", "Type the whole path of the .onnx file, of a voice of Supertonic, or of a voice's folder."}
var InUse = locale.Text{"الصوت مستعمل: اختر غيره أولًا.", "The voice is in use: choose another first."}
var NotUsed = locale.Text{"لم يُختر الصوت: ملفاته تالفة أو ناقصة. احذفه وثبّته من جديد.", "The voice was not selected: its files are damaged or missing. Remove it and install it again."}
var NotInstalled = locale.Text{"لم يُثبَّت الصوت. قال البرنامج: {}", "The voice was not installed. The program says: {}"}
var Damaged = locale.Text{"ملفاته تالفة أو ناقصة: احذفه وثبّته من جديد", "its files are damaged or missing: remove it and install it again"}
var PullName = locale.Text{"صوت من المستودع", "Voice on the hub"}
var PullHint = locale.Text{"اسم معروف، أو \u200eORGANIZATION/NAME:VOICE. يُعرض حجمه وترخيصه قبل التنزيل.", "A known name, or ORGANIZATION/NAME:VOICE. Size and licence are shown before the download."}
var PullLook = locale.Text{"اعرض الحجم والترخيص", "Show size and licence"}
var PullTitle = locale.Text{"تنزيل الصوت {}؟", "Download the voice {}?"}
var PullText = locale.Text{"الحجم: {size}. الترخيص: {license}. من {from}.", "Size: {size}. Licence: {license}. From {from}."}
var Pull = locale.Text{"نزّله وثبّته", "Download and install"}
var PullFetching = locale.Text{"يُنزَّل", "downloading"}
var PullTesting = locale.Text{"يُفحص", "being tested"}
var PullInstalled = locale.Text{"ثُبّت", "installed"}
var PullFailed = locale.Text{"فشل", "failed"}
var PullCancelled = locale.Text{"أُلغي", "cancelled"}
var PullCancel = locale.Text{"ألغِ التنزيل", "Cancel the download"}
var PullResume = locale.Text{"أكمل التنزيل", "Resume the download"}
var PullForget = locale.Text{"أخفِ", "Dismiss"}
var SaidPulling = locale.Text{"بدأ تنزيل الصوت، ويستمر بلا هذه الصفحة.", "The download of the voice has begun; it goes on without this page."}
var SaidCancelled = locale.Text{"أُلغي التنزيل. ما نُزّل محفوظ.", "The download is cancelled. What was fetched is kept."}
var PullBusy = locale.Text{"يُنزَّل صوت آخر: انتظره أو ألغِه.", "Another voice is being downloaded: wait for it, or cancel it."}
var HubAway = locale.Text{"تعذّر الوصول إلى المستودع. انقل ملفي الصوت إلى هذا الخادم وثبّته من مسارهما.", "The hub cannot be reached. Copy the voice's two files to this machine and install it from their path."}
