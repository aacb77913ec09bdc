import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  ADA,
  asProgram,
  GRACE,
  acceptInvitation,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

/** Folder for screenshots, if requested. */
const SHOTS = process.env['DOSSIER_PICTURES']

const field = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' })
const lines = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const line = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const chosen = (page: Page) => lines(page).and(page.getByRole('option', { selected: true }))

async function open(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await field(page).fill(text)
}

/** Opens a command using the keyboard. */
async function take(page: Page, text: string, name: string | RegExp): Promise<void> {
  await open(page, text)
  await expect(chosen(page)).toHaveAccessibleName(name)
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeHidden()
}

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Done', kind: 'checkbox' },
]

async function fill(url: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', { label: 'Errands', fields: FIELDS })
  await ask('POST', '/api/collections', { label: 'Ledgers', fields: FIELDS })
  for (const title of ['Buy stamps', 'Post letters']) {
    await ask('POST', '/api/collections/errands/records', { values: { title } })
  }
  const query = { filter: 'done = false' }
  await ask('POST', '/api/collections/errands/views', { name: 'Still open', isShared: true, query })
}

/** Measures the time in ms from the key press to the first frame in which the palette is usable. */
const openingMs = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        const look = () => {
          const isThere = document.activeElement?.getAttribute('role') === 'combobox'
          if (isThere) resolve(performance.now() - began)
          else requestAnimationFrame(look)
        }
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
        requestAnimationFrame(look)
      }),
  )

test('the command palette opens every page, runs page commands, and offers nothing forbidden', async ({
  page,
  server,
}) => {
  test.setTimeout(240_000)
  await fill(server.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)

  await test.step('the palette opens immediately, even the first time', async () => {
    await page.waitForLoadState('networkidle')
    const first = await openingMs(page)
    await page.keyboard.press('Escape')
    await expect(field(page)).toBeHidden()
    const second = await openingMs(page)
    test
      .info()
      .annotations.push({ type: 'palette opens, ms', description: `${first.toFixed(0)}, ${second.toFixed(0)}` })
    await page.keyboard.press('Escape')
  })

  await test.step('text typed before the palette opens goes only into its input', async () => {
    await page.goto('/collections/errands')
    const record = await page.getByRole('link', { name: 'Buy stamps' }).getAttribute('href')
    const isSlow = Promise.withResolvers<void>()
    await page.route(/\/frame-later-.*\.js/, async (route) => {
      await isSlow.promise
      await route.continue()
    })
    await page.goto(String(record))
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('>new', { delay: 5 })
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.type(' coll', { delay: 5 })
    isSlow.resolve()
    await expect(field(page)).toHaveValue('>new coll')
    await page.keyboard.type('ection')
    await expect(chosen(page)).toHaveAccessibleName('New collection')
    await page.keyboard.press('Escape')
    await expect(title).toHaveValue('Buy stamps')
    await page.unrouteAll()
    await page.goto('/')
    await page.waitForLoadState('networkidle')
  })

  await test.step('the palette finds collections, views, settings by keyword, and the account', async () => {
    await take(page, 'err', 'Errands')
    await expect(page).toHaveURL(/\/collections\/errands$/)
    await take(page, 'still', 'Still open Errands')
    await expect(page.getByRole('link', { name: 'Buy stamps' })).toBeVisible()
    await expect(page).toHaveURL(/view=/)
    await take(page, 'openapi', 'API reference')
    await expect(page).toHaveURL(/\/api\/docs$/)
    const above = Promise.withResolvers<void>()
    await page.route('**/api/workspace/storage', async (route) => {
      await above.promise
      await route.continue()
    })
    await take(page, 'session limit', 'Session limits Workspace')
    await expect(page).toHaveURL(/\/settings\/workspace#session-policy$/)
    // The section stays hidden while the content above it is loading.
    await expect(page.locator('[data-tour="session-policy"]')).toBeAttached()
    above.resolve()
    await expect(page.getByRole('region', { name: 'Sessions' })).toBeFocused()
    await expect(page.getByRole('region', { name: 'Sessions' })).toBeInViewport()
    await expect(page.locator('[aria-live]').filter({ hasText: 'Workspace: Sessions' })).toHaveCount(1)
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/palette-arrived.png` })
    await take(page, 'passk', 'Passkeys Security')
    await expect(page.getByRole('region', { name: 'Passkeys' })).toBeFocused()
    await take(page, 'change passw', 'Change password Security')
    await expect(page.getByRole('region', { name: 'Password', exact: true })).toBeFocused()
    await take(page, 'version', 'Version Workspace')
    await expect(page.locator('[data-tour="version"]')).toBeFocused()
    await take(page, 'sample', 'Sample data Workspace')
    await expect(page.locator('[data-tour="sample"]')).toBeFocused()
    await take(page, 'your name', 'Your name Profile')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await expect(page.locator('[aria-live]').filter({ hasText: 'Profile: Name' })).toHaveCount(1)
    await take(page, 'your em', 'Your email address Profile')
    await expect(page.locator('[data-tour="own-email"]')).toBeFocused()
    await take(page, 'outgoing', 'Outgoing emails Outbox')
    await expect(page.getByRole('region', { name: 'Outgoing emails' })).toBeFocused()
    await take(page, 'new api tok', 'New API token API tokens')
    await expect(page.getByRole('button', { name: 'New token' })).toBeFocused()
    await take(page, 'scripts', 'Scripts and integrations API tokens')
    await expect(page.getByRole('button', { name: 'New token' })).toBeFocused()
    await take(page, 'workflow ledg', 'Workflow Ledgers')
    await expect(page.getByRole('region', { name: 'Workflow' })).toBeFocused()
    await take(page, 'fields ledg', 'Fields and settings Ledgers')
    await expect(page).toHaveURL(/\/collections\/ledgers\/settings$/)
  })

  await test.step('recent commands are listed first', async () => {
    await open(page)
    await expect(group(page, 'Recently used').getByRole('option').first()).toHaveAccessibleName(/Fields and settings/)
    expect(await axeFindings(page)).toEqual([])
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/palette.png` })
    await page.keyboard.press('Escape')
  })

  await test.step('the palette creates a record in another collection', async () => {
    await page.goto('/collections/errands')
    await expect(page.getByRole('link', { name: 'Buy stamps' })).toBeVisible()
    await take(page, 'new rec led', 'New record in Ledgers')
    await expect(page).toHaveURL(/\/collections\/ledgers\?.*open=/)
    // In an untitled record, the title input is focused.
    await expect(
      page.getByRole('region', { name: 'Record in Ledgers' }).getByRole('textbox', { name: 'Title' }),
    ).toBeFocused()
  })

  await test.step('the palette creates a collection', async () => {
    await take(page, '>new coll', 'New collection')
    await expect(page.getByRole('dialog', { name: 'New collection' }).getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
  })

  await test.step('the palette suggests and opens an alternative to a missing feature', async () => {
    await page.goto('/collections/errands')
    await expect(page.getByRole('link', { name: 'Buy stamps' })).toBeVisible()
    await open(page, 'kanban')
    await expect(chosen(page)).toHaveAccessibleName(/^Board \(Kanban\) Not available yet\. Group a list by status/)
    expect(await axeFindings(page)).toEqual([])
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/palette-missing.png` })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Group' })).toBeVisible()
    await page.keyboard.press('Escape')
    await take(page, 'recycle bin', /^Trash/)
    await expect(page).toHaveURL(/\/trash$/)
    await take(page, 'webhook', /^Webhooks Not available yet/)
    await expect(page).toHaveURL(/\/api\/docs$/)
  })

  await test.step('the palette runs list commands', async () => {
    await page.goto('/collections/errands')
    await expect(page.getByRole('link', { name: 'Buy stamps' })).toBeVisible()
    await open(page, '>')
    for (const name of ['New record', 'Filter', 'Sort', 'Group', 'Columns', 'Export this list', 'Search this list']) {
      await expect(group(page, 'On this page').getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible()
    }
    await expect(group(page, 'Go to')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await take(page, '>filter', /^Filter/)
    await expect(page.getByRole('dialog', { name: 'Filter' })).toBeVisible()
    await page.keyboard.press('Escape')
    await take(page, '>export', /^Export/)
    await expect(page.getByRole('dialog', { name: /Export/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await take(page, '>all records', /^Show all records/)
    await expect(page).toHaveURL(/perPage=all/)
  })

  await test.step('the palette runs record commands', async () => {
    await page.getByRole('link', { name: 'Buy stamps' }).click()
    await expect(page.getByRole('region', { name: 'Record in Errands' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Next record' })).not.toHaveAttribute('aria-disabled', 'true')
    await take(page, '>next', /^Next record/)
    await expect(page.getByRole('textbox', { name: 'Title' }).first()).toHaveValue('Post letters')
    await open(page, '>delete')
    await expect(line(page, 'Delete this record')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('typing a slash lists only pages', async () => {
    await open(page, '/')
    await expect(group(page, 'Go to')).toBeVisible()
    await expect(group(page, 'On this page')).toHaveCount(0)
    await page.keyboard.press('ArrowUp')
    await expect(chosen(page)).toHaveText((await lines(page).last().textContent()) ?? '')
    await page.keyboard.press('Escape')
  })

  await test.step('everything fits the smallest screen, even in dark mode', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await open(page, 'e')
    await expect(lines(page).first()).toBeVisible()
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/palette-320.png` })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    const box = await page.getByRole('listbox', { name: 'Results' }).boundingBox()
    expect(box?.width).toBeLessThanOrEqual(320)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('a read-only user is offered only read commands', async () => {
    const { ask } = await asProgram(server.url, ADA)
    await acceptInvitation(ask, GRACE, 'viewer')
    await signOut(page)
    await signIn(page, GRACE)
    await page.goto('/collections/errands')
    await expect(page.getByRole('link', { name: 'Buy stamps' })).toBeVisible()
    await open(page, '>')
    await expect(group(page, 'On this page').getByRole('option', { name: /^Filter/ })).toBeVisible()
    const offered = await lines(page).allTextContents()
    expect(offered.filter((text) => /New record|New collection|Import/.test(text))).toEqual([])
    await field(page).fill('/')
    expect((await lines(page).allTextContents()).filter((text) => /Workspace|Audit|Roles/.test(text))).toEqual([])
  })
})
