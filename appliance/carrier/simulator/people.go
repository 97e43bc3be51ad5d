package simulator

// Person is who, or what, a number reaches.
type Person string

// Those who answer and talk.
const (
	Cooperative Person = "cooperative" // says yes, and gives what is asked for
	Interrupts  Person = "interrupts"  // the same, without hearing questions to their end
	Changes     Person = "changes"     // can't come, wants another time
	Cancels     Person = "cancels"     // declines whatever is offered
	Keys        Person = "keys"        // keys numbers in instead of saying them
	AsksAgain   Person = "asks_again"  // asks for the first question to be repeated
	Shy         Person = "shy"         // is silent the first time
	Slow        Person = "slow"        // thinks for two to three and a half seconds
	HangsUp     Person = "hangs_up"    // midway: after the first answer
	Silent      Person = "silent"      // answers and says nothing
	Noisy       Person = "noisy"       // cooperative, in noise of 10 to 15 dB below the voice
)

// Those who are never spoken with, and machines.
const (
	NoAnswer    Person = "no_answer"
	SecondTime  Person = "second_time" // no answer at the first attempt, then cooperative
	Declines    Person = "declines"    // 603
	Unavailable Person = "unavailable" // 480
	Busy        Person = "busy"        // 486
	NoCarrier   Person = "no_carrier"  // no SIP answer
	Voicemail   Person = "voicemail"   // an announcement, a beep, silence
)

// Those who end a call in their own way.
const (
	OptsOut     Person = "opts_out"     // says "don't call me again": the number is suppressed
	WrongNumber Person = "wrong_number" // isn't who is meant
	WantsAgent  Person = "wants_agent"  // wants to speak with a person
	HasNoTime   Person = "has_no_time"  // asks to be called later
	Menu        Person = "menu"         // an IVR menu
)

// Those whom no number's digits choose; Options.People does.
const (
	Mailbox     Person = "mailbox"      // another answering machine
	SwitchedOff Person = "switched_off" // the carrier's announcement
)

// last are the people on …90 to …99.
var last = [10]Person{
	NoAnswer, Declines, Unavailable, Voicemail, NoCarrier, HangsUp, Busy, Silent, Noisy, SecondTime,
}

// leaving are the people on …75 to …79.
var leaving = [5]Person{OptsOut, WrongNumber, WantsAgent, HasNoTime, Menu}

// wayward are the people on …80 to …89.
var wayward = [10]Person{Changes, Changes, Changes, Cancels, Cancels, Cancels, Keys, AsksAgain, Shy, Slow}

// PersonByNumber is the person that a number's last two digits choose:
//
//	00–69 Cooperative    70–74 Interrupts
//	75 OptsOut           76 WrongNumber      77 WantsAgent 78 HasNoTime    79 Menu
//	80–82 Changes        83–85 Cancels       86 Keys       87 AsksAgain    88 Shy           89 Slow
//	90 NoAnswer          91 Declines         92 Unavailable 93 Voicemail   94 NoCarrier
//	95 HangsUp           96 Busy             97 Silent     98 Noisy        99 SecondTime
func PersonByNumber(number string) Person {
	if len(number) < 2 {
		return Cooperative
	}
	tens, ones := number[len(number)-2]-'0', number[len(number)-1]-'0'
	switch {
	case tens > 9 || ones > 9:
		return Cooperative
	case tens == 9:
		return last[ones]
	case tens == 8:
		return wayward[ones]
	case tens == 7 && ones >= 5:
		return leaving[ones-5]
	case tens == 7:
		return Interrupts
	}
	return Cooperative
}

// voiceOf is the voice that a number's third last digit chooses: 0, 3, 6, 9 the usual one, 1, 4, 7 a higher, 2, 5, 8 a
// lower.
func voiceOf(number string) string {
	if len(number) < 3 {
		return ""
	}
	return [3]string{"", "high", "low"}[(number[len(number)-3]-'0')%3]
}
