import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { MESSY_CSV, MESSY_ROWS } from '#tests/conformance/messy-csv.ts'
import { test } from '#tests/support/browser/browser-page.ts'

/** Folder for screenshots after each step; if set, clicks and seconds are also printed. */
const PICTURES = process.env['DOSSIER_PICTURES']
const OWNER = { name: 'Olga Berger', email: 'olga@example.org', password: 'seven otters play the violin' }

test.use({ viewport: { width: 1440, height: 900 }, serverSettings: { env: { DOSSIER_SAMPLE: 'no' } } })

type Look = { readonly width?: number; readonly colorScheme?: 'light' | 'dark' }

async function takePicture(
  page: Page,
  name: string,
  { width = 1440, colorScheme = 'light' }: Look = {},
): Promise<void> {
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Runs steps with a maximum number of clicks; clicks and seconds are added to the test as annotations. */
async function countedSteps(page: Page) {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  await page.addInitScript(() => {
    const { countClick } = globalThis as unknown as { countClick: () => void }
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && countClick(), { capture: true })
  })
  const figures: string[] = []
  const step = (title: string, limit: number, body: () => Promise<void>) =>
    test.step(title, async () => {
      const [before, start] = [clicks, performance.now()]
      await body()
      const [made, seconds] = [clicks - before, ((performance.now() - start) / 1000).toFixed(1)]
      figures.push(`${title}: ${made} clicks, ${seconds} s`)
      test.info().annotations.push({ type: title, description: `${made} clicks, ${seconds} s` })
      await takePicture(page, `${figures.length} ${title}`)
      expect(made, title).toBeLessThanOrEqual(limit)
    })
  return { step, figures }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Workspace' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Your name').fill(OWNER.name)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByLabel('Workspace name').fill('Berger Wholesale')
  await page.keyboard.press('Enter')
  await expect(heading(page, `Welcome, ${OWNER.name}`)).toBeVisible()
}

async function makeCollection(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(heading(page, name)).toBeVisible()
}

type NewField = {
  readonly name: string
  /** Defaults to text. */
  readonly kind?: string
  readonly linked?: string
  readonly options?: readonly string[]
}

/** Adds fields with the plus button at the end of the header. */
async function addFields(page: Page, fields: readonly NewField[]): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add a field' })
  await button(page, 'Add a field').click()
  for (const [at, { name, kind, linked, options = [] }] of fields.entries()) {
    await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.type(name)
    if (kind !== undefined) {
      await form.getByRole('combobox', { name: 'Field type' }).click()
      await option(page, new RegExp(`^${kind}`))
        .first()
        .click()
    }
    if (linked !== undefined) {
      await form.getByRole('combobox', { name: 'Linked collection' }).click()
      await option(page, linked).click()
    }
    for (const [index, one] of options.entries()) {
      if (index === 0) await form.getByRole('button', { name: 'Add option' }).click()
      else await page.keyboard.press('Enter')
      await page.keyboard.type(one)
    }
    await form.getByRole('button', { name: at === fields.length - 1 ? 'Add field' : 'Save and add another' }).click()
    await expect(page.getByText(`Field ${name} added`)).toBeVisible()
  }
  await expect(form).toBeHidden()
  await expect(button(page, 'Add a field')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: /^Field .+ added/ })).toHaveCount(1)
}

async function makeCollections(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Start from scratch/ }).click()
  await makeCollection(page, 'Customers')
  await addFields(page, [{ name: 'Phone', kind: 'Phone' }])
  await sidebar(page).getByRole('button', { name: 'New collection' }).click()
  await makeCollection(page, 'Products')
  await addFields(page, [{ name: 'Price', kind: 'Number' }])
  await sidebar(page).getByRole('button', { name: 'New collection' }).click()
  await makeCollection(page, 'Orders')
  await addFields(page, [
    { name: 'Customer', kind: 'Linked record', linked: 'Customers' },
    { name: 'Product', kind: 'Linked record', linked: 'Products' },
    { name: 'Status', kind: 'Status', options: ['New', 'Packed', 'Sent'] },
    { name: 'Amount', kind: 'Number' },
    { name: 'Ordered on', kind: 'Date' },
    { name: 'Tracking' },
  ])
}

async function openSettings(page: Page, collection: string): Promise<void> {
  await button(page, `More actions for ${collection}`).first().click()
  await page.getByRole('menuitem', { name: /settings/i }).click()
}

async function turnOnWorkflow(page: Page): Promise<void> {
  await openSettings(page, 'Orders')
  const section = page.getByRole('region', { name: 'Workflow' })
  await section.getByRole('button', { name: 'Turn on' }).click()
  await expect(section.getByRole('list', { name: 'Transitions' }).getByRole('listitem')).toHaveCount(2)
  await section.getByRole('button', { name: 'Edit transition “Sent”' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit transition' })
  await dialog.getByLabel('Name').fill('Send')
  await page.keyboard.press('Enter')
  await expect(section.getByText('Send', { exact: true })).toBeVisible()
}

async function addRule(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add a rule' })
  const when = dialog.getByRole('group', { name: 'When', exact: true })
  const then = dialog.getByRole('group', { name: 'Then require' })
  await button(page, 'Add a rule').click()
  await when.getByRole('button', { name: 'Add condition' }).click()
  await option(page, 'Status').click()
  await when.getByLabel('Value for Status').click()
  await option(page, 'Sent').click()
  await then.getByRole('combobox', { name: 'Field' }).click()
  await option(page, 'Tracking').click()
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(page.getByRole('region', { name: 'Validation rules' })).toContainText(
    'When Status is “Sent”, Tracking must not be empty.',
  )
}

type NewRole = { readonly name: string; readonly may: Readonly<Record<string, string>> }

async function makeRole(page: Page, { name, may }: NewRole): Promise<void> {
  await button(page, 'New role').click()
  await page.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await expect(heading(page, name)).toBeVisible()
  for (const [collection, permission] of Object.entries(may)) {
    await button(page, `Permissions of ${collection}`).click()
    await page.getByRole('menuitem', { name: permission, exact: true }).click()
    await expect(page.getByRole('status').filter({ hasText: `Saved: ${collection}` })).toBeVisible()
  }
}

async function makeRoles(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  const roles = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Roles' })
  await roles.click()
  await makeRole(page, {
    name: 'Sales',
    may: { Customers: 'Create and edit', Products: 'View only', Orders: 'Create and edit' },
  })
  await roles.click()
  await makeRole(page, {
    name: 'Warehouse',
    may: { Customers: 'View only', Products: 'Create and edit', Orders: 'View only' },
  })
}

async function invite(page: Page, email: string, role: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await page.getByRole('navigation').getByRole('button', { name: 'Invite people' }).click()
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(email)
  await dialog.getByLabel('Role').click()
  await option(page, role).click()
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: email })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** Imports the file into Orders, mapping every column to an existing or a new field. */
async function importOrders(page: Page): Promise<void> {
  await sidebar(page).getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'Import CSV' }).first().click()
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'bestellungen.csv', mimeType: 'text/csv', buffer: Buffer.from(MESSY_CSV) })
  for (const [column, field] of [
    ['Nummer', 'Title'],
    ['Kunde', 'Customer'],
    ['Betrag', 'Amount'],
    ['Datum', 'Ordered on'],
  ] as const) {
    await page.getByRole('combobox', { name: `Target for ${column}` }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
  }
  await button(page, 'Create 5 records in Customers').click()
  await page.getByLabel('Replace “auf Anfrage” with').fill('0')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `2 of ${MESSY_ROWS} rows have errors` })).toBeVisible()
  await takePicture(page, 'import check')
  await takePicture(page, 'import check on a phone', { width: 375, colorScheme: 'dark' })
  await button(page, 'Import as empty').click()
  await expect(page.getByText(`All ${MESSY_ROWS} rows can be imported.`)).toBeVisible()
  await button(page, `Import ${MESSY_ROWS} records`).click()
  await expect(page.getByRole('heading', { name: `${MESSY_ROWS} records imported` })).toBeVisible()
  await page.getByRole('link', { name: 'Show imported records' }).click()
  const orders = sidebar(page).getByRole('link', { name: 'Orders', exact: true })
  await expect(orders).toHaveAccessibleDescription(`${MESSY_ROWS} records`)
  await expect(page.getByRole('row', { name: /Café “Zentral”/ }).first()).toBeVisible()
}

async function saveView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(?:Save as new|New) view/ }).click()
  await expect(page.getByRole('dialog', { name: 'New view' }).getByLabel('Name')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
}

async function saveViews(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'All records' }).click()
  await button(page, 'Group').click()
  await option(page, 'Customer').click()
  await page.keyboard.press('Escape')
  await saveView(page, 'By customer')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'All records' }).click()
  await button(page, 'Filter').click()
  await button(page, 'Add condition').click()
  await option(page, 'Bezahlt').click()
  await page.getByLabel('Value for Bezahlt').click()
  await page.getByRole('option', { name: 'No', exact: true }).click()
  await page.keyboard.press('Escape')
  await saveView(page, 'Unpaid')
  await expect(page.getByText(`120 of ${MESSY_ROWS} records`)).toBeVisible()
}

async function editSeveral(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all records on this page' }).click()
  const bar = page.getByRole('group', { name: /selected$/ })
  await bar.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: /^Edit / })
  await dialog.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Tracking', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Tracking', exact: true }).fill('Collected')
  await dialog.getByRole('button', { name: 'Add another field' }).click()
  await dialog.getByRole('combobox', { name: 'Field' }).nth(1).click()
  await page.getByRole('option', { name: 'Ordered on', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Ordered on' }).fill('2026-12-01')
  await dialog.getByRole('button', { name: 'Update 10 records' }).click()
  // A toast of an earlier step may still be visible.
  const toast = page.locator('[id^="toast-"]').filter({ hasText: 'Updated Tracking and Ordered on in 10 records' })
  await expect(toast).toBeVisible()
  await takePicture(page, 'edited')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: 20 cells')).toBeVisible()
}

test('an office manager sets up a workspace within the expected number of clicks', async ({ page, server }) => {
  test.setTimeout(180_000)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  const { step, figures } = await countedSteps(page)
  const link = /http:\S+\/setup\?code=\S+/.exec(server.printed())?.[0] ?? ''

  await step('set-up', 0, () => setUp(page, link))
  await step('three collections with relations', 33, () => makeCollections(page))
  await step('workflow', 4, () => turnOnWorkflow(page))
  await step('rule', 8, () => addRule(page))
  await step('two roles', 17, () => makeRoles(page))
  await step('two invitations', 10, async () => {
    await invite(page, 'mara@example.org', 'Sales')
    await invite(page, 'theo@example.org', 'Warehouse')
    const members = page.getByRole('region', { name: 'Members' })
    await expect(members).toContainText('1 person.')
    await expect(members.getByRole('listitem')).toContainText('Invited')
  })
  await step('import', 14, () => importOrders(page))
  await step('two views', 11, () => saveViews(page))
  await step('bulk edit and undo', 9, () => editSeveral(page))

  // Notifications from an earlier page are gone.
  await expect(page.getByRole('status').filter({ hasText: /^Saved: / })).toHaveCount(0)
  if (PICTURES !== undefined) process.stdout.write(`${figures.join('\n')}\n`)
  expect(complaints).toEqual([])
})
