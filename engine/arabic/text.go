// Package arabic works on recognised Arabic words after the decoder: spoken numbers become digits (restaurant
// quantities and prices), spellings are folded so that words can be compared, what a person answers on the telephone
// is understood (YesNo, Number, Price, TimeOfDay, Date, Choice, Quantities, ReadDigits), and numbers, times and dates
// become words to speak (Spell...).
//
// It is a leaf: it knows words only, no audio, no model and no mode. What the model heard is shown to people as it
// was spoken; Digits changes numbers alone and Fold's output is for scoring and matching, never for showing.
//
// Understanding reads Modern Standard Arabic and the speech of the Gulf, the Levant and Egypt, without vowels, in any
// spelling that Fold brings together. A misheard letter is forgiven only in a long word that nothing else explains.
// Its rule is that no answer is better than a wrong one: who asked can ask again. It reads the first 200 words.
// Spelling writes the words of the bundled prompts, with و on the word behind it, as one writes.
//
// Digits is conservative: a word that is as likely no number stays a word, because a quantity that was never
// spoken is worse than one spelled out. The choices, where Arabic leaves two readings:
//
//   - واحد is 1 before or after a noun, but a pronoun beside كل, أي, ولا, من, منهم, تاني and the like, and behind ب.
//   - مية is also "water": alone, or with a unit behind it, it is 100 only before a currency or a measure
//     ("مية ريال", "مية وخمسة ريال", but "مية واتنين برجر" stays water and 2). مئة and مائة are always 100.
//   - خمسة وعشرين is 25, never 5 and 20; خمسة وستة is "5 و6", عشرين وخمسة "20 و5"; after الساعة it is "5 و20".
//   - تسعة عشر is 19, تسعة عشرة (both with ta marbuta, as one counts) is "9 10".
//   - ونص and وربع right behind a number make a decimal ("خمسة ونص" is 5.5), but not after الساعة, nor behind a noun
//     ("خمسة ريال ونص"), nor alone ("نص كيلو").
//   - Left alone: words with the article (الخمسة, الاثنين), ordinals, dual nouns (برجرين), thirds, تلت and تمن (third
//     and price as much as three and eight), تنين, يوم اثنين, شهر صفر, وحده (alone), ألف شكر and its kin.
//   - و and ب before a number stay on it: "و3", "ب20".
package arabic
