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

/** Purpose of a key. Each purpose has its own derived key, so that a key can't be used for another purpose. */
type KeyPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'mail-code'
  | 'file-address'
  | 'totp'
  | 'passkey-ticket'
  | 'known-device'
  | 'setup'
  | 'cursor'

/** A secret of the workspace. Its ID is part of every signature, so that the secret can be rotated. */
export type SigningKey = { readonly id: string; readonly keyFor: (purpose: KeyPurpose) => Uint8Array }

export type KeyRing = {
  readonly current: SigningKey
  readonly findForSignature: (id: string) => SigningKey | undefined
  readonly findForMark: (id: string) => SigningKey | undefined
  readonly findForRefresh: (id: string) => SigningKey | undefined
  readonly findForCipher: (id: string) => SigningKey | undefined
  /** Incremented with every key change, to invalidate caches of verified signatures. */
  readonly edition: number
}

/** Age in ms after which a signing key is rotated. */
export const KEY_AGE_MS = 90 * 24 * 60 * 60 * 1000

/** How long a rotated key's signatures remain valid, in ms; longer than the lifetime of any token or URL. */
export const KEY_OVERLAP_MS = 24 * 60 * 60 * 1000

/** Lifetime of a known-browser cookie in ms, and how long its key can verify such cookies. */
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

export type KeyRingOptions = {
  readonly clock?: Clock
  /**
   * Minimum interval between checks of the key file, in ms. Needed because the CLI can rotate keys while a server is
   * running.
   */
  readonly looksEveryMs?: number
  readonly onReplaced?: () => void
}

/** Reads or creates the secrets in the data folder and detects changes to the key file. */
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

  function look(): readonly OpenedKey[] {
    if (performance.now() - lookedAtMs < looksEveryMs) return keys
    lookedAtMs = performance.now()
    // Continues with the known keys if the file can't be read.
    ignoringFileErrors(() => {
      readWhenChanged()
      replaceWhenOld()
    })
    return keys
  }

  readWhenChanged()
  /** Reads the file again for an unknown ID, because another process may have just added the key. */
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

/** Rotates the signing key; running servers notice within a second. `atOnce` invalidates older keys immediately. */
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

/** The purpose and owner of an encrypted text, which can't be decrypted if copied elsewhere. */
export type SealedFor = { readonly purpose: KeyPurpose; readonly boundTo: string }

/**
 * Encrypts text with a key from the ring, so that a copy of the database alone doesn't reveal it. Returns base64url.
 */
export function seal(key: SigningKey, { purpose, boundTo }: SealedFor, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.keyFor(purpose), nonce).setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

/** Decrypts text. Throws if it was modified or belongs to another owner. */
export function unseal(key: SigningKey, { purpose, boundTo }: SealedFor, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const tagAt = bytes.length - TAG_BYTES
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key.keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(tagAt))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString('utf8')
}
