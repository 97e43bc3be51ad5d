package voice

import "testing"

// FuzzCharacterVoice reads any bytes as each description of a voice in Supertonic's layout.
func FuzzCharacterVoice(f *testing.F) {
	f.Add([]byte(`{"ae":{"sample_rate":44100,"base_chunk_size":512},"ttl":{"chunk_compress_factor":6,"latent_dim":24}}`))
	f.Add([]byte(`{"style_ttl":{"dims":[1,1,2],"data":[[[1,2]]]},"style_dp":{"dims":[1,1,1],"data":[[[0.5]]]}}`))
	f.Add([]byte(`[-1,0,1]`))
	f.Fuzz(func(t *testing.T, file []byte) {
		if shape, err := parseShape(file); err == nil && (shape.chunk < 1 || shape.channels < 1) {
			t.Errorf("shape %+v", shape)
		}
		if s, err := parseStyle(file); err == nil && (int64(len(s.text.F32)) != s.text.Shape[1]*s.text.Shape[2] || len(s.duration.F32) == 0) {
			t.Errorf("style %+v", s)
		}
		if ids, err := parseCharacters(file); err == nil {
			_, _ = Config{Characters: ids, Language: "ar"}.EncodePhonemes(string(file))
		}
	})
}
