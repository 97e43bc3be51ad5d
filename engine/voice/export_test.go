package voice

import "munadi/engine/ort"

// OpenFiles opens the two files of a voice in Piper's layout.
func OpenFiles(graph, config string) (*NeuralVoice, error) {
	return openFiles(graph, config, ort.SessionOptions{Threads: 1})
}
