import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { UPLOAD } from '#domain/specification.ts'
import { fetchJson } from '../client/requests.ts'
import { fileMoved, noPromise, STALL_MEANWHILE } from '../report/budgets.ts'
import { type Baseline, startFileBaseline } from '../baseline/start-baseline.ts'
import type { Bench, Part } from '../measure.ts'
import { transfer, partsOf } from '../client/transfer-file.ts'
import { memoryOf } from '../report/process-metrics.ts'
import { type Column, type Row, rowOfSingles, type Single } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'
import { eventLoopOf } from './slow-queries.ts'

const FILE_BYTES = 1_000_000_000
const QUICK_BYTES = 100_000_000
const ROUNDS = 3
const PICTURES = 150

/** Number of connections that a browser opens per host. */
const CONNECTIONS = 6

/** File operations of a server; uploads return the file ID. */
type Place = {
  readonly column: Column
  readonly sendWhole: (file: number, bytes: number) => Promise<string>
  readonly sendChunks: (file: number, bytes: number) => Promise<string>
  readonly read: (name: string) => Promise<number>
}

const CHUNK = { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' }

const chunksOf = (bytes: number): (readonly [from: number, to: number])[] =>
  Array.from({ length: Math.ceil(bytes / UPLOAD.chunkBytes) }, (_, at) => [
    at * UPLOAD.chunkBytes,
    Math.min(bytes, (at + 1) * UPLOAD.chunkBytes),
  ])

function ours(stage: Environment): Place {
  const port = stage.port()
  const signed = { authorization: `Bearer ${stage.tokens().owner}` }
  const begin = async (bytes: number): Promise<string> => {
    const path = '/api/tus?collection=papers&field=files'
    const headers = { ...signed, 'tus-resumable': '1.0.0', 'upload-length': bytes, 'content-length': 0 }
    const { headers: received } = await transfer({ port, method: 'POST', path, headers })
    return received.location ?? ''
  }
  const patch = (path: string, file: number, [from, to]: readonly [number, number]) => {
    const headers = { ...signed, ...CHUNK, 'upload-offset': from, 'content-length': to - from }
    return transfer({ port, method: 'PATCH', path, headers, body: partsOf(file, from, to) })
  }
  const idIn = (path: string): string => path.split('/').at(-1) ?? ''
  return {
    column: stage.dialect,
    sendWhole: async (file, bytes) => {
      const path = await begin(bytes)
      await patch(path, file, [0, bytes])
      return idIn(path)
    },
    sendChunks: async (file, bytes) => {
      const path = await begin(bytes)
      for (const chunk of chunksOf(bytes)) await patch(path, file, chunk)
      return idIn(path)
    },
    read: async (id) => (await transfer({ port, method: 'GET', path: `/api/files/${id}`, headers: signed })).bytes,
  }
}

function bare({ port }: Baseline): Place {
  const patch = (name: string, file: number, bytes: number, [from, to]: readonly [number, number]) => {
    const headers = { 'upload-offset': from, 'upload-length': bytes, 'content-length': to - from }
    return transfer({ port, method: 'PATCH', path: `/${name}`, headers, body: partsOf(file, from, to) })
  }
  return {
    column: 'floor',
    sendWhole: async (file, bytes) => {
      await patch(`whole-${file}`, file, bytes, [0, bytes])
      return `whole-${file}`
    },
    sendChunks: async (file, bytes) => {
      for (const chunk of chunksOf(bytes)) await patch(`chunks-${file}`, file, bytes, chunk)
      return `chunks-${file}`
    },
    read: async (name) => (await transfer({ port, method: 'GET', path: `/${name}`, headers: {} })).bytes,
  }
}

const WAYS = ['sendWhole', 'sendChunks', 'read'] as const

type Way = (typeof WAYS)[number]

type Seen = Readonly<Record<Way, number[]>>

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** Measures one upload in a single request, one chunked upload, and one download. */
async function takeTurn(place: Place, seen: Seen, file: number, bytes: number): Promise<void> {
  let name = ''
  const note = async (way: Way, work: () => Promise<unknown>) => {
    seen[way].push(bytes / 1e6 / (await secondsOf(work)))
  }
  await note('sendWhole', () => place.sendWhole(2 * file, bytes))
  await note('sendChunks', async () => {
    name = await place.sendChunks(2 * file + 1, bytes)
  })
  await note('read', async () => {
    const read = await place.read(name)
    if (read !== bytes) throw new Error(`Of ${bytes} bytes came ${read}.`)
  })
}

const medianOf = (figures: readonly number[]): number =>
  figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0

const WORDS: Readonly<Record<Way, string>> = {
  sendWhole: 'upload in one request',
  sendChunks: 'upload in sequential 5 MB chunks',
  read: 'download',
}

/** Alternates between servers, so that other load on the machine affects them equally. */
async function moveFiles(bench: Bench, places: readonly Place[]): Promise<Row[]> {
  const bytes = bench.options.isQuick ? QUICK_BYTES : FILE_BYTES
  const all = new Map(places.map((place): [Place, Seen] => [place, { sendWhole: [], sendChunks: [], read: [] }]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, seen] of round % 2 === 0 ? all : [...all].toReversed()) {
      await takeTurn(place, seen, round, bytes)
    }
  }
  return WAYS.map((way) => {
    const cells = [...all].map(([{ column }, seen]): [Column, Single] => {
      const [least, most] = [Math.min(...seen[way]), Math.max(...seen[way])].map((figure) => figure.toFixed(0))
      return [column, { figure: medianOf(seen[way]), unit: 'MB/s', note: `${least}–${most}` }]
    })
    const bareFigure = cells.find(([column]) => column === 'floor')?.[1].figure ?? 0
    return rowOfSingles(fileMoved(`${bytes / 1e6} MB: ${WORDS[way]}`, bareFigure), new Map(cells))
  })
}

/** Distinct photo-sized images. */
const aPhotograph = (at: number): Promise<Buffer> =>
  sharp({ create: { width: 1600, height: 1200, channels: 3, background: { r: at, g: 90, b: 160 } } })
    .composite([
      { input: Buffer.from(`<svg width="1600" height="1200"><circle cx="${at * 10}" cy="600" r="400"/></svg>`) },
    ])
    .jpeg()
    .toBuffer()

/** Requests the thumbnails of one grid page with as many connections as a browser. */
async function thumbnailsOf(stage: Environment, ids: readonly string[]): Promise<number> {
  const headers = { authorization: `Bearer ${stage.tokens().owner}` }
  const waiting = [...ids]
  const lane = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      await transfer({ port: stage.port(), method: 'GET', path: `/api/files/${id}?w=96`, headers })
    }
  }
  return secondsOf(() => Promise.all(Array.from({ length: CONNECTIONS }, lane)))
}

async function sendPictures(stage: Environment): Promise<string[]> {
  const signed = { authorization: `Bearer ${stage.tokens().owner}`, ...CHUNK }
  const ids: string[] = []
  for (let at = 0; at < PICTURES; at += 1) {
    const picture = await aPhotograph(at)
    const headers = { ...signed, 'upload-length': picture.length, 'content-length': picture.length }
    const path = '/api/tus?collection=papers&field=files'
    const { headers: received } = await transfer({ port: stage.port(), method: 'POST', path, headers, body: [picture] })
    ids.push(received.location?.split('/').at(-1) ?? '')
  }
  return ids
}

/** Compares uploads, downloads and their CPU cost with a baseline, and measures loading one page of thumbnails. */
export const filesPart: Part = {
  name: 'files',
  run: async (bench): Promise<Row[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-bare-files-'))
    const floor = await startFileBaseline(folder)
    try {
      const memory = new Map<Column, Single | undefined>()
      const stalls = new Map<Column, Single | undefined>()
      const pictures = new Map<Column, Single>()
      const again = new Map<Column, Single>()
      const before = new Map<Environment, number>()
      for (const stage of bench.stages) {
        const body = { label: 'Papers', fields: [{ label: 'Files', kind: 'files' }] }
        const token = stage.tokens().owner
        await fetchJson(stage.port(), { method: 'POST', path: '/api/collections', token, body })
        stage.highestMb()
        before.set(stage, memoryOf(stage.server().pid)?.now ?? 0)
        await eventLoopOf(stage.server())
      }
      await eventLoopOf(floor)
      const rows = await moveFiles(bench, [...bench.stages.map(ours), bare(floor)])
      stalls.set('floor', await eventLoopOf(floor))
      for (const stage of bench.stages) {
        const highest = stage.highestMb()?.lately
        const note = `${(before.get(stage) ?? 0).toFixed(0)} before`
        memory.set(stage.dialect, highest === undefined ? undefined : { figure: highest, unit: 'MB', note })
        stalls.set(stage.dialect, await eventLoopOf(stage.server()))
        const ids = await sendPictures(stage)
        pictures.set(stage.dialect, { figure: 1000 * (await thumbnailsOf(stage, ids)), unit: 'ms' })
        again.set(stage.dialect, { figure: 1000 * (await thumbnailsOf(stage, ids)), unit: 'ms' })
      }
      return [
        ...rows,
        rowOfSingles(noPromise('Peak memory during the transfers'), memory),
        rowOfSingles(STALL_MEANWHILE, stalls),
        rowOfSingles(noPromise(`${PICTURES} thumbnails of 1600 × 1200 images, first request`), pictures),
        rowOfSingles(noPromise(`${PICTURES} thumbnails, repeated request`), again),
      ]
    } finally {
      await floor.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
