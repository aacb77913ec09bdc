import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { printedPages } from '#tests/support/browser/printed-pages.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ serverSettings: WITH_ADA, locale: 'en-US' })

async function look(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined && test.info().project.name === 'on-sqlite') {
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
  }
  expect(await axeFindings(page), name).toEqual([])
}

const LONG_NAME =
  'The very long name of a berth that does not fit into a single line of the record, not even on a wide screen'

async function makeBoats(url: string) {
  const { ask } = await asProgram(url, ADA)
  const choices = ['afloat', 'ashore'].map((name) => ({ name }))
  const fields = [
    { label: 'Name', kind: 'text' },
    { label: 'Status', kind: 'select', options: { choices } },
    { label: 'Length', kind: 'number', required: true },
    { label: 'Home port', name: 'port', kind: 'text', required: true },
    { label: 'Berth', kind: 'text' },
    { label: 'Story', kind: 'rich-text' },
    { label: 'Insured until', name: 'insured', kind: 'date' },
  ]
  await ask('POST', '/api/collections', { label: 'Yachts', name: 'yachts', fields })
  const paragraph = `<p>${'She was built of oak in a small yard by the river. '.repeat(12)}</p>`
  const values = {
    name: 'Aurora',
    length: 12,
    port: 'Fowey',
    berth: LONG_NAME,
    story: {
      html: `<h2>The voyage</h2>${paragraph.repeat(14)}<p>See <a href="https://example.org/log">the log</a>.</p>`,
    },
  }
  const { id } = await ask('POST', '/api/collections/yachts/records', { values })
  return { ask, record: `/collections/yachts/${String(id)}` }
}

test('an owner arranges the fields of a record, which is shown, created and printed accordingly', async ({
  page,
  server,
}) => {
  const { ask, record } = await makeBoats(server.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto('/collections/yachts/settings')
  const section = page.getByRole('region', { name: 'Record layout' })
  const editor = page.getByRole('dialog', { name: 'Record layout' })
  const handle = (name: string) => editor.getByRole('button', { name: `Move ${name}`, exact: true })
  const lines = editor.getByRole('list', { name: 'Sections and fields' }).getByRole('listitem')
  const hide = (field: string) => lines.filter({ hasText: field }).getByRole('checkbox', { name: 'Hide when empty' })

  await test.step('the editor starts with the default arrangement', async () => {
    await expect(section).toContainText('with long texts and files last')
    await section.getByRole('button', { name: 'Edit layout' }).press('Enter')
    await expect(lines).toHaveText([/^Status/, /^Length/, /^Home port/, /^Berth/, /^Insured until/, /^Story/])
    await expect(hide('Length')).toBeDisabled()
  })

  await test.step('fields and sections are arranged by keyboard', async () => {
    await editor.getByRole('button', { name: 'Add a section' }).press('Enter')
    await editor.getByRole('textbox', { name: 'Section title' }).last().fill('Harbor')
    await handle('Harbor').focus()
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowUp')
    await expect(handle('Harbor')).toBeFocused()
    await editor
      .getByRole('radiogroup', { name: 'Columns of Harbor' })
      .getByRole('radio', { name: '2 columns' })
      .press('Space')
    await hide('Insured until').press('Space')
    await hide('Berth').press('Space')
    await look(page, 'layout-editor')
  })

  await test.step('a field is dragged into another section, and steps are undone', async () => {
    await handle('Status').dragTo(handle('Berth'))
    await expect(lines).toHaveText([
      /^Length/,
      /columns$/,
      /^Home port/,
      /^Berth/,
      /^Status/,
      /^Insured until/,
      /^Story/,
    ])
    await editor.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(lines.first()).toHaveText(/^Status/)
    await handle('Status').press('Control+z')
    await expect(hide('Berth')).not.toBeChecked()
    await hide('Berth').press('Space')
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await look(page, 'layout-editor-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await editor.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(editor).toBeHidden()
    await expect(section).toContainText('2 sections: Harbor')
  })

  const harbor = page.getByRole('region', { name: 'Harbor' })
  await test.step('a record shows the sections, and empty fields on request', async () => {
    await page.goto(record)
    await expect(harbor.getByRole('textbox', { name: 'Home port' })).toHaveValue('Fowey')
    await expect(harbor.getByRole('textbox', { name: 'Berth' })).toBeVisible()
    await expect(harbor.getByLabel('Insured until')).toHaveCount(0)
    await look(page, 'record-sections')
    await page.getByRole('button', { name: 'Show 1 empty field' }).press('Enter')
    await expect(harbor.getByLabel('Insured until')).toBeVisible()
    await page.getByRole('button', { name: 'Hide empty fields' }).press('Enter')
    await harbor.getByRole('textbox', { name: 'Berth' }).fill('')
    await harbor.getByRole('textbox', { name: 'Berth' }).press('Enter')
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await expect(harbor.getByRole('textbox', { name: 'Berth' })).toBeVisible()
    await harbor.getByRole('textbox', { name: 'Berth' }).fill(LONG_NAME)
    await harbor.getByRole('textbox', { name: 'Berth' }).press('Enter')
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  })

  await test.step('on a phone in dark mode, there is one column', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const [port, berth] = await Promise.all(
      ['Home port', 'Berth'].map((name) => harbor.getByRole('textbox', { name }).boundingBox()),
    )
    expect(port?.x).toBe(berth?.x)
    await look(page, 'record-sections-phone-dark')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('a printed record is complete, without controls, with sections and page numbers', async () => {
    const pages = await printedPages(page)
    expect(pages.length).toBeGreaterThan(1)
    const text = pages.join('\n')
    expect(text).toContain(LONG_NAME)
    expect(text).toContain('Harbor Home port Fowey')
    expect(text.match(/built of oak/g)).toHaveLength(12 * 14)
    expect(text).toContain('the log (https://example.org/log)')
    expect(text).not.toMatch(/Insured until|Show history|empty field|New record|Yachts Home/)
    expect(pages.at(-1)).toContain(`${pages.length} / ${pages.length}`)
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('the form for new records asks for required fields in the same order and sections', async () => {
    await page.goto('/collections/yachts')
    await page.getByRole('button', { name: 'New record' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'New record' })
    await expect(form.getByRole('heading', { name: 'Harbor' })).toBeVisible()
    await expect(form.getByRole('textbox')).toHaveCount(2)
    await expect(form.getByRole('textbox', { name: 'Length' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(form.getByRole('textbox', { name: 'Home port' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(form.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
  })

  await test.step('a deleted field leaves no gap, and removing the layout can be undone', async () => {
    await ask('DELETE', '/api/collections/yachts/fields/port')
    await ask('DELETE', '/api/collections/yachts/fields/berth')
    await ask('DELETE', '/api/collections/yachts/fields/insured')
    await page.goto(record)
    await expect(page.getByRole('textbox', { name: 'Length' })).toBeVisible()
    await page.goto('/collections/yachts/settings')
    await section.getByRole('button', { name: 'Edit layout' }).press('Enter')
    await expect(lines).toHaveText([/^Status/, /^Length/, /columns$/, /^Story/])
    await editor.getByRole('button', { name: 'Use default layout' }).press('Enter')
    await expect(section).toContainText('with long texts and files last')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(section).toContainText('2 sections: Harbor')
  })
})
