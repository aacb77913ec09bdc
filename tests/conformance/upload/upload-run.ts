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

/** What one client brought through. */
export type UploadRunResult = {
  readonly client: ClientName
  readonly files: number
  readonly bytes: number
  /** What is not as it was sent, by its SHA-256, size and name; must be empty. */
  readonly wrong: readonly string[]
  /** Why it did not come to its end. */
  readonly broken: string | undefined
  /** Bytes that were sent beyond the files. */
  readonly twiceBytes: number
  /** How often the server was killed meanwhile. */
  readonly kills: number
  /** Requests that the network broke. */
  readonly faults: number
  /** Requests whose token was too old. */
  readonly expired: number
  /** How often it began an upload: more often than there are files where it gave one up. */
  readonly begun: number
  /** How often the client had given up and a hand pressed “retry”. */
  readonly byHand: number
  /** What was acknowledged and then was not there; must be empty. */
  readonly lost: readonly string[]
  readonly seconds: number
}

/** What is sent, and what happens meanwhile. */
export type Plan = {
  readonly browser: Browser
  /** All of them send at the same time. */
  readonly clients: readonly ClientName[]
  /** What each of them sends; their bytes are made from another seed for each. */
  readonly files: readonly MadeFile[]
  /** Chosen on the page from the disk; else the page makes them. */
  readonly isOnDisk?: boolean
  /** The other way of a client: see `Sending`. */
  readonly isEager?: boolean
  readonly kills: number
  /** How many of the requests that bear bytes meet a fault, 0 to 1. */
  readonly faultShare: number
  /** Ends it, wherever it is. */
  readonly signal?: AbortSignal
}

/** Each client sends files of its own, while the network breaks and the server is killed. */
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
  // Whatever is under way there breaks off and says so.
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

/** What arrived, or why sending broke off. */
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

/** Reads a file; once more where the server was killed meanwhile, for what others send goes on. */
async function readBetweenKills(environment: TestBench, id: string): Promise<FinishedFile> {
  await environment.server.whenUp()
  const kills = environment.server.kills()
  return environment.read(id).catch(async (error: unknown) => {
    await environment.server.whenUp()
    if (environment.server.kills() === kills) throw error
    return readBetweenKills(environment, id)
  })
}

/** What the server gives back otherwise than it was sent. */
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

// ── Made files ───────────────────────────────────────────────────────────────────────────────────────────────────────

const PART_BYTES = 4_000_000

function* partsOf({ seed, bytes }: MadeFile): Generator<Uint8Array> {
  for (let from = 0; from < bytes; from += PART_BYTES)
    yield generatedBytes(seed, from, Math.min(bytes, from + PART_BYTES))
}

/** SHA-256 of a file that is made, in hex. */
export function sha256Of(file: MadeFile): string {
  const hash = createHash('sha256')
  for (const part of partsOf(file)) hash.update(part)
  return hash.digest('hex')
}

/** Puts a made file on the disk; answers its path. */
async function writeMadeFile(folder: string, file: MadeFile): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, file.name)
  await pipeline(partsOf(file), createWriteStream(path))
  return path
}
