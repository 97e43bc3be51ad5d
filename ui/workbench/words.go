// Package workbench holds what a person sees of the transcription workbench.
package workbench

import "munadi/ui/locale"

var Title = locale.Text{"المختبر", "Workbench"}
var Calls = locale.Text{"فجوات مكالمة", "Gaps of a call"}
var CallsHint = locale.Text{"افتح مكالمة، ثم «استمع إلى الفجوات».", "Open a call, then “Listen to the gaps”."}
var Lead = locale.Text{"ماذا سمع كل مُفكِّك، ومتى، وبأي ثقة. لا يغيّر شيئًا في الخدمة.", "What each decoder heard, when, and with which score. Nothing here changes the service."}
var Sound = locale.Text{"الصوت", "Audio"}
var Sample = locale.Text{"عيّنة مدمجة", "Bundled sample"}
var SampleHint = locale.Text{"نتيجة العيّنة لها رابط يُشارَك.", "A sample's result has a link to share."}
var File = locale.Text{"ملف صوتي", "Audio file"}
var FileHint = locale.Text{"دقيقتان على الأكثر. بعد كل تغيير اختر الملف من جديد.", "Two minutes at most. Choose it again after each change."}
var DecodeSample = locale.Text{"فكّك العيّنة", "Decode the sample"}
var DecodeFile = locale.Text{"فكّك الملف", "Decode the file"}
var Parameters = locale.Text{"المعاملات", "Parameters"}
var Heads = locale.Text{"الرأسان", "Heads"}
var Beam = locale.Text{"البحث الشعاعي", "Beam search"}
var Spot = locale.Text{"رصد العبارات", "Word spotting"}
var Cut = locale.Text{"التقطيع", "Segmentation"}
var Default = locale.Text{"الافتراضي {value}", "default {value}"}
var BadRange = locale.Text{"من {min} إلى {max}.", "From {min} to {max}."}
var BadKnobs = locale.Text{"لم يُفكَّك شيء: صحّح المعاملات المعلَّمة.", "Nothing was decoded: correct the parameters that are marked."}
var BadChoice = locale.Text{"واحد من: {value}.", "One of: {value}."}
var Unnamed = locale.Text{"حسب beam_enabled", "as beam_enabled says"}
var Channels = locale.Text{"القناة", "Channel"}
var ChannelsHint = locale.Text{"لتفكيك قناتي تسجيل مجسّم كلٍّ على حدة، اختر اليسرى ثم اليمنى.", "To decode the two channels of a stereo recording each by itself, choose the left one, then the right one."}
var NoChannel = locale.Text{"في هذا التسجيل قناة واحدة: اختر المزيج أو اليسرى.", "This recording has one channel: choose the mix or the left one."}
var MixChannels = locale.Text{"مزيج القنوات", "Mix of all channels"}
var LeftChannel = locale.Text{"اليسرى", "Left"}
var RightChannel = locale.Text{"اليمنى", "Right"}

// Chart names the picture
var Result = locale.Text{"النتيجة", "Result"}
var Chart = locale.Text{"الموجة وتحتها رموز كل مفكّك على محور الزمن نفسه، من اليسار إلى اليمين", "The waveform, and under it each decoder's tokens on the same time axis, left to right"}
var Nothing = locale.Text{"لم يُسمع كلام.", "No speech was heard."}
var RNNT = locale.Text{"RNNT", "RNNT"}
var CTC = locale.Text{"CTC", "CTC"}
var Hybrid = locale.Text{"المزيج", "Hybrid"}
var Spotted = locale.Text{"العبارات المرصودة", "Spotted phrases"}
var Segment = locale.Text{"المقطع", "Segment"}
var Score = locale.Text{"الدرجة", "Score"}
var Picked = locale.Text{"اختار {value}", "picked {value}"}
var Applied = locale.Text{"طُبّقت على النص", "applied to the text"}
var Timings = locale.Text{"المعالجة (م.ث)", "Processing (ms)"}
var Share = locale.Text{"رابط هذه النتيجة", "Link to this result"}
var ShareHint = locale.Text{"فيه العيّنة وكل معامل غُيّر.", "It holds the sample and every parameter that was changed."}
var Duration = locale.Text{"{value} ث من الصوت", "{value} s of audio"}
var Unsaid = locale.Text{"لا شيء", "nothing"}
var BadSound = locale.Text{"لا يُقرأ هذا الملف صوتًا.", "This file can't be read as audio."}
var TooLong = locale.Text{"الصوت أطول من دقيقتين. قصّره.", "The audio is longer than two minutes. Shorten it."}
var Busy = locale.Text{"المُفكِّك مشغول. أعد المحاولة بعد قليل.", "The decoder is busy. Try again shortly."}
var EmptyTitle = locale.Text{"اختر ملفًا صوتيًا", "Choose an audio file"}
var EmptyText = locale.Text{"عيّنة مدمجة أو ملف من عندك، فتظهر هنا الموجة ورموز RNNT وCTC والمزيج.", "A bundled sample or a file of yours; the waveform and the tokens of RNNT, CTC and hybrid appear here."}
var OnlyOperators = locale.Text{"رفع الملفات للمشغّل والمالك. العيّنات لكل من يدخل.", "Files are for operators and owners. Samples are for every user."}
