import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Clock } from '#domain/shared/time.ts'
import {
  ensureKeyFile,
  ignoringFileErrors,
  keyFileFingerprint,
  type Overlap,
  type PendingRotation,
  readKeyFile,
  replaceSigningKey,
  type StoredKey,
} from './key-file.ts'

/** What a key is for. Each purpose has a key of its own, derived, so that one can never stand in for another. */
type KeyPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'mail-code'
  | 'file-address'
  | 'totp'
  | 'passkey-ticket'
  | 'known-device'
  | 'setup'

/** One secret of the workspace. Its id is written into what it signs, so that it can be replaced without a break. */
export type SigningKey = { readonly id: string; readonly keyFor: (purpose: KeyPurpose) => Uint8Array }

/** The secrets of the workspace: one that signs and enciphers, and older ones. */
export type KeyRing = {
  readonly current: SigningKey
  /** A key whose signatures count: the current one, or one that was replaced a short while ago. */
  readonly findForSignature: (id: string) => SigningKey | undefined
  /** A key whose marks of known browsers count: as those live half a year, longer than anything else it signed. */
  readonly findForMark: (id: string) => SigningKey | undefined
  /** A key whose refresh tokens count: as long as its marks, which is longer than any session lives. */
  readonly findForRefresh: (id: string) => SigningKey | undefined
  /** A key for what was enciphered with it, however long ago. */
  readonly findForCipher: (id: string) => SigningKey | undefined
  /** Goes up whenever the keys change; whoever remembers that a signature was right asks here whether it still is. */
  readonly edition: number
}

/** A key that signs is replaced when it is this old. */
export const KEY_AGE_MS = 90 * 24 * 60 * 60 * 1000

/** What a replaced key signed counts for this much longer: more than any token or address lives. */
export const KEY_OVERLAP_MS = 24 * 60 * 60 * 1000

/** The mark of a known browser lives this long, and as long its key counts for marks. */
export const DEVICE_MARK_MS = 180 * 24 * 60 * 60 * 1000

const KEY_BYTES = 32

const overlapFrom = (now: Date, { atOnce }: { readonly atOnce: boolean }): Overlap => ({
  countsUntil: new Date(now.getTime() + (atOnce ? 0 : KEY_OVERLAP_MS)),
  marksCountUntil: new Date(now.getTime() + (atOnce ? 0 : DEVICE_MARK_MS)),
})

type OpenedKey = SigningKey & {
  readonly createdAtMs: number
  readonly countsUntilMs: number
  readonly marksCountUntilMs: number
}

const endMs = (at: string | undefined): number => (at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at))

function openKey({ id, secret, createdAt, countsUntil, marksCountUntil }: StoredKey): OpenedKey {
  const bytes = Buffer.from(secret, 'base64url')
  const derived = new Map<KeyPurpose, Uint8Array>()
  const keyFor = (purpose: KeyPurpose): Uint8Array => {
    const known = derived.get(purpose) ?? new Uint8Array(hkdfSync('sha256', bytes, '', `dossier ${purpose}`, KEY_BYTES))
    derived.set(purpose, known)
    return known
  }
  return {
    id,
    keyFor,
    createdAtMs: createdAt === undefined ? 0 : Date.parse(createdAt),
    countsUntilMs: endMs(countsUntil),
    marksCountUntilMs: endMs(marksCountUntil ?? countsUntil),
  }
}

/** How the file of the keys is followed. */
export type KeyRingOptions = {
  readonly clock?: Clock
  /** How often at most the file is looked at, in ms: the command line may replace a key beside a running server. */
  readonly looksEveryMs?: number
  /** Called when the keys were replaced, here or by another process. */
  readonly onReplaced?: () => void
}

/** Reads the secrets from the data folder, or makes them the first time, and follows their file. */
export function openKeyRing(dataFolder: string, options: KeyRingOptions = {}): KeyRing {
  const { clock = () => new Date(), looksEveryMs = 1000, onReplaced } = options
  ensureKeyFile(dataFolder, clock())
  let mark = ''
  let keys: readonly OpenedKey[] = []
  let edition = 0
  let lookedAtMs = Number.NEGATIVE_INFINITY

  function readWhenChanged(): void {
    const found = keyFileFingerprint(dataFolder)
    if (found === mark) return
    keys = readKeyFile(dataFolder).map(openKey)
    mark = found
    edition += 1
    if (edition > 1) onReplaced?.()
  }

  function replaceWhenOld(): void {
    const [current] = keys
    const now = clock()
    if (current === undefined || now.getTime() - current.createdAtMs <= KEY_AGE_MS) return
    replaceSigningKey(dataFolder, current.id, { now, overlap: overlapFrom(now, { atOnce: false }) })
    readWhenChanged()
  }

  /** The keys as the file has them now, or had them a moment ago. */
  function look(): readonly OpenedKey[] {
    if (performance.now() - lookedAtMs < looksEveryMs) return keys
    lookedAtMs = performance.now()
    // A file that cannot be read or written just now is no reason to sign nothing: the keys at hand stay good.
    ignoringFileErrors(() => {
      readWhenChanged()
      replaceWhenOld()
    })
    return keys
  }

  readWhenChanged()
  /** An unknown id may be of a key that another process has just put in front: the file is read again for it. */
  const find = (id: string): OpenedKey | undefined => {
    const known = look().find((key) => key.id === id)
    if (known !== undefined) return known
    ignoringFileErrors(readWhenChanged)
    return keys.find((key) => key.id === id)
  }
  const findUntil = (end: 'countsUntilMs' | 'marksCountUntilMs') => (id: string) => {
    const key = find(id)
    return key !== undefined && clock().getTime() < key[end] ? key : undefined
  }
  return {
    get current() {
      const [current] = look()
      if (current === undefined) throw new Error(`There is no key in ${dataFolder}.`)
      return current
    },
    get edition() {
      look()
      return edition
    },
    findForCipher: find,
    findForSignature: findUntil('countsUntilMs'),
    findForMark: findUntil('marksCountUntilMs'),
    findForRefresh: findUntil('marksCountUntilMs'),
  }
}

/**
 * Puts a new key in the place of the one that signs; a running server takes it up within a second. `atOnce`: nothing
 * older counts any more, for when the secrets may have been seen by somebody.
 */
export function rotateKeys(
  dataFolder: string,
  now: Date,
  { atOnce, pending }: { readonly atOnce: boolean; readonly pending?: PendingRotation },
): SigningKey {
  const { current } = openKeyRing(dataFolder, { clock: () => now })
  replaceSigningKey(dataFolder, current.id, { now, overlap: overlapFrom(now, { atOnce }), ...(pending && { pending }) })
  return openKeyRing(dataFolder, { clock: () => now }).current
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What a text is sealed for, and what it belongs to: copied to another place it does not open. */
export type SealedFor = { readonly purpose: KeyPurpose; readonly boundTo: string }

/** Encrypts a text with a key of the ring, so that a copy of the database alone does not give it; base64url. */
export function seal(key: SigningKey, { purpose, boundTo }: SealedFor, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.keyFor(purpose), nonce).setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

/** Opens what `seal` made with this key. Throws when it was changed or belongs elsewhere. */
export function unseal(key: SigningKey, { purpose, boundTo }: SealedFor, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const tagAt = bytes.length - TAG_BYTES
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key.keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(tagAt))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString('utf8')
}
