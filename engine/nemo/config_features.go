package nemo

import (
	"math"
	"strings"
)

// featureKeys are the supported settings of the features, and those that only affect training.
var featureKeys = strings.Fields(`_target_ cls params
	sample_rate normalize window_size window_stride n_window_size n_window_stride window features n_fft preemph lowfreq
	highfreq log log_zero_guard_type log_zero_guard_value mag_power mel_norm frame_splicing exact_pad
	dither pad_to pad_value nb_augmentation_prob nb_max_freq rng stft_conv stft_exact_pad use_grads use_torchaudio
	max_duration min_duration`)

// logGuard is the default of log_zero_guard_value, 2^-24, the only value of the feature extractor.
const logGuard = 5.960464477539063e-08

func readFeatures(s *configSettings) FeatureConfig {
	const section = "preprocessor"
	checkTarget(s, section, "AudioToMelSpectrogramPreprocessor")
	s.checkKnownKeys(section, featureKeys...)
	requireFixedFeatures(s, section)
	f := FeatureConfig{
		Bands:    s.integerAt(section+".features", 64, 1, maxBands),
		Window:   s.choiceAt(section+".window", "hann", "hann", "hamming", "blackman", "bartlett", "ones", "none"),
		Length:   sampleCount(s, section+".window_size", section+".n_window_size", 0.02),
		Emphasis: s.numberAt(section+".preemph", 0.97),
	}
	if s.isNull(section + ".preemph") {
		f.Emphasis = 0
	}
	if s.isNull(section + ".window") {
		f.Window = "none"
	}
	if hop := sampleCount(s, section+".window_stride", section+".n_window_stride", 0.01); hop != 160 {
		s.failSetting(section+".window_stride", float64(hop)/16000, "0.01")
	}
	if f.Length < 2 || f.Length > 512 || f.Length <= 256 && s.resolveValue(section+".n_fft") == nil {
		s.failSetting(section+".window_size", float64(f.Length)/16000, "more than 0.016, up to 0.032")
	}
	f.readNormalize(s, section+".normalize")
	return f
}

// requireFixedFeatures refuses settings of which the feature extractor supports one value only.
func requireFixedFeatures(s *configSettings, section string) {
	for _, fixed := range []struct {
		key  string
		want any
	}{
		{"sample_rate", 16000},
		{"n_fft", 512},
		{"lowfreq", 0},
		{"highfreq", 8000},
		{"log", true},
		{"log_zero_guard_type", "add"},
		{"mag_power", 2.0},
		{"mel_norm", "slaney"},
		{"frame_splicing", 1},
		{"exact_pad", false},
		{"pad_value", 0},
		{"use_torchaudio", false},
	} {
		s.requireValue(section+"."+fixed.key, fixed.want)
	}
	if v := s.resolveValue(section + ".log_zero_guard_value"); v != nil && v != logGuard {
		s.failSetting(section+".log_zero_guard_value", v, "2^-24")
	}
}

// sampleCount returns a length in samples, from the setting in samples or the one in seconds.
func sampleCount(s *configSettings, seconds, count string, absent float64) int {
	if n := s.integerAt(count, 0, 1, 1<<16); n > 0 {
		return n
	}
	return int(math.Round(s.numberAt(seconds, absent) * 16000))
}

func (f *FeatureConfig) readNormalize(s *configSettings, key string) {
	switch v := s.resolveValue(key).(type) {
	case nil:
		f.Normalize = "per_feature"
		if s.isNull(key) {
			f.Normalize = "none"
		}
	case map[string]any:
		f.Normalize = "fixed"
		f.Mean, f.Std = s.numbersAt(key+".fixed_mean", maxBands), s.numbersAt(key+".fixed_std", maxBands)
		if len(f.Mean) != f.Bands || len(f.Std) != f.Bands {
			s.failSetting(key, v, "fixed_mean and fixed_std with a number for each of the features")
		}
	case string:
		f.Normalize = v
		if v != "per_feature" && v != "all_features" { // NeMo does not normalize for any other text
			f.Normalize = "none"
		}
	default:
		s.failSetting(key, v, "per_feature, all_features, NA, or fixed_mean and fixed_std")
	}
}
