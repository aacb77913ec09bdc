import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3Settings } from '#server/platform/config/config.ts'
import { steadyChance } from '../../../bench/setup/generated-records.ts'
import { settingsOf } from '#tests/support/files/s3-bucket.ts'
import { findFreePort, type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'
import { type Leftovers, leftovers, rowsLeft } from './leftovers.ts'
import { newTransfer, type Dialect, type UploadTarget, type Transfer, sha256, travel } from './sender.ts'

export type FaultRun = {
  readonly kills: number
  readonly seed: number
  /** Where completed files are stored; defaults to the disk. */
  readonly s3?: S3Settings | undefined
  /** Time in ms after which no further kill starts. */
  readonly withinMs?: number
  readonly say?: (line: string) => void
}

/** The result; the last five counts must be zero. */
export type Outcome = {
  readonly kills: number
  readonly whileSending: number
  readonly whileEnding: number
  readonly files: number
  readonly lostBytes: number
  readonly wrongFiles: number
  readonly seenUnfinished: number
  readonly leftAfterSweep: Leftovers & { readonly rows: { uploads: number; assets: number; blobs: number } }
  readonly lostByTheSweep: number
}

/** Concurrent senders. */
const SENDERS = 3

const LARGEST_BYTES = 20_000_000

/** Longer than the time after which an unused file is quarantined. */
const AHEAD_MS = 27 * 60 * 60 * 1000

const OWNER = { DOSSIER_OWNER_EMAIL: 'owner@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD, DOSSIER_SAMPLE: 'no' }

/** Uploads continuously to a server that is killed repeatedly, and compares stored files with acknowledged ones. */
export async function killUploads({
  kills: wanted,
  seed,
  s3,
  withinMs,
  say = () => undefined,
}: FaultRun): Promise<Outcome> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-faults-'))
  const port = await findFreePort()
  // The compile cache, written on graceful stops, halves the startup time, which is otherwise spent on parsing.
  const NODE_COMPILE_CACHE = join(dataFolder, 'program')
  const env = { ...OWNER, ...settingsOf(s3), LOG_LEVEL: 'warn', NODE_COMPILE_CACHE }
  const start = (more: Record<string, string> = {}): Promise<StartedServer> =>
    startServer({ dataFolder, port, env: { ...env, ...more } })
  const random = steadyChance(seed)
  const senderPool = openSenderPool(random)
  try {
    await (await start()).stop()
    let server = await start()
    await makeCollection(await uploadTargetAt(server))
    const endsAt = performance.now() + (withinMs ?? Number.POSITIVE_INFINITY)
    let kills = 0
    while (kills < wanted && performance.now() < endsAt) {
      await sendUntilKilled(server, await uploadTargetAt(server), senderPool)
      server = await start()
      await senderPool.readIncomplete(await uploadTargetAt(server))
      kills += 1
      if (kills % 10 === 0) say(`${kills} of ${wanted} kills, ${senderPool.done.length} files`)
    }
    const environment = await uploadTargetAt(server)
    for (const transfer of senderPool.unfinished()) await senderPool.send(environment, transfer)
    const wrongFiles = await countWrong(environment, senderPool.done)
    const kept = await attachSome(environment, senderPool.done)
    await server.stop()

    const aheadOf = { ...WITH_MOVABLE_CLOCK, CLOCK_AHEAD_MS: String(AHEAD_MS) }
    const later = await start(aheadOf)
    const swept = await sweptLeftovers({ dataFolder, s3 })
    const lostByTheSweep = await countWrong(await uploadTargetAt(later), kept)
    await later.stop()
    const all = await rowsLeft(dataFolder)
    const left = { ...swept, blobs: swept.blobs.filter((hash) => !all.known.has(hash)) }
    const rows = { uploads: all.uploads, assets: all.assets - kept.length, blobs: all.unusedOutsideQuarantine }
    const { whileSending, whileEnding, lostBytes, seenUnfinished } = senderPool.counts
    const counted = {
      kills,
      whileSending,
      whileEnding,
      files: senderPool.done.length,
      lostBytes,
      wrongFiles,
      seenUnfinished,
    }
    return { ...counted, leftAfterSweep: { ...left, rows }, lostByTheSweep }
  } finally {
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

// ── Senders ──────────────────────────────────────────────────────────────────────────────────────────────────────────

type SenderPool = ReturnType<typeof openSenderPool>

function openSenderPool(random: () => number) {
  const pool = randomBytes(LARGEST_BYTES + 1_000_000)
  const under = new Set<Transfer>()
  const done: Transfer[] = []
  const counts = { whileSending: 0, whileEnding: 0, lostBytes: 0, seenUnfinished: 0 }

  const aFile = (): Buffer => {
    // Some files are sent twice, so that they share a blob.
    const again = random() < 0.1 ? done[Math.floor(random() * done.length)] : undefined
    if (again !== undefined) return again.bytes
    const length = random() < 0.03 ? 0 : Math.floor(LARGEST_BYTES ** random())
    const from = Math.floor(random() * 1_000_000)
    return pool.subarray(from, from + length)
  }
  const begin = (): Transfer => {
    const dialects: readonly Dialect[] = ['tus', 'filepond', 'tus', 'filepond', 'form']
    const transfer = newTransfer(dialects[Math.floor(random() * dialects.length)] ?? 'tus', aFile())
    under.add(transfer)
    return transfer
  }
  const chunkBytes = (): number => 1 + Math.floor(6_000_000 ** (0.6 + 0.4 * random()))
  const send = async (environment: UploadTarget, transfer: Transfer): Promise<void> => {
    counts.lostBytes += await travel(environment, transfer, chunkBytes)
    under.delete(transfer)
    done.push(transfer)
  }
  /** Uploads without an acknowledged ID are dropped. */
  const forget = (): void => {
    for (const transfer of under) if (transfer.id === undefined) under.delete(transfer)
  }
  return {
    done,
    counts,
    random,
    begin,
    send,
    unfinished: (): readonly Transfer[] => [...under],
    /** Counts the uploads interrupted by a kill and drops those without an ID. */
    noteKill: (): void => {
      counts.whileSending += [...under].some(({ phase }) => phase === 'sending') ? 1 : 0
      counts.whileEnding += [...under].some(({ phase }) => phase === 'ending') ? 1 : 0
      forget()
    },
    /** An incomplete file must never be visible; a file that is complete but not acknowledged may be. */
    readIncomplete: async (environment: UploadTarget): Promise<void> => {
      for (const { id, bytes } of under) {
        const answer = await read(environment, id ?? '')
        const isWhole = answer.status === 200 && sha256(new Uint8Array(await answer.arrayBuffer())) === sha256(bytes)
        if (answer.status !== 404 && !isWhole) counts.seenUnfinished += 1
      }
    },
  }
}

/** Sends files, resuming interrupted ones first, until the server is killed at a random time. */
async function sendUntilKilled(
  server: StartedServer,
  environment: UploadTarget,
  senderPool: SenderPool,
): Promise<void> {
  const waiting = [...senderPool.unfinished()]
  let isOver = false
  const sendOn = async (): Promise<void> => {
    while (!isOver) await senderPool.send(environment, waiting.shift() ?? senderPool.begin())
  }
  // All senders stop when the server is killed.
  const senders = Array.from({ length: SENDERS }, () =>
    sendOn().then(undefined, (error: unknown) => {
      if (!isOver) throw error
    }),
  )
  const death = async (): Promise<void> => {
    await momentOf(senderPool)
    isOver = true
    senderPool.noteKill()
    await server.kill()
  }
  await Promise.all([...senders, death()])
}

/** Waits for either a random time or the moment after the last bytes of a file are sent. */
async function momentOf({ random, unfinished }: SenderPool): Promise<void> {
  if (random() < 0.5) {
    await pause(random() * 1500)
    return
  }
  await pause(random() * 100)
  for (let looked = 0; looked < 300 && !unfinished().some(({ phase }) => phase === 'ending'); looked += 1)
    await pause(1)
  await pause(random() * 60)
}

// ── Server ───────────────────────────────────────────────────────────────────────────────────────────────────────────

async function uploadTargetAt({ url }: StartedServer): Promise<UploadTarget> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER.DOSSIER_OWNER_EMAIL, password: TEST_PASSWORD, client: 'api' }),
  })
  return { url, token: (await answer.json()).token }
}

const post = ({ url, token }: UploadTarget, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

const makeCollection = (environment: UploadTarget): Promise<Response> =>
  post(environment, '/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })

const read = ({ url, token }: UploadTarget, id: string): Promise<Response> =>
  fetch(`${url}/api/files/${id}`, { headers: { authorization: `Bearer ${token}` } })

/** The number of completed files that differ from what was sent. */
async function countWrong(environment: UploadTarget, done: readonly Transfer[]): Promise<number> {
  let wrong = 0
  for (const { id, bytes } of done) {
    const answer = await read(environment, id ?? '')
    const isRight = answer.ok && sha256(new Uint8Array(await answer.arrayBuffer())) === sha256(bytes)
    wrong += isRight ? 0 : 1
  }
  return wrong
}

/** Attaches every fourth file to a record: those must be kept, and all others must be deleted. */
async function attachSome(environment: UploadTarget, done: readonly Transfer[]): Promise<readonly Transfer[]> {
  const kept = done.filter((_, at) => at % 4 === 0)
  for (const { id } of kept) {
    const answer = await post(environment, '/api/collections/plans/records', { values: { files: [id] } })
    if (answer.status !== 201) throw new Error(`A record was refused: ${await answer.text()}`)
  }
  return kept
}

/** The files left after the startup cleanup; polls until nothing is staged. */
async function sweptLeftovers(where: Parameters<typeof leftovers>[0]): Promise<Leftovers> {
  for (let looked = 0; ; looked += 1) {
    const found = await leftovers(where)
    const isClean = found.staged.length + found.halves.length === 0
    if (isClean || looked === 300) return found
    await pause(200)
  }
}
