// Package modeljob installs speech models in the background of a running appliance, for the console: it downloads,
// converts and tests one model at a time, and switches the appliance between installed models.
//
//	job.go      the installation job and its record on disk
//	worker.go   the worker: start, cancel, resume
//	install.go  the phases of one installation: download, test, install
//	room.go     checks of disk space and memory before a phase needs them
//	upload.go   checkpoints that a browser sends
//	overview.go what is installed, for display
//	compare.go  one recording, heard by the serving model and by another
//
// The record is written before each phase. A job that a stop of the appliance interrupted continues at the next start:
// the download goes on from where it was, the test begins again. It knows neither pages nor requests.
package modeljob
