import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Browser, Page } from '@playwright/test'
import { cleanFileName } from '#domain/uploads/upload.ts'
import { UPLOAD } from '#domain/specification.ts'
import { generatedBytes } from './generated-bytes.ts'
import type { ClientName, MadeFile } from './page/main.ts'
import type { Sent } from './page/sender.ts'
import { type FinishedFile, type TestBench, TARGET } from './test-bench.ts'
import type { Traffic } from './traffic.ts'

export const CHUNKED = {
  target: TARGET,
  chunkBytes: UPLOAD.chunkBytes,
  retryDelaysMs: UPLOAD.chunkRetryDelaysMs,
}

export type UploadRunResult = {
  readonly client: ClientName
  readonly files: number
  readonly bytes: number
  /** Files whose SHA-256, size or name differs from the original; must be empty. */
  readonly wrong: readonly string[]
  /** Why the client failed; undefined if it finished. */
  readonly broken: string | undefined
  /** Number of retransmitted file bytes. */
  readonly twiceBytes: number
  /** Number of times the server was killed. */
  readonly kills: number
  /** Number of requests interrupted by network faults. */
  readonly faults: number
  /** Number of requests rejected because of an expired token. */
  readonly expired: number
  /** Number of uploads created; exceeds the number of files if clients abandoned uploads. */
  readonly begun: number
  /** Number of manual retries after the client gave up. */
  readonly byHand: number
  /** Uploads that lost acknowledged bytes; must be empty. */
  readonly lost: readonly string[]
  readonly seconds: number
}

/** The files to upload and the faults to inject. */
export type Plan = {
  readonly browser: Browser
  /** The clients that run concurrently. */
  readonly clients: readonly ClientName[]
  /** Each client's files; each client uses a different seed. */
  readonly files: readonly MadeFile[]
  /** Whether the files are selected from disk; otherwise they are generated in the browser. */
  readonly isOnDisk?: boolean
  /** Passed to the clients; see `Sending`. */
  readonly isEager?: boolean
  readonly kills: number
  /** Failure rate (0 to 1) for requests that contain file bytes. */
  readonly faultShare: number
  /** Aborts the run. */
  readonly signal?: AbortSignal
}

/** Runs all clients with separate files while the network fails and the server is killed. */
export async function runUpload(environment: TestBench, plan: Plan): Promise<UploadRunResult[]> {
  const { clients, files, kills, faultShare } = plan
  const folder = await mkdtemp(join(tmpdir(), 'dossier-made-'))
  try {
    const ready = await Promise.all(clients.map((client, at) => prepare(environment, { client, at, folder, plan })))
    environment.proxy.setFaults(faultShare)
    environment.planKills(kills, sizeOf(files) * clients.length)
    return await Promise.all(ready.map((go) => go()))
  } finally {
    environment.proxy.setFaults(0)
    await rm(folder, { recursive: true, force: true })
  }
}

const sizeOf = (files: readonly MadeFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

type Place = { readonly client: ClientName; readonly at: number; readonly folder: string; readonly plan: Plan }

async function prepare(
  environment: TestBench,
  { client, at, folder, plan }: Place,
): Promise<() => Promise<UploadRunResult>> {
  const { browser, isOnDisk = false, signal } = plan
  const files = plan.files.map((file) => ({ ...file, seed: file.seed + 1000 * at }))
  const page = await environment.openPage(browser, client)
  if (isOnDisk) {
    const paths: string[] = []
    for (const file of files) paths.push(await writeMadeFile(join(folder, String(at)), file))
    await page.setInputFiles('#chosen', paths)
  }
  // Closing the browser context aborts running uploads, which then report an error.
  const end = (): void =>
    void page
      .context()
      .close()
      .catch(() => undefined)

  return async () => {
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
    const startedAt = performance.now()
    const before = { kills: environment.server.kills(), ...countsOf(environment.trafficOf(client)) }
    const { sent, broken } = await sendAll(page, client, { ...plan, files })
    const seconds = (performance.now() - startedAt) / 1000
    signal?.removeEventListener('abort', end)
    await page.context().close()
    await environment.server.whenUp()
    const after = countsOf(environment.trafficOf(client))
    return {
      client,
      files: files.length,
      bytes: sizeOf(files),
      wrong: broken === undefined ? await wrongOf(environment, files, sent) : [],
      broken,
      twiceBytes: after.fileBytes - before.fileBytes - sizeOf(files),
      kills: environment.server.kills() - before.kills,
      faults: after.faults - before.faults,
      expired: after.expired - before.expired,
      begun: after.begun - before.begun,
      byHand: sent.reduce((sum, { byHand }) => sum + byHand, 0),
      lost: environment.trafficOf(client).lost.slice(before.lost),
      seconds,
    }
  }
}

type Sendings = Pick<Plan, 'isOnDisk' | 'isEager' | 'files' | 'signal'>

/** The uploaded files, or the reason for the failure. */
async function sendAll(page: Page, client: ClientName, { isOnDisk, isEager = false, files, signal }: Sendings) {
  const reported = [client, { ...CHUNKED, isEager }, isOnDisk ? undefined : files] as const
  const sending = page.evaluate(
    ([name, how, made]) =>
      made === undefined ? tryUploads.sendChosen(name, how) : tryUploads.sendMade(name, made, how),
    reported,
  )
  return sending.then(
    (sent) => ({ sent, broken: undefined }),
    ({ message }: Error) => ({ sent: [], broken: signal?.aborted ? 'time was up' : message }),
  )
}

const countsOf = ({ fileBytes, faults, statuses, requests, lost }: Traffic) => ({
  fileBytes,
  faults: [...faults.values()].reduce((sum, count) => sum + count, 0),
  expired: statuses.get(401) ?? 0,
  begun: (requests.get('POST /api/tus') ?? 0) + (requests.get('POST /api/uploads') ?? 0),
  lost: lost.length,
})

/** Reads a file from the server; retries if the server was just killed. */
async function readBetweenKills(environment: TestBench, id: string): Promise<FinishedFile> {
  await environment.server.whenUp()
  const kills = environment.server.kills()
  return environment.read(id).catch(async (error: unknown) => {
    await environment.server.whenUp()
    if (environment.server.kills() === kills) throw error
    return readBetweenKills(environment, id)
  })
}

/** Files whose content on the server differs from the original. */
async function wrongOf(environment: TestBench, files: readonly MadeFile[], sent: readonly Sent[]): Promise<string[]> {
  const wrong: string[] = []
  for (const file of files) {
    const id = sent.find(({ name }) => name === file.name)?.id ?? ''
    const stored = await readBetweenKills(environment, id).catch(({ message }: Error) => ({
      sha256: message,
      bytes: 0,
      name: '',
    }))
    const isSame = stored.bytes === file.bytes && stored.sha256 === sha256Of(file)
    if (!isSame || stored.name !== cleanFileName(file.name)) wrong.push(`${file.name}: ${JSON.stringify(stored)}`)
  }
  return wrong
}

// ── Generated files ──────────────────────────────────────────────────────────────────────────────────────────────────

const PART_BYTES = 4_000_000

function* partsOf({ seed, bytes }: MadeFile): Generator<Uint8Array> {
  for (let from = 0; from < bytes; from += PART_BYTES)
    yield generatedBytes(seed, from, Math.min(bytes, from + PART_BYTES))
}

/** SHA-256 of a generated file, in hex. */
export function sha256Of(file: MadeFile): string {
  const hash = createHash('sha256')
  for (const part of partsOf(file)) hash.update(part)
  return hash.digest('hex')
}

/** Writes a generated file to disk; returns the path. */
async function writeMadeFile(folder: string, file: MadeFile): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, file.name)
  await pipeline(partsOf(file), createWriteStream(path))
  return path
}
