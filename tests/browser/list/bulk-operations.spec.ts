import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ locale: 'en-US', serverSettings: WITH_ADA })
test.setTimeout(180_000)

type Program = Awaited<ReturnType<typeof asProgram>>

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })
const SENT = 'What is sent needs a code.'

/** Parcels with a workflow and a rule; every tenth has no code. */
async function makeParcels({ ask }: Program, name: string, count: number): Promise<void> {
  const made = await ask('POST', '/api/collections', {
    label: name,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Status', kind: 'select', options: choices('Open', 'Packed', 'Sent') },
      { label: 'Tags', kind: 'multi-select', options: choices('gift', 'fragile') },
      { label: 'Code', kind: 'text' },
      { label: 'Weight', kind: 'number', options: { min: 0 } },
      { label: 'State', kind: 'state', options: choices('New', 'Checked') },
    ],
  })
  // Matches the API contract.
  const fields = made['fields'] as readonly {
    readonly name: string
    readonly options: { choices?: { id: string }[] }
  }[]
  const [from, to] = fields.find((field) => field.name === 'state')?.options.choices ?? []
  const rules = [{ when: 'status = "Sent"', then: 'code is not empty', message: SENT, field: 'code' }]
  const transitions = [{ name: 'Check', from: from?.id, to: to?.id, note: 'optional' }]
  await ask('PATCH', `/api/collections/${name.toLowerCase()}`, { rules, workflow: { transitions } })
  for (let first = 0; first < count; first += 10_000) {
    const create = Array.from({ length: Math.min(10_000, count - first) }, (_, at) => ({
      values: {
        title: `Parcel ${first + at + 1}`,
        status: 'Open',
        ...(at % 2 === 0 && { tags: ['fragile'] }),
        ...(at % 10 !== 4 && { code: `C${at}` }),
      },
    }))
    await ask('POST', `/api/collections/${name.toLowerCase()}/records/bulk`, { create })
  }
}

/** Returns a field's values in the matching records. */
async function column({ ask }: Program, name: string, field: string, filter = ''): Promise<readonly unknown[]> {
  const query = `perPage=100&filter=${encodeURIComponent(filter)}`
  const { items } = await ask('GET', `/api/collections/${name}/records?${query}`)
  return (items as readonly { readonly values: { readonly [field: string]: unknown } }[]).map(
    (one) => one.values[field],
  )
}

async function openList(page: Page, name: string): Promise<void> {
  await page.goto(`/collections/${name}`)
  await expect(page.getByRole('grid')).toContainText('Parcel 1')
  // The editors load when the page is idle.
  await page.waitForLoadState('networkidle')
}

const row = (page: Page, title: string): Locator => page.getByRole('checkbox', { name: `Select ${title}`, exact: true })
const all = (page: Page): Locator => page.getByRole('checkbox', { name: 'Select all records on this page' })
const bar = (page: Page): Locator => page.getByRole('group', { name: /selected$/ })

/** Chooses the field to edit. */
async function edit(page: Page, field: string): Promise<Locator> {
  await bar(page).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: /^Edit / })
  await dialog.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: field, exact: true }).click()
  return dialog
}

async function choose(page: Page, dialog: Locator, label: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  // A multi-select list stays open.
  if (await page.getByRole('listbox').isVisible()) await page.keyboard.press('Escape')
}

test('selected records are edited, moved, exported and deleted, with undo', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeParcels(program, 'Parcels', 24)
  await signIn(page, ADA)
  await openList(page, 'parcels')

  await test.step('the keyboard selects one record, a range, the page, and all matching records', async () => {
    await page.locator('[data-line="1"] [data-column="1"]').click({ position: { x: 4, y: 8 } })
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await expect(row(page, 'Parcel 1')).toBeChecked()
    await expect(all(page)).toBeChecked({ indeterminate: true })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await expect(bar(page)).toContainText('3 selected')
    await page.keyboard.press('Control+a')
    await expect(all(page)).toBeChecked()
    await bar(page).getByRole('button', { name: 'Select all 24 matching' }).click()
    await expect(bar(page)).toContainText('24 selected')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(row(page, 'Parcel 14')).toBeChecked()
    await row(page, 'Parcel 14').uncheck()
    await expect(bar(page)).toContainText('23 selected')
  })

  await test.step('clearing the selection returns focus to the list', async () => {
    await bar(page).getByRole('button', { name: 'Clear selection' }).press('Enter')
    await expect(bar(page)).toBeHidden()
    await expect(page.locator('.records-grid [data-column]:focus')).toBeVisible()
    await all(page).check()
  })

  await test.step('the selection of all matching records is cleared when the filter changes, with a notice', async () => {
    await bar(page)
      .getByRole('button', { name: /^Select all 24/ })
      .click()
    await page.getByRole('main').getByRole('searchbox').fill('Parcel')
    await expect(bar(page)).toBeHidden()
    await expect(page.getByText('The filter changed, so the selection was cleared.')).toBeAttached()
    await page.getByRole('main').getByRole('searchbox').fill('')
    await expect(page).not.toHaveURL(/search/)
    await expect(row(page, 'Parcel 1')).not.toBeChecked()
  })

  await test.step('a value is added to a list field in each record, and undone', async () => {
    for (const title of ['Parcel 1', 'Parcel 2', 'Parcel 5']) await row(page, title).check()
    await lookAt(page, 'bulk-selected')
    const dialog = await edit(page, 'Tags')
    await dialog.getByText('Add', { exact: true }).click()
    await choose(page, dialog, 'Add to Tags', 'gift')
    await lookAt(page, 'bulk-edit')
    await dialog.getByRole('button', { name: 'Update 3 records' }).click()
    await expect(page.getByText('Updated Tags in 3 records')).toBeVisible()
    expect((await column(program, 'parcels', 'tags')).slice(0, 5)).toEqual([
      ['fragile', 'gift'],
      ['gift'],
      ['fragile'],
      [],
      ['fragile', 'gift'],
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone: 3 cells')).toBeVisible()
    expect((await column(program, 'parcels', 'tags')).slice(0, 2)).toEqual([['fragile'], []])
    await expect(bar(page)).toContainText('3 selected')
  })

  await test.step('several fields are updated at once and undone together', async () => {
    const dialog = await edit(page, 'Code')
    await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill('X1')
    await dialog.getByRole('button', { name: 'Add another field' }).click()
    await dialog.getByRole('combobox', { name: 'Field' }).nth(1).click()
    await expect(page.getByRole('option', { name: 'Code', exact: true })).toBeHidden()
    await page.getByRole('option', { name: 'Weight', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Weight', exact: true }).fill('7')
    await lookAt(page, 'bulk-edit-several')
    await dialog.getByRole('button', { name: 'Update 3 records' }).click()
    await expect(page.getByText('Updated Code and Weight in 3 records')).toBeVisible()
    expect(await column(program, 'parcels', 'weight', 'code = "X1"')).toEqual([7, 7, 7])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone: 6 cells')).toBeVisible()
    expect(await column(program, 'parcels', 'weight', 'code = "X1"')).toEqual([])
  })

  await test.step('rejected records are listed and the others are updated', async () => {
    const dialog = await edit(page, 'Status')
    await choose(page, dialog, 'Status', 'Sent')
    await dialog.getByRole('button', { name: 'Update 3 records' }).click()
    await expect(dialog.getByRole('alert')).toContainText(SENT)
    await lookAt(page, 'bulk-refused')
    await dialog.getByRole('button', { name: 'Update the others' }).click()
    await expect(page.getByText('Updated Status in 2 records')).toBeVisible()
    expect(await column(program, 'parcels', 'title', 'status = "Sent"')).toEqual(['Parcel 1', 'Parcel 2'])
    await page.getByRole('button', { name: 'Show them' }).click()
    await expect(row(page, 'Parcel 5')).toBeVisible()
    await expect(row(page, 'Parcel 1')).toBeHidden()
  })

  await test.step('selected records are exported, moved to another status with a note, deleted and restored', async () => {
    await openList(page, 'parcels')
    await row(page, 'Parcel 3').check()
    await row(page, 'Parcel 7').check()
    await bar(page).getByRole('button', { name: 'Export' }).click()
    const exporting = page.getByRole('dialog', { name: 'Export 2 records' })
    const download = page.waitForEvent('download')
    await exporting.getByRole('button', { name: 'Export' }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    expect(
      text
        .trim()
        .split(/\r?\n/)
        .map((line) => line.split(',')[0]),
    ).toEqual(['Title', 'Parcel 3', 'Parcel 7'])

    await bar(page).getByRole('button', { name: 'Change status' }).click()
    await page.getByRole('menuitem', { name: 'Checked' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Looked at both')
    await page.getByRole('dialog').getByRole('button', { name: 'Change status' }).click()
    await expect(page.getByText('Moved 2 records to Checked')).toBeVisible()
    expect(await column(program, 'parcels', 'title', 'state = "Checked"')).toEqual(['Parcel 3', 'Parcel 7'])

    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'Parcel 3')).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Parcel 3')).toBeVisible()
  })
})

test('a list is printed with all pages and columns, without toolbars @full', async ({ page, server }) => {
  await makeParcels(await asProgram(server.url, ADA), 'Pallets', 24)
  await signIn(page, ADA)
  await openList(page, 'pallets')
  const sheet = page.locator('.print-sheet')
  const printed = page.evaluate(
    () =>
      new Promise<readonly (readonly string[])[]>((resolve) => {
        window.print = () => {
          const rows = [...document.querySelectorAll('.print-sheet tr')]
          resolve(rows.map((row) => [...row.children].map((cell) => cell.textContent)))
        }
      }),
  )
  await page.getByRole('button', { name: 'More actions for Pallets' }).last().click()
  await page.getByRole('menuitem', { name: 'Print this list' }).click()
  const rows = await printed
  expect(rows).toHaveLength(25)
  expect(rows[0]).toEqual(['Title', 'Status', 'Tags', 'Code', 'Weight', 'State'])
  expect(rows[24]?.[0]).toBe('Parcel 24')
  await expect(sheet).toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Pallets' })).toBeVisible()
})

test('a deletion is sent immediately, confirmed by the server, and can be undone', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeParcels(program, 'Bales', 6)
  await signIn(page, ADA)
  await openList(page, 'bales')
  const left = () => column(program, 'bales', 'title')
  const press = async (title: string) => {
    await row(page, title).check()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
  }
  const undo = page.getByRole('button', { name: 'Undo' })

  await test.step('nothing is announced or hidden before the server responds', async () => {
    const held = Promise.withResolvers<undefined>()
    await page.route('**/records/bulk', async (route) => {
      await held.promise
      await route.continue()
    })
    await press('Parcel 1')
    await expect(page.getByText('Deleting 1 record…')).toBeVisible()
    await expect(row(page, 'Parcel 1')).toBeVisible()
    expect(await left()).toContain('Parcel 1')
    held.resolve(undefined)
    await expect(page.getByText('Deleted 1 record')).toBeVisible()
    expect(await left()).not.toContain('Parcel 1')
    await expect(row(page, 'Parcel 1')).toBeHidden()
    await page.unroute('**/records/bulk')
  })

  await test.step('undo restores the record, even from past notifications', async () => {
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('>notifications')
    await page.getByRole('option', { name: 'Recent notifications' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Restored 1 record').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(row(page, 'Parcel 1')).toBeVisible()
    expect(await left()).toContain('Parcel 1')
  })

  await test.step('a failed deletion shows the reason and keeps the record', async () => {
    await page.route('**/records/bulk', (route) => route.abort())
    await press('Parcel 2')
    await expect(page.getByText('Couldn’t delete 1 record')).toBeVisible()
    await expect(row(page, 'Parcel 2')).toBeVisible()
    expect(await left()).toContain('Parcel 2')
    await page.unroute('**/records/bulk')
  })

  await test.step('a failed undo shows the reason and can be retried', async () => {
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'Parcel 2')).toBeHidden()
    await page.route('**/change-sets/**', (route) => route.abort(), { times: 1 })
    await undo.click()
    await expect(page.getByText('Couldn’t undo')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'Parcel 2')).toBeVisible()
  })

  await test.step("closing the tab or moving it to the background doesn't delay a deletion", async () => {
    await press('Parcel 3')
    await page.close({ runBeforeUnload: false })
    await expect.poll(left).not.toContain('Parcel 3')
  })
})

test('a record is deleted from its page, the side panel, its card and the command palette, and restored @full', async ({
  page,
  server,
}) => {
  const program = await asProgram(server.url, ADA)
  await makeParcels(program, 'Drums', 3)
  await signIn(page, ADA)
  const left = () => column(program, 'drums', 'title')
  const undo = page.getByRole('button', { name: 'Undo' })
  const comesBack = async (title: string) => {
    await expect.poll(left).not.toContain(title)
    await undo.click()
    await expect.poll(left).toContain(title)
    await expect(row(page, title)).toBeVisible()
  }
  await test.step('a record is deleted from the side panel', async () => {
    await openList(page, 'drums')
    await page.getByRole('link', { name: 'Parcel 1', exact: true }).click()
    await page.getByRole('button', { name: 'More actions for this record' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByRole('region', { name: /^Record in/ })).toBeHidden()
    await comesBack('Parcel 1')
  })
  await test.step('a record is deleted from its page with the command palette', async () => {
    await page.getByRole('link', { name: 'Parcel 2', exact: true }).click()
    await page.getByRole('link', { name: 'Open full page' }).click()
    await expect(page).toHaveURL(/\/drums\/[0-9a-z]{26}/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('>delete this')
    await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName(/^Delete this record/)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/drums(?:\?|$)/)
    await comesBack('Parcel 2')
  })
})

test('deleting many records requires typing their number, and undo restores them', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeParcels(program, 'Crates', 130)
  await signIn(page, ADA)
  await openList(page, 'crates')
  const count = async () => (await program.ask('GET', '/api/collections/crates/records?perPage=1&count=exact'))['total']
  await all(page).check()
  await bar(page)
    .getByRole('button', { name: /^Select all 130/ })
    .click()
  await bar(page).getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete 130 records' })
  await lookAt(page, 'bulk-delete-many')
  const go = (n: number) => question.getByRole('button', { name: `Delete ${n} records` })
  await expect(go(130)).toBeDisabled()
  await question.getByRole('textbox').fill('13')
  await expect(go(130)).toBeDisabled()
  await question.getByRole('textbox').fill('130')

  // More records match now, so the confirmed number is outdated.
  await program.ask('POST', '/api/collections/crates/records', { values: { title: 'Late' } })
  await go(130).click()
  const again = page.getByRole('dialog', { name: 'Delete 131 records' })
  await expect(again).toContainText('The number of records has changed')
  expect(await count()).toBe(131)
  await again.getByRole('textbox').fill('131')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Deleted 131 records')).toBeVisible()
  expect(await count()).toBe(0)
  await lookAt(page, 'bulk-deleted-many')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Restored 131 records')).toBeVisible()
  expect(await count()).toBe(131)
  await expect(page.getByRole('grid')).toContainText('Parcel 1')
})

test('Shift+click selects from the anchor row, and a search keeps the selection', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeParcels(program, 'Casks', 40)
  await signIn(page, ADA)
  await openList(page, 'casks')
  const count = (n: number) => expect(bar(page)).toContainText(`${n} selected`)
  const shiftClick = (title: string) => row(page, title).click({ modifiers: ['Shift'] })

  await test.step('Shift+click selects a range on one page', async () => {
    await row(page, 'Parcel 3').check()
    await shiftClick('Parcel 6')
    await count(4)
  })

  await test.step('Shift+click across a page boundary selects only the clicked row', async () => {
    await page.getByRole('button', { name: 'Next page' }).click()
    await shiftClick('Parcel 15')
    await expect(row(page, 'Parcel 15')).toBeChecked()
    await expect(row(page, 'Parcel 14')).not.toBeChecked()
    await count(5)
    await shiftClick('Parcel 17')
    await count(7)
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('after sorting, Shift+click selects the visible range', async () => {
    await page.goto('/collections/casks')
    await row(page, 'Parcel 2').check()
    await page.getByRole('columnheader', { name: 'Code' }).getByRole('button', { name: /Code/ }).first().click()
    await expect(page).toHaveURL(/sort=code/)
    const titles = await page.getByRole('rowheader').allTextContents()
    const at = titles.findIndex((title) => title.trim() === 'Parcel 2')
    if (at >= 0) await shiftClick(titles[at === 0 ? 2 : 0]?.trim() ?? '')
    await count(at < 0 ? 1 : at === 0 ? 3 : at + 1)
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('in a scrolling list, Shift+click selects a range of distant rows', async () => {
    await page.goto('/collections/casks?perPage=all')
    await row(page, 'Parcel 2').check()
    await page.getByRole('grid').focus()
    await page.locator('.grid-scroller').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
    await shiftClick('Parcel 40')
    await count(39)
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('selected records stay selected during a search, which shows how many are hidden', async () => {
    await page.goto('/collections/casks')
    for (const title of ['Parcel 1', 'Parcel 4', 'Parcel 7']) await row(page, title).check()
    await page.getByRole('main').getByRole('searchbox').fill('Parcel 4')
    await expect(row(page, 'Parcel 7')).toBeHidden()
    await count(3)
    await expect(bar(page)).toContainText('2 not in this list')
    await lookAt(page, 'bulk-not-in-this-list')
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Delete 3 records' })
    await expect(question).toContainText('2 selected records aren’t in this list.')
    await lookAt(page, 'bulk-delete-out-of-view')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await bar(page).getByRole('button', { name: 'Show selected' }).click()
    await expect(page.getByRole('rowheader')).toHaveCount(3)
    await expect(bar(page)).not.toContainText('not in this list')
    await row(page, 'Parcel 1').uncheck()
    await count(2)
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
    await expect(bar(page)).toBeHidden()
  })
})

test('at least ten thousand records are updated in batches that survive a reload, and rejections are reported @full', async ({
  page,
  server,
}) => {
  const program = await asProgram(server.url, ADA)
  await makeParcels(program, 'Freight', 10_050)
  await signIn(page, ADA)
  await openList(page, 'freight')
  const jobs = page.getByRole('button', { name: /^Jobs:/ })

  await test.step('all records except one change status', async () => {
    await all(page).check()
    await bar(page)
      .getByRole('button', { name: /^Select all 10,050/ })
      .click()
    await row(page, 'Parcel 3').uncheck()
    const dialog = await edit(page, 'Status')
    await choose(page, dialog, 'Status', 'Sent')
    await expect(dialog).toContainText('run in batches')
    // A short interruption of job updates doesn't mean that the change failed.
    await page.route('**/api/jobs*', (route) => route.fulfill({ status: 404 }), { times: 1 })
    await dialog.getByRole('button', { name: 'Update 10,049 records' }).click()
    await expect(jobs).toBeVisible()
    await expect(dialog).toBeHidden()
    await page.reload()
    await expect(jobs).toBeVisible()
    await jobs.click()
    const list = page.getByRole('dialog', { name: 'Jobs' })
    await expect(list).toContainText('Freight')
    expect(await axeFindings(page)).toEqual([])
    await expect(list).toContainText('Updated Status in 9,044 records', { timeout: 60_000 })
    await expect(list).toContainText(SENT)
    await lookAt(page, 'bulk-jobs')
    await list.getByRole('button', { name: 'Show them' }).click()
    await expect(row(page, 'Parcel 5')).toBeVisible()
    expect(new Set(await column(program, 'freight', 'status', 'code is empty'))).toEqual(new Set(['Open']))
  })

  await test.step('a running update is canceled', async () => {
    await openList(page, 'freight')
    await all(page).check()
    await bar(page)
      .getByRole('button', { name: /^Select all 10,050/ })
      .click()
    const dialog = await edit(page, 'Weight')
    await dialog.getByRole('textbox', { name: 'Weight' }).fill('12')
    await dialog.getByRole('button', { name: 'Update 10,050 records' }).click()
    await jobs.click()
    await page.getByRole('button', { name: 'Stop: Updating Weight in Freight' }).click()
    await expect(
      page
        .getByRole('alert')
        .or(page.getByRole('status'))
        .filter({ hasText: /^Stopped\. Updated Weight in/ }),
    ).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('all records except the excluded ones are deleted', async () => {
    await openList(page, 'freight')
    await all(page).check()
    await bar(page)
      .getByRole('button', { name: /^Select all 10,050/ })
      .click()
    await row(page, 'Parcel 3').uncheck()
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Delete 10,049 records' })
    await question.getByRole('textbox').fill('10,049')
    // Its end is announced even if it is over before its state is first read.
    await page.route('**/api/jobs*', async (route) => {
      const isOver = async () => !JSON.stringify(await program.ask('GET', '/api/jobs')).includes('"running"')
      await expect.poll(isOver, { timeout: 60_000 }).toBe(true)
      await route.continue()
    })
    await question.getByRole('button', { name: 'Delete 10,049 records' }).click()
    await expect(page.getByText('Deleted 10,049 records')).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('1 record', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('grid')).toContainText('Parcel 3')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone: 10,049 records')).toBeVisible({ timeout: 60_000 })
    expect(await column(program, 'freight', 'title', 'title = "Parcel 10050"')).toEqual(['Parcel 10050'])
  })
})
