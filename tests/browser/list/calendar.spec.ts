import { expect, type Locator, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { acceptInvitation, ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, timezoneId: 'Europe/Vienna', locale: 'en-GB' })

/** The month that a calendar shows first, as `YYYY-MM`. */
const month = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Vienna',
  year: 'numeric',
  month: '2-digit',
}).format()
const on = (day: number): string => `${month}-${String(day).padStart(2, '0')}`
const longDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day))

const BEN = { name: 'Ben', email: 'ben@example.org', password: 'twelve cranes read the tide tables' }

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Due', kind: 'date' },
  { label: 'Until', kind: 'date' },
  { label: 'Call', kind: 'date-time' },
  { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
]

async function makeJobs(url: string, name: string, records: readonly object[]) {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', { label: name, name, fields: FIELDS })
  const ids = new Map<string, string>()
  for (const values of records) {
    const made = await ask('POST', `/api/collections/${name}/records`, { values })
    if ('title' in values) ids.set(String(values.title), String(made['id']))
  }
  const valueOf = async (title: string, field: string) => {
    const { values } = (await ask('GET', `/api/collections/${name}/records/${ids.get(title)}`)) as {
      readonly values: { readonly [field: string]: unknown }
    }
    return values[field]
  }
  return { ask, valueOf, idOf: (title: string) => ids.get(title) }
}

const day = (page: Page, date: string): Locator =>
  page.locator('.calendar-day', { has: page.getByRole('button', { name: new RegExp(`^${longDay(date)}, `) }) })
const event = (within: Page | Locator, title: string): Locator =>
  within.locator('.event').filter({ hasText: title }).first()
const said = (page: Page): Locator => page.locator('.calendar > [role="status"]')

async function choose(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: /^Layout/ }).click()
  await page.getByRole('dialog', { name: 'Layout' }).getByRole('radio', { name: kind }).press('Space')
  await page.keyboard.press('Escape')
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('Not in sight')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 })
  await page.mouse.up()
}

test('a calendar shows records on their days, which are moved by mouse and keyboard', async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { ask, valueOf, idOf } = await makeJobs(server.url, 'roofs', [
    { title: 'Roof', due: on(10), status: 'open' },
    { title: 'Attic', due: on(11), until: on(13), status: 'open' },
    { title: 'Well', due: on(20), status: 'done' },
    { title: 'Fence', status: 'open' },
  ])
  await signIn(page, ADA)
  await page.goto('/collections/roofs')
  await choose(page, 'Calendar')

  await test.step('records are on their days', async () => {
    await expect(event(day(page, on(10)), 'Roof')).toBeVisible()
    await expect(event(day(page, on(20)), 'Well')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('the list’s filter applies', async () => {
    await page.goto(`/collections/roofs?filter=${encodeURIComponent('status = "open"')}`)
    await expect(event(day(page, on(10)), 'Roof')).toBeVisible()
    await expect(event(page, 'Well')).toHaveCount(0)
  })

  await test.step('the month and the period are in the address, also after a reload and when going back', async () => {
    const title = page.locator('.dates-title')
    const month = (await title.textContent()) ?? ''
    await page.getByRole('button', { name: 'Next month' }).click()
    await expect(title).not.toHaveText(month)
    const next = (await title.textContent()) ?? ''
    await page.getByText('Week', { exact: true }).click()
    await expect(page).toHaveURL(/[?&]day=\d{4}-\d\d-\d\d&period=week/)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Next week' })).toBeVisible()
    await page.goBack()
    await expect(title).toHaveText(next)
    await page.goBack()
    await expect(title).toHaveText(month)
    await page.goForward()
    await expect(title).toHaveText(next)
    // The period chosen last is remembered.
    await page.getByText('Week', { exact: true }).click()
    await page.getByText('Month', { exact: true }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    await expect(event(day(page, on(10)), 'Roof')).toBeVisible()
  })

  await test.step('an empty month leads to the nearest records', async () => {
    for (let months = 0; months < 2; months += 1) await page.getByRole('button', { name: 'Next month' }).click()
    await expect(page.getByRole('button', { name: 'Later records' })).toHaveCount(0)
    await page.getByRole('button', { name: /^Earlier records: 11 / }).click()
    await expect(event(day(page, on(10)), 'Roof')).toBeVisible()
  })

  await test.step('a record that is dragged to another day can be undone', async () => {
    await drag(page, event(page, 'Roof'), day(page, on(12)))
    await expect(event(day(page, on(12)), 'Roof')).toBeVisible()
    await expect.poll(() => valueOf('Roof', 'due')).toBe(on(12))
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(event(day(page, on(10)), 'Roof')).toBeVisible()
    await expect.poll(() => valueOf('Roof', 'due')).toBe(on(10))
    await drag(page, event(page, 'Roof'), day(page, on(17)))
    await expect.poll(() => valueOf('Roof', 'due')).toBe(on(17))
    await event(page, 'Roof').focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => valueOf('Roof', 'due')).toBe(on(10))
  })

  await test.step('the keyboard picks up, moves and drops a record, which is announced', async () => {
    await event(page, 'Roof').focus()
    await page.keyboard.press('Space')
    await expect(said(page)).toContainText('Picked up Roof')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect(event(day(page, on(18)), 'Roof')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(said(page)).toContainText('Canceled')
    await expect(event(day(page, on(10)), 'Roof')).toBeFocused()
    expect(await valueOf('Roof', 'due')).toBe(on(10))
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await expect(said(page)).toContainText('Roof moved to')
    await expect.poll(() => valueOf('Roof', 'due')).toBe(on(17))
  })

  await test.step('a record that someone else moved in the meantime isn’t overwritten', async () => {
    await page.goto('/collections/roofs')
    await expect(event(day(page, on(20)), 'Well')).toBeVisible()
    await ask('PATCH', `/api/collections/roofs/records/${idOf('Well')}`, { values: { due: on(22) } })
    await drag(page, event(page, 'Well'), day(page, on(24)))
    await expect(page.getByRole('alert')).toContainText('Some cells changed in the meantime')
    await expect(event(day(page, on(22)), 'Well')).toBeVisible()
    expect(await valueOf('Well', 'due')).toBe(on(22))
  })

  await test.step('an end date turns records into bars, whose ends can be moved', async () => {
    await page.getByRole('button', { name: /^Layout/ }).click()
    const layout = page.getByRole('dialog', { name: 'Layout' })
    await layout.getByRole('combobox', { name: 'End date' }).click()
    await page.getByRole('option', { name: 'Until' }).click()
    await page.keyboard.press('Escape')
    await event(page, 'Attic').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('e')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => valueOf('Attic', 'until')).toBe(on(14))
    expect(await valueOf('Attic', 'due')).toBe(on(11))
  })

  await test.step('a record without a date is dragged from a list to a day', async () => {
    await page.getByRole('button', { name: 'No date (1)' }).click()
    const list = page.getByRole('complementary', { name: 'Records without a date' })
    await drag(page, list.getByRole('link', { name: 'Fence' }), day(page, on(25)))
    await expect.poll(() => valueOf('Fence', 'due')).toBe(on(25))
    await expect(list.getByText('Every record has a date.')).toBeVisible()
    await list.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('a click opens the record, and a new record gets its day', async () => {
    await event(page, 'Attic').click()
    const panel = page.getByRole('region', { name: /^Record in/ })
    await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Attic')
    await page.goto('/collections/roofs')
    await day(page, on(5)).hover()
    await day(page, on(5))
      .getByRole('button', { name: /^New record on/ })
      .click()
    await expect(page).toHaveURL(/open=/)
    await expect(day(page, on(5)).getByRole('link')).toHaveCount(1)
  })
})

test('a calendar is shared with people who can only read it, and becomes an agenda on a phone', async ({
  page,
  server,
  browser,
}) => {
  const crowd = Array.from({ length: 12 }, (_, at) => ({ title: `Call ${at}`, due: on(15) }))
  const { ask } = await makeJobs(server.url, 'calls', [{ title: 'Roof', due: on(10) }, ...crowd])
  const grantsOf = (...verbs: readonly string[]) =>
    verbs.map((verb) => ({ permission: `records:${verb}`, collection: null }))
  const policy = await ask('POST', '/api/policies', { name: 'Planning', grants: grantsOf('read', 'update') })
  const role = await ask('POST', '/api/roles', { name: 'Planner', policies: [policy['id']] })
  await acceptInvitation(ask, BEN, String(role['id']))
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto('/collections/calls')
  await choose(page, 'Calendar')
  await page.getByRole('button', { name: /^(?:Save as new|New) view/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New view' })
  await dialog.getByLabel('Name').fill('Plan')
  await dialog.getByRole('checkbox', { name: /Share with everyone/ }).check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(page).toHaveURL(/view=/)

  await test.step('a crowded day lists its records', async () => {
    await day(page, on(15))
      .getByRole('button', { name: /more on/ })
      .click()
    const all = page.getByRole('dialog', { name: longDay(on(15)) })
    await expect(all.getByRole('link')).toHaveCount(12)
    await page.keyboard.press('Escape')
  })

  await test.step('a record returns if the permission is revoked while it is moved', async () => {
    const other = await (await browser.newContext({ timezoneId: 'Europe/Vienna', locale: 'en-GB' })).newPage()
    await other.setViewportSize({ width: 1440, height: 900 })
    await other.goto(server.url)
    await signIn(other, BEN)
    await other.goto(new URL(page.url()).pathname + new URL(page.url()).search)
    await event(other, 'Roof').focus()
    await other.keyboard.press('Space')
    await other.keyboard.press('ArrowRight')
    await expect(event(day(other, on(11)), 'Roof')).toBeVisible()
    await ask('PATCH', `/api/policies/${String(policy['id'])}`, {
      grants: grantsOf('read'),
      version: policy['version'],
    })
    await other.keyboard.press('Space')
    await expect(other.getByRole('alert')).toContainText('Couldn’t save')
    await expect(event(day(other, on(10)), 'Roof')).toBeVisible()
    await other.reload()
    await event(other, 'Roof').focus()
    await other.keyboard.press('Space')
    await expect(said(other)).toContainText('read-only')
    await other.context().close()
  })

  await test.step('it is accessible in light and dark, and on a phone', async () => {
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expect(event(page, 'Roof')).toBeVisible()
        expect(await axeFindings(page), `${width} ${colorScheme}`).toEqual([])
      }
    }
    await expect(page.getByRole('region', { name: longDay(on(15)) }).getByRole('link')).toHaveCount(12)
    await expect(page.getByRole('radio', { name: 'Month' })).toHaveCount(0)
  })
})

test('a date-time keeps its time of day when it is moved across daylight saving time', async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { valueOf } = await makeJobs(server.url, 'spring', [
    // 9:30 in Vienna, the day before clocks go forward.
    { title: 'Spring', call: '2026-03-28T08:30:00.000Z', due: '2026-03-28' },
    { title: 'Late', call: '2026-03-28T22:30:00.000Z', due: '2026-03-28' },
  ])
  await signIn(page, ADA)
  await page.goto('/collections/spring')
  await choose(page, 'Calendar')
  await page.getByRole('button', { name: /^Layout/ }).click()
  await page.getByRole('combobox', { name: 'Start date' }).click()
  await page.getByRole('option', { name: 'Call' }).click()
  await page.keyboard.press('Escape')
  const heading = page.getByRole('heading', { name: 'March 2026' })
  const before = page.getByRole('button', { name: 'Previous month' })
  await expect(async () => {
    if (!(await heading.isVisible())) await before.click()
    await expect(heading).toBeVisible({ timeout: 100 })
  }).toPass()
  await expect(event(day(page, '2026-03-28'), 'Late')).toBeVisible()
  await event(page, 'Spring').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect.poll(() => valueOf('Spring', 'call')).toBe('2026-03-29T07:30:00.000Z')
  expect(await valueOf('Spring', 'due')).toBe('2026-03-28')
})
