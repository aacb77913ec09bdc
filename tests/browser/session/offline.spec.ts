import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  GRACE,
  inviteGrace,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { findFreePort, startServer } from '#tests/support/server/started-server.ts'

const PHOTO = 'samples/pictures/routes-from-den.webp'

test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, serviceWorkers: 'allow', locale: 'en-US' })
test.setTimeout(240_000)

/** The number of list pages cached in this browser. */
const keptLists = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('dossier.offline')
        opening.addEventListener('success', () => {
          const keys = opening.result.transaction('copies').objectStore('copies').getAllKeys()
          keys.addEventListener('success', () => {
            opening.result.close()
            resolve(keys.result.filter((key) => typeof key === 'string' && key.includes('"list"')).length)
          })
        })
      }),
  )

test('a user works offline on a phone, reloads, and all changes are synced later', async ({ page }) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-data-'))
  const port = await findFreePort()
  const start = () => startServer({ ...WITH_ADA, dataFolder, port })
  let server = await start()
  await inviteGrace(server)
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Inspections',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Place', kind: 'text', options: { max: 20 } },
      { label: 'Photos', kind: 'files' },
    ],
  })
  await ask('POST', '/api/collections/inspections/records', { values: { title: 'Bridge', place: 'Bath' } })
  const stored = async () => {
    const { ask: askNow } = await asProgram(server.url, ADA)
    const { items } = await askNow('GET', '/api/collections/inspections/records?expand=*')
    // Matches the API contract.
    return (items as readonly { readonly values: { readonly [field: string]: unknown } }[]).map(({ values }) => values)
  }
  const bar = page.locator('.frame-bar')
  const field = (name: string) => page.getByRole('textbox', { name })

  await test.step('signs in and opens a record', async () => {
    await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
    await page.goto(`${server.url}/login`)
    await fillLogin(page, ADA)
    await expect(accountOf(page, ADA)).toBeVisible()
    await page.goto(`${server.url}/collections/inspections`)
    await page.getByRole('link', { name: 'Bridge' }).click()
    await expect(field('Place')).toHaveValue('Bath')
    // The service worker has cached the whole app: the last file in the precache manifest is available.
    await expect
      .poll(
        () =>
          page.evaluate(async () => {
            const files = (await (await fetch('/offline-files.en.json')).json()) as string[]
            const kept = await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })))
            return kept.every((response) => response !== undefined)
          }),
        { timeout: 60_000 },
      )
      .toBe(true)
  })

  await test.step('offline, a reload shows the opened record', async () => {
    await page.goto(`${server.url}/collections/inspections`)
    await expect(page.getByRole('link', { name: 'Bridge' })).toBeVisible()
    await expect.poll(() => keptLists(page)).toBeGreaterThan(0)
    await server.stop()
    await page.reload()
    await expect(page.getByRole('link', { name: 'Bridge' })).toBeVisible()
    await expect(bar).toContainText('Can’t reach the server.')
    await page.getByRole('link', { name: 'Bridge' }).click()
    await expect(field('Place')).toHaveValue('Bath')
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('a new record and its photo are stored offline, and remain after a reload', async () => {
    await page.goto(`${server.url}/collections/inspections`)
    await page.getByRole('button', { name: 'New record' }).click()
    await field('Title').fill('Tower')
    await field('Place').fill('Wells')
    await page.getByLabel('Choose files for Photos').setInputFiles(PHOTO)
    await expect(page.getByText('routes-from-den.webp').first()).toBeVisible()
    await expect(page.getByText('Kept in this browser, not sent yet').first()).toBeVisible()
    await expect(bar).toContainText('1 new record will be sent later.')
    await page.reload()
    await expect(field('Title')).toHaveValue('Tower')
    await expect(field('Place')).toHaveValue('Wells')
    await expect(bar).toContainText('1 new record will be sent later.')
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('back online, all changes are synced once and in order', async () => {
    server = await start()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
    await expect(bar).toHaveCount(0)
    await expect
      .poll(stored)
      .toMatchObject([
        { title: 'Bridge' },
        { title: 'Tower', place: 'Wells', photos: [{ name: 'routes-from-den.webp' }] },
      ])
    await expect(field('Title')).toHaveValue('Tower')
  })

  await test.step('a record rejected by the server is kept with the reason', async () => {
    await page.goto(`${server.url}/collections/inspections`)
    await expect(page.getByRole('link', { name: 'Tower' })).toBeVisible()
    await server.stop()
    await page.getByRole('button', { name: 'New record' }).click()
    await field('Title').fill('Gate')
    await field('Title').blur()
    await expect(page.getByText('Kept in this browser, not sent yet').first()).toBeVisible()
    const elsewhere = await startServer({ ...WITH_ADA, dataFolder })
    const { ask: askThere } = await asProgram(elsewhere.url, ADA)
    await askThere('PATCH', '/api/collections/inspections/fields/place', { required: true })
    await elsewhere.stop()
    server = await start()
    await expect(bar).toContainText('A new record couldn’t be sent.', { timeout: 60_000 })
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('another user never sees the rejected record', async () => {
    await page.context().clearCookies()
    await page.goto(`${server.url}/login`)
    await fillLogin(page, GRACE)
    await expect(accountOf(page, GRACE)).toBeVisible()
    await page.goto(`${server.url}/collections/inspections`)
    await expect(page.getByRole('link', { name: 'Tower' })).toBeVisible()
    await expect(page.getByText('Gate')).toHaveCount(0)
    await expect(bar).toHaveCount(0)
  })

  await test.step('the author corrects the rejected record, and it is synced', async () => {
    await page.context().clearCookies()
    await page.goto(`${server.url}/login`)
    await fillLogin(page, ADA)
    await bar.getByRole('link', { name: 'Open record' }).click()
    await expect(field('Title')).toHaveValue('Gate')
    await field('Place').fill('Looe')
    await field('Place').blur()
    await expect.poll(stored).toMatchObject([{}, {}, { title: 'Gate', place: 'Looe' }])
    await expect(bar).toHaveCount(0)
  })

  await test.step('after sign-out, no data is visible offline', async () => {
    await page.goto(`${server.url}/logout`)
    await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
    await server.stop()
    await page.goto(`${server.url}/collections/inspections`)
    await expect(page.getByText('Tower')).toHaveCount(0)
    await expect(page.getByLabel('Email')).toBeVisible()
  })
  await rm(dataFolder, { recursive: true, force: true })
})
