import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  fillLogin,
  GRACE,
  inviteGrace,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { findFreePort, startServer } from '#tests/support/server/started-server.ts'
import {
  dragFiles,
  expectFiles,
  createFilesRecord,
  recordUploads,
  slowDown,
  uploadsButton,
} from '#tests/support/browser/upload-page.ts'

test.use({ locale: 'en-US' })
test.setTimeout(180_000)
test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'warn' } } })

const PICTURES = process.env['DOSSIER_PICTURES']
const SIZES = [
  { name: '1440', width: 1440, height: 900 },
  { name: '375', width: 375, height: 812 },
] as const

/** Checks the screen with axe; takes screenshots if requested. */
async function look(page: Page, name: string, sizes: readonly (typeof SIZES)[number][] = SIZES): Promise<void> {
  expect(await axeFindings(page), name).toEqual([])
  if (PICTURES === undefined) return
  await mkdir(PICTURES, { recursive: true })
  for (const scheme of ['light', 'dark'] as const)
    for (const { name: size, ...viewport } of sizes) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize(viewport)
      await page.screenshot({ path: join(PICTURES, `${name}-${scheme}-${size}.png`), animations: 'disabled' })
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

const aFile = (name: string, bytes: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: randomBytes(bytes),
})
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

test('files in several fields share two upload slots, use 5,000,000-byte chunks and arrive complete', async ({
  page,
  server,
}, info) => {
  /** Created on disk: transferring megabytes to the browser would be slow on a busy machine. */
  const onDisk = async (name: string, bytes: number) => {
    const file = { path: info.outputPath(name), buffer: randomBytes(bytes) }
    await writeFile(file.path, file.buffer)
    return file
  }
  const record = await createFilesRecord(server.url, 'bodies', [{ name: 'photos', label: 'Photos', kind: 'files' }])
  const noted = await recordUploads(page)
  await signIn(page, ADA)
  await page.goto(record.page)
  const large = await onDisk('large.bin', 12_000_000)
  const exact = await onDisk('exact.bin', 10_000_000)
  const plans = [large, exact, await onDisk('one.bin', 1)]
  const photos = [await onDisk('a.bin', 6_000_000), await onDisk('b.bin', 700)]
  await page.getByLabel('Choose files for Plans').setInputFiles(plans.map(({ path }) => path))
  await page.getByLabel('Choose files for Photos').setInputFiles(photos.map(({ path }) => path))
  await expectFiles(record, 3)
  await expect.poll(() => record.files('photos')).toHaveLength(2)

  const bodies = (await noted.requests()).filter(({ method }) => method === 'PATCH').map(({ bodyBytes }) => bodyBytes)
  expect(Math.max(...bodies)).toBe(5_000_000)
  expect(bodies.reduce((sum, each) => sum + each, 0)).toBe(28_000_701)
  expect(bodies).toHaveLength(3 + 2 + 1 + 2 + 1)
  expect(await noted.maxConcurrent()).toBe(2)
  const sent = [large, exact].map(({ buffer }) => hashOf(buffer))
  const stored = await Promise.all((await record.files()).map(record.bytesOf))
  expect(stored.map(hashOf)).toEqual(expect.arrayContaining(sent))
})

test("a failed chunk is retried after 500, 1000 and 3000 ms; a rejected chunk isn't retried", async ({
  page,
  server,
}) => {
  const record = await createFilesRecord(server.url, 'retries')
  const noted = await recordUploads(page)
  let status = 500
  await page.route('**/api/tus/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status, body: '' }) : route.continue(),
  )
  await page.clock.install()
  await signIn(page, ADA)
  await page.goto(record.page)
  const choose = page.getByLabel('Choose files for Plans')
  await choose.waitFor({ state: 'attached' })
  await page.clock.pauseAt(Date.now() + 60_000)
  await choose.setInputFiles([aFile('never.bin', 1000)])

  const chunks = async () => (await noted.requests()).filter(({ method }) => method === 'PATCH')
  await expect.poll(async () => (await chunks()).length).toBe(1)
  for (const [at, waitMs] of [500, 1000, 3000].entries()) {
    await page.clock.runFor(waitMs - 1)
    expect(await chunks()).toHaveLength(at + 1)
    await page.clock.runFor(1)
    await expect.poll(async () => (await chunks()).length).toBe(at + 2)
  }
  const times = (await chunks()).map(({ atMs }) => atMs)
  expect(times.slice(1).map((atMs, at) => atMs - (times[at] ?? 0))).toEqual([500, 1000, 3000])
  await page.clock.runFor(60_000)
  expect(await chunks()).toHaveLength(4)
  await page
    .getByRole('list', { name: 'Uploads to Plans' })
    .getByRole('button', { name: 'Try never.bin again' })
    .waitFor()

  status = 415
  await choose.setInputFiles([aFile('refused.bin', 1000)])
  await expect.poll(async () => (await chunks()).length).toBe(5)
  await page.clock.runFor(60_000)
  expect(await chunks()).toHaveLength(5)
  await expect(page.getByRole('button', { name: 'Try refused.bin again' }).first()).toBeVisible()
})

test("a pause stops an upload, but a reload or a killed server doesn't, and no stored byte is sent twice", async ({
  page,
}) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-uploads-'))
  const port = await findFreePort()
  let server = await startServer({ ...WITH_ADA, dataFolder, port })
  const record = await createFilesRecord(server.url, 'reload')
  const noted = await recordUploads(page)
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto(`${server.url}/login`)
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()
  await page.goto(server.url + record.page)
  await slowDown(page, 4_000_000)
  const file = join(dataFolder, 'long.bin')
  await writeFile(file, randomBytes(30_000_000))
  await page.getByLabel('Choose files for Plans').setInputFiles(file)
  const safeBytes = async () => Math.max(0, ...(await noted.requests()).map(({ offset }) => offset))

  await test.step("a paused upload keeps the server's offset", async () => {
    await expect.poll(safeBytes).toBeGreaterThanOrEqual(5_000_000)
    await page.getByRole('button', { name: 'Pause long.bin' }).click()
    await expect(page.getByText(/Paused at .+ of 30 MB/)).toBeVisible()
    const before = (await noted.requests()).length
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home' }).click()
    await expect(uploadsButton(page)).toContainText('Paused')
    expect(await noted.requests()).toHaveLength(before)
  })

  const safe = await safeBytes()
  const begunAgainAt = async () => (await noted.requests()).find(({ method }) => method === 'PATCH')?.offset
  await test.step('the upload is still paused after a reload and resumes at the same offset', async () => {
    await page.reload()
    await uploadsButton(page).click()
    await page.getByRole('button', { name: 'Resume long.bin' }).click()
    // Bytes received from the interrupted chunk are kept as well.
    await expect.poll(begunAgainAt).toBeGreaterThanOrEqual(safe)
    expect((await noted.requests()).map(({ method }) => method).slice(0, 2)).toEqual(['HEAD', 'PATCH'])
  })

  await test.step('after a server restart the upload resumes automatically', async () => {
    await expect.poll(safeBytes).toBeGreaterThanOrEqual(safe + 5_000_000)
    await server.kill()
    await expect(page.getByText(/retrying|waiting for the server/).first()).toBeVisible()
    server = await startServer({ ...WITH_ADA, dataFolder, port })
    await slowDown(page, 0)
    await expectFiles(record, 1)
    const chunks = (await noted.requests()).filter(({ method }) => method === 'PATCH')
    const requested = new Set(chunks.map(({ offset }) => offset))
    // Each chunk is sent only once, except the one in progress.
    expect(chunks.length - requested.size).toBeLessThanOrEqual(3)
    expect(Math.min(...requested)).toBe(await begunAgainAt())
    expect(Math.max(...chunks.map(({ offset, bodyBytes }) => offset + bodyBytes))).toBe(30_000_000)
  })
  await server.stop()
  await rm(dataFolder, { recursive: true })
})

test("leaving the page doesn't interrupt uploads; signing out deletes them", async ({ page, server }) => {
  const record = await createFilesRecord(server.url, 'walking')
  await inviteGrace(server)
  await signIn(page, ADA)
  await page.goto(record.page)
  await slowDown(page, 2_000_000)
  await page.getByLabel('Choose files for Plans').setInputFiles([aFile('walk.bin', 6_000_000)])
  await expect(page.getByRole('list', { name: 'Uploads to Plans' })).toContainText('walk.bin')
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home' }).click()
  await expect(uploadsButton(page)).toBeVisible()
  await expect(page.getByText('1 file added to Plans')).toBeVisible()
  await expectFiles(record, 1)

  await page.goto(record.page)
  await slowDown(page, 200_000)
  await page.getByLabel('Choose files for Plans').setInputFiles([aFile('secret.bin', 6_000_000)])
  await expect(page.getByRole('list', { name: 'Uploads to Plans' })).toContainText('secret.bin')
  const kept = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open('dossier.uploads')
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const all = opening.result.transaction('shelf').objectStore('shelf').getAllKeys()
      await new Promise((resolve) => all.addEventListener('success', resolve))
      opening.result.close()
      return all.result.length
    })
  await expect.poll(kept).toBe(2)
  await signOut(page)
  await expect.poll(kept).toBe(0)
  await page.goto('/login')
  await fillLogin(page, GRACE)
  await expect(accountOf(page, GRACE)).toBeVisible()
  await page.goto(record.page)
  await expect(page.getByLabel('Choose files for Plans')).toBeAttached()
  await expect(page.getByText('secret.bin')).toHaveCount(0)
  await expectFiles(record, 1)
})

const notes = (...names: string[]) => names.map((name) => ({ name, text: `the words of ${name}` }))

test('files can be dropped anywhere on a record, and only there', async ({ page, server }) => {
  const record = await createFilesRecord(server.url, 'drops', [
    { name: 'photos', label: 'Photos', kind: 'files' },
    { name: 'story', label: 'Story', kind: 'rich-text' },
  ])
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto(record.list)
  const row = page.getByRole('row', { name: /Harbour/ })
  await row.getByRole('rowheader').focus()

  await test.step('a file dropped on a cell is added to its field', async () => {
    const files = await dragFiles(page, notes('cell.txt'))
    const columns = await page.getByRole('columnheader').allTextContents()
    const cell = row.getByRole('gridcell').nth(columns.findIndex((text) => text.includes('Plans')) - 1)
    await expect(async () => {
      await files.over(cell)
      await expect(page.locator('.grid-cell[data-drop]')).toHaveCount(1)
    }).toPass()
    await files.drop(cell)
    await expectFiles(record, 1)
  })

  await test.step('dropping a file on a row prompts for the field', async () => {
    const files = await dragFiles(page, notes('row.txt'))
    await files.drop(row.getByRole('rowheader'))
    await expect(page.getByText('Add 1 file to')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Photos' }).click()
    await expect.poll(async () => (await record.files('photos')).length).toBe(1)
    await expect(page.getByText('1 file added to Photos')).toBeVisible()
    await row.getByRole('rowheader').focus()
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await record.files('photos')).length).toBe(0)
  })

  await test.step('dropping two files is one undo step', async () => {
    await slowDown(page, 30_000)
    const files = await dragFiles(page, [{ name: 'later.txt', text: 'x'.repeat(90_000) }, ...notes('soon.txt')])
    await files.drop(row.getByRole('rowheader'))
    await page.getByRole('menuitem', { name: 'Photos' }).click()
    await expect.poll(async () => (await record.files('photos')).length).toBe(1)
    await slowDown(page, 0)
    await expect.poll(async () => (await record.files('photos')).length).toBe(2)
    await expect(uploadsButton(page)).toContainText('Uploaded')
    await row.getByRole('rowheader').focus()
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await record.files('photos')).length).toBe(0)
  })

  await test.step('the record page shows the drop target, except over a rich text field', async () => {
    await page.goto(record.page)
    const story = page.getByRole('textbox', { name: 'Story' })
    await story.waitFor()
    const files = await dragFiles(page, notes('page.txt'))
    const title = page.getByRole('textbox', { name: 'Title' })
    const target = page.locator('.record-drop').filter({ hasText: 'Drop to add to Photos' })
    await files.over(title)
    await expect(target).toBeVisible()
    await files.over(story)
    await expect(target).toHaveCount(0)
    await files.over(title)
    await files.drop(target, title)
    await expect(page.locator('.record-drop')).toHaveCount(0)
    await expect.poll(async () => (await record.files('photos')).length).toBe(1)
  })

  await test.step('dropping a file elsewhere does nothing', async () => {
    const files = await dragFiles(page, notes('stray.txt'))
    await files.drop(page.getByRole('navigation').first())
    await expect(page).toHaveURL(new RegExp(`${record.page}$`))
    await files.drop(page.getByRole('banner'))
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Harbour')
  })

  await test.step('a removed file can be restored, even after leaving the page', async () => {
    const tile = page.getByRole('button', { name: 'Remove page.txt' })
    await tile.click()
    await expect.poll(async () => (await record.files('photos')).length).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await record.files('photos')).length).toBe(1)
    await tile.click()
    await expect.poll(async () => (await record.files('photos')).length).toBe(0)
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await record.files('photos')).length).toBe(1)
  })

  await test.step('a card accepts dropped files too', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto(record.list)
    const card = page.locator('.card').first()
    await card.waitFor()
    const files = await dragFiles(page, notes('card.txt'))
    await files.drop(card)
    await page.getByRole('menuitem', { name: 'Plans' }).click()
    await expectFiles(record, 2)
  })
})

test('a thousand files are accepted at once, summarized and canceled', async ({ page, server }) => {
  const record = await createFilesRecord(server.url, 'thousand')
  await signIn(page, ADA)
  await page.goto(record.page)
  await page.getByRole('article').waitFor()
  await slowDown(page, 1000)
  const files = await dragFiles(page, notes(...Array.from({ length: 1000 }, (_, at) => `note ${at}.txt`)))
  await files.over(page.getByRole('article'))
  await files.drop(page.locator('.record-drop'))
  await expect(page.getByText(/and 99\d more/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Uploads to Plans' }).getByRole('listitem')).toHaveCount(6)
  await uploadsButton(page).click()
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await slowDown(page, 0)
  await expect(page.getByRole('list', { name: 'Uploads to Plans' })).toHaveCount(0)
})

test('every upload state is visible, announced and reachable by keyboard', async ({ page, server }) => {
  const record = await createFilesRecord(server.url, 'states', [{ name: 'photos', label: 'Photos', kind: 'files' }])
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto(record.page)
  await page.getByRole('article').waitFor()
  await look(page, 'upload-idle')

  await slowDown(page, 80_000)
  const choose = page.getByLabel('Choose files for Plans')
  await choose.setInputFiles([
    aFile('harbour from above.bin', 4_000_000),
    aFile('quay.bin', 3_000_000),
    aFile('crane.bin', 900_000),
  ])
  await expect(page.getByText(/\/s · .+ left/).first()).toBeVisible()
  await look(page, 'upload-sending')

  await test.step('the upload panel opens by keyboard, with its buttons in order', async () => {
    await uploadsButton(page).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Uploads' })
    await expect(panel).toBeVisible()
    await look(page, 'upload-panel')
    await panel.getByRole('button', { name: 'Pause all' }).focus()
    await page.keyboard.press('Enter')
    await expect(panel.getByText('3 files paused')).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '3 uploads paused.' })).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(uploadsButton(page)).toBeFocused()
  })

  await test.step('a rejected file shows the reason', async () => {
    await page.route('**/api/tus?*', (route) =>
      route.fulfill({
        status: 413,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'too-large',
          title: 'Too large',
          status: 413,
          detail:
            '“film.mov” is 90 MB, but this field allows up to 10 MB. Choose a smaller file, or ask an owner to raise the limit.',
        }),
      }),
    )
    await choose.setInputFiles([aFile('film.mov', 1000)])
    await expect(page.getByText(/allows up to 10 MB/).first()).toBeVisible()
    await look(page, 'upload-paused-and-failed')
    await page.unroute('**/api/tus?*')
  })

  await test.step('dragging files shows the drop targets', async () => {
    const files = await dragFiles(page, notes('air.txt'))
    await files.over(page.getByRole('article'))
    await files.over(page.locator('.record-drop').first())
    // Phones have no drag and drop.
    await look(page, 'upload-drop', [SIZES[0]])
    await files.drop(page.getByRole('banner'))
  })
})

test('a phone offers the camera but no folder upload', async ({ browser, server }) => {
  const record = await createFilesRecord(server.url, 'camera')
  const context = await browser.newContext({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    baseURL: server.url,
    locale: 'en-US',
  })
  const page = await context.newPage()
  await signIn(page, ADA)
  await page.goto(record.page)
  await expect(page.getByRole('button', { name: 'Photo' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Folder' })).toBeHidden()
  await expect(page.getByLabel('Take a photo for Plans')).toHaveAttribute('capture', 'environment')
  expect(await axeFindings(page)).toEqual([])
  if (PICTURES !== undefined) {
    await page.getByRole('button', { name: 'Photo' }).scrollIntoViewIfNeeded()
    await page.screenshot({ path: join(PICTURES, 'upload-telephone-light-375.png') })
  }
  await context.close()
})
