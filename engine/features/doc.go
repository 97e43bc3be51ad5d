// Package features turns sound into the log-mel spectrogram that NeMo's encoders were trained on:
// AudioToMelSpectrogramPreprocessor as its evaluation mode computes it (NeMo 2.7,
// nemo/collections/asr/parts/preprocessing/features.py, FilterbankFeatures).
//
// The way of a clip: pre-emphasis → frames of 512 samples every 160, centred, zeros outside the
// clip → Hann window of 400 → power spectrum → mel filters → natural logarithm → each filter's
// row brought to mean 0 and deviation 1 over the clip.
//
// It is a leaf: it knows nothing of models, of tensors or of where the samples come from. It has
// its own FFT, since the real transform of 512 points is all it needs and gonum's general one
// takes several times as long.
package features
