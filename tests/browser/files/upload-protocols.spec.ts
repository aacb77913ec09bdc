import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { cleanFileName } from '#domain/uploads/upload.ts'
import { UPLOAD } from '#domain/specification.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'
import { AWKWARD_NAMES } from '#tests/conformance/upload/awkward-names.ts'
import { generatedBytes } from '#tests/conformance/upload/generated-bytes.ts'
import { CHUNKED, sha256Of } from '#tests/conformance/upload/upload-run.ts'
import type { ClientName, MadeFile } from '#tests/conformance/upload/page/main.ts'
import type { Sending } from '#tests/conformance/upload/page/sender.ts'
import { CLIENTS, openTestBench, type TestBench } from '#tests/conformance/upload/test-bench.ts'

const SEED = 7

const CHUNK = UPLOAD.chunkBytes

/** Fast retries for tests that don't depend on delays. */
const IMPATIENT = { ...CHUNKED, retryDelaysMs: [10, 20, 30] }

// Some tests upload a hundred files or more, each flushed to disk.
test.describe.configure({ timeout: 180_000 })

let context: TestBench
const pages = new Map<ClientName, Page>()

test.beforeAll(async ({ browser }) => {
  context = await openTestBench(SEED, WITH_MOVABLE_CLOCK)
  for (const client of CLIENTS) pages.set(client, await context.openPage(browser, client))
})
test.afterAll(() => context.close())

function pageOf(client: ClientName): Page {
  const page = pages.get(client)
  if (page === undefined) throw new Error(`No page was opened for ${client}.`)
  return page
}

/** Returns the client's page with a refreshed token, because the clock may have advanced. */
async function freshPageOf(client: ClientName): Promise<Page> {
  const page = pageOf(client)
  await page.evaluate(() => tryUploads.comeBack())
  return page
}

const requestsOf = (client: ClientName, what: string): number => context.trafficOf(client).requests.get(what) ?? 0

/** Uploads files with a client and compares each with its original. */
async function sendAndCompare(
  client: ClientName,
  made: readonly MadeFile[],
  how: Pick<Sending, 'isEager' | 'isSummed'> = {},
): Promise<void> {
  const reported = [client, made, { ...CHUNKED, ...how }] as const
  const page = await freshPageOf(client)
  const sent = await page.evaluate(([name, files, sending]) => tryUploads.sendMade(name, files, sending), reported)
  expect(sent).toHaveLength(made.length)
  for (const file of made) {
    const id = sent.find(({ name }) => name === file.name)?.id ?? ''
    expect(await context.read(id), file.name).toEqual({
      sha256: sha256Of(file),
      bytes: file.bytes,
      name: cleanFileName(file.name),
    })
  }
}

for (const client of CLIENTS) {
  test(`${client} uploads empty, one-byte, one-chunk, two-chunk and slightly larger files unchanged`, async () => {
    const sizes = [0, 1, CHUNK, 2 * CHUNK, 2 * CHUNK + 1]
    const made = sizes.map((bytes) => ({ name: `${bytes}.bin`, bytes, seed: SEED + bytes }))
    await sendAndCompare(client, made)
  })

  test(`${client} uploads empty, one-byte and one-chunk files in its alternative mode`, async () => {
    const made = [0, 1, CHUNK].map((bytes) => ({ name: `other ${bytes}.bin`, bytes, seed: SEED + bytes }))
    await sendAndCompare(client, made, { isEager: true })
  })

  test(`${client} sends file names in every script, with special characters`, async () => {
    const made = AWKWARD_NAMES.map((name, at) => ({ name, type: 'text/plain', bytes: 100 + at, seed: SEED + at }))
    await sendAndCompare(client, made)
    // For chunked uploads, FilePond sends the name in a header.
    if (client === 'filepond') await sendAndCompare(client, made, { isEager: true })
  })

  test(`${client} resumes the same upload when its token expires`, async () => {
    const clock = clockOf(context.server.now())
    const before = context.trafficOf(client).fileBytes
    for (const bytes of [CHUNK + 1, 2 * CHUNK + 1]) context.whenPassed(bytes, () => clock.goOn())
    const statuses = context.trafficOf(client).statuses
    const refusedBefore = statuses.get(401) ?? 0
    await sendAndCompare(client, [{ name: 'long.bin', bytes: 4 * CHUNK, seed: SEED }])
    expect(statuses.get(401) ?? 0).toBeGreaterThan(refusedBefore)
    // Each token expiry causes at most one repeated chunk.
    expect(context.trafficOf(client).fileBytes - before).toBeLessThanOrEqual(6 * CHUNK)
  })
}

test("FilePond's retry button resumes after the last complete chunk", async () => {
  const page = await freshPageOf('filepond')
  const file = { name: 'again.bin', bytes: 3 * CHUNK, seed: SEED + 1 }
  const heads = requestsOf('filepond', 'HEAD /api/uploads')
  // More faults than FilePond's four attempts, because browsers also retry requests that fail on reused connections.
  const cuts = Array.from({ length: 20 }, () => ({ type: 'cut', afterBytes: 2_300_000 }) as const)
  context.proxy.planFaults([{ type: 'none' }, { type: 'none' }, ...cuts])
  const reported = [file, IMPATIENT] as const
  const item = await page.evaluate(async ([made, sending]) => {
    const pond = tryUploads.openPond(sending)
    const failed = new Promise((resolve) => {
      pond.on('processfile', (error: object | null) => void (error !== null && resolve(error)))
    })
    const { id } = await pond.addFile(tryUploads.make(made))
    await failed
    return id
  }, reported)
  context.proxy.planFaults([])
  const place = page.locator(`#filepond--item-${item}`)
  await place.getByRole('button', { name: 'Retry' }).click()
  const done = place.locator('xpath=.').and(page.locator('[data-filepond-item-state="processing-complete"]'))
  await expect(done).toBeVisible({ timeout: 30_000 })
  const id = await page.evaluate(() => tryUploads.lastServerId())
  expect(requestsOf('filepond', 'HEAD /api/uploads')).toBe(heads + 1)
  expect((await context.read(id)).sha256).toBe(sha256Of(file))
})

test("FilePond doesn't resend a stored chunk if the response was lost", async () => {
  const file = { name: 'unheard.bin', bytes: 2 * CHUNK + 5, seed: SEED + 2 }
  context.proxy.planFaults([{ type: 'none' }, { type: 'no-answer' }, { type: 'half-answer', afterBytes: 20 }])
  await sendAndCompare('filepond', [file])
})

test('FilePond shows stored and pending files, and can revert them', async () => {
  const page = await freshPageOf('filepond')
  const file = { name: 'Wörk #1, 100 %.bin', bytes: 1000, seed: SEED + 3 }
  const seen = await page.evaluate(
    async ([made, sending]) => {
      const pond = tryUploads.openPond(sending)
      const done = new Promise((resolve) => pond.on('processfile', resolve))
      const sent = await pond.addFile(tryUploads.make(made))
      await done
      const id = sent.serverId
      const other = tryUploads.openPond(sending)
      const look = async (type: 'local' | 'limbo') => {
        const item = await other.addFile(id, { type })
        return { name: item.filename, sha256: await tryUploads.sha256(item.file), serverId: item.serverId }
      }
      const [stored, waiting] = [await look('local'), await look('limbo')]
      const reverted = new Promise((resolve) => pond.on('processfilerevert', resolve))
      pond.removeFile(sent.id, { revert: true })
      await reverted
      return { id, stored, waiting }
    },
    [file, IMPATIENT] as const,
  )
  const shown = { sha256: sha256Of(file), serverId: seen.id }
  // FilePond doesn't decode percent escapes.
  expect(seen.stored).toEqual({ ...shown, name: 'Wörk %231%2C 100 %.bin' })
  expect(seen.waiting).toEqual({ ...shown, name: 'Wörk %231%2C 100 %.bin' })
  await expect.poll(() => context.read(seen.id).catch(({ message }: Error) => message)).toContain('404')
})

test('a file removed from FilePond while its upload starts is still sent, and expires', async () => {
  const page = await freshPageOf('filepond')
  const before = context.trafficOf('filepond').fileBytes
  const removal = Promise.withResolvers<void>()
  const isCreation = (url: URL) => url.pathname === '/api/uploads'
  await page.route(isCreation, (route) => removal.promise.then(() => route.continue()), { times: 1 })
  await page.evaluate(
    async ([made, sending]) => {
      const pond = tryUploads.openPond(sending)
      const begun = new Promise((resolve) => pond.on('processfilestart', resolve))
      const item = await pond.addFile(tryUploads.make(made))
      await begun
      pond.removeFile(item.id)
    },
    [{ name: 'dropped.bin', bytes: 2 * CHUNK, seed: SEED + 4 }, IMPATIENT] as const,
  )
  removal.resolve()
  // A chunk is sent again if its response is late.
  await expect
    .poll(() => context.trafficOf('filepond').fileBytes - before, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(2 * CHUNK)
})

test('tus-js-client resumes from its stored URL after a reload', async () => {
  const page = await freshPageOf('tus-js-client')
  const folder = await mkdtemp(join(tmpdir(), 'dossier-reload-'))
  const file = { name: 'reloaded.bin', bytes: 3 * CHUNK, seed: SEED + 5 }
  const path = join(folder, file.name)
  await writeFile(path, generatedBytes(file.seed, 0, file.bytes))
  const before = context.trafficOf('tus-js-client').fileBytes
  await page.setInputFiles('#chosen', path)
  await page.evaluate(
    (sending) =>
      new Promise<void>((resolve, reject) => {
        const [chosen] = tryUploads.chosenFiles()
        if (chosen === undefined) return reject(new Error('Nothing was chosen.'))
        const upload = tryUploads.openTus(chosen, sending, {
          onError: reject,
          onChunkComplete: () => void upload.abort().then(resolve, reject),
        })
        upload.start()
      }),
    CHUNKED,
  )
  await page.reload()
  await page.evaluate(() => tryUploads.comeBack())
  await page.setInputFiles('#chosen', path)
  const id = await page.evaluate(async (sending) => {
    const [chosen] = tryUploads.chosenFiles()
    if (chosen === undefined) throw new Error('Nothing was chosen.')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const upload = tryUploads.openTus(chosen, sending, { onSuccess: () => resolve(), onError: reject })
    const [kept] = await upload.findPreviousUploads()
    if (kept !== undefined) upload.resumeFromPreviousUpload(kept)
    upload.start()
    await promise
    return upload.url?.split('/').at(-1) ?? ''
  }, CHUNKED)
  await rm(folder, { recursive: true })
  expect((await context.read(id)).sha256).toBe(sha256Of(file))
  // Only the chunk in progress was repeated, never the whole file.
  expect(context.trafficOf('tus-js-client').fileBytes - before).toBeLessThanOrEqual(4 * CHUNK)
})

test('tus-js-client sends checksums and resends corrupted chunks', async () => {
  const file = { name: 'summed.bin', bytes: 3 * CHUNK + 7, seed: SEED + 7 }
  const { statuses } = context.trafficOf('tus-js-client')
  const refusedBefore = statuses.get(460) ?? 0
  const spoils = [0, CHUNK - 1].map((afterBytes) => ({ type: 'spoil', afterBytes }) as const)
  context.proxy.planFaults([{ type: 'none' }, { type: 'none' }, ...spoils])
  await sendAndCompare('tus-js-client', [file], { isSummed: true })
  expect((statuses.get(460) ?? 0) - refusedBefore).toBe(2)
})

test('tus-js-client terminates an upload without leftover data', async () => {
  const made = { name: 'given-up.bin', bytes: 3 * CHUNK, seed: SEED + 6 }
  const page = await freshPageOf('tus-js-client')
  const status = await page.evaluate(
    async ([file, sending]) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const upload = tryUploads.openTus(tryUploads.make(file), sending, {
        onError: reject,
        onChunkComplete: () => void upload.abort(true).then(resolve, reject),
      })
      upload.start()
      await promise
      return tryUploads.statusOf('HEAD', upload.url ?? '')
    },
    [made, CHUNKED] as const,
  )
  expect(status).toBe(404)
})
