import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  ADA,
  acceptInvitation,
  asProgram,
  GRACE,
  noteRequests,
  signIn,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

type Definition = {
  readonly id: string
  readonly fields: readonly {
    readonly id: string
    readonly name: string
    readonly options: { readonly choices?: readonly { readonly id: string; readonly name: string }[] }
  }[]
}

/** Papers whose status follows a workflow; leaving “Draft” requires a reviewer, and publishing requires a comment. */
async function makePapers(url: string, label: string) {
  const { ask } = await asProgram(url, ADA)
  const options = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })
  const made = (await ask('POST', '/api/collections', {
    label,
    name: label.toLowerCase(),
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Reviewer', kind: 'text' },
      { label: 'Shelf', kind: 'select', options: options('Upper', 'Lower') },
      { label: 'Topics', kind: 'multi-select', options: options('Birds', 'Trees') },
      { label: 'State', kind: 'state', options: options('Draft', 'In review', 'Final') },
    ],
  })) as unknown as Definition
  const fieldOf = (name: string) => made.fields.find((field) => field.name === name)
  const [draft = '', review = '', final = ''] = fieldOf('state')?.options.choices?.map(({ id }) => id) ?? []
  const path = `/api/collections/${label.toLowerCase()}`
  await ask('PATCH', path, {
    workflow: {
      transitions: [
        { name: 'Submit', from: draft, to: review },
        { name: 'Publish', from: review, to: final, note: 'required' },
        { name: 'Send back', from: review, to: draft },
      ],
      states: { [draft]: { requiredToLeave: [fieldOf('reviewer')?.id], frozen: [] } },
    },
  })
  for (const [title, reviewer, shelf] of [
    ['On otters', null, 'Upper'],
    ['On owls', 'Ben', 'Upper'],
    ['On oaks', 'Ben', 'Lower'],
  ])
    await ask('POST', `${path}/records`, { values: { title, reviewer, shelf } })
  const recordOf = async (title: string) => {
    const found = (await ask('GET', `${path}/records?filter=${encodeURIComponent(`title = "${title}"`)}`)) as {
      readonly items: readonly { readonly id: string; readonly values: { readonly [field: string]: unknown } }[]
    }
    return found.items[0]
  }
  return { ask, path, recordOf, collection: made.id }
}

const column = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}, `) })
const cardsIn = (page: Page, name: string) => column(page, name).locator('.board-title')
const card = (page: Page, title: string) => page.locator('.board-title').filter({ hasText: title })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function showBoard(page: Page, by: string): Promise<void> {
  await page.getByRole('button', { name: /^Layout/ }).click()
  const layout = page.getByRole('dialog', { name: 'Layout' })
  await layout.getByRole('radio', { name: 'Board' }).press('Space')
  await layout.getByLabel('Columns by').click()
  await page.getByRole('option', { name: by }).click()
  await page.keyboard.press('Escape')
  await expect(page.locator('.board-column').first()).toBeVisible()
}

test('cards are moved between columns by keyboard and by dragging, as the workflow allows', async ({
  page,
  server,
}) => {
  const { ask, path, recordOf } = await makePapers(server.url, 'Scrolls')
  await signIn(page, ADA)
  await page.goto('/collections/scrolls')
  await showBoard(page, 'State')

  await test.step('each status is a column with its cards', async () => {
    await expect(cardsIn(page, 'Draft')).toHaveText(['On otters', 'On owls', 'On oaks'])
    await expect(column(page, 'Draft')).toHaveAccessibleName('Draft, 3 records')
    await expect(column(page, 'Final')).toContainText('No records')
  })

  await test.step('a card opens its record and is marked; closing it returns the focus', async () => {
    await card(page, 'On oaks').focus()
    await page.keyboard.press('Enter')
    await expect(page.locator('.board-card[aria-current]')).toContainText('On oaks')
    await page
      .getByRole('button', { name: /^Close/ })
      .last()
      .click()
    await expect(page.locator('.board-card[aria-current]')).toHaveCount(0)
    await expect(page.locator('.board-title:focus')).toHaveCount(1)
  })

  await test.step('while a card is picked up, columns say why it can’t enter them', async () => {
    await card(page, 'On owls').focus()
    await page.keyboard.press('Space')
    await expect(column(page, 'Final')).toContainText('No transition leads here from Draft.')
    await expect(column(page, 'In review').locator('.board-why')).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('status').filter({ hasText: 'Final: No transition leads here' })).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(cardsIn(page, 'Draft')).toHaveCount(3)
    await expect(card(page, 'On owls')).toBeFocused()
  })

  await test.step('a card is dropped with the keyboard, and Ctrl+Z moves it back', async () => {
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect(cardsIn(page, 'In review')).toHaveText(['On owls'])
    await expect(page.getByText('Status changed to In review')).toBeVisible()
    await expect(card(page, 'On owls')).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(cardsIn(page, 'Draft')).toHaveCount(3)
  })

  await test.step('missing fields are asked for', async () => {
    await card(page, 'On otters').dragTo(column(page, 'In review'))
    const dialog = page.getByRole('dialog', { name: 'Submit: On otters' })
    await dialog.getByLabel('Reviewer').fill('Ana')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(cardsIn(page, 'In review')).toHaveText(['On otters'])
    await expect
      .poll(async () => (await recordOf('On otters'))?.values)
      .toMatchObject({
        reviewer: 'Ana',
        state: 'In review',
      })
  })

  await test.step('a required comment is asked for', async () => {
    await card(page, 'On otters').dragTo(column(page, 'Final'))
    const dialog = page.getByRole('dialog', { name: 'Publish: On otters' })
    await dialog.getByLabel('Comment').fill('Well done')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(cardsIn(page, 'Final')).toHaveText(['On otters'])
  })

  await test.step('a card that someone else edited in the meantime isn’t moved', async () => {
    await card(page, 'On owls').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    const { id } = (await recordOf('On owls')) ?? { id: '' }
    await ask('PATCH', `${path}/records/${id}`, { values: { reviewer: 'Eve' } })
    await page.keyboard.press('Space')
    await expect(page.getByText('Someone else edited this record').first()).toBeVisible()
    await expect(cardsIn(page, 'Draft')).toHaveText(['On owls', 'On oaks'])
  })
})

test('a board by an ordinary field is filtered, grouped into swimlanes and shared', async ({
  page,
  server,
  browser,
}) => {
  const { ask, path, recordOf, collection } = await makePapers(server.url, 'Essays')
  await signIn(page, ADA)
  await page.goto('/collections/essays')
  await showBoard(page, 'Shelf')

  await test.step('a dropped card can be moved back from the message', async () => {
    await card(page, 'On owls').dragTo(column(page, 'Lower'))
    await expect(cardsIn(page, 'Lower')).toHaveCount(2)
    await expect.poll(async () => (await recordOf('On owls'))?.values).toMatchObject({ shelf: 'Lower' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cardsIn(page, 'Upper')).toHaveCount(2)
  })

  await test.step('a card is moved with its menu, without dragging', async () => {
    await button(page, 'More actions for On owls').click()
    await page.getByRole('menuitem', { name: 'Move to Lower' }).click()
    await expect(cardsIn(page, 'Lower')).toHaveCount(2)
    await page.keyboard.press('Control+z')
    await expect(cardsIn(page, 'Upper')).toHaveCount(2)
  })

  await test.step('a record is created in its column', async () => {
    await column(page, 'Lower').getByRole('button', { name: 'New record' }).click()
    await expect(column(page, 'Lower')).toHaveAccessibleName('Lower, 2 records')
    await page.keyboard.press('Escape')
  })

  await test.step('the list’s filter applies to every column', async () => {
    await page.goto(`${page.url().split('?')[0]}?filter=${encodeURIComponent('reviewer = "Ben"')}`)
    await expect(cardsIn(page, 'Upper')).toHaveText(['On owls'])
    await expect(cardsIn(page, 'Lower')).toHaveText(['On oaks'])
  })

  await test.step('a group becomes swimlanes', async () => {
    await page.goto(`${page.url()}&group=state`)
    await expect(page.getByRole('group', { name: 'Draft', exact: true })).toBeVisible()
    await expect(cardsIn(page, 'Upper')).toHaveText(['On owls'])
  })

  await test.step('another user sees the shared view, in the dark and on a phone', async () => {
    await page.getByRole('button', { name: /^(?:Save as new|New) view/ }).click()
    const dialog = page.getByRole('dialog', { name: 'New view' })
    await dialog.getByLabel('Name').fill('By shelf')
    await dialog.getByRole('checkbox', { name: /Share with everyone/ }).check()
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await expect(page.getByRole('link', { name: 'By shelf' })).toHaveAttribute('aria-current', 'page')

    const grants = ['records:read', 'records:update'].map((permission) => ({ collection, permission }))
    const policy = await ask('POST', '/api/policies', { name: 'Essays', grants })
    const role = await ask('POST', '/api/roles', { name: 'Essayists', policies: [policy['id']] })
    await acceptInvitation(ask, GRACE, String(role['id']))
    const context = await browser.newContext({
      baseURL: server.url,
      colorScheme: 'dark',
      viewport: { width: 375, height: 800 },
      serviceWorkers: 'block',
    })
    const phone = await context.newPage()
    await signIn(phone, GRACE)
    await phone.goto(new URL(page.url()).pathname + new URL(page.url()).search)
    await expect(cardsIn(phone, 'Upper')).toHaveText(['On owls'])
    expect(await axeFindings(phone)).toEqual([])

    await test.step('a card isn’t moved if the permission is revoked while it is picked up', async () => {
      await card(phone, 'On owls').focus()
      await phone.keyboard.press('Space')
      await phone.keyboard.press('ArrowRight')
      await ask('PATCH', `/api/policies/${String(policy['id'])}`, { grants: grants.slice(0, 1) })
      await phone.keyboard.press('Space')
      await expect(phone.getByText('Couldn’t save the change')).toBeVisible()
      await expect(cardsIn(phone, 'Upper')).toHaveText(['On owls'])
    })
    await context.close()
    expect((await ask('GET', `${path}/records?filter=${encodeURIComponent('shelf = "Upper"')}`))['total']).toBe(2)
  })

  await test.step('without its field, a board asks for another one', async () => {
    await ask('DELETE', `${path}/fields/shelf`)
    await page.reload()
    await expect(page.getByText('Choose a field for the columns')).toBeVisible()
    await expect(button(page, 'Save')).toHaveCount(0)
  })

  await test.step('by a field with several values, a card is in each of their columns', async () => {
    const topicsOf = async () => (await recordOf('On oaks'))?.values['topics']
    await ask('PATCH', `${path}/records/${String((await recordOf('On oaks'))?.id)}`, {
      values: { topics: ['Birds', 'Trees'] },
    })
    await page.goto('/collections/essays')
    await showBoard(page, 'Topics')
    await expect(cardsIn(page, 'Birds')).toHaveText(['On oaks'])
    await expect(cardsIn(page, 'Trees')).toHaveText(['On oaks'])
    await cardsIn(page, 'Birds').dragTo(column(page, 'No Topics'))
    await expect(cardsIn(page, 'Trees')).toHaveCount(0)
    await expect.poll(topicsOf).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cardsIn(page, 'Trees')).toHaveText(['On oaks'])
    await card(page, 'On owls').dragTo(column(page, 'Birds'))
    await expect(cardsIn(page, 'Birds')).toHaveCount(2)
    await cardsIn(page, 'Birds').filter({ hasText: 'On owls' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect.poll(async () => (await recordOf('On owls'))?.values['topics']).toEqual(['Trees'])
  })
})

test('a column of thousands of cards loads only those in sight', async ({ page, server }) => {
  const { ask, path } = await makePapers(server.url, 'Brochures')
  const values = Array.from({ length: 5000 }, (_, at) => ({ values: { title: `Leaflet ${at + 1}`, shelf: 'Lower' } }))
  await ask('POST', `${path}/records/bulk`, { create: values })
  await signIn(page, ADA)
  await page.goto('/collections/brochures')
  await showBoard(page, 'Shelf')
  await expect(column(page, 'Lower')).toHaveAccessibleName('Lower, 5,001 records')

  const requests = noteRequests(page)
  await page.reload()
  await expect(card(page, 'On oaks')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(requests.to(`${path}/records`).length).toBeLessThanOrEqual(5)
  expect(requests.to(`${path}/groups`)).toHaveLength(1)

  await column(page, 'Lower')
    .locator('.board-scroller')
    .evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight }))
  await expect(card(page, 'Leaflet 5000')).toBeVisible()
  expect(await page.locator('.board-card').count()).toBeLessThan(60)
})

test('a list shows one line per record, with groups that collapse', async ({ page, server }) => {
  await makePapers(server.url, 'Notes')
  await signIn(page, ADA)
  await page.goto('/collections/notes?group=shelf')
  await page.getByRole('button', { name: /^Layout/ }).click()
  await page.getByRole('dialog', { name: 'Layout' }).getByRole('radio', { name: 'List' }).press('Space')
  await page.keyboard.press('Escape')
  const lines = page.getByRole('list', { name: 'Notes' }).getByRole('listitem')
  await expect(lines).toHaveText([/^Upper/, /On otters/, /On owls/, /^Lower/, /On oaks/])
  expect(await lines.nth(1).boundingBox()).toMatchObject({ height: 36 })

  await test.step('groups collapse and records open with the keyboard', async () => {
    await page.getByRole('button', { name: /^Upper/ }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(lines).toHaveText([/^Upper/, /^Lower/, /On oaks/])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Record in Notes' })).toBeVisible()
    await page.getByRole('button', { name: 'Close record' }).click()
  })

  await test.step('it fits on a phone', async () => {
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
