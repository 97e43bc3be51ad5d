// One call. While it runs its events draw the page; when it is over the page is the record, and the sound follows it.
import { byId } from "./dom.js";
import { follow } from "./console-call-live.js";
import { record } from "./console-call-record.js";
import { correctWords } from "./console-call-correct.js";
import { listening } from "./console-call-listen.js";

const page = byId("call");
if (page.dataset.live) follow(page);
if (byId("audio")) record();
if (byId("word-correction")) correctWords(byId("word-correction"));
if (byId("listen")) listening(byId("listen"));
