#!/usr/bin/env python3
"""Makes the published test vectors of physical keys, envelopes and jitter.

An implementation of its own, written from the package documentation and sharing
nothing with the Go code. Run it with --check to compare the committed files
with what it makes (exit status 1 if they differ), with --write to replace them.
"""
import base64, hashlib, hmac, json, math, struct, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECRET = bytes(range(32))
NOW = 1_800_000_000_000
DAY = 86_400_000
AHEAD = 30 * DAY + 60_000
LAST = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def derive(secret, use):  # HKDF (RFC 5869) without salt, 32 bytes: one block
    return mac(mac(b"", secret), f"cacheaside/2/{use}".encode() + b"\x01")


def framed(key):
    return struct.pack(">H", len(key)) + key


def physical_key(secret, namespace, region, scope, canonical, kind="v"):
    slot = base64.urlsafe_b64encode(mac(derive(secret, "key"), canonical)[:16]).decode().rstrip("=")
    return f"{namespace}:{region}:{scope or '-'}:{{{slot}}}:{kind}"


# Physical keys.

def key_vectors():
    other = hashlib.sha256(b"another secret").digest() + b"longer than 32 bytes"
    plain = [("shop", "product", ""), ("shop", "product", "eu-1"), ("n" * 64, "r.e_g-1", "s" * 64)]
    keys = [("string", "s", b"1"), ("string", "s", b""), ("string", "s", "Zürich ✓".encode()),
            ("string", "s", b"\x00\xff{}:"), ("string", "s", b"x" * 1000),
            ("signed", "i", b"1"), ("signed", "i", b"0"), ("signed", "i", b"-1"),
            ("signed", "i", b"-9223372036854775808"), ("signed", "i", b"9223372036854775807"),
            ("unsigned", "u", b"1"), ("unsigned", "u", b"18446744073709551615"),
            ("keystring", "k", b"1"), ("keystring", "k", b"tenant/7")]
    vectors = []
    for secret, places, key_set in ((SECRET, plain, keys), (other, plain[:1], keys[:1])):
        for namespace, region, scope in places:
            for kind, tag, text in key_set:
                canonical = tag.encode() + text
                vectors.append({"secret": secret.hex(), "namespace": namespace, "region": region, "scope": scope,
                                "key_kind": kind, "key": text.hex(), "canonical": canonical.hex(),
                                "physical_key": physical_key(secret, namespace, region, scope, canonical)})
    return {"comment": "secret, key and canonical are hex. canonical is one tag byte and the key's text: s string, i signed "
                       "and u unsigned integers in decimal, k the text of a KeyString function. physical_key is "
                       "<namespace>:<region>:<scope, - if empty>:{<base64url, unpadded, of the first 16 bytes of "
                       "HMAC-SHA-256(key key, canonical)>}:v. derived holds the three keys of each secret: HKDF-SHA256 "
                       "without salt, info cacheaside/2/key, /digest, /jitter, 32 bytes each.",
            "derived": [{"secret": s.hex(), **{use: derive(s, use).hex() for use in ("key", "digest", "jitter")}}
                        for s in (SECRET, other)],
            "vectors": vectors}


PK = physical_key(SECRET, "shop", "product", "", b"s1").encode()
OTHER_PK = physical_key(SECRET, "shop", "product", "", b"s2").encode()
DIGEST_KEY = derive(SECRET, "digest")
WRITE_ID = bytes.fromhex("0102030405060708")


# Envelopes.

def body(kind, hard, rest=b"", magic=b"CA", version=2):
    return magic + bytes([version, kind]) + WRITE_ID + struct.pack(">Q", hard) + rest


def positive(hard=NOW + 60_000, soft=NOW + 10_000, schema=7, revision=b"r1", payload=b"hello", length=None):
    length = len(revision) if length is None else length
    return body(1, hard, struct.pack(">QIB", soft, schema, length) + revision + payload)


def digest(name, key, message):
    return mac(DIGEST_KEY, framed(key) + message) if name == "hmac" else hashlib.sha256(framed(key) + message).digest()


def sealed(message, name="hmac", key=PK):
    return message + digest(name, key, message)


def envelope_vectors():
    vectors = []

    def add(name, want, raw, digester="hmac", now=NOW, ahead=AHEAD, **fields):
        vectors.append({"name": name, "want": want, "digester": digester, "physical_key": PK.decode(), "now_ms": now,
                        "max_ahead_ms": ahead, "raw": raw.hex(), **({"fields": fields} if fields else {})})

    def add_positive(name, digester="hmac", now=NOW, ahead=AHEAD, **given):
        f = {"hard": NOW + 60_000, "soft": NOW + 10_000, "schema": 7, "revision": b"r1", "payload": b"hello", **given}
        add(name, "positive", sealed(positive(**f), digester), digester, now, ahead, write_id=WRITE_ID.hex(), hard_ms=f["hard"],
            soft_ms=f["soft"], schema=f["schema"], revision=f["revision"].hex(), payload=f["payload"].hex())

    add_positive("positive")
    add_positive("positive, plain SHA-256", digester="sha256")
    add_positive("positive, empty revision and payload", revision=b"", payload=b"", schema=0)
    add_positive("positive, longest revision, not text", revision=b"\xff" * 128, schema=2**32 - 1)
    add_positive("positive, soft equal to hard", soft=NOW + 60_000)
    add_positive("positive, expired at the epoch", hard=0, soft=0)
    add_positive("positive, furthest hard", hard=NOW + AHEAD)
    add_positive("positive, last millisecond of the format", hard=LAST, soft=LAST, now=LAST)
    for kind, name in ((2, "negative"), (3, "tombstone")):
        add(name, name, sealed(body(kind, NOW + 5_000)), write_id=WRITE_ID.hex(), hard_ms=NOW + 5_000)
        add(name + ", plain SHA-256", name, sealed(body(kind, NOW + 5_000), "sha256"), "sha256",
            write_id=WRITE_ID.hex(), hard_ms=NOW + 5_000)
        add(name + " with a byte too many", "corrupt", sealed(body(kind, NOW + 5_000, b"\0")))
        add(name + " a byte too short", "corrupt", sealed(body(kind, NOW + 5_000)[:-1]))
        add(name + " in the shape of a positive", "corrupt", sealed(positive()[:3] + bytes([kind]) + positive()[4:]))
        add(name + " too far ahead", "corrupt", sealed(body(kind, NOW + AHEAD + 1)))
    add("version 1 is retired", "retired", sealed(body(1, NOW, version=1)))
    add("version 1, nothing but the fixed part", "retired", sealed(b"CA\x01"))
    for version in (0, 3, 255):
        add(f"version {version} is unknown", "future", sealed(body(1, NOW, version=version)))
        add(f"version {version}, nothing but the fixed part", "future", sealed(b"CA" + bytes([version])))
    corrupt = {
        "empty": b"", "a digest alone": digest("hmac", PK, b""), "34 bytes": sealed(b"CA"),
        "all zero": bytes(100), "wrong magic": sealed(body(1, NOW, magic=b"CB")), "lower case magic": sealed(b"ca" + positive()[2:]),
        "wrong magic, version 1": sealed(b"XX\x01"), "version 2, nothing but the fixed part": sealed(b"CA\x02"),
        "version 1, wrong digest": b"CA\x01" + bytes(32), "version 3, wrong digest": b"CA\x03" + bytes(32),
        "kind 0": sealed(body(0, NOW + 5_000)), "kind 4": sealed(body(4, NOW + 5_000)), "kind 255": sealed(body(255, NOW + 5_000)),
        "positive cut before its soft expiry": sealed(positive()[:20]), "positive cut within its fixed part": sealed(positive()[:32]),
        "revision length past the end": sealed(positive(revision=b"r1", payload=b"", length=3)),
        "revision length 129": sealed(positive(revision=b"x" * 129)), "revision length 255": sealed(positive(revision=b"x" * 255)),
        "soft after hard": sealed(positive(soft=NOW + 60_001)), "soft at the greatest number": sealed(positive(soft=2**64 - 1)),
        "hard a millisecond too far ahead": sealed(positive(hard=NOW + AHEAD + 1)),
        "hard ten years ahead": sealed(positive(hard=NOW + 3652 * DAY)),
        "hard at the greatest signed number": sealed(positive(hard=2**63 - 1)),
        "hard past the signed numbers": sealed(positive(hard=2**63)),
        "hard at the greatest number": sealed(positive(hard=2**64 - 1, soft=2**64 - 1)),
        "sealed for another key": sealed(positive(), key=OTHER_PK), "sealed by plain SHA-256": sealed(positive(), "sha256"),
        "sealed without the key's length": positive() + mac(DIGEST_KEY, PK + positive()),
    }
    for name, raw in corrupt.items():
        add(name, "corrupt", raw)
    add("sealed by HMAC, read by SHA-256", "corrupt", sealed(positive()), "sha256")
    add("after the year 9999", "corrupt", sealed(positive(hard=LAST + 1, soft=LAST)), now=LAST)
    digests = [{"digester": d, "physical_key": k.decode(), "body": b.hex(), "digest": digest(d, k, b).hex()}
               for d in ("hmac", "sha256") for k in (b"", PK, OTHER_PK, b"k" * 300) for b in (b"", b"CA\x02", bytes(range(256)))]
    return {"comment": "raw, body, digest, write_id, revision and payload are hex; times are milliseconds since 1970. "
                       "digester hmac is HMAC-SHA-256 with hmac_key.", "hmac_key": DIGEST_KEY.hex(),
            "digests": digests, "vectors": vectors}


# Jitter.

def factor(key, pk, klass, revision, ratio):
    first = int.from_bytes(mac(key, framed(pk) + bytes([klass]) + struct.pack(">Q", revision))[:8], "big")
    return 1.0 + ratio * (2.0 * ((first >> 11) / 2**53) - 1.0)


def fingerprint(p):
    layout = struct.pack(">QQQQQdI", p["soft_ms"], p["hard_ms"], p["negative_ms"], p["min_hard_ms"], p["tombstone_ms"],
                         p["ratio"], p["revision"])
    return int.from_bytes(hashlib.sha256(layout).digest()[:8], "big")


def jitter_vectors():
    key, names = derive(SECRET, "jitter"), [b"", PK, OTHER_PK, b"user:0", b"user:1", b"k" * 300]
    factors = [{"revision": f"{r:016x}", "ratio": ratio, "physical_key": pk.decode(), "class": c, "factor": factor(key, pk, c, r, ratio)}
               for r in (0, 1, 2**64 - 1) for ratio in (0.0, 0.1, 0.2, 0.5) for pk in names for c in (1, 2)]
    columns = ("soft_ms", "hard_ms", "negative_ms", "min_hard_ms", "tombstone_ms", "ratio", "revision")
    policies = [dict(zip(columns, row)) for row in (
        (10_000, 60_000, 5_000, 1_000, 60_000, 0.2, 0), (10_000, 60_000, 5_000, 1_000, 60_000, 0.2, 1),
        (10_000, 60_000, 5_000, 1_000, 60_001, 0.2, 1), (60_000, 60_000, 60_000, 60_000, 1, 0.5, 2**32 - 1),
        (1, 5, 1, 0, 60_000, 0.1, 0), (1, 1, 1, 0, 1, 0.5, 0), (30 * DAY, 30 * DAY, 30 * DAY, 0, 30 * DAY, 0.0, 0),
        (1, 20 * DAY, 20 * DAY, 19 * DAY, 60_000, 0.5, 3))]
    lifetimes = []
    for p in policies:
        def ttl(name, klass, least=0):
            return max(math.floor(p[name] * factor(key, pk, klass, fingerprint(p), p["ratio"])), least, 1)
        for pk in names:
            hard = ttl("hard_ms", 1, p["min_hard_ms"])
            lifetimes.append({"policy": p, "fingerprint": f"{fingerprint(p):016x}", "physical_key": pk.decode(),
                              "soft_ms": min(ttl("soft_ms", 1), hard), "hard_ms": hard,
                              "negative_ms": ttl("negative_ms", 2, p["min_hard_ms"])})
    return {"comment": "key is hex, revision of factors and fingerprint are 64-bit hex numbers; factors are doubles, to the last bit. "
                       "class 1 is positive, 2 negative.", "key": key.hex(), "factors": factors, "lifetimes": lifetimes}


def main(mode):
    files = {"redisadapter/testdata/keys.json": key_vectors, "envelope/testdata/vectors.json": envelope_vectors,
             "jitter/testdata/vectors.json": jitter_vectors}
    differ = False
    for name, make in files.items():
        path, text = ROOT / name, json.dumps(make(), indent=1) + "\n"
        if mode == "--write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{name} differs from what this script makes", file=sys.stderr)
            differ = True
    return 1 if differ else 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["--check"], ["--write"]):
        sys.exit("usage: vectors.py --check | --write")
    sys.exit(main(sys.argv[1]))
