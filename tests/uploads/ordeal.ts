import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Browser } from '@playwright/test'
import { UPLOAD } from '#domain/specification.ts'
import { madeBytes } from './made-bytes.ts'
import type { ClientName } from './page/main.ts'
import { type ProvingGround, TARGET } from './proving-ground.ts'

/** What the clients are told: chunks and delays of the specification. */
export const CHUNKED = {
  target: TARGET,
  chunkBytes: UPLOAD.chunkBytes,
  retryDelaysMs: UPLOAD.chunkRetryDelaysMs,
}

const PART_BYTES = 4_000_000

/** Puts a made file on the disk; answers its path and SHA-256. */
async function writeMadeFile(folder: string, bytes: number, seed: number) {
  const path = join(folder, `made-${bytes}-${seed}.bin`)
  const hash = createHash('sha256')
  async function* parts() {
    for (let from = 0; from < bytes; from += PART_BYTES) {
      const part = madeBytes(seed, from, Math.min(bytes, from + PART_BYTES))
      hash.update(part)
      yield part
    }
  }
  await pipeline(parts, createWriteStream(path))
  return { path, sha256: hash.digest('hex') }
}

/** What one client brought through. */
export type Ordeal = {
  readonly client: ClientName
  readonly bytes: number
  /** Whether the server gives back what was sent, by its SHA-256. */
  readonly isSame: boolean
  /** Bytes of the file that were sent more than once. */
  readonly twiceBytes: number
  /** How often the server was killed meanwhile. */
  readonly kills: number
  /** Requests that the network broke. */
  readonly faults: number
  /** How often it began an upload: more than once where it gave one up. */
  readonly begun: number
  /** How often the client had given up and a hand pressed “retry”. */
  readonly byHand: number
  /** What was acknowledged and then was not there; must be empty. */
  readonly lost: readonly string[]
  readonly seconds: number
}

type Plan = {
  readonly browser: Browser
  /** All of them send at the same time. */
  readonly clients: readonly ClientName[]
  readonly bytes: number
  readonly kills: number
  readonly seed: number
  /** How many of the requests that bear bytes meet a fault, 0 to 1. */
  readonly faultShare: number
}

/** Each client sends a file of its own, while the network breaks and the server is killed. */
export async function runOrdeal(ground: ProvingGround, plan: Plan): Promise<Ordeal[]> {
  const { clients, bytes, kills, faultShare } = plan
  const folder = await mkdtemp(join(tmpdir(), 'dossier-made-'))
  try {
    const ready = await Promise.all(clients.map((client, at) => prepare(ground, { client, at, folder, plan })))
    ground.proxy.setFaults(faultShare)
    ground.planKills(kills, bytes * clients.length)
    return await Promise.all(ready.map((go) => go()))
  } finally {
    ground.proxy.setFaults(0)
    await rm(folder, { recursive: true, force: true })
  }
}

type Place = { readonly client: ClientName; readonly at: number; readonly folder: string; readonly plan: Plan }

async function prepare(ground: ProvingGround, { client, at, folder, plan }: Place): Promise<() => Promise<Ordeal>> {
  const { browser, bytes, seed } = plan
  const made = await writeMadeFile(folder, bytes, seed + at)
  const page = await ground.openPage(browser, client)
  await page.setInputFiles('#chosen', made.path)

  return async () => {
    const startedAt = performance.now()
    const killsBefore = ground.server.kills()
    const before = ground.trafficOf(client).fileBytes
    const told = [client, CHUNKED] as const
    const [sent] = await page.evaluate(([name, sending]) => tryUploads.sendChosen(name, sending), told)
    const seconds = (performance.now() - startedAt) / 1000
    await page.context().close()
    await ground.server.whenUp()
    const { fileBytes, faults, lost, requests } = ground.trafficOf(client)
    const stored = await ground.read(sent?.id ?? '')
    return {
      client,
      bytes,
      isSame: stored.sha256 === made.sha256 && stored.bytes === bytes,
      twiceBytes: fileBytes - before - bytes,
      kills: ground.server.kills() - killsBefore,
      faults: [...faults.values()].reduce((sum, count) => sum + count, 0),
      begun: (requests.get('POST /api/tus') ?? 0) + (requests.get('POST /api/uploads') ?? 0),
      byHand: sent?.byHand ?? 0,
      lost,
      seconds,
    }
  }
}
