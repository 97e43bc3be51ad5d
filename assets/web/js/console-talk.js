// The console's page on which a scenario is tried by voice.
import { openRoom } from "./talk-room.js";

openRoom();
