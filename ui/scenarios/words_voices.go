package scenarios

import "munadi/ui/locale"

// Texts about the voices of a call.

var VoicesTitle = locale.Text{"أصوات المكالمة", "Voices of the call"}
var VoiceOwn = locale.Text{"تسجيلكم", "Recorded by you"}
var VoiceRecorded = locale.Text{"مسجّل", "Recorded"}
var VoiceJoined = locale.Text{"موصول من تسجيلات", "Joined of recordings"}
var VoiceNeural = locale.Text{"صوت عصبي", "Neural voice"}
var VoiceEndpoint = locale.Text{"صوت خدمة النطق", "Speech service"}
var VoiceRobot = locale.Text{"صوت آلي (eSpeak NG)", "Robotic (eSpeak NG)"}
var VoiceNone = locale.Text{"لا صوت يقوله", "No voice"}
var VoicesLines = locale.CountedPair{locale.ArabicNoun("", "لا أسطر", "سطر واحد", "سطران", "أسطر", "سطرًا", "سطر", ""), locale.EnglishCount("one line", "{n} lines")}
var VoicesUnrecorded = locale.CountedPair{locale.ArabicNoun("", "لا أسطر بلا تسجيل", "سطر واحد بلا تسجيل", "سطران بلا تسجيل", "أسطر بلا تسجيل", "سطرًا بلا تسجيل", "سطر بلا تسجيل", ""), locale.EnglishCount("one line without a recording", "{n} lines without a recording")}
var VoicesMixed = locale.Text{"يسمع المتصل به أكثر من صوت في مكالمة واحدة. سجّل الأسطر الباقية، أو اختر صوتًا واحدًا في الإعدادات.", "People hear more than one voice in a call. Record the remaining lines, or choose one voice under Settings."}
var VoicesSaved = locale.Text{"في «أصوات المكالمة»: {lines}.", "Under “Voices of the call”: {lines}."}
var EditorVoice = locale.Text{"الصوت", "Voice"}
var EditorVoiceMixed = locale.Text{"التسجيلات حيث وُجدت، وصوت آلي لما عداها", "recordings where there are any, a synthetic voice for the rest"}
var EditorVoiceRecorded = locale.Text{"التسجيلات وحدها", "only recordings"}
var EditorVoiceEndpoint = locale.Text{"خدمة النطق وحدها", "only the speech service"}
var EditorVoiceNeural = locale.Text{"الصوت العصبي وحده:", "only the neural voice"}
var EditorVoiceRobot = locale.Text{"eSpeak NG وحده", "only eSpeak NG"}
var EditorVoiceHint = locale.Text{"ما لا يقوله الصوت المختار لا يُقال: يُنبَّه عليه عند الحفظ.", "What the chosen voice can't say is not said: saving warns of it."}
