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
  /** Absent in files of before keys were replaced: such a key is as old as the file. */
  createdAt: z.iso.datetime().optional(),
  /** Until when signatures of a replaced key count; absent for the one that signs. */
  countsUntil: z.iso.datetime().optional(),
  /** Until when marks of known browsers count that a replaced key made; absent in older files, where they count no longer. */
  marksCountUntil: z.iso.datetime().optional(),
  /** What the database has still to be told of a rotation; gone once it is. */
  pending: z.object({ atOnce: z.boolean(), endsSessions: z.boolean() }).optional(),
})

const keyFile = z.object({ keys: z.array(storedKey).min(1) })

/** A secret as it stands in the file. The first one of the file signs. */
export type StoredKey = z.infer<typeof storedKey>

/** What goes with a rotation that a person asked for. */
export type PendingRotation = NonNullable<StoredKey['pending']>

const KEY_BYTES = 32

/** The file of the secrets inside the data folder, readable by its owner alone. */
const FILE_NAME = 'keys.json'

/** Whoever holds the lock needs a few ms; what is older was left behind by a process that was killed. */
const STALE_LOCK_MS = 10_000

const fileIn = (dataFolder: string): string => join(dataFolder, FILE_NAME)

const newKey = (now: Date): StoredKey => ({
  id: randomBytes(6).toString('base64url'),
  secret: randomBytes(KEY_BYTES).toString('base64url'),
  createdAt: now.toISOString(),
})

/** What changes with every change of the file. */
export function keyFileFingerprint(dataFolder: string): string {
  const { ino, mtimeMs, size } = statSync(fileIn(dataFolder))
  return `${ino} ${mtimeMs} ${size}`
}

/** Reads the secrets, the one that signs first. */
export function readKeyFile(dataFolder: string): readonly StoredKey[] {
  const file = fileIn(dataFolder)
  const { keys } = keyFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  const fileMadeAt = statSync(file).mtime.toISOString()
  return keys.map((key) => ({ ...key, createdAt: key.createdAt ?? fileMadeAt }))
}

/** The ids of the keys, the one that signs first; undefined where there is no file. */
export function keyIdsIn(dataFolder: string): readonly string[] | undefined | 'unreadable' {
  if (!existsSync(fileIn(dataFolder))) return undefined
  let ids: readonly string[] | 'unreadable' = 'unreadable'
  ignoringFileErrors(() => {
    ids = readKeyFile(dataFolder).map(({ id }) => id)
  })
  return ids
}

/** Does something with the file, or nothing while it is torn, gone or not to be written. */
export function ignoringFileErrors(work: () => void): void {
  try {
    work()
  } catch {
    // The caller goes on with what it knows, and comes again.
  }
}

/** Makes the first secret where there is none. */
export function ensureKeyFile(dataFolder: string, now: Date): void {
  if (existsSync(fileIn(dataFolder))) return
  mkdirSync(dataFolder, { recursive: true })
  withLock(dataFolder, () => {
    if (!existsSync(fileIn(dataFolder))) writeKeyFile(dataFolder, [newKey(now)])
  })
}

/** How long what a replaced key signed counts. */
export type Overlap = { readonly countsUntil: Date; readonly marksCountUntil: Date }

const earlier = (known: string | undefined, latest: Date): string =>
  known === undefined || known > latest.toISOString() ? latest.toISOString() : known

/**
 * Puts a new secret in front. What the one before it signed counts until the given moments; it stays in the file even
 * after that, for what was enciphered with it. Nothing happens when somebody else was faster (`replacing`).
 */
export function replaceSigningKey(
  dataFolder: string,
  replacing: string,
  { now, overlap, pending }: { readonly now: Date; readonly overlap: Overlap; readonly pending?: PendingRotation },
): void {
  withLock(dataFolder, () => {
    const [current, ...older] = readKeyFile(dataFolder)
    if (current?.id !== replacing) return
    // Older ones never count longer than they did, and no longer than the one replaced now.
    const replaced = [current, ...older].map((key) => ({
      ...key,
      countsUntil: earlier(key.countsUntil, overlap.countsUntil),
      marksCountUntil: earlier(marksEnd(key), overlap.marksCountUntil),
    }))
    writeKeyFile(dataFolder, [{ ...newKey(now), ...(pending && { pending }) }, ...replaced])
  })
}

/** Notes that the database knows everything of the rotation that made a key. */
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

/** A key replaced by a version that did not tell the two apart: its marks end with everything else. */
const marksEnd = ({ marksCountUntil, countsUntil }: StoredKey): string | undefined => marksCountUntil ?? countsUntil

/** Written beside and moved into place, so that a power cut leaves either the old file or the new one, whole. */
function writeKeyFile(dataFolder: string, keys: readonly StoredKey[]): void {
  const beside = `${fileIn(dataFolder)}.new`
  writeFileSync(beside, JSON.stringify({ keys }), { mode: 0o600, flush: true })
  renameSync(beside, fileIn(dataFolder))
  syncFolder(dataFolder)
}

/** Makes a rename survive a power cut. Windows has no such call and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Lets one process at a time change the file: a secret that is written over is lost, with all it enciphered. */
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

/** Holds this thread for a few ms: keys change four times a year, and everything else has to wait for them anyway. */
const sleepBriefly = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)

/** What the holder writes into the lock: the folder may be shared by machines. */
const holderName = (processId: number): string => `${processId} ${hostname()}\n`

/** Whether the lock is of a process of this machine that has ended. */
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
