#!/bin/sh
# From a key to a finished call, with curl. KEY is an API key; MUNADI the appliance's address; HOOK, if set, the
# URL of a receiver such as receiver.py; PHONE the number to call: with the simulator, …00 answers and talks.
set -eu
: "${KEY:?an API key, as from: munadi keys create --name example}"
API="${MUNADI:-http://127.0.0.1:8080}/api/v1"
munadi() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }
field() { grep -o "\"$1\" *: *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

# 1. Set the webhook.
if [ -n "${HOOK:-}" ]; then
  munadi -X PUT "$API/webhook" -d "{\"url\": \"$HOOK\", \"enabled\": true}" >/dev/null
fi

# 2. Book a call, to be dialled as soon as a line is free. With the same Idempotency-Key it is booked only once.
BODY=$(munadi "$API/calls" -H "Idempotency-Key: example-$$-$(date +%s)" -d '{
  "phone_number": "'"${PHONE:-+966500000000}"'",
  "scenario_id": "appointment_confirmation",
  "variables": {"date": "2026-12-01", "time": "10:30"},
  "retry": {"max_attempts": 2, "delay_minutes": [15]},
  "metadata": {"order": "A-17"}
}') || { printf '%s\n' "$BODY" >&2; exit 1; }
CALL=$(printf '%s' "$BODY" | field id)
echo "booked $CALL"

# 3. Wait until it has ended.
while :; do
  BODY=$(munadi "$API/calls/$CALL")
  STATUS=$(printf '%s' "$BODY" | field status)
  case "$STATUS" in scheduled | dialing | in_progress) sleep 1 ;; *) break ;; esac
done
echo "ended: $STATUS"
printf '%s\n' "$BODY"

# 4. Fetch the recording: its URL redirects to a download link that is valid for five minutes.
if [ "$STATUS" = completed ]; then
  munadi -L -o "$CALL.wav" "$API/calls/$CALL/recording"
  echo "recorded: $CALL.wav"
fi
