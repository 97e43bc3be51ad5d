package scenarios

import "munadi/ui/locale"

// Texts about phrases that staff's corrections propose.

var ProposalsTitle = locale.Text{"عبارات من التصحيحات", "Phrases from corrections"}
var ProposalsLead = locale.Text{"أجاب بها أكثر من شخص ولم تُفهم، ثم صحّح الموظفون الإجابة. لا يتغيّر شيء حتى تقبلها، وتُضاف إلى المسودة.", "More than one person answered with these, they were not understood, and staff corrected the answer. Nothing changes until you accept one; it is added to the draft."}
var ProposalHeard = locale.Text{"سُمعت «{heard}» وصُحّحت إلى «{value}»،", "Heard as “{heard}”, corrected to “{value}”,"}
var ProposalTimes = locale.CountedPair{locale.ArabicNoun("", "بلا مكالمة.", "في مكالمة واحدة.", "في مكالمتين.", "مكالمات.", "مكالمة.", "مكالمة.", ""), locale.EnglishCount("once.", "{n} times.")}
var ProposalAccept = locale.Text{"أضف «{phrase}»", "Add “{phrase}”"}
var ProposalDismiss = locale.Text{"ارفضها", "Dismiss"}
var ProposalDismissOne = locale.Text{"ارفض «{phrase}»", "Dismiss “{phrase}”"}
var ProposalAdded = locale.Text{"أُضيفت «{phrase}» إلى المسودة. انشرها لتسري.", "“{phrase}” is added to the draft. Publish it to put it in force."}
var ProposalDismissed = locale.Text{"رُفضت «{phrase}» ولن تُقترح ثانية.", "“{phrase}” is dismissed and not proposed again."}
var ProposalGone = locale.Text{"لم تعد العبارة مقترحة، أو تغيّر السيناريو. أعد المحاولة.", "The phrase is not proposed any more, or the scenario was changed. Try again."}
var ProposalYes = locale.Text{"نعم", "yes"}
var ProposalNo = locale.Text{"لا", "no"}
