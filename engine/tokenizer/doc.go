// Package tokenizer writes text as the pieces that a recognition model was trained to emit, and reads
// them back. Phrases to listen for and candidate transcripts have to be scored in these pieces.
//
// It does what SentencePiece does (Kudo and Richardson 2018; google/sentencepiece 0.2) for the
// model types that NeMo uses: byte pair encoding, unigram and characters, with the model's own
// normalisation table, user-defined symbols and byte fallback. Sampling and n-best are left out,
// and so is the type "word", which no model of speech has. Where a folder holds no
// tokenizer.model, the order of its vocabulary is enough for byte pair encoding: see FromVocab.
//
// It is a leaf: it knows nothing of acoustics, of blanks or of files.
//
// The normalization table is used as stored in the model (a double-array trie over byte
// strings) rather than replaced by Unicode's NFKC, from which SentencePiece's own tables differ.
package tokenizer
