// Package modeljob installs speech models in the background of a running appliance, for the console: it downloads,
// converts and tests one model at a time, and switches the appliance between installed models.
//
//	job.go      the installation job and its record on disk; requests: start, cancel, resume, forget
//	worker.go   the worker, which runs the job
//	install.go  the phases of one installation: download, test, install; uploaded checkpoints
//	room.go     checks of disk space and memory before a phase needs them
//	overview.go installed models, for display
//	compare.go  one recording, transcribed by the serving model and by another
//
// The record is written before each phase. A job that was interrupted by a stop of the appliance continues at the next
// start: the download is resumed, the test is repeated. It is independent of pages and requests.
package modeljob
