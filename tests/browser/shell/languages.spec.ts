import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, acceptInvitation, type Person, WITH_ADA } from '#tests/support/browser/session-page.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ serverSettings: WITH_ADA })

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `language-${name}.png`), animations: 'disabled' })
}

/** The language is stored in the user's account, so each test uses its own user. */
const LIESL = { name: 'liesl', email: 'liesl@example.org', password: 'eight badgers bake the bread' }

const invite = async (server: StartedServer, person: Person) =>
  acceptInvitation((await asProgram(server.url, ADA)).ask, person, 'owner')

/** Creates records with a date and an amount. */
async function fill(server: StartedServer, label: string, count: number): Promise<void> {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Day', kind: 'date' },
    { label: 'Amount', kind: 'number' },
  ]
  await ask('POST', '/api/collections', { label, fields })
  for (let at = 0; at < count; at += 1) {
    const values = { title: `Voice ${at + 1}`, day: '2026-03-05', amount: 1234.5 }
    await ask('POST', `/api/collections/${label.toLowerCase()}/records`, { values })
  }
}

type Words = { readonly email: string; readonly password: string; readonly go: string }

const GERMAN: Words = { email: 'E-Mail', password: 'Passwort', go: 'Anmelden' }
const ENGLISH: Words = { email: 'Email', password: 'Password', go: 'Sign in' }

async function signInWith(page: Page, words: Words, { email, password }: Person): Promise<void> {
  await page.getByLabel(words.email, { exact: true }).fill(email)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: words.go, exact: true }).click()
}

const withoutTours = (page: Page) => page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))

/** Asserts that the page fits in the window and that no text in the app frame is truncated. */
async function expectNothingCutOff(page: Page): Promise<void> {
  const cut = await page.evaluate(() => {
    const words = document.querySelectorAll<HTMLElement>('header *, aside *, nav *, .guest-frame *')
    const isCut = (each: HTMLElement) =>
      each.childElementCount === 0 &&
      each.clientWidth > 0 &&
      each.scrollWidth > each.clientWidth + 1 &&
      getComputedStyle(each).overflowX !== 'visible' &&
      getComputedStyle(each).clipPath === 'none'
    const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth
    return [...(wide ? ['the page'] : []), ...[...words].filter(isCut).map((each) => each.textContent)]
  })
  expect(cut).toEqual([])
}

/** The account button, whatever the UI language. */
const accountIn = (page: Page) => page.getByRole('button', { name: /liesl/ })

const count = (page: Page, words: string) => page.getByText(words, { exact: true }).first()

test('German is used from the first page, with plurals, numbers, dates and server errors', async ({
  page,
  server,
  browser,
}) => {
  await invite(server, LIESL)
  await fill(server, 'Tonguelone', 1)
  await fill(server, 'Tonguethree', 3)
  await withoutTours(page)

  await test.step('selecting German takes effect immediately and persists', async () => {
    await page.goto('/login')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    expect(await axeFindings(page)).toEqual([])
    await expectNothingCutOff(page)
  })

  await test.step('a server error is in German', async () => {
    await signInWith(page, GERMAN, { ...LIESL, password: 'not my password at all' })
    await expect(page.getByText('E-Mail oder Passwort ist falsch')).toBeVisible()
    await picture(page, 'de-refused')
    await signInWith(page, GERMAN, LIESL)
    await expect(accountIn(page)).toBeVisible()
    await page.goto('/settings/audit')
    await expect(page.getByText('liesl hat sich angemeldet').first()).toBeVisible()
  })

  await test.step('plurals, dates and numbers are formatted for German', async () => {
    await page.goto('/collections/tonguelone')
    await expect(count(page, '1 Datensatz')).toBeVisible()
    await page.goto('/collections/tonguethree')
    await expect(count(page, '3 Datensätze')).toBeVisible()
    await expect(page.getByText('05.03.2026').first()).toBeVisible()
    await expect(page.getByText('1.234,5').first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'de-list')
  })

  await test.step('the language setting of an account also applies in other browsers', async () => {
    await accountIn(page).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await accountIn(page).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    const other = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    await withoutTours(other)
    await other.goto(`${server.url}/login`)
    await expect(other.locator('html')).toHaveAttribute('lang', 'en')
    await signInWith(other, ENGLISH, LIESL)
    await expect(other.locator('html')).toHaveAttribute('lang', 'de')
    await other.context().close()
  })
})
