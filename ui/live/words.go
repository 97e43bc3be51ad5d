// Package live holds what a person sees of live transcription.
package live

import "munadi/ui/locale"

var Title = locale.Text{"مباشر", "Live"}
var Lead = locale.Text{"تكلّم، وتظهر كلماتك وأنت تقولها.", "Speak, and your words appear as you say them."}

// browser microphone and its states
var Start = locale.Text{"ابدأ الكلام", "Start speaking"}
var Stop = locale.Text{"أوقف", "Stop"}
var Ready = locale.Text{"اضغط وتكلّم", "Press and speak"}
var Listening = locale.Text{"الميكروفون يسمع", "Listening"}
var Gone = locale.Text{"فُصل الميكروفون. ننتظر عودته.", "The microphone was disconnected. Waiting for it."}
var Waiting = locale.Text{"لحظة…", "One moment…"}
var Denied = locale.Text{"لم يسمح المتصفح بالميكروفون. اسمح به من إعدادات الموقع ثم أعد المحاولة.", "The browser did not allow the microphone. Allow it in the site's settings and try again."}
var Missing = locale.Text{"لا ميكروفون في هذا الجهاز.", "This device has no microphone."}
var Lost = locale.Text{"انقطع الاتصال.", "The connection broke."}
var Done = locale.Text{"حُفظت الجلسة. افتحها", "The session is saved. Open it"}
var Unplugged = locale.Text{"فُصل الميكروفون.", "The microphone was disconnected."}
var Broken = locale.Text{"تعذّر البدء. تحقّق من الميكروفون والاتصال ثم أعد المحاولة.", "It could not start. Check the microphone and the connection, then try again."}
var Again = locale.Text{"انقطع الاتصال. نعيد المحاولة…", "The connection broke. Trying again…"}
var NoScript = locale.Text{"ميكروفون المتصفح يحتاج إلى JavaScript. ميكروفون الخادم يعمل دونه.", "The browser's microphone needs JavaScript. The appliance's works without it."}

// name of the meter
var Level = locale.Text{"مستوى الصوت", "Level"}
var Server = locale.Text{"ميكروفون الخادم", "Appliance microphone"}
var ServerLead = locale.Text{"الميكروفون الموصول بالخادم الذي يعمل عليه مُنادي.", "The microphone connected to the appliance that Munadi runs on."}
var Device = locale.Text{"الميكروفون", "Microphone"}
var DefaultDevice = locale.Text{"الافتراضي", "Default"}
var ServerStart = locale.Text{"استمع", "Listen"}
var NoDevices = locale.Text{"لا ميكروفون موصول بالخادم. صِل واحدًا ثم حدّث الصفحة.", "The appliance has no microphone. Connect one and reload the page."}
var Sessions = locale.Text{"الجلسات المحفوظة", "Saved sessions"}
var Search = locale.Text{"بحث في ما قيل", "Search what was said"}
var All = locale.Text{"كل الجلسات", "All sessions"}
var None = locale.Text{"لا جلسة بعد", "No session yet"}
var NoneText = locale.Text{"كل ما يُقال في الميكروفون يُحفظ هنا، نصًا وصوتًا.", "Everything said into the microphone is saved here, as text and audio."}
var NoMatch = locale.Text{"لا جلسة تطابق", "No session matches"}
var NoMatchText = locale.Text{"لم يُقل هذا في آخر الجلسات.", "The latest sessions do not contain this text."}
var When = locale.Text{"متى", "When"}
var Length = locale.Text{"المدة", "Length"}
var Source = locale.Text{"المصدر", "Source"}
var Said = locale.Text{"ما قيل", "What was said"}
var Running = locale.Text{"جارية", "Running"}
var FromServer = locale.Text{"الخادم", "Appliance"}
var FromBrowser = locale.Text{"المتصفح", "Browser"}
var Silent = locale.Text{"لم يُقل شيء", "Nothing was said"}
var Transcript = locale.Text{"النص", "Transcript"}
var Player = locale.Text{"الصوت", "Audio"}
var Downloads = locale.Text{"نزّل", "Download"}
var Delete = locale.Text{"احذف", "Delete"}
var DeleteTitle = locale.Text{"حذف الجلسة؟", "Delete the session?"}
var DeleteText = locale.Text{"يُحذف النص والصوت ولا يعودان.", "Its text and audio are removed. This cannot be undone."}
var Deleted = locale.Text{"حُذفت الجلسة.", "The session is deleted."}
var StillOn = locale.Text{"الجلسة جارية. أوقفها أولًا.", "The session is running. Stop it first."}
var NoMicrophone = locale.Text{"لا ميكروفون بهذا الاسم في الخادم. اختر واحدًا من القائمة.", "The appliance has no microphone with that name. Choose one from the list."}
var Taken = locale.Text{"هذا الميكروفون مستعمل الآن، أو بلغ عدد الجلسات حدّه. أوقف جلسة أولًا.", "This microphone is already in use, or the limit of sessions is reached. Stop one first."}
var NotOpened = locale.Text{"تعذّر فتح الميكروفون. تحقّق من توصيله ثم أعد المحاولة.", "The microphone could not be opened. Check that it is connected, then try again."}
var NothingYet = locale.Text{"تظهر الكلمات هنا.", "The words appear here."}
var SoundNote = locale.Text{"اضغط على جملة لتسمعها.", "Press a sentence to hear it."}

// how soon text comes
var Latency = locale.Text{"تأخّر النص", "Delay of the text"}
var Seconds = locale.Text{"{n} ث", "{n} s"}
var Usual = locale.Text{" (المعتاد)", " (usual)"}
