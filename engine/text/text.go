// Package text works on recognised Arabic words after the decoder: spoken numbers become digits (restaurant
// quantities and prices), and spellings are folded so that words can be compared.
//
// It is a leaf: it knows words only, no audio, no model and no mode. What the model heard is shown to people as it
// was spoken; Digits changes numbers alone and Fold's output is for scoring and matching, never for showing.
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
package text
