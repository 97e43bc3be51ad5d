// The page of one call: updated by events while the call runs, then its record with the player.
import { byId } from "./dom.js";
import { follow } from "./console-call-live.js";
import { record } from "./console-call-record.js";
import { correctWords } from "./console-call-correct.js";
import { listening } from "./console-call-listen.js";
import { takingOver } from "./console-call-takeover.js";

const page = byId("call");
if (page.dataset.live) follow(page);
if (byId("audio")) record();
if (byId("word-correction")) correctWords(byId("word-correction"));
if (byId("listen")) listening(byId("listen"));
if (byId("take-over")) takingOver(byId("take-over"));
