import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'

test.use({ serverSettings: WITH_ADA })

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

const FIELDS = [
  { label: 'Name', kind: 'text' },
  { label: 'No', kind: 'auto-number' },
  { label: 'Stage', kind: 'state', options: choices('Wanted', 'Ordered', 'Here') },
  { label: 'Tags', kind: 'multi-select', options: choices('new', 'rare', 'signed', 'first edition') },
  { label: 'E-mail', name: 'mail', kind: 'email' },
  { label: 'Site', kind: 'url' },
  { label: 'Phone', name: 'phone', kind: 'phone' },
  { label: 'Keeper', kind: 'user' },
  { label: 'Readers', kind: 'user', options: { many: true } },
  { label: 'Extra', kind: 'json' },
].map((field) => ({ ...field, description: `About ${field.label}.` }))

const FURTHER_FIELDS = [
  { label: 'Lent', kind: 'checkbox' },
  { label: 'Due back', kind: 'date-time' },
  { label: 'Stars', kind: 'number', options: { format: 'rating' } },
  { label: 'Scans', kind: 'files' },
  { label: 'Review', kind: 'rich-text' },
].map((field) => ({ ...field, description: `About ${field.label}.` }))

/** Inputs and input groups. Listboxes are excluded, because they share their input's label. */
const CONTROLS = 'input, textarea, section, [role="group"], [role="radiogroup"], [role="textbox"]'

async function expectDescriptions(page: Page, fields: readonly { readonly label: string }[]): Promise<void> {
  for (const { label } of fields) {
    const control = page.getByLabel(label, { exact: true }).and(page.locator(CONTROLS)).first()
    await expect(control).toHaveAccessibleDescription(new RegExp(`About ${label}\\.`))
    await expect(page.getByText(`About ${label}.`)).toBeVisible()
  }
}

/** Creates a collection with all other field types and a few records. */
async function makeBooks(server: StartedServer, name: string): Promise<void> {
  const { ask } = await asProgram(server.url, ADA)
  const user = (await ask('GET', '/api/auth/user'))['user'] as { readonly id: string }
  await ask('POST', '/api/collections', { label: name, name, fields: FIELDS })
  const values = [
    {
      name: 'On the Origin of Species',
      stage: 'Here',
      tags: ['rare', 'first edition'],
      mail: 'charles@example.org',
      site: 'https://www.example.org/darwin/origin?edition=1',
      phone: '+44 20 7946 0100',
      keeper: user.id,
      readers: [user.id],
      extra: { pages: 502, plates: ['diagram'] },
    },
    { name: 'The Sea Around Us', tags: ['signed'], mail: 'rachel@example.com' },
    { name: 'Silent Spring', stage: 'Ordered' },
  ]
  const create = values.map((each) => ({ values: each }))
  await ask('POST', `/api/collections/${name}/records/bulk`, { create })
}

/** Creates a collection with further field types; returns the path of its record, which has no values. */
async function makeCopy(server: StartedServer): Promise<string> {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', { label: 'Copies', fields: FURTHER_FIELDS })
  const copy = await ask('POST', '/api/collections/copies/records', { values: {} })
  return `/collections/copies/${String(copy['id'])}`
}

async function signInWithoutTours(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await signIn(page, ADA)
}

test('every remaining field type is shown in the grid and edited by keyboard', async ({ page, server }) => {
  await makeBooks(server, 'books')
  await signInWithoutTours(page)
  await page.goto('/collections/books')
  const grid = page.getByRole('grid')

  await test.step('the grid shows each field type', async () => {
    await expect(grid.getByRole('link', { name: 'charles@example.org' })).toHaveAttribute(
      'href',
      'mailto:charles@example.org',
    )
    await expect(grid.getByRole('link', { name: 'example.org/darwin/origin?edition=1' })).toHaveAttribute(
      'rel',
      'noopener noreferrer',
    )
    await expect(grid.getByRole('link', { name: '+44 20 7946 0100' })).toHaveAttribute('href', 'tel:+442079460100')
    await expect(grid.getByText('first edition')).toBeVisible()
    await lookAt(page, 'grid')
  })

  await test.step('the record page edits each field type by keyboard', async () => {
    await page.goto('/collections/books')
    await grid.getByRole('link', { name: 'Silent Spring' }).click()
    await page.getByRole('link', { name: 'Open full page' }).click()
    await expect(grid).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Silent Spring' })).toBeVisible()
    await expectDescriptions(page, FIELDS)
    await page.getByLabel('Tags').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(page.getByText('new', { exact: true })).toBeVisible()
    // The second option is created before the first has been saved.
    for (const name of ['loaned', 'worn']) {
      await page.getByRole('combobox', { name: 'Tags' }).fill(name)
      await page.getByRole('option', { name: `Create “${name}”` }).click()
    }
    await expect(page.locator('.dropdown-pill')).toHaveText(['new', 'loaned', 'worn'])

    const mail = page.getByRole('textbox', { name: 'E-mail' })
    await mail.fill('rachel@')
    await expect(page.getByText('isn’t a valid email address')).toBeHidden()
    await mail.blur()
    await expect(page.getByText(/isn’t a valid email address/)).toBeVisible()
    await mail.fill('Rachel@Example.com')
    await mail.blur()
    await expect(mail).toHaveValue('rachel@example.com')

    await page.getByRole('textbox', { name: 'Site' }).fill('example.com/spring')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: 'Site' })).toHaveValue('https://example.com/spring')
    await page.getByRole('textbox', { name: 'Phone' }).fill('+1 (555) 010-0123 ext. 7')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+1 (555) 010-0123 #7')

    const keeper = page.getByRole('combobox', { name: 'Keeper' })
    await keeper.click()
    await keeper.pressSequentially('ada')
    await expect(page.getByRole('option', { name: ADA.name })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')

    const extra = page.getByRole('textbox', { name: 'Extra' })
    await extra.fill('{"pages": 368')
    await extra.blur()
    await expect(page.getByText(/Must be JSON/)).toBeVisible()
    await extra.fill('{"pages": 368}')
    await extra.blur()
    await expect(extra).toHaveValue('{\n  "pages": 368\n}')
    await expect(page.getByRole('textbox', { name: 'No', exact: true })).toHaveAttribute('readonly', '')
    await expect(page.getByText('Saved').first()).toBeVisible()
    await expect(page.getByText(ADA.name, { exact: true })).toBeVisible()
    await lookAt(page, 'record')
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+1 (555) 010-0123 #7')
    await expect(page.getByText(ADA.name).first()).toBeVisible()
  })
})

test('every remaining field type is described, filtered and offered in settings', async ({ page, server }) => {
  await makeBooks(server, 'volumes')
  const copy = await makeCopy(server)
  await signInWithoutTours(page)

  await test.step('every input type has a description', async () => {
    await page.goto(copy)
    await expectDescriptions(page, FURTHER_FIELDS)
    await lookAt(page, 'described')
  })

  await test.step('the filter suggests users and options by name', async () => {
    await page.goto('/collections/volumes')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('option', { name: 'Keeper' }).click()
    await page.getByRole('combobox', { name: 'Value for Keeper' }).click()
    await lookAt(page, 'filter')
    await page.getByRole('option', { name: 'Me', exact: true }).click()
    await expect(page).toHaveURL(/keeper/)
    await expect(page.getByRole('grid').getByRole('rowheader')).toHaveText(['On the Origin of Species'])
  })

  await test.step('field settings support each field type', async () => {
    await page.goto('/collections/volumes/settings')
    await page.getByRole('button', { name: 'Add a field' }).click()
    await lookAt(page, 'field')
    const form = page.getByRole('dialog', { name: 'Add a field' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Shelves')
    await form.getByRole('combobox', { name: 'Field type' }).click()
    await expect(page.getByRole('option', { name: /^Status/ })).toHaveAttribute('data-combobox-disabled')
    await page.getByRole('option', { name: /^Multi-select/ }).click()
    await page.getByRole('button', { name: 'Add option' }).click()
    await page.keyboard.type('Upper')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Lower')
    await lookAt(page, 'field-choices')
    await page.getByRole('button', { name: 'Add field' }).click()
    await expect(page.getByText('Field Shelves added')).toBeVisible()
  })
})
