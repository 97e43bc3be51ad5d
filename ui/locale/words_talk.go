package locale

// Texts of the page at /talk; those of its room are in package ui/scenarios.

var TalkLead = Text{"اختر سيناريو وتحدّث معه بميكروفون متصفحك كأنك الشخص الذي يُتصل به. تُحفظ تجربةً، ولا تُحسب في التقارير، ولا يرنّ هاتف أحد.", "Choose a scenario and talk with it by your browser's microphone, as the person who is called. It is kept as a trial, counts in no report, and nobody's telephone rings."}
var TalkChoice = Text{"السيناريو", "Scenario"}
var TalkDraft = Text{"المسودة", "draft"}
var TalkNone = Text{"لا سيناريو في هذه المنظمة.", "This organization has no scenario."}
var TalkNeedsKey = Text{"أدخل مفتاح API لتظهر سيناريوهات منظمته.", "Enter an API key to see the scenarios of its organization."}
