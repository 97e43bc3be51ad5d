// Package badger implements the store contract on an embedded Badger database (key-value, LSM tree): the default store,
// a folder of files without a server. It is the only importer of badger and does not import the appliance.
//
// # Writing
//
// Group commit: one goroutine, the committer, makes every change. Callers queue commands; the committer takes all
// queued ones, lets each decide its changes on top of those before it, and writes them as one synced transaction
// (Badger itself syncs once per transaction and never combines two). A command decides first and writes afterwards, so
// that a failed one has written nothing and does not affect the others of its group. All callers are answered once the
// transaction is on disk. With a single writer, Badger's own conflict detection is off.
//
// # Keys
//
//	format                              number of the layout, see format.go
//	calls-named                         when all calls were in call-name
//	commits                             number of the last transaction
//	bootstrap                           time of the first start
//	installation                        store.InstallationRecord
//	compaction-owed                     empty; the files hold deleted personal data, see disk_eraser.go
//	probe                               empty; written to test whether the database is writable
//	org/ORG                             account.Organization
//	key/ORG/KEY                         account.APIKey
//	key-id/KEY                          ORG
//	key-hash/HASH                       ORG/KEY; HASH in hex
//	session/ORG/SESSION                 restaurant.RestaurantSession, while it is in restaurant mode
//	phrases/ORG                         restaurant.PhraseSet
//	job/ORG/JOB                         job.Job without its result
//	job-result/ORG/JOB                  the result of a done job
//	job-queue/TIME/ORG/JOB              a queued job, by creation
//	job-running/ORG/JOB                 a running job
//	job-ended/TIME/ORG/JOB              an ended job, by its end
//	job-served/ORG                      when an organization's last job was started (a time)
//	job-made/ORG/TIME/JOB               every job, by creation
//	jobs-listed                         job-made is complete
//	job-callback/TIME/ORG/JOB           an ended job with a pending callback, by the time of the next attempt
//
//	call/ORG/CALL                       record.CallRecord: call.Call without its messages
//	call-words/ORG/CALL                 its messages
//	call-trace/ORG/CALL                 call.LineTrace, until its texts are removed
//	call-line/ORG/CALL/RANK             call.TimelineEntry, a line of its timeline
//	call-due/ORG/TIME/MADE/CALL         a scheduled call of no campaign, by dial time
//	call-running/ORG/CALL               a call that holds a line
//	call-made/ORG/MADE/CALL             callFacts of every call, by creation; without them the same by
//	call-status/ORG/STATUS/MADE/CALL    status,
//	call-scenario/ORG/SCENARIO/MADE/CALL  scenario
//	call-stopped/ORG/MADE/CALL          that a user ended it,
//	call-inbound/ORG/MADE/CALL          that it came in,
//	call-marked/ORG/TIME/MADE/CALL      such a call by the time of its mark, with who took it
//	call-need/ORG/MADE/CALL             that a person must follow it up,
//	call-tail/ORG/TAIL/MADE/CALL        and number, with DUE, until the person is erased; TAIL is the number reversed, so
//	                                    that calls are found by the end of the number
//	call-name/ORG/WORD/MADE/CALL        each word of the person's name, see call.NameWords, with DUE
//	call-campaign/ORG/CAMPAIGN/MADE/CALL  and campaign
//	call-person/ORG/CAMPAIGN/GROUP/MADE/CALL  and the campaign's person for whom it decides, see store.PeopleGroup
//	call-when/ORG/DUE/MADE/CALL         callFacts of every call, by dial time; without them the same by
//	call-status-when/ORG/STATUS/DUE/MADE/CALL  status
//	call-campaign-when/ORG/CAMPAIGN/DUE/MADE/CALL  campaign,
//	call-person-when/ORG/CAMPAIGN/GROUP/DUE/MADE/CALL  the campaign's person,
//	call-scenario-when/ORG/SCENARIO/DUE/MADE/CALL  scenario,
//	call-stopped-when/ORG/DUE/MADE/CALL  that a user ended it,
//	call-inbound-when/ORG/DUE/MADE/CALL  that it came in,
//	call-need-when/ORG/DUE/MADE/CALL    that a person must follow it up,
//	call-answer-when/ORG/SLOT/VALUE/DUE/MADE/CALL  and answer in its report; VALUE in base64
//	call-tally/ORG/TIME/SCENARIO        call.CallTally of the calls due in the quarter of an hour from TIME; of all time
//	                                    under call-tally/ORG/total/SCENARIO
//	call-dial/ORG/NUMBER/TIME/CALL      a release, for the limits of a number
//	call-sound/ORG/TIME/CALL            an ended call with a recording, by its end
//	call-worded/ORG/TIME/CALL           an ended call with text, by its end
//	sound-gone/ORG/CALL                 name of a recording to remove, detached from its call
//	erasure/ORG/NUMBER                  record.Erasure, while it is in progress
//	receipt/ORG/HASH                    store.IdempotencyReceipt; HASH of the client's key in hex
//	receipt-made/TIME/ORG/HASH          the same by time
//
//	campaign/ORG/CAMPAIGN               campaign.Campaign without counts and skipped rows
//	campaign-made/ORG/TIME/CAMPAIGN     every campaign, by creation
//	campaign-tally/ORG/CAMPAIGN         campaign.CampaignTally
//	campaign-skipped/ORG/CAMPAIGN       its skipped rows
//	campaign-due/ORG/CAMPAIGN/TIME/MADE/CALL  a scheduled call of a campaign, by dial time
//	import-memory/ORG                   campaign.ImportMemory
//
//	scenario/ORG/SCENARIO               scenario.StoredScenario
//	scenario-version/ORG/SCENARIO/RANK  scenario.ScenarioVersion, RANK is its number
//	rules/ORG                           callrules.CallRules
//	inbound/ORG                         inbound.Settings
//	inbound-route/NUMBER                inbound.RouteOwner; NUMBER of a route, of any organization
//	mail/ORG                            alert.MailSetting
//	trunks/ORG                          siptrunk.Setting
//	suppression/ORG/NUMBER              callrules.SuppressionEntry
//	alerts/ORG                          alert.AlertBoard
//	bulk/ORG                            bulk.BulkBoard
//	replays/ORG                         replay.Board
//	replay-result/ORG/REPLAY/CALL       replay.Result
//	webhook/ORG                         delivery.WebhookSetting
//	delivery/ORG/DELIVERY               deliveryRecord
//	delivery-of/ORG/CALL                the delivery of a call's end
//	delivery-made/ORG/RANK/DELIVERY     every delivery, by creation
//	delivery-state/ORG/STATE/RANK/DELIVERY  by state
//	delivery-due/ORG/LANE/TIME/RANK/DELIVERY  a pending one, by the time of its next attempt; lane 0 for calls, lane 1
//	                                    for tests and redeliveries
//	delivery-rank/ORG                   rank of the organization's last delivery
//	destinations/ORG                    delivery.DestinationBoard
//	event/ORG/DESTINATION/EVENT         record.EventRecord, the delivery of an event to a destination
//	event-made/ORG/DESTINATION/MADE/EVENT        every one, by the event's time
//	event-state/ORG/DESTINATION/STATE/MADE/EVENT by state
//	event-of/ORG/SUBJECT/DESTINATION/EVENT       by the call, campaign or job
//	event-due/ORG/DESTINATION/TIME/MADE/EVENT    a pending one, by the time of its next attempt
//	event-ended/TIME/ORG/DESTINATION/EVENT       an ended one, by its end
//	event-body/ORG/DESTINATION/EVENT    the body that is sent
//	audit/ORG/RANK                      record.ChainedAudit
//	audit-head/ORG/LANE                 record.AuditHead; */organizations is the sealed list of organizations
//	audit-rank/ORG                      rank of the organization's last change
//
//	user/USER                           account.User
//	user-name/NAME                      USER; NAME in lower case
//	user-of/ORG/USER                    a user of an organization
//	web-session/HASH                    account.UserSession; HASH in hex
//	web-session-of/USER/HASH            a session of a user
//	one-time/HASH                       account.OneTimeRecord; HASH in hex
//
//	live/ORG/SESSION                    live.LiveSession without its segments; ids sort by time
//	live-running/ORG/SESSION            one that has not ended
//	live-words/ORG/SESSION/RANK         live.LiveSegment
//	live-rank/ORG/SESSION               rank of the session's last segment
//
// Values are JSON, so that a record may gain fields without a new layout; the values of index entries are empty unless
// listed above. TIME is the Unix time in nanoseconds, 16 hex digits, so that keys sort by it; MADE is the TIME of a
// call's creation, DUE of its dial time; RANK counts up from 1 within its owner. Ids hold no '/'. All index entries of
// a call or delivery follow from its record.
//
// Queue indexes begin with the organization, so that one organization's backlog is skipped with one seek, regardless of
// its length: polling costs one seek per organization with entries, and none for later calls and removed entries (low
// watermarks, watermarks.go).
//
// # A full disk
//
// Free space is checked before each transaction. With less than a reserve free, or a read-only disk, commands that
// start something new are refused with [store.CodeNoRoom]; reading continues, and commands that end running work or
// free space (outcomes, attempts, expiry, erasure) may use most of the reserve: see disk_reserve.go. A refused command
// has written nothing; the free space is checked again for the next one. A transaction that fails while it is written
// has an unknown end, since Badger keeps it in memory; after it nothing is due, and commands are refused before they
// are written, until a file can be written to the folder again. Another process may fill the disk after the
// check: the pages that Badger then writes to are given space that an appliance holds for them (package ballast).
//
// # Durability
//
// Every write is synced and every value's checksum verified when it is read, so that acknowledged changes survive a
// process crash and a power loss. On opening, Badger silently drops the damaged end of its log; to detect that,
// transactions are numbered, the last number is also kept in a separate file of the folder (commit_marker.go), and
// [BadgerStore.LostTransactions] returns how many are missing.
//
// Badger hides a damaged block of a table together with the rest of the table, and answers as if the records did not
// exist; it removes the tables of a folder without a MANIFEST, and exits the process on a truncated table. It cuts the
// newest value log off at a damaged value, and does not miss a value log. So each opening verifies all tables and value
// logs first (folder.go, value_log.go), as [BadgerStore.VerifyFiles] does later. A folder with a missing file is
// refused. Damaged blocks are removed from their tables, whose original files are kept in the folder "damaged"
// (damage.go). Reading a damaged value, or what may have been in such a block, returns [store.CodeCorrupt], never "not
// found" and never an older version; lists skip it and add it to the [store.DamageReport]. A record that is written
// again becomes readable. Deliveries and audit entries are numbered too, so that a gap in the numbers reveals a loss. A
// backup carries its own checksum and count, and names the damaged records (dump.go).
package badger
