import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ locale: 'en-US' })
test.use({ serverSettings: WITH_ADA })
test.setTimeout(240_000)

/** Checks the page with axe; takes screenshots if requested. */
async function look(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page), name).toEqual([])
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

type Program = Awaited<ReturnType<typeof asProgram>>

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

/** A collection with editable field types, twelve orders and three clients. */
async function makeOrders({ ask }: Program, name: string): Promise<void> {
  const clients = await ask('POST', '/api/collections', {
    label: `${name} clients`,
    fields: [{ label: 'Client', name: 'client', kind: 'text' }],
  })
  const client = String(clients['id'])
  const create = ['Birch & Sons', 'Cedar Ltd', 'Dogwood'].map((title) => ({ values: { client: title } }))
  await ask('POST', `/api/collections/${client}/records/bulk`, { create })
  await ask('POST', '/api/collections', {
    label: name,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Amount', kind: 'number', options: { min: 0 } },
      { label: 'Paid', kind: 'checkbox' },
      { label: 'Due', kind: 'date' },
      { label: 'Status', kind: 'select', options: choices('Open', 'Packed', 'Done') },
      { label: 'Tags', kind: 'multi-select', options: choices('gift', 'fragile', 'heavy') },
      { label: 'Client', kind: 'relation', options: { collection: client, many: false } },
      { label: 'Keeper', kind: 'user' },
      { label: 'Code', kind: 'text', unique: true },
      { label: 'No', kind: 'auto-number' },
    ],
  })
  const orders = Array.from({ length: 8 }, (_, at) => ({
    values: { title: `Order ${at + 1}`, amount: (at + 1) * 10, status: at % 2 === 0 ? 'Open' : 'Packed' },
  }))
  await ask('POST', `/api/collections/${name.toLowerCase()}/records/bulk`, { create: orders })
}

type Stored = { readonly id: string; readonly version: number; readonly values: { readonly [field: string]: unknown } }

async function stored({ ask }: Program, name: string): Promise<readonly Stored[]> {
  const { items } = await ask('GET', `/api/collections/${name}/records?perPage=100&expand=*`)
  // Matches the API contract.
  return items as readonly Stored[]
}

const column = async (program: Program, name: string, field: string): Promise<readonly unknown[]> =>
  (await stored(program, name)).map(({ values }) => values[field])

async function cellOf(page: Page, title: string, header: string): Promise<Locator> {
  const head = page.getByRole('columnheader', { name: new RegExp(`^${header}`) })
  const at = await head.getAttribute('aria-colindex')
  const row = page.locator('.grid-row').filter({ has: page.getByText(title, { exact: true }) })
  return row.locator(`[aria-colindex="${at}"]`)
}

async function goTo(page: Page, title: string, header: string): Promise<Locator> {
  const cell = await cellOf(page, title, header)
  await cell.click({ position: { x: 4, y: 8 } })
  await expect(cell).toBeFocused()
  return cell
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((plain) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', plain)
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
    // Firefox gives the event a copy of the clipboard data without content.
    Object.defineProperty(event, 'clipboardData', { value: clipboardData })
    document.activeElement?.dispatchEvent(event)
  }, text)
}

/** The clipboard text after a copy or cut. */
const copied = (page: Page, kind: 'copy' | 'cut' = 'copy'): Promise<string> =>
  page.evaluate((type) => {
    const clipboardData = new DataTransfer()
    const event = new ClipboardEvent(type, { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'clipboardData', { value: clipboardData })
    document.activeElement?.dispatchEvent(event)
    return clipboardData.getData('text/plain')
  }, kind)

async function openList(page: Page, name: string, query = ''): Promise<void> {
  await page.goto(`/collections/${name}${query}`)
  await expect(page.getByRole('grid')).toContainText('Order 1')
  // The editors load when the page is idle.
  await page.waitForLoadState('networkidle')
}

test('cells of each type are edited by keyboard', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeOrders(program, 'Typed')
  await signIn(page, ADA)
  await openList(page, 'typed')
  const editor = page.locator('.grid-editor')

  await test.step('typing replaces the value, Enter saves and moves down, Escape cancels', async () => {
    await goTo(page, 'Order 1', 'Amount')
    await page.keyboard.type('1,234.5')
    await expect(editor.getByRole('textbox', { name: 'Amount' })).toHaveValue('1,234.5')
    await look(page, 'typed-number')
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 1', 'Amount')).toHaveText('1,234.5')
    await expect(await cellOf(page, 'Order 2', 'Amount')).toBeFocused()
    await page.keyboard.press('F2')
    await page.keyboard.type('99')
    await page.keyboard.press('Escape')
    await expect(await cellOf(page, 'Order 2', 'Amount')).toHaveText('20')
    await expect(await cellOf(page, 'Order 2', 'Amount')).toBeFocused()
    await expect.poll(() => column(program, 'typed', 'amount')).toEqual([1234.5, 20, 30, 40, 50, 60, 70, 80])
  })

  await test.step('an invalid value stays in the editor with an error', async () => {
    await page.keyboard.type('-5')
    await page.keyboard.press('Enter')
    await expect(editor.getByRole('alert')).toHaveText('Must be at least 0.')
    await look(page, 'typed-refused')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('25')
    await page.keyboard.press('Tab')
    await expect(await cellOf(page, 'Order 2', 'Paid')).toBeFocused()
    await expect(await cellOf(page, 'Order 2', 'Amount')).toHaveText('25')
  })

  await test.step('Space toggles a checkbox, and a date can be typed in any format', async () => {
    await page.keyboard.press('Space')
    await expect(await cellOf(page, 'Order 2', 'Paid')).toContainText('Yes')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('3/9/2026')
    await page.keyboard.press('Tab')
    await expect(await cellOf(page, 'Order 2', 'Due')).toHaveText('Mar 9, 2026')
  })

  await test.step('typing finds options', async () => {
    await page.keyboard.type('do')
    await expect(editor.getByRole('option')).toHaveText(['Done', 'Create “do”'])
    await look(page, 'typed-choice')
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 2', 'Status')).toHaveText('Done')
    await goTo(page, 'Order 2', 'Status')
    await page.keyboard.type('Returned')
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 2', 'Status')).toHaveText('Returned')
    await page.keyboard.press('Control+z')
    await expect(await cellOf(page, 'Order 2', 'Status')).toHaveText('Done')
    await goTo(page, 'Order 2', 'Tags')
    await page.keyboard.press('Enter')
    await page.keyboard.type('gi')
    await page.keyboard.press('Enter')
    await page.keyboard.type('hea')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 2', 'Tags')).toContainText('gift')
    await expect(await cellOf(page, 'Order 2', 'Tags')).toContainText('heavy')
  })

  await test.step('linked records and users are searched on the server', async () => {
    await goTo(page, 'Order 2', 'Client')
    await page.keyboard.type('ceda')
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 2', 'Client')).toHaveText('Cedar Ltd')
    await goTo(page, 'Order 2', 'Keeper')
    await page.keyboard.type('ada')
    await expect(editor.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 2', 'Keeper')).toContainText('ada')
    await expect
      .poll(async () => (await stored(program, 'typed'))[1]?.values)
      .toMatchObject({
        paid: true,
        due: '2026-03-09',
        status: 'Done',
        tags: ['gift', 'heavy'],
        client: { title: 'Cedar Ltd' },
      })
  })

  await test.step("auto numbers can't be edited, and all edits can be undone", async () => {
    await expect(await cellOf(page, 'Order 2', 'No')).toHaveAttribute('aria-readonly', 'true')
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('Control+z')
    await expect.poll(() => column(program, 'typed', 'amount')).toEqual([10, 20, 30, 40, 50, 60, 70, 80])
    await expect
      .poll(async () => (await stored(program, 'typed'))[1]?.values)
      .toMatchObject({ paid: false, due: null, status: 'Packed', tags: [], client: null, keeper: null })
    await page.keyboard.press('Control+z')
    await expect(page.getByText('Nothing to undo')).toBeVisible()
  })
})

test('cell ranges are pasted, filled, cleared, cut, undone and redone', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeOrders(program, 'Pasted')
  await signIn(page, ADA)
  await openList(page, 'pasted')
  const amounts = () => column(program, 'pasted', 'amount')

  await test.step('a pasted table fills as many cells as it contains, in one request', async () => {
    await goTo(page, 'Order 1', 'Amount')
    const request = page.waitForRequest((sent) => sent.method() === 'POST')
    await paste(page, '1,00 €\tja\t02.01.2026\tDone\r\n$2.50\tno\t1/3/2026\tpacked\r\n')
    expect((await request).postDataJSON().update).toHaveLength(2)
    await expect(page.getByText('Pasted 6 cells')).toBeVisible()
    await look(page, 'pasted')
    await expect.poll(amounts).toEqual([1, 2.5, 30, 40, 50, 60, 70, 80])
    expect(await column(program, 'pasted', 'due')).toEqual(['2026-01-02', '2026-01-03', ...Array(6).fill(null)])
    expect((await column(program, 'pasted', 'status')).slice(0, 2)).toEqual(['Done', 'Packed'])
  })

  await test.step('a paste is undone and redone', async () => {
    await page.keyboard.press('Control+z')
    await expect.poll(amounts).toEqual([10, 20, 30, 40, 50, 60, 70, 80])
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(amounts).toEqual([1, 2.5, 30, 40, 50, 60, 70, 80])
  })

  await test.step('a paste with invalid values lists them, changes nothing and offers to paste the valid ones', async () => {
    await goTo(page, 'Order 3', 'Amount')
    await paste(page, '7\nseven')
    await expect(page.getByText('Couldn’t paste')).toBeVisible()
    await expect(page.getByText('Amount in “Order 4”: “seven” isn’t a number.')).toBeVisible()
    const marked = await cellOf(page, 'Order 4', 'Amount')
    await expect(marked).toHaveAttribute('aria-invalid', 'true')
    await look(page, 'pasted-refused')
    expect(await amounts()).toEqual([1, 2.5, 30, 40, 50, 60, 70, 80])
    await page.getByRole('button', { name: 'Paste the rest' }).click()
    await expect.poll(amounts).toEqual([1, 2.5, 7, 40, 50, 60, 70, 80])
    await expect(marked).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Control+z')
    await expect.poll(amounts).toEqual([1, 2.5, 30, 40, 50, 60, 70, 80])
  })

  await test.step('copied cells contain text, pasted client names are matched, and unknown options can be added', async () => {
    await goTo(page, 'Order 1', 'Client')
    await paste(page, 'Dogwood\nBirch & Sons')
    await expect(await cellOf(page, 'Order 2', 'Client')).toHaveText('Birch & Sons')
    await goTo(page, 'Order 1', 'Amount')
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Shift+ArrowRight')
    expect(await copied(page)).toBe('1\ttrue\t2026-01-02\tDone\t\tDogwood')
    await goTo(page, 'Order 3', 'Status')
    await paste(page, 'Lost')
    await page.getByRole('button', { name: 'Add “Lost” and continue' }).click()
    await expect(await cellOf(page, 'Order 3', 'Status')).toHaveText('Lost')
  })

  await test.step('cells are filled down, cleared and cut', async () => {
    await goTo(page, 'Order 1', 'Amount')
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+d')
    await expect.poll(amounts).toEqual([1, 1, 1, 1, 50, 60, 70, 80])
    await page.keyboard.press('Delete')
    await expect.poll(amounts).toEqual([null, null, null, null, 50, 60, 70, 80])
    await page.keyboard.press('Control+z')
    await expect.poll(amounts).toEqual([1, 1, 1, 1, 50, 60, 70, 80])
    await goTo(page, 'Order 5', 'Amount')
    expect(await copied(page, 'cut')).toBe('50')
    await expect.poll(amounts).toEqual([1, 1, 1, 1, null, 60, 70, 80])
    await goTo(page, 'Order 1', 'Title')
    await page.keyboard.press('Delete')
    await expect(page.getByText('These cells can’t be edited here')).toBeVisible()
  })

  await test.step('dragging the fill handle continues a series', async () => {
    await goTo(page, 'Order 6', 'Amount')
    await page.keyboard.press('Shift+ArrowDown')
    const from = await page.locator('[data-fill]').boundingBox()
    const to = await (await cellOf(page, 'Order 8', 'Amount')).boundingBox()
    if (!from || !to) throw new Error('The corner is not there')
    await page.mouse.move(from.x + from.width - 3, from.y + from.height - 3)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 5 })
    await page.mouse.up()
    await expect.poll(amounts).toEqual([1, 1, 1, 1, null, 60, 70, 80])
    await page.keyboard.press('Control+z')
  })

  await test.step('extra pasted rows create records and are undone with the paste', async () => {
    await goTo(page, 'Order 7', 'Title')
    await paste(page, 'Seven\t700\nEight\t800\nNine\t900\nTen\t1000')
    const dialog = page.getByRole('dialog', { name: 'Paste 4 rows' })
    await expect(dialog).toContainText('2 rows go beyond the end of the list')
    await look(page, 'pasted-beyond')
    await dialog.getByRole('button', { name: 'Create 2 new records' }).click()
    await expect
      .poll(() => column(program, 'pasted', 'title'))
      .toEqual(expect.arrayContaining(['Seven', 'Eight', 'Nine', 'Ten']))
    await expect(page.getByRole('grid')).toContainText('Ten')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await column(program, 'pasted', 'title')).slice(6)).toEqual(['Order 7', 'Order 8'])
    await expect(page.getByRole('grid')).not.toContainText('Nine')
  })
})

test('concurrent changes are shown and never overwritten, and offline edits are queued', async ({
  page,
  context,
  server,
}) => {
  const program = await asProgram(server.url, ADA)
  await makeOrders(program, 'Shared')
  await signIn(page, ADA)
  await openList(page, 'shared')
  const change = async (at: number, values: object) => {
    const record = (await stored(program, 'shared'))[at]
    await program.ask('PATCH', `/api/collections/shared/records/${record?.id}`, { values })
  }

  await test.step("a change to another cell of the record doesn't conflict", async () => {
    await change(0, { paid: true })
    await goTo(page, 'Order 1', 'Amount')
    await page.keyboard.type('11')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await stored(program, 'shared'))[0]?.values)
      .toMatchObject({ amount: 11, paid: true })
  })

  await test.step('a conflict in the same cell shows the other value and keeps the typed value', async () => {
    await change(1, { amount: 222 })
    await page.keyboard.type('21')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Couldn’t save the change')).toBeVisible()
    const cell = await cellOf(page, 'Order 2', 'Amount')
    await expect(cell).toHaveText('222')
    await expect(cell).toHaveAttribute('aria-invalid', 'true')
    await look(page, 'shared-conflict')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.keyboard.press('F2')
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('21')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stored(program, 'shared'))[1]?.values['amount']).toBe(21)
  })

  await test.step('a duplicate value in a unique field is rejected in the cell', async () => {
    await goTo(page, 'Order 3', 'Code')
    await paste(page, 'A-1\nA-1')
    const second = await cellOf(page, 'Order 4', 'Code')
    await expect(second).toHaveAttribute('aria-invalid', 'true')
    await expect(await cellOf(page, 'Order 3', 'Code')).not.toHaveAttribute('aria-invalid', 'true')
    await expect(second).toHaveText('')
    expect(await column(program, 'shared', 'code')).toEqual(Array(8).fill(null))
  })

  await test.step('offline, an edit is queued and shown as pending', async () => {
    await goTo(page, 'Order 5', 'Amount')
    await context.setOffline(true)
    await page.keyboard.type('55')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your changes aren’t saved yet')).toBeVisible()
    await expect(await cellOf(page, 'Order 5', 'Amount')).toHaveText('55')
    await look(page, 'shared-offline')
    await context.setOffline(false)
    await expect(page.getByText('Your changes have been saved')).toBeVisible({ timeout: 20_000 })
    expect((await stored(program, 'shared'))[4]?.values['amount']).toBe(55)
  })
})

test('edited records stay visible; records are created and duplicated', async ({ browserName, page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeOrders(program, 'Kept')
  await signIn(page, ADA)

  await test.step('a record remains in a filtered list until the list is refreshed', async () => {
    await openList(page, 'kept', `?filter=${encodeURIComponent('status = "Open"')}`)
    await goTo(page, 'Order 1', 'Status')
    await page.keyboard.type('done')
    await page.keyboard.press('Tab')
    await expect(await cellOf(page, 'Order 1', 'Status')).toHaveText('Done')
    await expect.poll(async () => (await stored(program, 'kept'))[0]?.values['status']).toBe('Done')
    await expect(await cellOf(page, 'Order 1', 'Status')).toHaveText('Done')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText('Edited records stay here until you update the list.')).toBeVisible()
    await expect(await cellOf(page, 'Order 1', 'Status')).toHaveText('Done')
    await page.getByRole('button', { name: 'Update list' }).click()
    await expect(page.getByRole('grid')).not.toContainText('Order 1')
    await expect(page.getByRole('grid')).toContainText('Order 3')
    await expect(page.getByRole('button', { name: 'Update list' })).toBeHidden()
  })

  await test.step('a record is created at the end of the list and gets its title there', async () => {
    await page.goto('/collections/kept')
    await expect(page.getByRole('grid')).toContainText('Order 1')
    await page.waitForLoadState('networkidle')
    await page.locator('.new-record-line').getByRole('button', { name: 'New record' }).click()
    const dialog = page.getByRole('dialog', { name: 'New record' })
    await dialog.getByLabel('Title').fill('Order 9')
    await dialog.getByRole('button', { name: 'Create record' }).click()
    await expect(dialog).toBeHidden()
    await expect(await cellOf(page, 'Order 9', 'Title')).toBeFocused()
    await look(page, 'kept-made')
    await expect(page.getByRole('grid')).toContainText('Order 9')
  })

  await test.step('a record is duplicated by keyboard and from the cell menu', async () => {
    await goTo(page, 'Order 2', 'Amount')
    await page.keyboard.press('Control+Shift+d')
    await expect
      .poll(async () => (await column(program, 'kept', 'title')).filter((title) => title === 'Order 2').length)
      .toBe(2)
    await (await cellOf(page, 'Order 3', 'Amount')).click({ button: 'right' })
    await look(page, 'kept-menu')
    await page.getByRole('menuitem', { name: 'Duplicate record' }).click()
    await expect
      .poll(async () => (await column(program, 'kept', 'title')).filter((title) => title === 'Order 3').length)
      .toBe(2)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await column(program, 'kept', 'title')).length).toBe(9)
  })

  await test.step('a row has a number, an open button, and a context menu on its number and title', async () => {
    const row = page.locator('.grid-row').filter({ hasText: 'Order 3' }).first()
    await expect(row.locator('[data-number="3"]')).toBeVisible()
    await row.getByRole('button', { name: 'Open Order 3' }).click()
    await expect(page.getByRole('region', { name: 'Record in Kept' })).toBeVisible()
    await page.keyboard.press('Escape')
    await row.locator('[data-number="3"]').click({ button: 'right' })
    await expect(page.getByRole('menuitem')).toHaveText([
      /^Open record/,
      'Open in new tab',
      'Copy link',
      /^Duplicate record/,
      'Delete record',
    ])
    await page.keyboard.press('Escape')
    if (browserName === 'chromium') await page.context().grantPermissions(['clipboard-write'])
    await row.getByRole('link', { name: 'Order 3' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    // Pasted instead of read, because Firefox has no permission for reading the clipboard.
    const search = page.getByRole('searchbox').first()
    await search.press('Control+v')
    await expect(search).toHaveValue(/\/collections\/kept\/[0-9a-z]{26}$/)
    await search.fill('')
  })

  await test.step('a record is deleted from the menu, with undo', async () => {
    await (await cellOf(page, 'Order 4', 'Amount')).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete record' }).click()
    await expect(page.getByRole('grid')).not.toContainText('Order 4')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('grid')).toContainText('Order 4')
  })
})

test("cells support status changes, dropped files and long texts, and read-only cells can't be edited @full", async ({
  page,
  server,
}) => {
  const program = await asProgram(server.url, ADA)
  const made = await program.ask('POST', '/api/collections', {
    label: 'Leaflets',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Stage', kind: 'state', options: choices('Draft', 'Final') },
      { label: 'Summary', kind: 'long-text' },
      { label: 'Text', kind: 'rich-text' },
      { label: 'Scans', kind: 'files' },
    ],
  })
  // Matches the API contract.
  const fields = made['fields'] as readonly {
    readonly id: string
    readonly options: { choices: readonly { id: string }[] }
  }[]
  const [draft, final] = fields[1]?.options.choices ?? []
  await program.ask('PATCH', '/api/collections/leaflets', {
    workflow: {
      states: { [final?.id ?? '']: { frozen: 'all' } },
      transitions: [{ name: 'Publish', from: draft?.id, to: final?.id }],
    },
  })
  const create = Array.from({ length: 30 }, (_, at) => ({ values: { title: `Order ${at + 1}` } }))
  await program.ask('POST', '/api/collections/leaflets/records/bulk', { create })
  await signIn(page, ADA)
  await openList(page, 'leaflets', '?perPage=all')

  await test.step('Shift+Enter inserts a line break in a long text', async () => {
    await goTo(page, 'Order 1', 'Summary')
    await page.keyboard.type('one')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('two')
    await look(page, 'papers-long-text')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stored(program, 'leaflets'))[0]?.values['summary']).toBe('one\ntwo')
  })

  await test.step('a file can be dropped on a file cell', async () => {
    const cell = await cellOf(page, 'Order 2', 'Scans')
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['hello'], 'hello.txt', { type: 'text/plain' }))
      return data
    })
    await cell.dispatchEvent('dragover', { dataTransfer: transfer })
    await cell.dispatchEvent('drop', { dataTransfer: transfer })
    await expect(cell).toContainText('hello.txt')
    await expect
      .poll(async () => (await stored(program, 'leaflets'))[1]?.values['scans'])
      .toMatchObject([{ name: 'hello.txt' }])
  })

  await test.step('the editor of the last column stays inside the grid', async () => {
    await goTo(page, 'Order 2', 'Scans')
    await page.keyboard.press('Enter')
    const editor = page.locator('.grid-editor')
    await expect(editor.getByRole('button', { name: 'Preview hello.txt' })).toBeVisible()
    const [inner, outer] = await Promise.all([editor.boundingBox(), page.getByRole('grid').boundingBox()])
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0))
    await page.keyboard.press('Escape')
  })

  await test.step('rich text is edited on the record page', async () => {
    await expect(await cellOf(page, 'Order 3', 'Text')).toHaveAttribute('aria-readonly', 'true')
  })

  await test.step('a status change locks the other fields', async () => {
    await goTo(page, 'Order 1', 'Stage')
    await page.keyboard.press('Enter')
    const move = page.locator('.grid-editor').getByRole('button', { name: 'Publish' })
    await expect(move).toBeFocused()
    await look(page, 'papers-moves')
    await page.keyboard.press('Enter')
    await expect(await cellOf(page, 'Order 1', 'Stage')).toHaveText('Final')
    await expect(await cellOf(page, 'Order 1', 'Summary')).toHaveAttribute('aria-readonly', 'true')
    await goTo(page, 'Order 1', 'Summary')
    await page.keyboard.type('x')
    await expect(page.locator('.grid-editor')).toHaveCount(0)
    await page.keyboard.press('Delete')
    await expect(page.getByText('These cells can’t be edited here')).toBeVisible()
  })
})
