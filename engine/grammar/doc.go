// Package grammar defines the expected answers to a question: rules in the ABNF form of the W3C's Speech Recognition
// Grammar Specification 1.0 (SRGS), read from text, and the rules for Arabic answers that ship with the engine
// (answers_ar.abnf).
//
// It works on words and imports no package of tokens, audio or interpretation. The caller interprets a recognized
// sentence; tags are parsed and ignored.
//
// The supported syntax:
//
//	#ABNF 1.0 UTF-8;                      the header, which identifies a grammar
//	language ar; mode voice;              read and ignored
//	root $size;                           the rule to recognize
//	public $size = [$please] ($small | $large)<1-2>;
//	$small = صغير | "حجم صغير" {tag};     alternatives, sequences, quoted words
//	$please = لو سمحت | من فضلك;          // comments like this one, or /* like this */
//	$more = $digit<1-> ;                  repeated: <n>, <n-m>, <n->; [x] is x<0-1>
//	$NULL and $VOID                       the empty utterance; matches nothing
//
// Any grammar may use the rules of answers_ar.abnf that it does not define itself. Not supported: XML, external rule
// references, $GARBAGE (the unconstrained search covers other words), recursion, weights other than 1.
//
// A grammar may be named instead of written, by VoiceXML 2.0's builtin types: builtin:grammar/boolean, digits, number,
// date, time; digits takes ?length=4, or ?minlength=4;maxlength=8.
package grammar
