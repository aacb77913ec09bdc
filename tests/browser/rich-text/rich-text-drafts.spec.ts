import { chromium, expect as soonExpect, type Page } from '@playwright/test'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '#tests/support/browser/browser-page.ts'
import { doc, words } from '#tests/support/documents/documents.ts'
import { goToStory, openStory, story, textsOf } from '#tests/support/browser/editor-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, accountOf, fillLogin, signIn, signOut, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** A longer timeout for busy machines. */
const expect = soonExpect.configure({ timeout: 20_000 })

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
test.setTimeout(120_000)

const saved = (page: Page) => page.getByText('Saved', { exact: true }).first()

/** Makes every write request fail. */
const refuseWrites = (page: Page) =>
  page.route('**/api/collections/texts/records/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )

async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home', exact: true }).click()
  await expect(story(page)).toBeHidden()
  await page.goBack()
  await expect(story(page)).toBeVisible()
}

/** Drafts are stored shortly after the last key press. */
const untilPutAside = (page: Page, text: string) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const database = await new Promise<IDBDatabase>((resolve) => {
          const opening = indexedDB.open('dossier.drafts')
          opening.addEventListener('success', () => resolve(opening.result))
        })
        const all = await new Promise<unknown>((resolve) => {
          const asking = database.transaction('drafts').objectStore('drafts').getAll()
          asking.addEventListener('success', () => resolve(asking.result))
        })
        database.close()
        return JSON.stringify(all)
      }),
    )
    .toContain(text)

/** Finds the browser's main process by the profile folder in its command line. */
async function processOf(folder: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    const line = await readFile(join('/proc', name, 'cmdline'), 'utf8').catch(() => '')
    if (line.includes(`--user-data-dir=${folder}`) && !line.includes('--type=')) return Number(name)
  }
  throw new Error('There is no such browser.')
}

test('a draft is restored after a tab crash', async ({ page, context, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Crash')
  await openStory(page, id)
  await page.keyboard.type('Kept before. ')
  await expect(saved(page)).toBeVisible()
  await refuseWrites(page)
  await page.keyboard.type('Written at the end.')
  await untilPutAside(page, 'Written at the end.')
  // The browser is killed without unload events, so it can't send anything.
  const isOver = page.waitForEvent('crash')
  const devTools = await context.newCDPSession(page)
  devTools.send('Page.crash').catch(() => undefined)
  await isOver
  expect(JSON.stringify(await texts.storyOf(id))).not.toContain('Written at the end.')

  const next = await context.newPage()
  await goToStory(next, id)
  await expect(story(next)).toHaveText('Kept before. Written at the end.')
  await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain('Written at the end.')
})

test('a draft is restored after the browser is killed', async ({ server, launchOptions }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Killed')
  const folder = await mkdtemp(join(tmpdir(), 'dossier-browser-'))
  const open = () => chromium.launchPersistentContext(folder, { baseURL: server.url, ...launchOptions })
  const first = await open()
  const page = first.pages()[0] ?? (await first.newPage())
  await openStory(page, id)
  await refuseWrites(page)
  await page.keyboard.type('Before the power went.')
  await untilPutAside(page, 'Before the power went.')
  const isOver = first.waitForEvent('close')
  process.kill(await processOf(folder), 'SIGKILL')
  await isOver

  const second = await open()
  await second.clearCookies()
  const again = second.pages()[0] ?? (await second.newPage())
  await openStory(again, id)
  await expect(story(again)).toHaveText('Before the power went.')
  await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain('Before the power went.')
  await second.close()
  await rm(folder, { recursive: true, force: true })
})

test('an ended session keeps drafts, and signing out deletes them', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Session')
  await openStory(page, id)

  await test.step('after signing in again, the draft is saved', async () => {
    await texts.endAllSessions()
    await page.keyboard.type('Written after the end')
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await fillLogin(page, ADA)
    await expect(accountOf(page, ADA)).toBeVisible()
    await page.goto(`/collections/texts/${id}`)
    await expect(story(page)).toHaveText('Written after the end')
    await expect(saved(page)).toBeVisible()
  })

  await test.step('signing out deletes the draft', async () => {
    await refuseWrites(page)
    await story(page).click()
    await page.keyboard.type('Secret ')
    await untilPutAside(page, 'Secret ')
    await signOut(page)
    await untilPutAside(page, '[]')
    await page.unrouteAll()
    await signIn(page, ADA)
    await page.goto(`/collections/texts/${id}`)
    await expect(story(page)).toBeVisible()
    await expect(story(page)).not.toContainText('Secret')
  })
})

test('a concurrent edit shows both texts, and the user selects one', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Two', doc(words('As it was')))
  const theirs = (text: string) =>
    texts.ask('PATCH', `/api/collections/texts/records/${id}`, { values: { story: doc(words(text)) } })
  await openStory(page, id)
  for (const [whose, button] of [
    ['Mine', 'Keep my version'],
    ['Theirs', 'Use their version'],
  ] as const) {
    await theirs(`Theirs ${whose}`)
    await story(page).click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`Mine ${whose}`)
    const notice = page.getByRole('alert').filter({ hasText: 'Someone else just edited Story' })
    await expect(notice.getByRole('group', { name: 'Their version of Story' })).toHaveText(`Theirs ${whose}`)
    await expect(story(page)).toHaveText(`Mine ${whose}`)
    // The conflict prompt appears again, and the other user's version isn't overwritten.
    await leaveAndReturn(page)
    await expect(notice.getByRole('group', { name: 'Their version of Story' })).toHaveText(`Theirs ${whose}`)
    await expect(story(page)).toHaveText(`Mine ${whose}`)
    expect(JSON.stringify(await texts.storyOf(id))).toContain(`Theirs ${whose}`)
    if (whose === 'Mine') await lookAt(page, 'inside-conflict')
    await notice.getByRole('button', { name: button }).click()
    await expect(saved(page)).toBeVisible()
    await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain(`${whose} ${whose}`)
    await expect(story(page)).toHaveText(`${whose} ${whose}`)
  }
})

test("leaving a rich text field while it is being saved doesn't send its content twice", async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Slow')
  await openStory(page, id)
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
  const versions: unknown[] = []
  await page.route('**/api/collections/texts/records/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    versions.push(route.request().headers()['if-match'] ?? route.request().postDataJSON())
    await isLetGo
    return route.continue()
  })
  await page.keyboard.type('Written once')
  await expect.poll(() => versions.length).toBe(1)
  await leaveAndReturn(page)
  await expect(story(page)).toHaveText('Written once')
  await story(page).click()
  await page.keyboard.press('End')
  await page.keyboard.type(', and on.')
  letGo()
  await expect(saved(page)).toBeVisible()
  await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain('Written once, and on.')
  expect(versions).toHaveLength(2)
  expect(new Set(versions).size).toBe(2)
})
