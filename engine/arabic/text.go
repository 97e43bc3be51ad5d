// Package arabic processes recognized Arabic words after the decoder: it converts spoken numbers to digits (restaurant
// quantities and prices), folds spellings so that words can be compared, interprets answers on the telephone (yes or
// no, numbers, prices, times, dates, choices, quantities, digit strings), and spells numbers, times and dates as words
// for speech.
//
// It works on words and imports no package of audio, models or modes. Texts shown to people are not changed;
// NumbersToDigits changes numbers only, and FoldSpelling's output is for scoring and matching, never for display.
//
// Answers may be Modern Standard Arabic or the dialects of the Gulf, the Levant and Egypt, without vowels, in any
// spelling that FoldSpelling unifies. A wrong letter is accepted only in a long word that matches nothing else. An
// unclear answer gives no result, since the caller can ask again. Only the first 200 words are read. Spelling uses the
// words of the bundled prompts, with و attached to the next word.
//
// NumbersToDigits is conservative: an ambiguous word stays a word, because a quantity that was never spoken is worse
// than one spelled out. The choices, where Arabic leaves two readings:
//
//   - واحد is 1 before or after a noun, but a pronoun next to كل, أي, ولا, من, منهم, تاني and the like, and after ب.
//   - مية is also "water": alone, or with a unit after it, it is 100 only before a currency or a measure
//     ("مية ريال", "مية وخمسة ريال", but "مية واتنين برجر" stays water and 2). مئة and مائة are always 100.
//   - خمسة وعشرين is 25, never 5 and 20; خمسة وستة is "5 و6", عشرين وخمسة "20 و5"; after الساعة it is "5 و20".
//   - تسعة عشر is 19, تسعة عشرة (both with ta marbuta, as in counting) is "9 10".
//   - ونص and وربع directly after a number make a decimal ("خمسة ونص" is 5.5), but not after الساعة, nor after a noun
//     ("خمسة ريال ونص"), nor alone ("نص كيلو").
//   - Unchanged: words with the article (الخمسة, الاثنين), ordinals, dual nouns (برجرين), thirds, تلت and تمن (also
//     third and price), تنين, يوم اثنين, شهر صفر, وحده (alone), ألف شكر and similar phrases.
//   - و and ب before a number stay attached to it: "و3", "ب20".
package arabic
