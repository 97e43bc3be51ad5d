// Package tokenizer encodes text as the pieces that a recognition model was trained to emit. Phrases and candidate
// transcripts are scored in these pieces.
//
// It is compatible with SentencePiece (Kudo and Richardson 2018; google/sentencepiece 0.2) for the model types that
// NeMo uses: byte pair encoding, unigram and characters, with the model's own normalization table, user-defined symbols
// and byte fallback. Sampling, n-best and the type "word", which no speech model uses, are not supported. In a folder
// without tokenizer.model, the order of the vocabulary suffices for byte pair encoding: see FromVocab.
//
// It imports no package of acoustics, decoding or files.
//
// The normalization table is used as stored in the model (a double-array trie over byte
// strings) rather than replaced by Unicode's NFKC, from which SentencePiece's own tables differ.
package tokenizer
