import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { scriptLoaded, test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, acceptInvitation, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

const PHONE = { width: 375, height: 812 }

test.use({ serverSettings: WITH_ADA })
test.setTimeout(180_000)
test.use({ locale: 'en-US' })

/** Checks the page with axe; takes screenshots if requested. */
async function look(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page), name).toEqual([])
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

const cards = (page: Page, label: string) => page.getByRole('list', { name: label, exact: true })
const cardOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const boxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

async function makeBoats(url: string, label: string, count: number) {
  const program = await asProgram(url, ADA)
  const name = label.toLowerCase()
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Status', kind: 'select', options: choices('afloat', 'ashore', 'sunk') },
    { label: 'Length', kind: 'number' },
    { label: 'Built', kind: 'date' },
    { label: 'Home port', name: 'port', kind: 'text' },
    { label: 'Remarks', kind: 'long-text' },
  ]
  await program.ask('POST', '/api/collections', { label, name, fields })
  const create = Array.from({ length: count }, (_, at) => ({
    values: {
      title: `Boat ${at + 1}`,
      status: ['afloat', 'ashore', 'sunk'][at % 3],
      length: at + 5,
      built: `19${10 + (at % 80)}-04-0${1 + (at % 9)}`,
      port: at % 4 === 0 ? null : 'Fowey',
    },
  }))
  for (let at = 0; at < count; at += 5000) {
    await program.ask('POST', `/api/collections/${name}/records/bulk`, { create: create.slice(at, at + 5000) })
  }
  return program
}

test('a narrow list shows cards with the same features as the grid', async ({ page, server }) => {
  await makeBoats(server.url, 'Boats', 3000)
  await page.setViewportSize(PHONE)
  await signIn(page, ADA)
  await page.goto('/collections/boats')
  await expect(cards(page, 'Boats').getByRole('listitem')).toHaveCount(10)
  await page.waitForLoadState('networkidle')

  await test.step('a card shows its title and first fields, with touch-sized targets', async () => {
    const first = cards(page, 'Boats').getByRole('listitem').first()
    await expect(first).toHaveText(/Boat 1\s*Status\s*afloat\s*Length\s*5\s*Built\s*Apr 1, 1910\s*Home port/)
    await expect(first).toHaveAttribute('aria-setsize', '3000')
    for (const control of [
      boxOf(page, 'Boat 1').locator('..'),
      first.getByRole('button', { name: 'More actions for Boat 1' }),
    ]) {
      expect(await control.boundingBox()).toMatchObject({ width: 44, height: 44 })
    }
    await look(page, 'cards')
  })

  await test.step('cards are selected by touch and keyboard for bulk actions', async () => {
    await boxOf(page, 'Boat 2').check()
    await cardOf(page, 'Boat 4').focus()
    await page.keyboard.press('Shift+Space')
    await expect(page.getByText('3 selected', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(cardOf(page, 'Boat 5')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(boxOf(page, 'Boat 5')).toBeChecked()
    await look(page, 'cards-selected')
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByRole('checkbox', { name: 'Select all records on this page' }).check()
    await expect(page.getByText('10 selected', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Select all 3,000 matching' }).click()
    await expect(page.getByText('3,000 selected', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('a record opens over the list, can be edited, and returns focus when closed', async () => {
    await cardOf(page, 'Boat 3').click()
    const sheet = page.getByRole('region', { name: 'Record in Boats' })
    await expect(sheet.getByRole('textbox', { name: 'Title' })).toHaveValue('Boat 3')
    await look(page, 'cards-open')
    await sheet.getByRole('textbox', { name: 'Home port' }).fill('Looe')
    await sheet.getByRole('textbox', { name: 'Home port' }).press('Enter')
    await expect(sheet.getByText('Saved', { exact: true }).first()).toBeVisible()
    await sheet.getByRole('button', { name: 'Close record' }).click()
    await expect(cardOf(page, 'Boat 3')).toBeFocused()
    await expect(cards(page, 'Boats').getByRole('listitem').nth(2)).toContainText('Looe')
  })

  await test.step('the list of all cards scrolls, and End reaches the last card', async () => {
    await page.getByLabel('Records per page').selectOption('All')
    await cardOf(page, 'Boat 1').focus()
    await page.keyboard.press('End')
    await expect(cardOf(page, 'Boat 3000')).toBeFocused()
    await expect(cardOf(page, 'Boat 3000')).toBeInViewport()
    expect(await page.locator('.card').count()).toBeLessThan(80)
    await page.keyboard.press('Space')
    await expect(page.getByText('1 selected', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('Home')
    await expect(cardOf(page, 'Boat 1')).toBeInViewport()
    await expect(page.getByText('1 selected', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('groups of cards can be collapsed', async () => {
    await page.goto('/collections/boats?group=status&perPage=all')
    const head = page.getByRole('button', { name: /^afloat 1,000/ })
    await expect(head).toHaveAttribute('aria-expanded', 'true')
    await look(page, 'cards-groups')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await look(page, 'cards-dark-rtl')
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
    await page.emulateMedia({ colorScheme: 'light' })
    await head.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(head).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: /^ashore 1,000/ })).toBeFocused()
    await expect(page.getByRole('button', { name: /^ashore 1,000/ })).toBeInViewport()
  })

  await test.step("a card's menu contains the record actions", async () => {
    await page.goto('/collections/boats?sort=-length')
    await page.getByRole('button', { name: 'More actions for Boat 3000' }).click()
    await page.getByRole('menuitem', { name: 'Delete record' }).click()
    await expect(cardOf(page, 'Boat 3000')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cardOf(page, 'Boat 3000')).toBeVisible()
  })
})

/** Layout shifts while the page loads. */
async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // TypeScript's DOM library doesn't include this entry type.
    type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean }
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) shifts.sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const shiftsOf = (page: Page) => page.evaluate(() => Number(Reflect.get(window, 'shifts').sum))

const listRequests = '**/api/collections/*/records?*'

test('a list shows a message for each state: slow, empty, no results, offline, failed, deleted', async ({
  page,
  context,
  server,
}) => {
  const program = await makeBoats(server.url, 'Ships', 24)
  await page.setViewportSize({ width: 1440, height: 900 })
  await noteShifts(page)
  await signIn(page, ADA)
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  const named = (name: string) => page.getByRole('rowheader', { name, exact: true })

  await test.step('slow server: a message appears after a second, without a layout shift', async () => {
    const [definitions, records] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/collections', (route) => definitions.promise.then(() => route.continue()))
    await page.route(listRequests, (route) => records.promise.then(() => route.continue()))
    await page.goto('/collections/ships')
    await expect(page.getByText('Still loading: the server is slow to respond.')).toBeVisible()
    await look(page, 'state-slow-page')
    definitions.resolve()
    await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true')
    await expect(page.getByText('Still loading: the server is slow to respond.')).toBeVisible()
    await look(page, 'state-slow-rows')
    records.resolve()
    await expect(rows).toHaveCount(10)
    await page.unrouteAll()
    expect(await shiftsOf(page)).toBeLessThan(0.02)
  })

  await test.step('switching between pages and all records keeps selection, filter and position', async () => {
    await page.goto(`/collections/ships?filter=${encodeURIComponent('length > 6')}`)
    await named('Boat 6').click({ position: { x: 150, y: 10 } })
    await boxOf(page, 'Boat 5').check()
    await named('Boat 6').click({ position: { x: 150, y: 10 } })
    const size = page.getByLabel('Records per page')
    await size.focus()
    await size.selectOption('All')
    await expect(named('Boat 16')).toBeVisible()
    await expect(page).toHaveURL(/filter=length.*perPage=all/)
    await expect(size).toBeFocused()
    await expect(boxOf(page, 'Boat 5')).toBeChecked()
    await expect(named('Boat 6')).toHaveAttribute('tabindex', '0')
    await size.selectOption('30')
    await expect(boxOf(page, 'Boat 5')).toBeChecked()
    await expect(named('Boat 6')).toHaveAttribute('tabindex', '0')
    await expect(size).toBeFocused()
  })

  await test.step('the page size is remembered', async () => {
    await page.goto('/collections/ships')
    await expect(rows).toHaveCount(24)
    await page.getByLabel('Records per page').selectOption('10')
    await expect(rows).toHaveCount(10)
    await page.goto('/collections/ships')
    await expect(rows).toHaveCount(10)
  })

  await test.step('an outdated link shows which field is missing and offers the list without it', async () => {
    await page.goto('/collections/ships?group=harbour&sort=harbour')
    await expect(page.getByText('There is no field “harbour” in Ships.')).toBeVisible()
    await look(page, 'state-order-gone')
    await page.getByRole('button', { name: 'Clear sort and groups' }).click()
    await expect(rows).toHaveCount(10)
    await expect(page).toHaveURL(/\/collections\/ships$/)
  })

  await test.step('no results: one click clears the filter', async () => {
    await page.goto(`/collections/ships?filter=${encodeURIComponent('length > 900')}`)
    await expect(page.getByText('No records match the filter.')).toBeVisible()
    await look(page, 'state-nothing-found')
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await expect(rows).toHaveCount(10)
    await page.getByRole('searchbox', { name: 'Search' }).fill('zeppelin')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(rows).toHaveCount(10)
  })

  await test.step('offline: the list remains visible, and edits are queued and saved later', async () => {
    await scriptLoaded(page, 'status-bars')
    await scriptLoaded(page, 'cell-editors')
    await context.setOffline(true)
    await page.getByRole('gridcell', { name: '5', exact: true }).click()
    await page.keyboard.type('55')
    await page.keyboard.press('Enter')
    const bar = page.locator('[data-kind="offline"]')
    await expect(bar).toContainText('Can’t reach the server.')
    await expect(rows).toHaveCount(10)
    await expect(page.getByRole('gridcell', { name: '55', exact: true })).toBeVisible()
    await look(page, 'state-offline')
    await context.setOffline(false)
    await expect(bar).toBeHidden({ timeout: 20_000 })
    const first = async () => {
      const { items } = await program.ask('GET', '/api/collections/ships/records?fields=length&perPage=1')
      // Matches the API contract.
      return (items as readonly { readonly values: object }[])[0]?.values
    }
    await expect.poll(first).toEqual({ length: 55 })
  })

  await test.step('failing server: the error is shown in place with a retry button', async () => {
    await page.route(listRequests, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'internal-error',
          title: 'x',
          status: 500,
          detail: 'Try again.',
          requestId: 'r1',
        }),
      }),
    )
    await page.reload()
    await expect(page.getByRole('alert').filter({ hasText: 'Server error' })).toBeVisible({
      timeout: 20_000,
    })
    await look(page, 'state-failed')
    await page.unroute(listRequests)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows).toHaveCount(10)
  })

  await test.step('empty list: the first step is suggested', async () => {
    await program.ask('POST', '/api/collections', { label: 'Rafts', name: 'rafts' })
    await page.goto('/collections/rafts')
    await expect(page.getByText('Rafts has no records yet.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Import CSV' }).last()).toHaveAttribute('href', '/import?into=rafts')
    await look(page, 'state-empty')
  })
})

const CLERK = { name: 'Cleo', email: 'cleo@example.org', password: 'eleven storks count the stars' }

/** Creates a user who can read skiffs; returns a function that limits the readable fields. */
async function letClerkIn({ ask }: Awaited<ReturnType<typeof asProgram>>) {
  const grant = { permission: 'records:read', collection: 'skiffs' }
  const policy = await ask('POST', '/api/policies', { name: 'Harbour watch', grants: [grant] })
  const role = await ask('POST', '/api/roles', { name: 'Harbour watch', policies: [policy['id']] })
  await acceptInvitation(ask, CLERK, String(role['id']))
  return (fields: object) =>
    ask('PATCH', `/api/policies/${String(policy['id'])}`, {
      grants: [{ ...grant, fields }],
      version: policy['version'],
    })
}

test('concurrent changes are handled: a revoked permission, a deleted field or collection, an ended session', async ({
  page,
  server,
  browser,
}) => {
  const program = await makeBoats(server.url, 'Tugs', 12)
  await page.setViewportSize({ width: 1440, height: 900 })

  await test.step('the column of a field that became unreadable disappears with the next response', async () => {
    const leave = await letClerkIn(await makeBoats(server.url, 'Skiffs', 12))
    const theirs = await browser.newPage({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
    await signIn(theirs, CLERK)
    await theirs.goto('/collections/skiffs')
    await expect(theirs.getByRole('columnheader', { name: 'Length' })).toBeVisible()
    await leave({ except: ['length'] })
    await theirs.getByRole('button', { name: 'Next page' }).click()
    await expect(theirs.getByRole('columnheader', { name: 'Length' })).toHaveCount(0)
    await expect(theirs.getByRole('link', { name: 'Boat 12', exact: true })).toBeVisible()
    await theirs.close()
  })

  await signIn(page, ADA)
  await page.goto('/collections/tugs?sort=-length')
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(10)

  await test.step('the column of a deleted field disappears with the next response', async () => {
    const { fields } = await program.ask('GET', '/api/collections/tugs')
    // Matches the API contract.
    const built = (fields as readonly { readonly id: string; readonly name: string }[]).find(
      ({ name }) => name === 'built',
    )
    await program.ask('DELETE', `/api/collections/tugs/fields/${built?.id}`)
    await expect(page.getByRole('columnheader', { name: 'Built' })).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByRole('columnheader', { name: 'Built' })).toHaveCount(0)
    await expect(rows).toHaveCount(2)
  })

  await test.step('an ended session redirects to sign-in and back to the same list', async () => {
    await program.endAllSessions()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(page).toHaveURL(/\/login\?return=/)
    await page.getByLabel('Email').fill(ADA.email)
    await page.getByLabel('Password', { exact: true }).fill(ADA.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/\/collections\/tugs\?sort=-length/)
    await expect(rows.first()).toContainText('Boat 12')
  })

  await test.step('a collection that was deleted shows a message', async () => {
    const again = await asProgram(server.url, ADA)
    await again.ask('DELETE', '/api/collections/tugs')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByRole('heading', { name: '“Tugs” no longer exists' })).toBeVisible()
    await look(page, 'state-gone')
    await page.getByRole('link', { name: 'Go home' }).click()
    await expect(page).toHaveURL(`${server.url}/`)
  })
})
