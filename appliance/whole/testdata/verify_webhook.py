"""Verifies a webhook's Standard Webhooks signature: SECRET, then headers and body as JSON on standard input."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

given = json.load(sys.stdin)
try:
    Webhook(sys.argv[1]).verify(given["body"], given["headers"])
    print("good")
except WebhookVerificationError as e:
    print("bad:", e)
