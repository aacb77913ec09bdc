import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ viewport: { width: 1440, height: 900 }, serverSettings: WITH_ADA })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const form = (page: Page) => page.getByRole('dialog', { name: 'Add a field' })

/** Chooses an option of a dropdown with the arrow keys. */
async function choose(page: Page, dropdown: Locator, option: string): Promise<void> {
  await dropdown.focus()
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('ArrowDown')
    const active = await dropdown.getAttribute('aria-activedescendant')
    const text = active === null ? '' : await page.locator(`[id="${active}"]`).textContent()
    if (text?.startsWith(option)) break
  }
  await page.keyboard.press('Enter')
}

async function makeCollection(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: 'New collection' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'New collection' }).getByLabel('Name')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

type NewField = {
  readonly name: string
  readonly type: string
  readonly linked?: string
  readonly through?: string
  readonly field?: string
  readonly function?: string
  readonly formula?: string
}

async function addField(page: Page, { name, type, ...more }: NewField): Promise<void> {
  await button(page, 'Add a field').press('Enter')
  await expect(form(page).getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.type(name)
  const dropdown = (label: string) => form(page).getByRole('combobox', { name: label, exact: true })
  await choose(page, dropdown('Field type'), type)
  if (more.linked !== undefined) await choose(page, dropdown('Linked collection'), more.linked)
  if (more.through !== undefined) await choose(page, dropdown('Linked records'), more.through)
  if (more.field !== undefined) await choose(page, dropdown('Field'), more.field)
  if (more.function !== undefined) await choose(page, dropdown('Function'), more.function)
  if (more.formula !== undefined) {
    await form(page).getByRole('textbox', { name: 'Formula' }).focus()
    await page.keyboard.type(more.formula)
  }
  await form(page).getByRole('button', { name: 'Add field', exact: true }).press('Enter')
  await expect(page.getByText(`Field ${name} added`)).toBeVisible()
  await expect(form(page)).toBeHidden()
}

const open = (page: Page, collection: string) =>
  page.getByRole('navigation').getByRole('link', { name: collection, exact: true }).press('Enter')

/** Creates records in the list of linked records, and opens the last one. */
async function createLinked(page: Page, list: string, titles: readonly string[]): Promise<void> {
  const linked = page.getByRole('combobox', { name: `Link a record to ${list}` })
  for (const title of titles) {
    await linked.focus()
    await page.keyboard.type(title)
    await expect(page.getByRole('option', { name: `Create “${title}”` })).toBeVisible()
    await choose(page, linked, `Create “${title}”`)
    await expect(page.getByRole('list', { name: list }).getByRole('link', { name: title })).toBeVisible()
  }
}

async function enter(page: Page, values: { readonly [label: string]: string }): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('textbox', { name: label, exact: true }).focus()
    await page.keyboard.type(value)
    await page.keyboard.press('Tab')
  }
  await expect(page.locator('.save-words')).toHaveText('Saved')
}

const linked = (page: Page, list: string) => page.locator('.linked-records').filter({ hasText: list })

test('a project tracker with rollups and formulas is built by keyboard', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page, ADA)

  await test.step('makes three collections that are linked from both sides', async () => {
    await makeCollection(page, 'Clients')
    await makeCollection(page, 'Projects')
    await addField(page, { name: 'Client', type: 'Linked record', linked: 'Clients' })
    await addField(page, { name: 'Rate', type: 'Number' })
    await makeCollection(page, 'Tasks')
    await addField(page, { name: 'Project', type: 'Linked record', linked: 'Projects' })
    await addField(page, { name: 'Hours', type: 'Number' })
    await addField(page, { name: 'Summary', type: 'Formula', formula: 'title & ": " & hours & " h"' })
  })

  await test.step('calculates from linked records, and from calculated values', async () => {
    await open(page, 'Projects')
    await addField(page, { name: 'Hours', type: 'Rollup', through: 'Tasks', field: 'Hours', function: 'Sum' })
    await addField(page, { name: 'Cost', type: 'Formula', formula: 'hours * rate' })
    await open(page, 'Clients')
    await addField(page, { name: 'Total', type: 'Rollup', through: 'Projects', field: 'Cost', function: 'Sum' })
    await addField(page, { name: 'Per task', type: 'Formula', formula: 'sum(projects.cost) / count(projects.tasks)' })
    await addField(page, { name: 'Size', type: 'Formula', formula: 'if(total > 1000, "Large", "Small")' })
  })

  await test.step('enters records in the lists of linked records', async () => {
    await button(page, 'New record').first().press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).focus()
    await page.keyboard.type('Acme')
    await page.keyboard.press('Tab')
    await createLinked(page, 'Projects', ['Portal', 'Archive'])
    await page.getByRole('list', { name: 'Projects' }).getByRole('link', { name: 'Portal' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Portal', level: 1 })).toBeVisible()
    await enter(page, { Rate: '100' })
    await createLinked(page, 'Tasks', ['Design', 'Build'])
    for (const [title, hours] of [
      ['Design', '8'],
      ['Build', '12'],
    ] as const) {
      await page.getByRole('list', { name: 'Tasks' }).getByRole('link', { name: title }).press('Enter')
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
      await enter(page, { Hours: hours })
      await expect(page.getByRole('textbox', { name: 'Summary' })).toHaveValue(`${title}: ${hours} h`)
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'Portal', level: 1 })).toBeVisible()
    }
  })

  await test.step('shows the calculated values in records and lists', async () => {
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Hours' })).toHaveValue('20')
    await expect(page.getByRole('textbox', { name: 'Cost' })).toHaveValue('2,000')
    await lookAt(page, 'tracker-record')
    await open(page, 'Clients')
    const row = page.locator('.grid-row').filter({ hasText: 'Acme' })
    await expect(row).toContainText('2,000')
    await expect(row).toContainText('1,000')
    await expect(row).toContainText('Large')
    await lookAt(page, 'tracker-list')
    await row.getByRole('link', { name: 'Acme' }).press('Enter')
    await expect(linked(page, 'Projects').getByRole('listitem')).toHaveCount(2)
    await lookAt(page, 'tracker-linked')
  })

  await test.step('the forms of calculated fields are accessible', async () => {
    await page.goto('/collections/clients/settings')
    await button(page, /^Edit Total/).press('Enter')
    await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Function' })).toBeVisible()
    await lookAt(page, 'tracker-rollup')
  })
})
