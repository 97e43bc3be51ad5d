// Package grammar says what an answer may be: rules in the ABNF form of the W3C's Speech Recognition Grammar
// Specification 1.0 (SRGS), read from text, and the rules for Arabic answers that ship with the engine
// (answers_ar.abnf).
//
// It is a leaf: it knows words, no tokens, no sound and no meaning. What a sentence of a grammar means is for the one
// who asked; tags are read and ignored.
//
// The form, as far as it is read:
//
//	#ABNF 1.0 UTF-8;                      the header; may be left out behind "builtin:"
//	language ar; mode voice;              read and ignored
//	root $size;                           the rule that is recognised
//	public $size = [$please] ($small | $large)<1-2>;
//	$small = صغير | "حجم صغير" {tag};     alternatives, sequences, quoted words
//	$please = لو سمحت | من فضلك;          // comments like this one, or /* like this */
//	$more = $digit<1-> ;                  repeated: <n>, <n-m>, <n->; [x] is x<0-1>
//	$NULL and $VOID                       nothing said; never
//
// Rules of answers_ar.abnf may be used by name in any grammar that does not define them itself. Not read: XML, external
// rule references, $GARBAGE (other words are what the free search is for), recursion, weights other than 1.
//
// A grammar may be named instead of written, by VoiceXML 2.0's builtin types: builtin:grammar/boolean, digits, number,
// date, time; digits takes ?length=4, or ?minlength=4;maxlength=8.
package grammar
