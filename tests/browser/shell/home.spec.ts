import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, GRACE, acceptInvitation, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
test.setTimeout(90_000)

const waiting = (page: Page) => page.getByRole('region', { name: 'To do' })
const drafts = (page: Page) => page.getByRole('region', { name: 'Your drafts' })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent' })
const inWaiting = (page: Page, name: RegExp) => waiting(page).getByRole('link', { name })

type Made = {
  readonly id: string
  readonly name: string
  readonly fields: { options: { choices: { id: string }[] } }[]
}

/** Creates a collection with a workflow from new to checked; returns a function that adds a record. */
async function applications(url: string, label: string) {
  const { ask } = await asProgram(url, ADA)
  const choices = [
    { name: 'new', color: 'blue' },
    { name: 'checked', color: 'green' },
  ]
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'State', kind: 'state', options: { choices } },
  ]
  // Response format of the endpoint.
  const made = (await ask('POST', '/api/collections', { label, icon: 'file-text', color: 'amber', fields })) as Made
  const [from, to] = made.fields[1]?.options.choices ?? []
  const transitions = [{ name: 'Check', from: from?.id, to: to?.id, roles: ['owner'], note: 'none', when: null }]
  await ask('PATCH', `/api/collections/${made.name}`, { workflow: { transitions, states: {} } })
  const add = async (title: string): Promise<string> =>
    String((await ask('POST', `/api/collections/${made.name}/records`, { values: { title } }))['id'])
  return { ask, add, name: made.name }
}

test('to-do records are on the home page with a link to the full list', async ({ page, server }) => {
  const { ask, add, name } = await applications(server.url, 'Concessions')
  const first = await add('Well in the north')
  for (let at = 1; at <= 11; at += 1) await add(`Barn ${at}`)
  await signIn(page, ADA)
  await page.goto('/')

  await test.step('to-do records are shown newest first, up to a limit', async () => {
    await expect(inWaiting(page, /^Barn 11 new Concessions/)).toBeVisible()
    await expect(inWaiting(page, /^Well in the north/)).toBeHidden()
    await waiting(page)
      .getByRole('button', { name: /^Show \d+ more$/ })
      .press('Enter')
    await expect(inWaiting(page, /^Well in the north/)).toBeVisible()
  })

  await test.step('a link opens the full list of to-do records', async () => {
    await inWaiting(page, /^All 12 in Concessions$/).click()
    await expect(page.getByRole('heading', { name: 'Concessions' })).toBeVisible()
    await expect(page.getByText('12 of 12 records', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/filter=state/)
  })

  await test.step('records moved to another status disappear from the to-do list', async () => {
    await ask('POST', `/api/collections/${name}/records/${first}/transitions`, { to: 'checked' })
    await page.goto('/')
    await expect(inWaiting(page, /^All 11 in Concessions$/)).toBeVisible()
  })
})

test('a read-only user has an empty to-do list with an explanation', async ({ page, server }) => {
  const { ask, add } = await applications(server.url, 'Licences')
  await add('Fishing')
  await acceptInvitation(ask, GRACE, 'viewer')
  await signIn(page, GRACE)
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('link', { name: /^Licences/ })).toBeVisible()
  await expect(waiting(page)).toBeHidden()
  await expect(recent(page)).toContainText('Records you open will appear here.')
  // Without recent records, the collections are shown first.
  const [own, cards] = [await recent(page).boundingBox(), await page.locator('[data-tour="collections"]').boundingBox()]
  expect(own?.y).toBeGreaterThan(Number(cards?.y) + Number(cards?.height))
})

test('unsaved drafts are listed on the home page, can be opened, and can be discarded with undo', async ({
  page,
  server,
}) => {
  const { add, name } = await applications(server.url, 'Claims')
  const id = await add('Broken window')
  await signIn(page, ADA)
  await page.goto(`/collections/${name}/${id}`)
  const title = page.getByRole('textbox', { name: 'Title' })
  await expect(title).toHaveValue('Broken window')
  await page.route(`**/api/collections/${name}/records/*`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await title.fill('Broken window of the school')
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home', exact: true }).click()
  const draft = drafts(page).getByRole('link', { name: /^Broken window Claims/ })
  await expect(draft).toBeVisible()

  await test.step('a draft is discarded, and undo restores it', async () => {
    await drafts(page).getByRole('button', { name: 'Discard the draft of Broken window' }).press('Enter')
    await expect(drafts(page)).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(draft).toBeVisible()
  })

  await test.step('an opened draft can be continued', async () => {
    await draft.click()
    await expect(title).toHaveValue('Broken window of the school')
    await page.unroute(`**/api/collections/${name}/records/*`)
  })
})

test('a record deleted by another user disappears from the recent list without breaking it', async ({
  page,
  server,
}) => {
  const { ask, add, name } = await applications(server.url, 'Hearings')
  const [gone, kept] = [await add('Parcel that goes'), await add('Parcel that stays')]
  await signIn(page, ADA)
  for (const [id, title] of [
    [gone, 'Parcel that goes'],
    [kept, 'Parcel that stays'],
  ]) {
    await page.goto(`/collections/${name}/${id}`)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(String(title))
  }
  await ask('DELETE', `/api/collections/${name}/records/${gone}`)
  await page.goto('/')
  await expect(recent(page).getByRole('link', { name: /^Parcel that stays/ })).toBeVisible()
  await expect(recent(page).getByRole('link', { name: /^Parcel that goes/ })).toHaveCount(0)
})

test('relative times are correct on first render, and absolute when printed', async ({ page, server }) => {
  const { add, name } = await applications(server.url, 'Permits')
  const id = await add('Market stall')
  await page.clock.install()
  await signIn(page, ADA)
  await page.goto(`/collections/${name}/${id}`)
  await expect(page.getByText(/^Created now/)).toBeVisible()
  await page.goto(`/collections/${name}`)
  await expect(page.getByRole('link', { name: 'Market stall' })).toBeVisible()
  // Starts on a page without relative times, so that no timer is running.
  await page.clock.fastForward('03:00:00')
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home', exact: true }).click()
  const time = recent(page)
    .getByRole('link', { name: /^Market stall/ })
    .locator('time')
  await expect(time).toHaveText('3 hours ago')

  await page.emulateMedia({ media: 'print' })
  await expect(time.getByText('3 hours ago')).toBeHidden()
  const printed = await time.evaluate((element) => getComputedStyle(element, '::after').content)
  expect(printed).toMatch(/^"\w+ \d+, \d{4} at \d+:\d\d\s[AP]M"$/u)
})

for (const width of [1440, 375, 320]) {
  test(`the home page is accessible in light and dark mode at ${width} pixels`, async ({ page, server }) => {
    const { add, name } = await applications(server.url, `Requests ${width}`)
    const id = await add(`Chair ${width}, and whatever else is long enough to be cut where there is little room`)
    await signIn(page, ADA)
    await page.goto(`/collections/${name}/${id}`)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(/^Chair/)
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto('/')
      await expect(inWaiting(page, new RegExp(`^Chair ${width}`))).toBeVisible()
      await expect(recent(page).getByRole('link', { name: new RegExp(`^Chair ${width}`) })).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  })
}

test('the home page uses the full width of a wide screen and one column on a phone', async ({ page, server }) => {
  const { add } = await applications(server.url, 'Surveys')
  await add('Bridge')
  await signIn(page, ADA)
  const places = async () => {
    const own = await waiting(page).boundingBox()
    const cards = await page.locator('[data-tour="collections"]').boundingBox()
    if (!own || !cards) throw new Error('They are not there.')
    return { own, cards }
  }
  await page.setViewportSize({ width: 2560, height: 1300 })
  await page.goto('/')
  await expect(inWaiting(page, /^Bridge/)).toBeVisible()
  const wide = await places()
  expect(wide.cards.x).toBeGreaterThan(wide.own.x + wide.own.width)
  expect(wide.own.width + wide.cards.width).toBeGreaterThan(1500)
  await page.setViewportSize({ width: 375, height: 800 })
  const narrow = await places()
  expect(narrow.cards.y).toBeGreaterThan(narrow.own.y + narrow.own.height)
  expect(narrow.cards.width).toBeGreaterThan(320)
})
