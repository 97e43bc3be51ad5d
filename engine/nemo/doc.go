// Package nemo reads NeMo checkpoints (.nemo): a tar archive with model_config.yaml, the weights as torch.save wrote
// them and the tokenizer's files. It returns the configuration that inference needs, the tensors by name, and the
// tokenizer's bytes. It builds no graph, and runs no Python.
//
//	archive.go             tar, plain or gzip; accepted and refused members
//	settings.go config.go  model_config.yaml: values by key, supported and unsupported ones
//	pickle.go              the unpickler: dictionaries, tuples, numbers, text and tensors, nothing else
//	weights*.go            torch's two container formats: zip (since 1.6) and legacy
//	tensor.go              strided views of storages as float32
//
// A checkpoint is untrusted. Nothing in it is executed, no member is written under its own name, and every size is
// compared with the bytes present before memory is allocated for it. Weights stay in the file until a tensor is read.
package nemo
