import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const storedKey = z.object({
  id: z.string(),
  secret: z.base64url(),
  /** Absent in files from before key rotation existed; the file's modification time is then used. */
  createdAt: z.iso.datetime().optional(),
  /** When signatures made with a rotated key expire; absent for the current key. */
  countsUntil: z.iso.datetime().optional(),
  /**
   * When known-browser cookies signed with a rotated key expire; absent in older files, whose cookies are no longer
   * valid.
   */
  marksCountUntil: z.iso.datetime().optional(),
  /** Details of a rotation that isn't recorded in the database yet. */
  pending: z.object({ atOnce: z.boolean(), endsSessions: z.boolean() }).optional(),
})

const keyFile = z.object({ keys: z.array(storedKey).min(1) })

/** A secret in the key file. The first one is used for signing. */
export type StoredKey = z.infer<typeof storedKey>

export type PendingRotation = NonNullable<StoredKey['pending']>

const KEY_BYTES = 32

const FILE_NAME = 'keys.json'

/** A lock is held for a few milliseconds; an older lock was left by a killed process. */
const STALE_LOCK_MS = 10_000

const fileIn = (dataFolder: string): string => join(dataFolder, FILE_NAME)

const newKey = (now: Date): StoredKey => ({
  id: randomBytes(6).toString('base64url'),
  secret: randomBytes(KEY_BYTES).toString('base64url'),
  createdAt: now.toISOString(),
})

export function keyFileFingerprint(dataFolder: string): string {
  const { ino, mtimeMs, size } = statSync(fileIn(dataFolder))
  return `${ino} ${mtimeMs} ${size}`
}

export function readKeyFile(dataFolder: string): readonly StoredKey[] {
  const file = fileIn(dataFolder)
  const { keys } = keyFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  const fileMadeAt = statSync(file).mtime.toISOString()
  return keys.map((key) => ({ ...key, createdAt: key.createdAt ?? fileMadeAt }))
}

export function keyIdsIn(dataFolder: string): readonly string[] | undefined | 'unreadable' {
  if (!existsSync(fileIn(dataFolder))) return undefined
  let ids: readonly string[] | 'unreadable' = 'unreadable'
  ignoringFileErrors(() => {
    ids = readKeyFile(dataFolder).map(({ id }) => id)
  })
  return ids
}

export function ignoringFileErrors(work: () => void): void {
  try {
    work()
  } catch {
    // The caller continues with the known keys and retries later.
  }
}

export function ensureKeyFile(dataFolder: string, now: Date): void {
  if (existsSync(fileIn(dataFolder))) return
  mkdirSync(dataFolder, { recursive: true })
  withLock(dataFolder, () => {
    if (!existsSync(fileIn(dataFolder))) writeKeyFile(dataFolder, [newKey(now)])
  })
}

export type Overlap = { readonly countsUntil: Date; readonly marksCountUntil: Date }

const earlier = (known: string | undefined, latest: Date): string =>
  known === undefined || known > latest.toISOString() ? latest.toISOString() : known

/**
 * Adds a new secret at the front of the file. The previous secret's signatures remain valid until the given times; the
 * secret stays in the file for decryption. Does nothing if another process has already replaced the `replacing` key.
 */
export function replaceSigningKey(
  dataFolder: string,
  replacing: string,
  { now, overlap, pending }: { readonly now: Date; readonly overlap: Overlap; readonly pending?: PendingRotation },
): void {
  withLock(dataFolder, () => {
    const [current, ...older] = readKeyFile(dataFolder)
    if (current?.id !== replacing) return
    // Older keys must not expire later than before, or later than the key being replaced.
    const replaced = [current, ...older].map((key) => ({
      ...key,
      countsUntil: earlier(key.countsUntil, overlap.countsUntil),
      marksCountUntil: earlier(marksEnd(key), overlap.marksCountUntil),
    }))
    writeKeyFile(dataFolder, [{ ...newKey(now), ...(pending && { pending }) }, ...replaced])
  })
}

export function clearPending(dataFolder: string, id: string): void {
  withLock(dataFolder, () => {
    const keys = readKeyFile(dataFolder)
    const isCleared = keys.find((key) => key.id === id)?.pending === undefined
    if (!isCleared)
      writeKeyFile(
        dataFolder,
        keys.map((key) => (key.id === id ? { ...key, pending: undefined } : key)),
      )
  })
}

/** If an earlier version rotated the key, known-browser cookies expire together with its signatures. */
const marksEnd = ({ marksCountUntil, countsUntil }: StoredKey): string | undefined => marksCountUntil ?? countsUntil

/** Writes a temporary file and renames it, so that a power loss leaves either the old or the new file. */
function writeKeyFile(dataFolder: string, keys: readonly StoredKey[]): void {
  const beside = `${fileIn(dataFolder)}.new`
  writeFileSync(beside, JSON.stringify({ keys }), { mode: 0o600, flush: true })
  renameSync(beside, fileIn(dataFolder))
  syncFolder(dataFolder)
}

/** Makes a rename survive a power loss. Windows has no such call and doesn't need one. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Locks the key file, because overwriting a secret would lose everything encrypted with it. */
function withLock(dataFolder: string, work: () => void): void {
  const lock = `${fileIn(dataFolder)}.lock`
  takeLock(lock)
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function takeLock(lock: string): void {
  const deadline = performance.now() + STALE_LOCK_MS
  while (!tryLock(lock)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    const isForgotten = age > STALE_LOCK_MS || performance.now() > deadline
    if (isForgotten || isHolderDead(lock)) rmSync(lock, { force: true })
    else sleepBriefly()
  }
}

/**
 * Blocks this thread for a few milliseconds, which is acceptable because keys rarely change and every request needs
 * them.
 */
const sleepBriefly = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)

/** Lock file content: host name and process ID, because several machines can share the folder. */
const holderName = (processId: number): string => `${processId} ${hostname()}\n`

function isHolderDead(lock: string): boolean {
  let isDead = false
  ignoringFileErrors(() => {
    const holder = readFileSync(lock, 'utf8')
    const processId = Number.parseInt(holder, 10)
    if (holder !== holderName(processId)) return
    try {
      process.kill(processId, 0)
    } catch (error) {
      isDead = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    }
  })
  return isDead
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, holderName(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
