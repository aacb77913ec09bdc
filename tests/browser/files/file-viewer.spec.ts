import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Download, expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { aPdf, aSound, fileProgram, type SampleFile } from '#tests/support/files/file-records.ts'
import { sampleVideo } from '#tests/support/files/video-samples.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { ADA, GRACE, inviteGrace, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ serverSettings: WITH_ADA })
test.setTimeout(180_000)
test.use({ locale: 'en-US' })
test.use({ viewport: { width: 1440, height: 900 } })

/** Checks both color schemes with axe; takes screenshots if requested. */
async function look(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    expect(await axeFindings(page), `${name}, ${scheme}`).toEqual([])
    if (PICTURES === undefined) continue
    mkdirSync(PICTURES, { recursive: true })
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
      await page.screenshot({ path: join(PICTURES, `viewer-${name}-${scheme}-${width}.png`), animations: 'disabled' })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

const sample = (name: string): SampleFile => ({
  name,
  bytes: readFileSync(new URL(`../../../samples/pictures/${name}`, import.meta.url)),
})
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

const viewer = (page: Page) => page.getByRole('dialog')
const heading = (page: Page) => viewer(page).getByRole('heading')
const press = (page: Page, key: string) => page.keyboard.press(key)
const faceOf = (page: Page, name: string) => page.getByRole('button', { name: `Preview ${name}` })

test('files of every type are viewed by keyboard', async ({ page, server }) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Kinds')
  // Covers browsers without a PDF viewer.
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }))
  await signIn(page, ADA)
  const film = await sampleVideo(page, 20)
  const lines = Array.from({ length: 20_000 }, (_, at) => `${at};Straße ${at};offen`).join('\n')
  const record = await program.makeRecord('kinds', 'Airport of Denver', [
    sample('routes-from-den.webp'),
    sample('airports-of-colorado.webp'),
    { name: 'Report.pdf', bytes: aPdf('Denver International Airport') },
    { name: 'Runway at dusk.webm', bytes: film },
    { name: 'Tower.wav', bytes: aSound(30) },
    {
      name: 'notes.md',
      bytes: utf8('# Notes\n\n<script>document.title = "ran"</script>\n\n- Grüße aus Denver, Łódź, Århus\n'),
    },
    { name: 'streets.csv', bytes: utf8(lines) },
    { name: 'old.txt', bytes: latin('Straße;Größe;Höhe\nMüllerstraße;für drei Personen;über 20 m\n') },
    { name: 'Plans.zip', bytes: Buffer.from('504b0506000000000000000000000000000000000000', 'hex') },
    {
      name: 'logo.svg',
      bytes: utf8(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><script>document.title="ran"</script><circle cx="150" cy="100" r="80" fill="#17594a"/></svg>',
      ),
    },
  ])
  await page.goto(`/collections/kinds/${record.id}`)

  await test.step('an image opens from its thumbnail, with its position in the URL', async () => {
    await faceOf(page, 'routes-from-den.webp').focus()
    await press(page, 'Enter')
    await expect(heading(page)).toHaveText('routes-from-den.webp')
    await expect(page).toHaveURL(new RegExp(`file=${record.files[0]}`))
    await expect(viewer(page)).toContainText(/1 of 10/)
    await expect(viewer(page).getByRole('button', { name: /Actual size, currently \d+%/ })).toBeVisible()
    await look(page, 'picture')
  })

  await test.step('the shortcut list of the viewer opens by keyboard', async () => {
    await press(page, '?')
    await expect(viewer(page).getByRole('region', { name: 'Shortcuts' })).toBeVisible()
    await look(page, 'keys')
    await press(page, 'Escape')
    await expect(viewer(page).getByRole('region', { name: 'Shortcuts' })).toBeHidden()
    await expect(viewer(page)).toBeVisible()
  })

  await test.step("a PDF is shown as a card if the browser can't display it", async () => {
    await press(page, 'ArrowRight')
    await press(page, 'ArrowRight')
    await expect(heading(page)).toHaveText('Report.pdf')
    await expect(viewer(page)).toContainText('This browser can’t display PDFs.')
    await look(page, 'pdf')
  })

  await test.step('a video can be played from any position', async () => {
    await press(page, 'ArrowRight')
    const video = viewer(page).getByLabel('Runway at dusk.webm', { exact: true })
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.readyState)).toBeGreaterThan(0)
    const at = await video.evaluate(async (one: HTMLVideoElement) => {
      one.currentTime = 17.5
      await new Promise((resolve) => one.addEventListener('seeked', resolve, { once: true }))
      return [one.currentTime, one.duration, one.videoWidth]
    })
    expect(at).toEqual([17.5, 20, 640])
    await look(page, 'video')
  })

  await test.step('an audio file is played', async () => {
    await press(page, 'ArrowRight')
    const audio = viewer(page).getByLabel('Tower.wav', { exact: true })
    await expect.poll(() => audio.evaluate((one: HTMLAudioElement) => one.duration)).toBe(30)
    await look(page, 'audio')
  })

  await test.step('text is shown with its encoding and the point where it is truncated', async () => {
    await press(page, 'ArrowRight')
    await expect(viewer(page).getByRole('region', { name: 'notes.md' })).toContainText('<script>document.title')
    await expect(viewer(page)).toContainText('Grüße aus Denver, Łódź, Århus')
    await look(page, 'text')
    await press(page, 'ArrowRight')
    await expect(viewer(page)).toContainText('Preview truncated.')
    await expect(viewer(page)).toContainText('17;Straße 17;offen')
    await press(page, 'ArrowRight')
    await expect(viewer(page)).toContainText('Müllerstraße;für drei Personen')
    await expect(viewer(page)).toContainText('Encoding: Western (Windows-1252, Latin-1).')
  })

  await test.step('a file of any other type is shown as a card', async () => {
    await press(page, 'ArrowRight')
    await expect(viewer(page)).toContainText('ZIP archive')
    const waiting = page.waitForEvent('download')
    await viewer(page).getByRole('link', { name: 'Download', exact: true }).click()
    expect((await waiting).suggestedFilename()).toBe('Plans.zip')
    await look(page, 'other')
  })

  await test.step("an SVG is shown as an image and can't run scripts", async () => {
    await press(page, 'ArrowRight')
    await expect(viewer(page).getByRole('img', { name: 'logo.svg' })).toBeVisible()
    expect(await page.title()).not.toContain('ran')
  })

  await test.step('navigation reaches both ends and wraps around', async () => {
    await press(page, 'ArrowRight')
    await expect(heading(page)).toHaveText('routes-from-den.webp')
    await press(page, 'End')
    await expect(heading(page)).toHaveText('logo.svg')
    await press(page, 'Home')
    await page.reload()
    await expect(heading(page)).toHaveText('routes-from-den.webp')
    await press(page, 'Escape')
    await expect(viewer(page)).toBeHidden()
    await expect(page).not.toHaveURL(/file=/)
    await faceOf(page, 'Tower.wav').click()
    await expect(viewer(page)).toBeVisible()
    await page.goBack()
    await expect(viewer(page)).toBeHidden()
    await expect(faceOf(page, 'Tower.wav')).toBeFocused()
  })

  await test.step('all files are downloaded as one archive, from a record and a list', async () => {
    const beginsAsArchive = async (file: Promise<Download>, name: string) => {
      expect((await file).suggestedFilename()).toBe(name)
      // A download assembled in page memory would have a blob URL.
      expect((await file).url()).toMatch(/^http.+\.zip\?.*signature=/)
      expect(readFileSync(await (await file).path()).subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'))
    }
    const ofRecord = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download all' }).click()
    await beginsAsArchive(ofRecord, 'Airport of Denver.zip')
    await page.route('**/files.zip?*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.getByRole('button', { name: 'Download all' }).click()
    await expect(page.getByText('Couldn’t download the archive')).toBeVisible()
    await expect(page.getByText(/^Downloading 10 files/)).toHaveCount(0)
    await page.goto('/collections/kinds')
    await page.getByRole('checkbox', { name: 'Select Airport of Denver' }).check()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Export / })
    await dialog.getByRole('combobox', { name: 'What' }).click()
    await page.getByRole('option', { name: 'Files as ZIP' }).click()
    const ofList = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export' }).click()
    await beginsAsArchive(ofList, 'Kinds.zip')
    await expect(dialog).toBeHidden()
  })
})

const shown = (page: Page) => page.locator('.viewer-canvas > img')
/** Rendered width per image pixel. */
const ratioOf = (page: Page) =>
  shown(page).evaluate((image: HTMLImageElement) => Number.parseFloat(image.style.width) / image.naturalWidth)
const tool = (page: Page, name: string | RegExp) => viewer(page).getByRole('button', { name })

/** Single-color images that are a hundred pixels wide. */
async function pictures(count: number): Promise<SampleFile[]> {
  const bytes = await sampleImage(100, 60)
  // Extra bytes after the end of the image make it a different file.
  return Array.from({ length: count }, (_, at) => ({
    name: `${at + 1}.png`,
    bytes: Buffer.concat([bytes, Buffer.from(String(at))]),
  }))
}

/** Records requests for original images. */
function noteWholes(page: Page): Set<string> {
  const requested = new Set<string>()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.startsWith('/api/files/') && !searchParams.has('w')) requested.add(pathname)
  })
  return requested
}

test('an image is zoomed in 10 % steps between 0.01 and 100, rotated, and shown for five seconds', async ({
  page,
  server,
}) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Soundings')
  const record = await program.makeRecord('soundings', 'Three', await pictures(3))
  await page.clock.install()
  await signIn(page, ADA)
  await page.goto(`/collections/soundings/${record.id}`)
  await faceOf(page, '1.png').click()
  await expect(tool(page, 'Actual size, currently 100%')).toBeVisible()

  await test.step('an image is zoomed by wheel, buttons and keys', async () => {
    expect(await ratioOf(page)).toBe(1)
    await tool(page, 'Zoom in').click()
    expect(await ratioOf(page)).toBeCloseTo(1.1, 6)
    await press(page, '+')
    expect(await ratioOf(page)).toBeCloseTo(1.21, 6)
    await press(page, '-')
    await tool(page, 'Zoom out').click()
    expect(await ratioOf(page)).toBeCloseTo(1, 6)
    await shown(page).hover()
    await page.mouse.wheel(0, -100)
    await expect.poll(() => ratioOf(page)).toBeCloseTo(1.1, 6)
    await expect(tool(page, 'Actual size, currently 110%')).toBeVisible()
    await press(page, '1')
    expect(await ratioOf(page)).toBe(1)
  })

  await test.step('zooming stops at both limits', async () => {
    for (let times = 0; times < 55; times += 1) await press(page, '+')
    expect(await ratioOf(page)).toBe(100)
    await expect(tool(page, 'Actual size, currently 10,000%')).toBeVisible()
    for (let times = 0; times < 105; times += 1) await press(page, '-')
    expect(await ratioOf(page)).toBeCloseTo(0.01, 6)
    await expect(tool(page, 'Actual size, currently 1%')).toBeVisible()
    await press(page, '0')
    expect(await ratioOf(page)).toBe(1)
  })

  await test.step('an image is rotated, flipped and reset', async () => {
    const transform = () => shown(page).evaluate((image: HTMLImageElement) => image.style.transform)
    await press(page, 'r')
    await expect.poll(transform).toContain('rotate(90deg)')
    await press(page, 'Shift+R')
    await tool(page, 'Rotate left').click()
    await expect.poll(transform).toContain('rotate(-90deg)')
    await press(page, 'f')
    await expect.poll(transform).toContain('scaleX(-1)')
    await tool(page, 'Flip vertically').click()
    await expect.poll(transform).toContain('scaleY(-1)')
    await press(page, '0')
    await expect.poll(transform).not.toContain('-')
  })

  await test.step('a slideshow shows each image for 5000 ms and advances only while the page is visible', async () => {
    await page.clock.pauseAt(new Date(Date.now() + 60 * 60 * 1000))
    await tool(page, 'Play slideshow').click()
    await expect(tool(page, 'Stop slideshow')).toBeVisible()
    await page.clock.runFor(4999)
    await expect(heading(page)).toHaveText('1.png')
    await page.clock.runFor(1)
    await expect(heading(page)).toHaveText('2.png')
    await page.clock.runFor(100)
    await expect(tool(page, 'Actual size, currently 100%')).toBeVisible()
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.clock.runFor(20_000)
    await expect(heading(page)).toHaveText('2.png')
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'hidden')
      document.dispatchEvent(new Event('visibilitychange'))
      // Resolves after the next paint.
      const { port1, port2 } = new MessageChannel()
      return new Promise<void>((resolve) => {
        port1.onmessage = () => resolve()
        port2.postMessage(0)
      })
    })
    await page.clock.runFor(5000)
    await expect(heading(page)).toHaveText('3.png')
    await press(page, 'ArrowLeft')
    await expect(tool(page, 'Play slideshow')).toBeVisible()
  })
})

test('with 100 images, loads only the current one and its neighbors, without leaking memory', async ({
  page,
  server,
}) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Many')
  const record = await program.makeRecord('many', 'Hundred', await pictures(100))
  await signIn(page, ADA)
  await page.goto(`/collections/many/${record.id}`)
  await expect(faceOf(page, '48.png')).toBeVisible()
  const requested = noteWholes(page)
  const pathsOf = (...places: number[]) => places.map((at) => `/api/files/${record.files[at]}`)

  await test.step('images are preloaded when the viewer opens and during a slideshow', async () => {
    await faceOf(page, '30.png').click()
    await expect(shown(page)).toBeVisible()
    await expect.poll(() => [...requested].sort()).toEqual(pathsOf(28, 29, 30).sort())
    await press(page, ' ')
    await expect(tool(page, 'Stop slideshow')).toBeVisible()
    await expect(heading(page)).toHaveText('31.png', { timeout: 10_000 })
    await expect.poll(() => [...requested].sort()).toEqual(pathsOf(28, 29, 30, 31).sort())
    expect(await page.locator('.file-viewer img[src]').count()).toBe(1)
    await press(page, 'Escape')
  })

  await test.step('opening and closing the viewer fifty times leaks nothing', async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const openAndClose = async () => {
      await faceOf(page, '30.png').click()
      await expect(shown(page)).toBeVisible()
      await press(page, 'Escape')
      await expect(viewer(page)).toBeHidden()
    }
    const measure = async () => {
      for (let times = 0; times < 3; times += 1) await session.send('HeapProfiler.collectGarbage')
      const { metrics } = await session.send('Performance.getMetrics')
      const of = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0
      const inPage = await page.evaluate(() => document.querySelectorAll('*').length)
      return { inPage, nodes: of('Nodes'), listeners: of('JSEventListeners') }
    }
    for (let times = 0; times < 10; times += 1) await openAndClose()
    const before = await measure()
    for (let times = 0; times < 50; times += 1) await openAndClose()
    const after = await measure()
    expect(after.inPage).toBe(before.inPage)
    // The smallest leak would be 600 nodes. Some nodes are always pending removal.
    expect(after.nodes - before.nodes).toBeLessThan(500)
    expect(after.listeners - before.listeners).toBeLessThan(50)
  })
})

test('files can be viewed from cells and cards, and concurrent changes are shown', async ({ page, server }) => {
  // Users can still view files that they uploaded and removed, so another user uploads these.
  await inviteGrace(server)
  const program = await fileProgram(server.url, GRACE)
  await program.makeCollection('Cells')
  const record = await program.makeRecord('cells', 'Three', await pictures(3))
  await signIn(page, ADA)
  await page.goto('/collections/cells')
  // Simulates a busy machine.
  await page.evaluate(() => {
    const back = history.back.bind(history)
    history.back = () => void setTimeout(back, 300)
  })

  await test.step('a file opens with Space, and closing it returns focus to the cell', async () => {
    await page
      .getByRole('gridcell')
      .filter({ has: faceOf(page, '1.png') })
      .click({ position: { x: 130, y: 18 } })
    await press(page, ' ')
    await expect(heading(page)).toHaveText('1.png')
    await expect(viewer(page)).toContainText('Files, Three')
    await press(page, 'Escape')
    await expect(viewer(page)).toBeHidden()
    await expect(page.getByRole('gridcell').filter({ has: faceOf(page, '1.png') })).toBeFocused()
    await press(page, ' ')
    await expect(heading(page)).toHaveText('1.png')
    await press(page, 'Escape')
  })

  await test.step('a file opens by clicking its thumbnail', async () => {
    await faceOf(page, '2.png').click()
    await expect(heading(page)).toHaveText('2.png')
  })

  await test.step('a removed file is replaced by the next one', async () => {
    const [first, , third] = record.files
    await program.ask('PATCH', `/api/collections/cells/records/${record.id}`, { values: { files: [first, third] } })
    await page.reload()
    await expect(page.getByText('File no longer available')).toBeVisible()
    await expect(page).not.toHaveURL(/file=/)
    await expect(viewer(page)).toBeHidden()
    await faceOf(page, '1.png').click()
    await expect(viewer(page)).toContainText('1 of 2')
    await press(page, 'ArrowRight')
    await expect(heading(page)).toHaveText('3.png')
  })

  await test.step('a file opens from its URL, in a list of all records', async () => {
    await press(page, 'Escape')
    await page.getByLabel('Records per page').selectOption('All')
    await faceOf(page, '3.png').click()
    await expect(heading(page)).toHaveText('3.png')
    await page.reload()
    await expect(heading(page)).toHaveText('3.png')
    await expect(viewer(page)).toContainText('2 of 2 · Files, Three')
    await press(page, 'ArrowLeft')
    await expect(heading(page)).toHaveText('1.png')
    await press(page, 'Escape')
    await expect(page).not.toHaveURL(/file=/)
  })

  await test.step('a missing file shows an explanation', async () => {
    await program.ask('DELETE', `/api/collections/cells/records/${record.id}`)
    const other = await program.makeRecord('cells', 'Others', [
      ...(await pictures(1)),
      { name: 'late.txt', bytes: utf8('a') },
      { name: 'late.pdf', bytes: aPdf('late') },
      { name: 'late.wav', bytes: aSound(1) },
    ])
    await page.reload()
    await faceOf(page, '1.png').click()
    await expect(shown(page)).toBeVisible()
    await program.ask('DELETE', `/api/collections/cells/records/${other.id}`)
    for (const name of ['late.txt', 'late.pdf', 'late.wav']) {
      await press(page, 'ArrowRight')
      await expect(viewer(page)).toContainText(name)
      await expect(viewer(page)).toContainText('File no longer available')
    }
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Escape')
  })

  await test.step('on a phone, a file opens from a card', async () => {
    await program.makeRecord('cells', 'Small', await pictures(2))
    await page.setViewportSize({ width: 375, height: 812 })
    await page.reload()
    await faceOf(page, '2.png').click()
    await expect(heading(page)).toHaveText('2.png')
    await page.goBack()
    await expect(viewer(page)).toBeHidden()
  })
})

type Place = readonly [x: number, y: number]

/** Simulates touch movements in several steps. */
async function moveFingers(page: Page, from: readonly Place[], to: readonly Place[]): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const STEPS = 4
  const at = (step: number) =>
    from.map(([x, y], id) => {
      const [toX, toY] = to[id] ?? [x, y]
      return { id, x: x + ((toX - x) * step) / STEPS, y: y + ((toY - y) * step) / STEPS }
    })
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (let step = 1; step <= STEPS; step += 1)
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) })
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('touch gestures swipe and zoom images in left-to-right and right-to-left layouts', async ({ browser, server }) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Fingers')
  const huge = { name: 'huge.png', bytes: await sampleImage(8000, 5100) }
  const record = await program.makeRecord('fingers', 'Four', [...(await pictures(3)), huge])
  const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true }
  const context = await browser.newContext({ ...phone, baseURL: server.url, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, ADA)
  await page.goto(`/collections/fingers/${record.id}`)
  await faceOf(page, '1.png').click()
  await expect(tool(page, 'Actual size, currently 100%')).toBeVisible()
  const sweep = (to: 'left' | 'right') =>
    moveFingers(page, [to === 'left' ? [300, 400] : [80, 400]], [to === 'left' ? [80, 405] : [300, 405]])

  await test.step('a swipe to the left shows the next image', async () => {
    await sweep('left')
    await expect(heading(page)).toHaveText('2.png')
    await sweep('right')
    await expect(heading(page)).toHaveText('1.png')
    await expect(tool(page, 'Actual size, currently 100%')).toBeVisible()
  })

  await test.step('a loading image can be swiped', async () => {
    const late = Promise.withResolvers<void>()
    await page.route('**/api/files/**', async (route) => {
      await late.promise
      await route.continue()
    })
    for (const name of ['2.png', '3.png']) {
      await sweep('left')
      await expect(heading(page)).toHaveText(name)
    }
    late.resolve()
    for (const name of ['2.png', '1.png']) {
      await sweep('right')
      await expect(heading(page)).toHaveText(name)
    }
    await expect(tool(page, 'Actual size, currently 100%')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('two fingers zoom and one finger pans', async () => {
    const middle = [
      [170, 400],
      [205, 400],
    ] as const
    await moveFingers(page, middle, [
      [40, 400],
      [335, 400],
    ])
    await expect.poll(() => ratioOf(page)).toBeGreaterThan(2)
    await sweep('left')
    await expect(heading(page)).toHaveText('1.png')
    await tool(page, 'Fit to window').click()
  })

  await test.step('in right-to-left layout, a swipe to the right shows the next image', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await sweep('right')
    await expect(heading(page)).toHaveText('2.png')
    await press(page, 'ArrowLeft')
    await expect(heading(page)).toHaveText('3.png')
    expect(await axeFindings(page)).toEqual([])
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  })

  await test.step('an image with too many pixels is shown smaller, with a notice', async () => {
    await press(page, 'End')
    await expect(heading(page)).toHaveText('huge.png')
    await expect(viewer(page)).toContainText('This is a smaller preview.')
    await expect(shown(page)).toHaveAttribute('src', /w=1600/)
    await expect.poll(() => shown(page).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600)
    await expect(viewer(page).getByRole('link', { name: 'Download huge.png' })).not.toHaveAttribute('href', /w=1600/)
  })
  await context.close()
})
