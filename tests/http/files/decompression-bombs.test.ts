import { readFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PICTURE_WIDTHS } from '#api/files.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

const OWNER = { DOSSIER_OWNER_EMAIL: 'owner@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD, DOSSIER_SAMPLE: 'no' }
const target = { collection: 'plans', field: 'files' }

const SMALLEST = Math.min(...PICTURE_WIDTHS)
const LARGEST = Math.max(...PICTURE_WIDTHS)

/** Memory limit in MB for the image process; decoding two of the images below concurrently took 2,270 MB. */
const MAX_MB = 800

let server: StartedServer
let sender: TusSender
let signed: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await startServer({ env: OWNER })
  const post = (path: string, body: unknown) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body: JSON.stringify(body),
    }).then((answer) => answer.json())
  const { token } = await post('/api/auth/login', {
    email: 'owner@example.org',
    password: TEST_PASSWORD,
    client: 'api',
  })
  signed = { authorization: `Bearer ${token}` }
  await post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
  sender = tusSender(server.url, { token })
})
afterAll(() => server.stop())

const blank = (side: number, grey = 100): Sharp =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: grey, g: grey, b: grey } } })

const smallerStatus = async (id: string, width: number): Promise<number> =>
  (await fetch(`${server.url}/api/files/${id}?w=${width}`, { headers: signed })).status

const statusesOf = (ids: readonly string[]): Promise<readonly number[]> =>
  Promise.all(ids.flatMap((id) => [SMALLEST, LARGEST].map((width) => smallerStatus(id, width))))

/** The process ID of the image process, once it has started; Linux only. */
const pictureProcess = (): number =>
  Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')[0])

const highestMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test('decodes very large images one at a time', async () => {
  const bombs = [
    await blank(7000, 1).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    await blank(7000, 2).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    await blank(7000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    await blank(5000).avif({ effort: 0 }).toBuffer(),
  ]
  const ids = await Promise.all(bombs.map((bytes) => sender.send(target, bytes)))
  expect(new Set(await statusesOf(ids))).toEqual(new Set([200]))
  expect(highestMb(pictureProcess())).toBeLessThan(MAX_MB)
}, 120_000)

test('rejects a 1.3 kB image that would need a gigabyte of memory', async () => {
  const bytes = await blank(7000).avif({ effort: 0 }).toBuffer()
  const id = await sender.begin(target, bytes.length, 'a.avif')
  const answer = await sender.patch(id, 0, bytes)
  expect(answer.status).toBe(422)
  expect((await answer.json()).detail).toMatch(/7000 × 7000 pixels, which doesn’t match its file size/)
})

test('recovers from a crash of the image process and delivers every image', async () => {
  const ids = await Promise.all(
    [3, 4, 5, 6].map(async (grey) =>
      sender.send(target, await blank(4000, grey).png({ progressive: true }).toBuffer()),
    ),
  )
  const requested = statusesOf(ids)
  process.kill(pictureProcess(), 'SIGKILL')
  expect(new Set(await requested)).toEqual(new Set([200]))
})
