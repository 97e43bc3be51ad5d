package simulator

// Person is the simulated behaviour behind a number.
type Person string

// People who answer and talk.
const (
	Cooperative Person = "cooperative" // says yes and gives the requested values
	Interrupts  Person = "interrupts"  // the same, but interrupts questions (barge-in)
	Changes     Person = "changes"     // cannot come, wants another time
	Cancels     Person = "cancels"     // declines every offer
	Keys        Person = "keys"        // uses DTMF instead of speech
	AsksAgain   Person = "asks_again"  // asks to repeat the first question
	Shy         Person = "shy"         // is silent at the first question
	Slow        Person = "slow"        // thinks for 2 to 3.5 seconds
	HangsUp     Person = "hangs_up"    // hangs up midway, after the first answer
	Silent      Person = "silent"      // answers and stays silent
	Noisy       Person = "noisy"       // cooperative, in noise of 10 to 15 dB SNR
)

// Unanswered calls and machines.
const (
	NoAnswer    Person = "no_answer"
	SecondTime  Person = "second_time" // no answer at the first attempt, then cooperative
	Declines    Person = "declines"    // 603
	Unavailable Person = "unavailable" // 480
	Busy        Person = "busy"        // 486
	NoCarrier   Person = "no_carrier"  // no SIP response
	Voicemail   Person = "voicemail"   // announcement, beep, silence
)

// People who end a call early.
const (
	OptsOut     Person = "opts_out"     // says "don't call me again": the number is suppressed
	WrongNumber Person = "wrong_number" // is not the intended person
	WantsAgent  Person = "wants_agent"  // asks for a human agent
	HasNoTime   Person = "has_no_time"  // asks to be called later
	Menu        Person = "menu"         // an IVR menu
)

// Behaviours that no digits select, only Options.People.
const (
	Mailbox     Person = "mailbox"      // another voicemail
	SwitchedOff Person = "switched_off" // network announcement
)

// last are the behaviours of …90 to …99.
var last = [10]Person{
	NoAnswer, Declines, Unavailable, Voicemail, NoCarrier, HangsUp, Busy, Silent, Noisy, SecondTime,
}

// leaving are the people on …75 to …79.
var leaving = [5]Person{OptsOut, WrongNumber, WantsAgent, HasNoTime, Menu}

// wayward are the behaviours of …80 to …89.
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

// voiceOf returns the voice variant of a number's third last digit: 0, 3, 6, 9 normal, 1, 4, 7 high, 2, 5, 8 low.
func voiceOf(number string) string {
	if len(number) < 3 {
		return ""
	}
	return [3]string{"", "high", "low"}[(number[len(number)-3]-'0')%3]
}
