/**
 * How a receiver finds out that a request is this service's and of now: the functions of the guide, each of which a
 * test runs on a real delivery. They take the headers `X-Svc-Timestamp` and `X-Svc-Signature` and the bytes of the
 * body, before anything reads these as JSON.
 */
export const verifiers = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromSvc(secret, timestamp, signature, body) {
  if (!/^\\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const hmac = createHmac('sha256', secret).update(timestamp + '.').update(body);
  const [expected, given] = ['sha256=' + hmac.digest('hex'), String(signature)].map((text) => Buffer.from(text));
  return expected.length === given.length && timingSafeEqual(expected, given);
}`,
  python: `import hashlib
import hmac
import time


def is_from_svc(secret: str, timestamp: str, signature: str, body: bytes) -> bool:
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())`,
  go: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

func isFromSvc(secret, timestamp, signature string, body []byte) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}`,
} as const;
